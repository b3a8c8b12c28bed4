//! Why rays cannot hit an entity.

use std::borrow::Cow;
use std::{error, fmt};

use bevy_ecs::entity::Entity;

/// Why rays cannot hit an entity, or nothing can be computed for it. Casts skip such entities; see
/// [`SkinnedRayCast::prepare`](crate::SkinnedRayCast::prepare).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The entity does not exist, or has no `Mesh3d` or no `GlobalTransform`.
    NoMesh,
    /// The mesh asset is not loaded.
    MeshNotLoaded,
    /// The mesh has no positions in the main world: it was loaded for rendering only.
    MeshNotReadable,
    /// The inverse bind poses of the skin are not loaded.
    BindPosesNotLoaded,
    /// A joint of the skin does not exist or has no `GlobalTransform`.
    JointMissing(Entity),
    /// The mesh cannot be skinned; says why.
    UnsupportedMesh(Cow<'static, str>),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMesh => f.write_str("the entity has no mesh with a global transform"),
            Self::MeshNotLoaded => f.write_str("the mesh is not loaded"),
            Self::MeshNotReadable => f.write_str("the mesh has no positions in the main world"),
            Self::BindPosesNotLoaded => f.write_str("the inverse bind poses are not loaded"),
            Self::JointMissing(joint) => write!(f, "joint {joint} of the skin does not exist"),
            Self::UnsupportedMesh(why) => write!(f, "the mesh cannot be skinned: {why}"),
        }
    }
}

impl error::Error for Problem {}
