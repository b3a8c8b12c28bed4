//! Vector and quaternion math that uses only exactly rounded operations, so results have the same
//! bits on every machine: in `f64`, and in `f32` for eight characters at once (`lanes`). And how to sort (`sort`).

pub(crate) mod affine_lanes;
pub(crate) mod flush;
pub(crate) mod lanes;
pub(crate) mod linear;
pub(crate) mod quaternion;
pub(crate) mod slerp;
pub(crate) mod sort;
pub(crate) mod vector;
