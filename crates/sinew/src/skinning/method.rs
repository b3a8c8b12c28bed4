//! The skinning method.

/// How the joints of a vertex are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkinMethod {
    /// Matrices are blended linearly. The fastest method; twisted joints lose volume.
    #[default]
    Linear,
    /// Dual quaternions are blended. Twisted joints keep their volume.
    DualQuaternion,
}
