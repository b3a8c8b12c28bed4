//! The joints of a model: where they were when the mesh was hung on them, and the skeleton of them.

use sinew::{Bone, Kernels, Skeleton, Skin, Transform};

use super::budget::Budget;
use super::hierarchy::{Hierarchy, Named};
use super::quaternion::{Quaternion, Vector, conjugate, product, sub, turned, unpacked};
use super::tally::Tally;
use super::text::{Text, Token};
use crate::{Error, Report};

/// The bytes of the shortest joint, `""-1(0 0 0)(0 0 0)`.
pub(super) const SHORTEST_JOINT: usize = 18;

/// What a joint takes in the skeleton, in the skin, and while both are made; and how often its name is kept. Measured.
const JOINT_BYTES: u64 = 512;
const NAMES: u64 = 5;

/// Where a joint stands in model space when nothing moves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bind {
    pub(super) rotation: Quaternion,
    pub(super) translation: Vector,
}

impl Bind {
    /// A vector of the joint's space in model space.
    pub(super) fn point(&self, vector: Vector) -> Vector {
        let turned = turned(self.rotation, vector);
        std::array::from_fn(|axis| self.translation[axis] + turned[axis])
    }

    /// A point of model space in the joint's space.
    pub(super) fn vector(&self, point: Vector) -> Vector {
        turned(conjugate(self.rotation), sub(point, self.translation))
    }
}

/// A skeleton with the skin of all its joints.
pub(super) struct Joints {
    pub(super) named: Vec<Named>,
    pub(super) binds: Vec<Bind>,
    pub(super) skeleton: Skeleton,
    pub(super) skin: Skin,
}

impl Joints {
    /// Reads the block of joints.
    pub(super) fn read(
        text: &mut Text<'_>,
        len: usize,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let start = text.place();
        budget.charge(start, "joints", len as u64, JOINT_BYTES)?;
        text.mark(b'{')?;
        let (mut hierarchy, mut binds, mut long) = (Hierarchy::default(), Vec::new(), Tally::default());
        while text.token() != Token::Mark(b'}') && binds.len() < len {
            hierarchy.read(text)?;
            let translation = text.vector("the position of a joint")?;
            let at = text.place();
            let (rotation, too_long) = unpacked(text.vector("the rotation of a joint")?);
            if too_long {
                long.add(at);
            }
            binds.push(Bind { rotation, translation });
        }
        if binds.len() < len {
            return Err(text.fault(format!("joint {} of {len}", binds.len())));
        }
        text.mark(b'}')?;
        let named = hierarchy.finish(report, "")?;
        long.note(report, "", "rotations are longer than one", "they were brought to it, with w 0")?;
        let names = named.iter().map(|joint| joint.name.len() as u64).sum();
        budget.charge(start, "bytes of names", names, NAMES)?;
        let model = |error| Error::model(start.to_string(), error);
        let skeleton = Skeleton::new(&bones(&named, &binds)).map_err(model)?;
        let skin = whole_skin(&skeleton).map_err(model)?;
        Ok(Self { named, binds, skeleton, skin })
    }

    /// The same on other kernels.
    pub(super) fn on(self, kernels: &'static Kernels) -> Result<Self, sinew::Error> {
        let skeleton = self.skeleton.with_kernels(kernels);
        let skin = whole_skin(&skeleton)?;
        Ok(Self { skeleton, skin, ..self })
    }
}

fn whole_skin(skeleton: &Skeleton) -> Result<Skin, sinew::Error> {
    let all: Vec<usize> = (0..skeleton.len()).collect();
    Skin::new(skeleton, &all)
}

/// From model space to the space of each joint's parent.
fn bones(named: &[Named], binds: &[Bind]) -> Vec<Bone> {
    let bone = |(joint, bind): (&Named, &Bind)| {
        let (rotation, translation) = match joint.parent.map(|parent| &binds[parent]) {
            Some(parent) => {
                (product(conjugate(parent.rotation), bind.rotation), parent.vector(bind.translation))
            }
            None => (bind.rotation, bind.translation),
        };
        Bone::new(&joint.name, joint.parent, transform(rotation, translation))
    };
    named.iter().zip(binds).map(bone).collect()
}

pub(super) fn transform(rotation: Quaternion, translation: Vector) -> Transform {
    Transform {
        rotation: rotation.map(|element| element as f32),
        translation: translation.map(|element| element as f32),
        ..Transform::IDENTITY
    }
}
