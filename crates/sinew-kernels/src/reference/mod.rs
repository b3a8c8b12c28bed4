//! The kernels in plain `f64`, one joint after the other: slow, obvious, and sharing nothing with the bodies
//! they check.
