//! Two-bone IK: bends and rotates a limb so that its end reaches a target.

use sinew_kernels::Matrix;

use super::bend::{BendResult, BendSide, EndEllipse};
use super::parent_space::{
    ParentSpace, blend_rotation, check_inputs, point_to_parent, twist_arc, vector_to_parent,
};
use crate::animation::blend::check_factor;
use crate::animation::{AnimationError, ModifierContext, PoseModifier};
use crate::math::linear::inverse;
use crate::math::quaternion::{
    Quaternion, conjugate, multiply, rotate, rotation_about, rotation_arc, to_unit_f64,
};
use crate::math::vector::{self, Vector, any_perpendicular, perpendicular_part, try_normalize};
use crate::skeleton::{JointId, Pose, Skeleton, check_joint};
use glam::DMat3;

/// A limb, such as an arm or a leg, and the target of its end.
///
/// There may be other joints between the three, such as twist joints. They rotate with the limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// The shoulder or hip, which rotates.
    pub start: JointId,
    /// The elbow or knee, which bends. Must be a descendant of the start.
    pub middle: JointId,
    /// The hand or foot. Must be a descendant of the middle. Keeps its local rotation.
    pub end: JointId,
    /// The target of the end in model space.
    pub target: [f32; 3],
    /// The side of the line from start to target that the middle joint bends toward.
    pub pole: Pole,
    /// The axis that the middle joint bends about, in its own space. A positive rotation bends a
    /// straight limb. `None` uses the plane in which the limb is bent now; for a straight limb, it
    /// uses a plane that suits the pole.
    pub hinge: Option<[f32; 3]>,
    /// From 0, which changes nothing, to 1, which reaches the target.
    pub weight: f32,
}

/// The pole: what the middle joint bends toward, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pole {
    /// No pole: the limb rotates to the target by the shortest rotation.
    Free,
    /// A point.
    Point([f32; 3]),
    /// A direction from the start; any length but zero.
    Direction([f32; 3]),
}

/// The result of [`Skeleton::reach`]. With a weight below one, it is the result that weight one
/// would give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The end is at the target.
    Reached,
    /// The target is too far away: the limb is stretched toward it.
    TooFar,
    /// The target is too close: the limb is folded as far as possible and points at it.
    TooNear,
    /// Nothing was changed: the target is at the start joint or not finite, a bone has length zero,
    /// or a matrix is singular.
    Unchanged,
}

impl TwoBone {
    /// A limb that reaches for its target with full weight and without a pole.
    #[must_use]
    pub fn new([start, middle, end]: [JointId; 3], target: [f32; 3]) -> Self {
        Self { start, middle, end, target, pole: Pole::Free, hinge: None, weight: 1.0 }
    }

    /// Bends and rotates the limb. Reads the model matrices of the start joint and its parent. All
    /// must have been checked.
    pub(crate) fn bend(&self, skeleton: &Skeleton, pose: &mut Pose, model_from_joint: &[Matrix]) -> Reach {
        let space = ParentSpace::new(skeleton, self.start, model_from_joint);
        let Some(solution) = space.and_then(|space| solve(skeleton, self, pose, &space)) else {
            return Reach::Unchanged;
        };
        if self.weight > 0.0 {
            blend_rotation(pose, self.start, solution.start, self.weight);
            blend_rotation(pose, self.middle, solution.middle, self.weight);
        }
        solution.reach
    }
}

/// Bends the limb in each step. With an invalid number, changes nothing.
impl PoseModifier for TwoBone {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        if self.check(context.skeleton()).is_ok() {
            context.edit_from(self.start, |skeleton, pose, matrices| self.bend(skeleton, pose, matrices));
        }
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        skeleton.check_limb(self)
    }
}

