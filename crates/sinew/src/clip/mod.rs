//! Clips: tracks of keys that move joints and morph weights. (Being written; only the shape is fixed.)

mod stub;

pub use stub::{Clip, Interpolation, Keys, Track};
