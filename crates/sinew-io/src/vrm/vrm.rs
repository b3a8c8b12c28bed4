//! What a VRM file says, as data.

use std::collections::BTreeMap;

use sinew::JointId;

use super::human_bone::HumanBone;

/// The VRM data of a file.
///
/// Joints are those of the model's skeleton in an [`Import`](crate::Import). In a
/// [`RawScene`](crate::RawScene), they are indices of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Vrm {
    /// The version of the format.
    pub version: VrmVersion,
    /// The name, the authors, the license and the rest of the file's `meta`: the JSON of each
    /// field, by name, but for the thumbnail.
    pub meta: BTreeMap<String, String>,
    /// The joint of each bone of the humanoid.
    pub humanoid: BTreeMap<HumanBone, JointId>,
    /// Expressions of the face.
    pub expressions: Vec<VrmExpression>,
    /// The JSON of how the eyes follow a target, as VRM 1.0 has it; empty for none.
    pub look_at: String,
    /// Which mesh instances a first-person camera shows.
    pub first_person: Vec<(JointId, FirstPerson)>,
    /// Shapes that springs do not enter.
    pub colliders: Vec<VrmCollider>,
    /// Groups of colliders, referenced by springs.
    pub collider_groups: Vec<VrmColliderGroup>,
    /// Chains of joints that swing.
    pub springs: Vec<VrmSpring>,
    /// Joints that follow others.
    pub constraints: Vec<VrmConstraint>,
    /// What the animations of a VRMA file move.
    pub animation: Option<VrmAnimation>,
}

/// A version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum VrmVersion {
    /// VRM 0.x. Avatars look along -Z.
    V0,
    /// VRM 1.0. Avatars look along +Z.
    #[default]
    V1,
}

/// An expression: morph targets with their weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VrmExpression {
    /// The name of a preset of VRM 1.0, such as `happy`, or one of the file's own.
    pub name: String,
    /// Whether the name is one of a preset.
    pub is_preset: bool,
    /// The morph targets that the expression moves.
    pub binds: Vec<MorphBind>,
    /// Whether the expression is either on or off.
    pub is_binary: bool,
    /// What the expression does to blinking.
    pub override_blink: ExpressionOverride,
    /// What the expression does to looking around.
    pub override_look_at: ExpressionOverride,
    /// What the expression does to the shape of the mouth.
    pub override_mouth: ExpressionOverride,
}

/// A morph target of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorphBind {
    /// The joint of the mesh.
    pub joint: JointId,
    /// The index of the morph target in the mesh.
    pub target: usize,
    /// The weight of the target when the weight of the expression is one.
    pub weight: f32,
}

/// What an expression does to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExpressionOverride {
    /// Nothing.
    #[default]
    None,
    /// It turns them off while its weight is not zero.
    Block,
    /// It weakens them by its weight.
    Blend,
}

/// What a first-person camera shows of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstPerson {
    /// What does not move with the head.
    #[default]
    Auto,
    /// All.
    Both,
    /// Nothing.
    ThirdPersonOnly,
    /// All, and other cameras nothing.
    FirstPersonOnly,
}

/// A shape that springs do not enter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VrmCollider {
    /// The joint that the shape moves with.
    pub joint: JointId,
    /// The shape, in the space of the joint.
    pub shape: ColliderShape,
}

/// The shape of a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// A sphere.
    Sphere {
        /// The center.
        offset: [f32; 3],
        /// The radius.
        radius: f32,
        /// Whether springs stay inside, not outside.
        inside: bool,
    },
    /// All points near a line.
    Capsule {
        /// One end of the line.
        offset: [f32; 3],
        /// The other end.
        tail: [f32; 3],
        /// The distance from the line.
        radius: f32,
        /// Whether springs stay inside, not outside.
        inside: bool,
    },
    /// A plane. Springs stay on the side of its normal.
    Plane {
        /// A point of the plane.
        offset: [f32; 3],
        /// The unit normal.
        normal: [f32; 3],
    },
}

/// Colliders that springs refer to together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VrmColliderGroup {
    /// The name, which may be empty.
    pub name: String,
    /// Indices of colliders.
    pub colliders: Vec<usize>,
}

/// Joints that swing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VrmSpring {
    /// The name, which may be empty.
    pub name: String,
    /// The joints of a chain, each below the one before it; or, for VRM 0.x, joints that swing with
    /// all joints below them. [`Vrm::spring_chains`] gives chains for both.
    pub joints: Vec<VrmSpringJoint>,
    /// Indices of collider groups.
    pub collider_groups: Vec<usize>,
    /// The joint whose motion does not swing the spring.
    pub center: Option<JointId>,
}