impl Skeleton {
    /// Bends a limb so that its end reaches a target. Changes the rotations of the start and the
    /// middle joint. Handles any scale of the limb's joints and their ancestors.
    ///
    /// `model_from_joint` must be the output of [`to_model`](Self::to_model) for the pose. It is
    /// recomputed from the start joint on.
    ///
    /// ```
    /// use sinew::{Bone, JointId, Skeleton, Transform};
    /// use sinew::animation::{Pole, Reach, TwoBone};
    ///
    /// let along = Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY };
    /// let skeleton = Skeleton::new(&[
    ///     Bone::new("shoulder", None, Transform::IDENTITY),
    ///     Bone::new("elbow", Some(0), along),
    ///     Bone::new("hand", Some(1), along),
    /// ])?;
    /// let (mut pose, mut model_from_joint) = (skeleton.rest_pose(), skeleton.identity_matrices());
    /// skeleton.to_model(&pose, .., &mut model_from_joint)?;
    ///
    /// let pole = Pole::Direction([0.0, -1.0, 0.0]);
    /// let arm = TwoBone { pole, ..TwoBone::new([0, 1, 2].map(JointId::new), [0.0, 0.0, 1.2]) };
    /// assert_eq!(skeleton.reach(&arm, &mut pose, &mut model_from_joint)?, Reach::Reached);
    /// let [elbow, hand] = [1, 2].map(|joint| model_from_joint[joint].translation());
    /// assert!((hand[2] - 1.2).abs() < 1e-6 && (elbow[1] + 0.8).abs() < 1e-6);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the number of joints in the pose or the number of matrices differs from the skeleton's,
    /// a joint does not exist or is not a descendant of the previous one, or the weight is not from
    /// 0 to 1.
    pub fn reach(
        &self,
        limb: &TwoBone,
        pose: &mut Pose,
        model_from_joint: &mut [Matrix],
    ) -> Result<Reach, AnimationError> {
        check_inputs(self, limb.start, pose, model_from_joint)?;
        self.check_limb(limb)?;
        let reach = limb.bend(self, pose, model_from_joint);
        if reach != Reach::Unchanged && limb.weight > 0.0 {
            self.to_model(pose, limb.start.., model_from_joint)?;
        }
        Ok(reach)
    }

    /// Checks that each joint is a descendant of the previous one, and the weight.
    pub(crate) fn check_limb(&self, limb: &TwoBone) -> Result<(), AnimationError> {
        self.check_descendant(limb.middle, limb.start)?;
        self.check_descendant(limb.end, limb.middle)?;
        check_factor("weight of the limb", limb.weight)
    }

    /// Checks that both joints exist and that one is a descendant of the other.
    pub(crate) fn check_descendant(&self, joint: JointId, ancestor: JointId) -> Result<(), AnimationError> {
        check_joint(ancestor, self.len())?;
        check_joint(joint, self.len())?;
        let mut parent = self.parent(joint);
        while let Some(found) = parent.filter(|&found| found > ancestor) {
            parent = self.parent(found);
        }
        if parent == Some(ancestor) {
            return Ok(());
        }
        Err(AnimationError::NotDescendant {
            joint: self.joint_name(joint),
            ancestor: self.joint_name(ancestor),
        })
    }
}

/// The new rotations and the result.
struct Solution {
    start: Quaternion,
    middle: Quaternion,
    reach: Reach,
}

fn solve(skeleton: &Skeleton, limb: &TwoBone, pose: &Pose, space: &ParentSpace) -> Option<Solution> {
    let to_target = space.point(limb.target);
    let toward = try_normalize(to_target)?;
    let pole = match limb.pole {
        Pole::Free => None,
        Pole::Point(point) => Some(space.point(point)),
        Pole::Direction(direction) => Some(space.direction(direction)),
    };
    let start = to_unit_f64(pose.rotation(limb.start));
    let bones = LimbBones::new(skeleton, limb, pose)?;
    let (axis, side) = match limb.hinge.and_then(|axis| try_normalize(vector::to_f64(axis))) {
        Some(axis) => (rotate(to_unit_f64(pose.rotation(limb.middle)), axis), BendSide::Positive),
        None => bones.hinge(pole.map(|pole| rotate(conjugate(start), pole))),
    };
    let ellipse = bones.ellipse(axis);
    let (angle, reach) = match ellipse.solve_distance(to_target.length(), side) {
        BendResult::Reached(angle) => (angle, Reach::Reached),
        BendResult::Stretched(angle) => (angle, Reach::TooFar),
        BendResult::Folded(angle) => (angle, Reach::TooNear),
    };
    let end = ellipse.point_at(angle);
    let swing = multiply(rotation_arc(try_normalize(rotate(start, end))?, toward), start);
    let twist = pole.and_then(|pole| twist_arc(rotate(swing, bones.upper), pole, toward));
    let start = twist.map_or(swing, |twist| multiply(twist, swing));
    let middle = multiply(rotation_about(axis, angle[0], angle[1]), to_unit_f64(pose.rotation(limb.middle)));
    // A difference that is within rounding error of the limb's length counts as reached.
    let missed = (end.length() - to_target.length()).abs();
    let reach = if missed <= 1e-6 * end.length() { Reach::Reached } else { reach };
    start.iter().chain(&middle).all(|element| element.is_finite()).then_some(Solution {
        start,
        middle,
        reach,
    })
}

