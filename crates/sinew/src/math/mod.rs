//! Vector and quaternion math that uses only exactly rounded operations, so results have the same
//! bits on every machine; and sorts that share their code.

pub(crate) mod flush;
pub(crate) mod linear;
pub(crate) mod quaternion;
pub(crate) mod slerp;
pub(crate) mod sort;
pub(crate) mod vector;
