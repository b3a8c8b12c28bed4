//! The comparison viewer: runs every skinning method side by side, in a window and in a browser.
//!
//! [`scene`] loads and animates models, [`methods`] skins them, [`shapes`] builds the lines and
//! shadow volumes drawn over them, and [`draw`] draws with OpenGL and knows nothing of windows.
//! [`session`] joins these as [`settings`] ask; [`app`] shows a session with the controls of
//! [`ui`]. [`state`] reports what is shown, for tests.

pub mod app;
#[cfg(not(target_arch = "wasm32"))]
pub mod command;
pub mod draw;
pub mod figure_15;
pub mod methods;
#[cfg(target_os = "linux")]
pub mod offscreen;
pub mod scene;
mod scene_painter;
pub mod session;
pub mod settings;
pub mod shapes;
pub mod state;
pub mod stats;
pub mod timing;
pub mod ui;
#[cfg(target_arch = "wasm32")]
pub mod web;
