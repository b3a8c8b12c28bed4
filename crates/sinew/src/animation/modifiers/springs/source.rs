//! The description that spring bones are built from, in the terms of VRMC_springBone 1.0.

use sinew_kernels::{BoneLength, ColliderShape};

use crate::skeleton::JointId;

/// Chains of joints that swing, and what they collide with.
/// [`SpringBones::new`](super::SpringBones) checks it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringSource {
    /// What springs collide with.
    pub colliders: Vec<SpringCollider>,
    /// Groups of colliders, as indices into `colliders`.
    pub collider_groups: Vec<Vec<usize>>,
    /// The chains.
    pub springs: Vec<Spring>,
    /// How long bones are while they swing.
    pub bone_length: BoneLength,
}

/// A chain of joints that swings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spring {
    /// The joints, from the root of the chain to its tip, each a descendant of the one before. Each
    /// rotates so that the next one lags behind. The last one is the tip: it does not rotate, and
    /// its numbers are not used, unless there is a `virtual_tail`.
    pub joints: Vec<SpringJoint>,
    /// The groups of colliders that the chain collides with, as indices into
    /// [`SpringSource::collider_groups`].
    pub collider_groups: Vec<usize>,
    /// The joint relative to whose motion the chain swings; `None` swings in world space. With the
    /// hips as center, hair does not fly back when the character runs.
    pub center: Option<JointId>,
    /// The length of a bone after the last joint, in the direction from its parent to it, for
    /// chains whose last joint rotates too. Chains of VRM 0.x have one of 0.07 m.
    pub virtual_tail: Option<f32>,
}

impl Spring {
    /// A chain of joints that all have the same numbers, without colliders and center.
    #[must_use]
    pub fn new(joints: &[JointId], numbers: SpringJoint) -> Self {
        let joint = |&joint: &JointId| SpringJoint { joint, ..numbers };
        Self { joints: joints.iter().map(joint).collect(), ..Self::default() }
    }

    /// Sets the groups of colliders that the chain collides with.
    #[must_use]
    pub fn with_collider_groups(mut self, groups: &[usize]) -> Self {
        self.collider_groups = groups.to_vec();
        self
    }

    /// Sets the joint relative to whose motion the chain swings.
    #[must_use]
    pub fn with_center(mut self, center: JointId) -> Self {
        self.center = Some(center);
        self
    }
}

/// A joint of a chain. The defaults are those of VRMC_springBone 1.0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJoint {
    /// The joint.
    pub joint: JointId,
    /// The radius with which the end of its bone collides, in meters of world space; from zero up.
    pub hit_radius: f32,
    /// How strongly it returns to its rest rotation, in meters per second by which the end of the
    /// bone is moved there; from zero up.
    pub stiffness: f32,
    /// The strength of gravity, in meters per second by which the end of the bone is moved.
    pub gravity_power: f32,
    /// The direction of gravity in world space. Its length counts.
    pub gravity_dir: [f32; 3],
    /// The part of the motion that is lost in each step, from 0 to 1.
    pub drag_force: f32,
}

impl SpringJoint {
    /// A joint with the default numbers.
    #[must_use]
    pub fn new(joint: JointId) -> Self {
        Self { joint, ..Self::default() }
    }
}

impl Default for SpringJoint {
    fn default() -> Self {
        Self {
            joint: JointId::new(0),
            hit_radius: 0.0,
            stiffness: 1.0,
            gravity_power: 0.0,
            gravity_dir: [0.0, -1.0, 0.0],
            drag_force: 0.5,
        }
    }
}

/// A shape that moves with a joint, which springs collide with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringCollider {
    /// The joint that it moves with.
    pub joint: JointId,
    /// The shape.
    pub shape: ColliderShape,
}
