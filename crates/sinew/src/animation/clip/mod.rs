//! Clips: key frames for joints and morph weights, checked once, packed, and sampled with a cursor.

mod build;
mod check;
mod common_times;
mod cursor;
mod curves;
mod data;
mod events;
mod export;
mod flush_rotations;
mod hermite;
mod joint_value;
mod key_pairs;
mod keyed_tracks;
mod looping;
mod nlerp;
mod options;
mod packed_rows;
mod row_tracks;
mod sample;
mod sample_joint;
mod single_rows;
mod sparse_tracks;
mod timeline;
mod track;

pub use cursor::Cursor;
pub use data::Clip;
pub use events::{ClipEvent, PassedEvent};
pub use export::{KeyData, TrackData};
pub use options::ClipOptions;
pub use sample_joint::SampledJoint;
pub use track::{Interpolation, Keys, Track};
