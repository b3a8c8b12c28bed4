//! Clips: keys over time for joints and morph weights, checked once, packed, and sampled with a cursor.

mod arc;
mod build;
mod check;
mod cubic;
mod cursor;
mod data;
mod look;
mod read_back;
mod sample;
mod timeline;
mod track;

pub(crate) use arc::arcsine_squared;
pub use cursor::Cursor;
pub use data::Clip;
pub use look::JointParts;
pub use read_back::{KeyData, TrackData};
pub use track::{Interpolation, Keys, Track};
