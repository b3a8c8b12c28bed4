//! The joints of a model: bind transforms, skeleton and skin.

use sinew::skeleton::SkeletonError;
use sinew::{Bone, JointId, Runtime, Skeleton, Skin, Transform};

use super::budget::Budget;
use super::hierarchy::{Hierarchy, HierarchyJoint};
use super::quaternion::{Quaternion, Vector, conjugate, multiply, rotate, sub, unpack_rotation};
use super::tokenizer::{Token, Tokenizer};
use super::warning_count::WarningCount;
use crate::{Error, Report};

/// The bytes of the shortest joint, `""-1(0 0 0)(0 0 0)`.
pub(super) const SHORTEST_JOINT: usize = 18;

/// The bytes that a joint takes in the skeleton, in the skin and while both are built, and the
/// number of copies of its name. Measured.
const JOINT_BYTES: u64 = 512;
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

/// A skeleton, and a skin with all its joints.
pub(super) struct Joints {
    pub(super) hierarchy: Vec<HierarchyJoint>,
    pub(super) binds: Vec<BindTransform>,
    pub(super) skeleton: Skeleton,
    pub(super) skin: Skin,
}

impl Joints {
    /// Reads the block of joints.
    pub(super) fn read(
        text: &mut Tokenizer<'_>,
        len: usize,
        budget: &mut Budget,
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
        long.warn(report, "", "rotations are longer than one", "they were normalized, with w = 0")?;
        let names = hierarchy.iter().map(|joint| joint.name.len() as u64).sum();
        budget.charge(start, "bytes of names", names, NAME_COPIES)?;
        let model = |error| Error::model(start.to_string(), error);
        let skeleton = Skeleton::new(&bones(&hierarchy, &binds)).map_err(model)?;
        let skin = whole_skin(&skeleton).map_err(model)?;
        Ok(Self { hierarchy, binds, skeleton, skin })
    }

    /// The same joints with another runtime.
    pub(super) fn with_runtime(self, runtime: Runtime) -> Result<Self, SkeletonError> {
        let skeleton = self.skeleton.with_runtime(runtime);
        let skin = whole_skin(&skeleton)?;
        Ok(Self { skeleton, skin, ..self })
    }
}

fn whole_skin(skeleton: &Skeleton) -> Result<Skin, SkeletonError> {
    let all: Vec<JointId> = skeleton.joints().collect();
    Skin::new(skeleton, &all)
}

/// The joints relative to their parents.
fn bones(hierarchy: &[HierarchyJoint], binds: &[BindTransform]) -> Vec<Bone> {
    let bone = |(joint, bind): (&HierarchyJoint, &BindTransform)| {
        let (rotation, translation) = match joint.parent.map(|parent| &binds[parent]) {
            Some(parent) => (
                multiply(conjugate(parent.rotation), bind.rotation),
                parent.inverse_transform_point(bind.translation),
            ),
            None => (bind.rotation, bind.translation),
        };
        Bone::new(&joint.name, joint.parent, transform(rotation, translation))
    };
    hierarchy.iter().zip(binds).map(bone).collect()
}

pub(super) fn transform(rotation: Quaternion, translation: Vector) -> Transform {
    Transform {
        rotation: rotation.map(|element| element as f32),
        translation: translation.map(|element| element as f32),
        ..Transform::IDENTITY
    }
}
