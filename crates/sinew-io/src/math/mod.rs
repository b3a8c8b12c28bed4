//! Vectors and rotations in `f64`, for what formats state in other ways than models keep it.
#![cfg_attr(
    not(all(feature = "bvh", feature = "md5", feature = "vrm")),
    allow(dead_code, reason = "formats that are left out use some of it")
)]

pub(crate) mod quaternion;
pub(crate) mod vector;

pub(crate) use quaternion::Quaternion;
pub(crate) use vector::Vector;
