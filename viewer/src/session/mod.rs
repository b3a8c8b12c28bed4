//! A session: the loaded scene, the pipeline that skins it, and what is drawn of it. Independent of
//! windows.

mod blended;
mod config;
mod fill;
mod lifecycle;
mod overlay;
mod step;

pub use fill::FillTimes;
pub use lifecycle::{Session, StageTimes};
