//! The joints of a model: bind transforms, skeleton and skin.

use super::hierarchy::{Hierarchy, HierarchyJoint};
use super::quaternion::unpack_rotation;
use super::tokenizer::{Token, Tokenizer};
use crate::error::BoxedError as Error;
use crate::math::quaternion::{conjugate, product, rotate};
use crate::math::vector::sub;
use crate::math::{Quaternion, Vector};
use crate::scene::{Budget, WarningCount};
use crate::text_location::TextLocation;
use crate::{InverseBinds, RawNode, RawSkin, RawTransform, Report};

/// The bytes of the shortest joint, `""-1(0 0 0)(0 0 0)`.
pub(super) const SHORTEST_JOINT: usize = 18;

/// The bytes that a joint takes here, in addition to those that are counted when the model is
/// built, and the number of copies of its name. Measured.
const JOINT_BYTES: u64 = 128;
const NAME_COPIES: u64 = 5;

/// The transform of a joint in model space, in the bind pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct BindTransform {
    pub(super) rotation: Quaternion,
    pub(super) translation: Vector,
}

impl BindTransform {
    /// Transforms a point from the joint's space to model space.
    pub(super) fn transform_point(&self, vector: Vector) -> Vector {
        let rotated = rotate(self.rotation, vector);
        std::array::from_fn(|axis| self.translation[axis] + rotated[axis])
    }

    /// Transforms a point from model space to the joint's space.
    pub(super) fn inverse_transform_point(&self, point: Vector) -> Vector {
        rotate(conjugate(self.rotation), sub(point, self.translation))
    }
}

/// The joints of a model. All of them are joints of its skin.
pub(super) struct Joints {
    pub(super) hierarchy: Vec<HierarchyJoint>,
    pub(super) binds: Vec<BindTransform>,
    start: TextLocation,
}

impl Joints {
    /// Reads the block of joints.
    pub(super) fn read(
        text: &mut Tokenizer<'_>,
        len: usize,
        budget: &Budget,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let start = text.location();
        budget.charge(start, "joints", len as u64, JOINT_BYTES)?;
        text.punctuation(b'{')?;
        let (mut hierarchy, mut binds, mut long) =
            (Hierarchy::default(), Vec::new(), WarningCount::default());
        while text.token() != Token::Punctuation(b'}') && binds.len() < len {
            hierarchy.read(text)?;
            let translation = text.vector("the position of a joint")?;
            let rotation_location = text.location();
            let (rotation, too_long) = unpack_rotation(text.vector("the rotation of a joint")?);
            if too_long {
                long.add(rotation_location);
            }
            binds.push(BindTransform { rotation, translation });
        }
        if binds.len() < len {
            return Err(text.unexpected(format!("joint {} of {len}", binds.len())));
        }
        text.punctuation(b'}')?;
        let hierarchy = hierarchy.finish(report, "")?;
        long.warn_at_first(report, "", "rotations are longer than one", "they were normalized, with w = 0")?;
        let names = hierarchy.iter().map(|joint| joint.name.len() as u64).sum();
        budget.charge(start, "bytes of names", names, NAME_COPIES)?;
        Ok(Self { hierarchy, binds, start })
    }

    /// The joints relative to their parents.
    pub(super) fn nodes(&self) -> Vec<RawNode> {
        let node = |(joint, bind): (&HierarchyJoint, &BindTransform)| {
            let (rotation, translation) = match joint.parent.map(|parent| &self.binds[parent]) {
                Some(parent) => (
                    product(conjugate(parent.rotation), bind.rotation),
                    parent.inverse_transform_point(bind.translation),
                ),
                None => (bind.rotation, bind.translation),
            };
            let transform = RawTransform::Trs {
                rotation: rotation.map(|element| element as f32),
                translation: translation.map(|element| element as f32),
                scale: [1.0; 3],
            };
            RawNode { name: joint.name.clone(), parent: joint.parent, transform, ..RawNode::default() }
        };
        self.hierarchy.iter().zip(&self.binds).map(node).collect()
    }

    /// The skin with all joints.
    pub(super) fn skin(&self) -> RawSkin {
        RawSkin {
            location: self.start.to_string(),
            joints: (0..self.binds.len()).collect(),
            inverse_binds: InverseBinds::AtRest,
            skeleton: None,
        }
    }
}