/// A joint of a spring. It swings the joint after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VrmSpringJoint {
    /// The joint.
    pub joint: JointId,
    /// The radius within which it collides.
    pub hit_radius: f32,
    /// The force back to the pose of the clip.
    pub stiffness: f32,
    /// The strength of gravity.
    pub gravity_power: f32,
    /// The direction of gravity in the world.
    pub gravity_direction: [f32; 3],
    /// The part of the velocity that is lost, from zero to one.
    pub drag: f32,
}

/// A joint that follows another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VrmConstraint {
    /// The joint that follows.
    pub joint: JointId,
    /// The joint that it follows.
    pub source: JointId,
    /// How.
    pub kind: ConstraintKind,
    /// How much, from zero to one.
    pub weight: f32,
}

/// How a joint follows another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// It takes over the rotation of the source about an axis of its own: X, Y or Z.
    Roll(ConstraintAxis),
    /// It points an axis at the source.
    Aim(ConstraintAxis),
    /// It takes over the rotation of the source relative to its rest pose.
    Rotation,
}

/// An axis of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintAxis {
    /// +X.
    PositiveX,
    /// -X.
    NegativeX,
    /// +Y.
    PositiveY,
    /// -Y.
    NegativeY,
    /// +Z.
    PositiveZ,
    /// -Z.
    NegativeZ,
}

impl ConstraintAxis {
    /// The unit vector.
    #[must_use]
    pub fn vector(self) -> [f32; 3] {
        match self {
            Self::PositiveX => [1.0, 0.0, 0.0],
            Self::NegativeX => [-1.0, 0.0, 0.0],
            Self::PositiveY => [0.0, 1.0, 0.0],
            Self::NegativeY => [0.0, -1.0, 0.0],
            Self::PositiveZ => [0.0, 0.0, 1.0],
            Self::NegativeZ => [0.0, 0.0, -1.0],
        }
    }
}

/// What the animations of a VRMA file move. [`Vrm::retarget`] makes clips for an avatar of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VrmAnimation {
    /// The joint of each bone of the humanoid.
    pub humanoid: BTreeMap<HumanBone, JointId>,
    /// The joint of each expression: the X of its translation is the weight.
    pub expressions: Vec<VrmExpressionJoint>,
    /// The joint whose rotation is where the eyes look.
    pub look_at: Option<JointId>,
}

/// The joint of an expression in a VRMA file.
#[derive(Clone, Debug, PartialEq)]
pub struct VrmExpressionJoint {
    /// The name of the expression.
    pub name: String,
    /// Whether the name is one of a preset.
    pub is_preset: bool,
    /// The joint.
    pub joint: JointId,
}

impl Vrm {
    /// The text of a field of `meta`; `None` if it is missing or no string. VRM 0.x has `title` and
    /// `author` where VRM 1.0 has `name` and `authors`.
    #[must_use]
    pub fn meta_text(&self, name: &str) -> Option<String> {
        super::read::text_of_json(self.meta.get(name)?)
    }

    /// The same data with other joints; `None` if one of them is not in the map.
    pub(crate) fn with_joints(mut self, map: &dyn Fn(JointId) -> Option<JointId>) -> Option<Self> {
        let Self { humanoid, expressions, first_person, colliders, springs, constraints, animation, .. } =
            &mut self;
        let animation_humanoid = animation.iter_mut().flat_map(|animation| animation.humanoid.values_mut());
        let mut joints: Vec<&mut JointId> = humanoid.values_mut().chain(animation_humanoid).collect();
        joints.extend(
            expressions.iter_mut().flat_map(|expression| &mut expression.binds).map(|bind| &mut bind.joint),
        );
        joints.extend(first_person.iter_mut().map(|(joint, _)| joint));
        joints.extend(colliders.iter_mut().map(|collider| &mut collider.joint));
        for spring in springs {
            joints.extend(spring.center.as_mut());
            joints.extend(spring.joints.iter_mut().map(|joint| &mut joint.joint));
        }
        for constraint in constraints {
            joints.extend([&mut constraint.joint, &mut constraint.source]);
        }
        for joint in joints {
            *joint = map(*joint)?;
        }
        if let Some(animation) = animation {
            for expression in &mut animation.expressions {
                expression.joint = map(expression.joint)?;
            }
            if let Some(look_at) = &mut animation.look_at {
                *look_at = map(*look_at)?;
            }
        }
        Some(self)
    }
}
