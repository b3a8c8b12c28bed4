//! The comparison application: every method of skinning at work, in a window and in a browser.
//!
//! [`draw`] draws with OpenGL, without a word of windows; [`scene`] is what moves, [`methods`] what skins it and [`shapes`] what
//! follows the skin; [`show`] is all of them as [`settings`] want it, and [`app`] shows it between the controls of [`ui`].
//! [`state`] tells tests what is seen.

pub mod app;
#[cfg(not(target_arch = "wasm32"))]
pub mod command;
pub mod draw;
pub mod figure_15;
pub mod methods;
#[cfg(target_os = "linux")]
pub mod offscreen;
mod painting;
pub mod scene;
pub mod settings;
pub mod shapes;
pub mod show;
pub mod state;
pub mod stats;
pub mod timing;
pub mod ui;
#[cfg(target_arch = "wasm32")]
pub mod web;
