//! What several tests share.

pub(crate) mod dual_quaternion_cases;
#[cfg(panic = "unwind")]
pub(crate) mod rejection;
