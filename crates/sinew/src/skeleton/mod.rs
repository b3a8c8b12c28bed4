//! Skeletons, skins and poses, and the conversion between local and model space.

mod error;
mod ids;
mod joint_range;
mod labels;
mod local_to_model;
mod model_matrices;
mod name_error;
mod names;
mod pose;
mod product_plan;
#[cfg(feature = "serde")]
mod serde;
mod skeleton;
mod skin;
mod transform;

pub use error::SkeletonError;
pub(crate) use error::check_joint;
pub use ids::{JointId, SkinJoint};
pub(crate) use joint_range::resolve_range;
pub use labels::{JointName, MorphName};
pub(crate) use model_matrices::ModelMatrices;
pub use name_error::NameError;
pub(crate) use names::Names;
pub use pose::Pose;
pub(crate) use pose::check_morph_weights;
pub use sinew_kernels::{Joint, Matrix, NO_PARENT, Scale};
pub use skeleton::{Bone, Skeleton};
pub use skin::Skin;
pub(crate) use transform::is_normalized;
pub use transform::{RotationPolicy, Transform};
