//! Two-bone IK: a limb bends and turns until its end is at a target.

use sinew_kernels::Matrix;

use super::bend::{Angles, Bent, Path};
use super::parent_space::{
    ParentSpace, check, point_to_parent, turn_toward, twist_between, vector_to_parent,
};
use crate::blend::check_factor;
use crate::linear::Linear;
use crate::quaternion::{Quaternion, between, conjugate, multiply, rotate, turn, wide};
use crate::vector::{
    self, Vector, add, any_beside, beside, cross, dot, length, scale, stretch, unit, unit_beside,
};
use crate::{Error, Pose, Skeleton};

/// An arm or a leg, and where its end should be.
///
/// Other joints may lie between the three, such as those that spread a twist; they turn with the limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// The shoulder or hip, which turns.
    pub start: usize,
    /// The elbow or knee, which bends. Below the start.
    pub middle: usize,
    /// The hand or foot. Below the middle; keeps its rotation in its parent's space.
    pub end: usize,
    /// Where the end should be, in model space.
    pub target: [f32; 3],
    /// Where the middle joint should be to the side of the line from start to target.
    pub pole: Pole,
    /// The axis that the middle joint bends about, in its own space; a positive turn bends a straight limb. `None` bends the
    /// limb further in the plane it is bent in now, which a straight limb does not have: then any will do that suits the pole.
    pub hinge: Option<[f32; 3]>,
    /// From 0, which changes nothing, to 1, which reaches the target.
    pub weight: f32,
}

/// What the middle joint of a limb bends toward, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pole {
    /// Nothing: the limb turns to the target the shortest way.
    Free,
    /// A point.
    Point([f32; 3]),
    /// A direction from the start; any length but zero.
    Direction([f32; 3]),
}

/// What came of reaching for a target. Where the weight is less than one, what would have come of it at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The end is at the target.
    Reached,
    /// The target is too far: the limb is stretched toward it.
    TooFar,
    /// The target is too near: the limb is folded as far as it goes, and points to it.
    TooNear,
    /// Nothing was changed: the target is at the start joint or not finite, a bone has no length, or the matrices have no
    /// inverse.
    Unchanged,
}

impl TwoBone {
    /// A limb that goes all the way to its target.
    #[must_use]
    pub fn new([start, middle, end]: [usize; 3], target: [f32; 3]) -> Self {
        Self { start, middle, end, target, pole: Pole::Free, hinge: None, weight: 1.0 }
    }
}

impl Skeleton {
    /// Bends a limb so that its end is at a target. Changes the rotations of the start and the middle joint, whatever scale
    /// is in them, above them or between.
    ///
    /// `model_from_joint` is what [`to_model`](Self::to_model) made of the pose. From the start joint on, it is made again.
    ///
    /// ```
    /// use sinew::{Bone, Pole, Reach, Skeleton, Transform, TwoBone};
    ///
    /// let along = Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY };
    /// let skeleton = Skeleton::new(&[
    ///     Bone::new("shoulder", None, Transform::IDENTITY),
    ///     Bone::new("elbow", Some(0), along),
    ///     Bone::new("hand", Some(1), along),
    /// ])?;
    /// let (mut pose, mut model_from_joint) = (skeleton.rest_pose(), skeleton.model_matrices());
    /// skeleton.to_model(&pose, .., &mut model_from_joint)?;
    ///
    /// let pole = Pole::Direction([0.0, -1.0, 0.0]);
    /// let arm = TwoBone { pole, ..TwoBone::new([0, 1, 2], [0.0, 0.0, 1.2]) };
    /// assert_eq!(skeleton.reach(&arm, &mut pose, &mut model_from_joint)?, Reach::Reached);
    /// let [elbow, hand] = [1, 2].map(|joint| model_from_joint[joint].translation());
    /// assert!((hand[2] - 1.2).abs() < 1e-6 && (elbow[1] + 0.8).abs() < 1e-6);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the pose or the matrices are not as many as the joints, a joint is not there or not below the one it should be,
    /// or the weight is not from 0 to 1.
    pub fn reach(
        &self,
        limb: &TwoBone,
        pose: &mut Pose,
        model_from_joint: &mut [Matrix],
    ) -> Result<Reach, Error> {
        check(self, limb.start, pose, model_from_joint)?;
        self.check_limb(limb)?;
        let space = ParentSpace::new(self, limb.start, model_from_joint);
        let Some(solved) = space.and_then(|space| solve(self, limb, pose, &space)) else {
            return Ok(Reach::Unchanged);
        };
        if limb.weight > 0.0 {
            turn_toward(pose, limb.start, solved.start, limb.weight);
            turn_toward(pose, limb.middle, solved.middle, limb.weight);
            self.to_model(pose, limb.start.., model_from_joint)?;
        }
        Ok(solved.reach)
    }

    /// That the joints are there and below each other, and the weight is a weight.
    pub(crate) fn check_limb(&self, limb: &TwoBone) -> Result<(), Error> {
        self.check_below(limb.middle, limb.start)?;
        self.check_below(limb.end, limb.middle)?;
        check_factor("weight of the limb", limb.weight)
    }

