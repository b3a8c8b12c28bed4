//! VRM 1.0 and 0.x: avatars in glTF with a humanoid, expressions, spring bones and constraints; and
//! VRM animations (VRMA).

mod constraints;
mod expressions;
mod human_bone;
mod quaternion;
mod read;
mod read_0;
mod read_1;
mod retarget;
mod spring_chains;
mod springs;
mod vrm;
mod write;
mod write_0;

pub use constraints::NodeConstraint;
pub use human_bone::HumanBone;
pub(crate) use read::{EXTENSIONS, read};
pub use vrm::{
    ColliderShape, ConstraintAxis, ConstraintKind, ExpressionOverride, FirstPerson, MorphBind, Vrm,
    VrmAnimation, VrmCollider, VrmColliderGroup, VrmConstraint, VrmExpression, VrmExpressionJoint, VrmSpring,
    VrmSpringJoint, VrmVersion,
};
pub(crate) use write::extensions;