/// The bones of a limb as vectors, and the transforms between their spaces.
struct LimbBones {
    /// From start to middle, in the start joint's space, scaled but not rotated.
    upper: Vector,
    /// From middle to end, in the space of the middle joint's parent.
    lower: Vector,
    /// From the space of `lower` to the space of `upper`.
    upper_from_lower: DMat3,
    /// The inverse of `upper_from_lower`.
    lower_from_upper: DMat3,
}

impl LimbBones {
    /// `None` if a bone has length zero or the transform between the bones is singular.
    fn new(skeleton: &Skeleton, limb: &TwoBone, pose: &Pose) -> Option<Self> {
        let (mut end, mut joint) = (Vector::ZERO, limb.end);
        while joint != limb.middle {
            end = point_to_parent(pose, joint, end);
            joint = skeleton.parent(joint)?;
        }
        let lower = vector_to_parent(pose, limb.middle, end);
        let mut upper = vector::to_f64(pose.translation(limb.middle));
        let mut columns = [Vector::X, Vector::Y, Vector::Z];
        let mut joint = skeleton.parent(limb.middle)?;
        while joint != limb.start {
            upper = point_to_parent(pose, joint, upper);
            columns = columns.map(|column| vector_to_parent(pose, joint, column));
            joint = skeleton.parent(joint)?;
        }
        let factors = vector::to_f64(pose.scale(limb.start));
        let upper = upper * factors;
        let [x, y, z] = columns.map(|column| column * factors);
        let upper_from_lower = DMat3::from_cols(x, y, z);
        try_normalize(upper).and(try_normalize(lower))?;
        Some(Self { upper, lower, lower_from_upper: inverse(&upper_from_lower)?, upper_from_lower })
    }

    /// The bend axis in the space of `lower`, and the side to bend to. `pole` is in the space of
    /// `upper`.
    fn hinge(&self, pole: Option<Vector>) -> (Vector, BendSide) {
        let lower = self.lower * (1.0 / self.lower.length());
        // A bend smaller than this is a rounding error.
        if let Some(side) = perpendicular_part(self.lower_from_upper.mul_vec3(self.upper), lower, 1e-4) {
            return (side.cross(lower), BendSide::Current);
        }
        let side =
            pole.and_then(|pole| perpendicular_part(self.lower_from_upper.mul_vec3(pole), lower, 1e-6));
        // A positive rotation about this axis moves the end away from the pole, and so the middle
        // toward it.
        (side.unwrap_or_else(|| any_perpendicular(lower)).cross(lower), BendSide::Positive)
    }

    /// The path of the end while the middle joint rotates about a unit axis in the space of
    /// `lower`.
    fn ellipse(&self, axis: Vector) -> EndEllipse {
        let [fixed, cosine_axis, sine_axis] =
            [axis * self.lower.dot(axis), self.lower.reject_from_normalized(axis), axis.cross(self.lower)]
                .map(|part| self.upper_from_lower.mul_vec3(part));
        EndEllipse { center: self.upper + fixed, cosine_axis, sine_axis }
    }
}