    /// That a joint is there and below another.
    fn check_below(&self, joint: usize, above: usize) -> Result<(), Error> {
        if let Some(&joint) = [above, joint].iter().find(|&&joint| joint >= self.len()) {
            return Err(Error::JointOutOfRange { joint, len: self.len() });
        }
        let mut parent = self.parent(joint);
        while let Some(found) = parent.filter(|&found| found > above) {
            parent = self.parent(found);
        }
        if parent == Some(above) {
            return Ok(());
        }
        Err(Error::NotBelow { joint: self.joint_name(joint), above: self.joint_name(above) })
    }
}

/// New rotations.
struct Solved {
    start: Quaternion,
    middle: Quaternion,
    reach: Reach,
}

fn solve(skeleton: &Skeleton, limb: &TwoBone, pose: &Pose, space: &ParentSpace) -> Option<Solved> {
    let to_target = space.point(limb.target);
    let toward = unit(to_target)?;
    let pole = match limb.pole {
        Pole::Free => None,
        Pole::Point(point) => Some(space.point(point)),
        Pole::Direction(direction) => Some(space.direction(direction)),
    };
    let start = wide(pose.joints[limb.start].rotation);
    let bones = Bones::new(skeleton, limb, pose)?;
    let (axis, side) = match limb.hinge.and_then(|axis| unit(vector::wide(axis))) {
        Some(axis) => (rotate(wide(pose.joints[limb.middle].rotation), axis), Angles::Positive),
        None => bones.hinge(pole.map(|pole| rotate(conjugate(start), pole))),
    };
    let path = bones.path(axis);
    let (angle, reach) = match path.bend(length(to_target), side) {
        Bent::To(angle) => (angle, Reach::Reached),
        Bent::Stretched(angle) => (angle, Reach::TooFar),
        Bent::Folded(angle) => (angle, Reach::TooNear),
    };
    let end = path.at(angle);
    let swing = multiply(between(unit(rotate(start, end))?, toward), start);
    let twist = pole.and_then(|pole| twist_between(rotate(swing, bones.upper), pole, toward));
    let start = twist.map_or(swing, |twist| multiply(twist, swing));
    let middle = multiply(turn(axis, angle[0], angle[1]), wide(pose.joints[limb.middle].rotation));
    // What rounding leaves between a target and the limb's whole length is no distance.
    let missed = (length(end) - length(to_target)).abs();
    let reach = if missed <= 1e-6 * length(end) { Reach::Reached } else { reach };
    start.iter().chain(&middle).all(|element| element.is_finite()).then_some(Solved { start, middle, reach })
}

/// The bones of a limb as vectors.
struct Bones {
    /// From start to middle, in the start joint's space with its scale, before its rotation.
    upper: Vector,
    /// From middle to end, in the space of the middle joint's parent.
    lower: Vector,
    /// From that space to the former.
    between: Linear,
    /// And back.
    back: Linear,
}

impl Bones {
    /// `None` where a bone has no length, or the joints between have no inverse.
    fn new(skeleton: &Skeleton, limb: &TwoBone, pose: &Pose) -> Option<Self> {
        let (mut end, mut joint) = ([0.0; 3], limb.end);
        while joint != limb.middle {
            end = point_to_parent(pose, joint, end);
            joint = skeleton.parent(joint)?;
        }
        let lower = vector_to_parent(pose, limb.middle, end);
        let mut upper = vector::wide(pose.joints[limb.middle].translation);
        let mut columns = Linear::IDENTITY.columns;
        let mut joint = skeleton.parent(limb.middle)?;
        while joint != limb.start {
            upper = point_to_parent(pose, joint, upper);
            columns = columns.map(|column| vector_to_parent(pose, joint, column));
            joint = skeleton.parent(joint)?;
        }
        let factors = vector::wide(pose.scales[limb.start].factors);
        let upper = stretch(upper, factors);
        let between = Linear { columns: columns.map(|column| stretch(column, factors)) };
        unit(upper).and(unit(lower))?;
        Some(Self { upper, lower, back: between.inverse()?, between })
    }

    /// An axis to bend about, in the space of the middle joint's parent, for a pole in that of the start joint.
    fn hinge(&self, pole: Option<Vector>) -> (Vector, Angles) {
        let lower = scale(self.lower, 1.0 / length(self.lower));
        // A bend of less than this is not meant, but comes of rounding somewhere.
        if let Some(side) = unit_beside(self.back.apply(self.upper), lower, 1e-4) {
            return (cross(side, lower), Angles::AsItIs);
        }
        let side = pole.and_then(|pole| unit_beside(self.back.apply(pole), lower, 1e-6));
        // A positive turn about this moves the end away from the pole, and so the middle toward it.
        (cross(side.unwrap_or_else(|| any_beside(lower)), lower), Angles::Positive)
    }

    /// Where the end goes while the middle joint turns about an axis.
    fn path(&self, axis: Vector) -> Path {
        let [still, across, beyond] =
            [scale(axis, dot(self.lower, axis)), beside(self.lower, axis), cross(axis, self.lower)]
                .map(|part| self.between.apply(part));
        Path { centre: add(self.upper, still), across, beyond }
    }
}
