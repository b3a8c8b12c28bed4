//! Aim IK: rotates a joint so that it points at a target.

use sinew_kernels::Matrix;

use super::parent_space::{ParentSpace, blend_rotation, check_inputs, twist_arc};
use crate::animation::blend::check_factor;
use crate::animation::{AnimationError, ModifierContext, PoseModifier};
use crate::math::quaternion::{multiply, rotate, rotation_arc, to_unit_f64};
use crate::math::vector::{self, Vector, any_perpendicular, perpendicular_part, try_normalize};
use crate::skeleton::{JointId, Pose, Skeleton, check_joint};

/// A joint, such as a head, an eye or a weapon, and the target that it points at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The joint to rotate.
    pub joint: JointId,
    /// The direction in the joint's space that should point at the target; any length but zero.
    pub forward: [f32; 3],
    /// The point in the joint's space where the line along `forward` starts, for example between
    /// the eyes of a head. Zero is the joint itself.
    pub offset: [f32; 3],
    /// The up constraint; `None` uses the shortest rotation.
    pub up: Option<AimUp>,
    /// The target in model space.
    pub target: [f32; 3],
    /// The cosine of the largest angle by which the line to the target may rotate from the current
    /// pose; -1 is no limit.
    pub limit: f32,
    /// From 0, which changes nothing, to 1, which points at the target.
    pub weight: f32,
}

/// An up constraint for [`Aim`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimUp {
    /// A direction in the joint's space.
    pub axis: [f32; 3],
    /// A direction in model space. The joint is rotated about the line to the target so that `axis`
    /// leans toward it.
    pub toward: [f32; 3],
}

/// The result of [`Skeleton::aim`]. With a weight below one, it is the result that weight one would
/// give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aimed {
    /// The joint points at the target.
    Reached,
    /// The joint is rotated toward the target as far as the limit allows.
    Limited,
    /// The line from the offset cannot meet the target because the target is too close to the
    /// joint.
    TooNear,
    /// Nothing was changed: the target is at the joint or not finite, `forward` is zero, or a
    /// matrix is singular.
    Unchanged,
}

impl Aim {
    /// Points a joint at a target with full weight and without a limit.
    #[must_use]
    pub fn new(joint: JointId, forward: [f32; 3], target: [f32; 3]) -> Self {
        Self { joint, forward, offset: [0.0; 3], up: None, target, limit: -1.0, weight: 1.0 }
    }

    /// Rotates the joint. Reads the model matrices of the joint and its parent. All must have been
    /// checked.
    fn rotate(&self, skeleton: &Skeleton, pose: &mut Pose, model_from_joint: &[Matrix]) -> Aimed {
        let space = ParentSpace::new(skeleton, self.joint, model_from_joint);
        let Some((rotation, aimed)) = space.and_then(|space| solve(self, pose, &space)) else {
            return Aimed::Unchanged;
        };
        if self.weight > 0.0 {
            blend_rotation(pose, self.joint, rotation, self.weight);
        }
        aimed
    }
}

/// Points the joint at the target in each step. With an invalid number, changes nothing.
impl PoseModifier for Aim {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        if self.check(context.skeleton()).is_ok() {
            context.edit_from(self.joint, |skeleton, pose, matrices| self.rotate(skeleton, pose, matrices));
        }
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        skeleton.check_aim(self)
    }
}

impl Skeleton {
    /// Rotates a joint so that it points at a target. Handles any scale of the joint and its
    /// ancestors.
    ///
    /// `model_from_joint` must be the output of [`to_model`](Self::to_model) for the pose. It is
    /// recomputed from the joint on.
    ///
    /// ```
    /// use sinew::{Aim, Bone, Skeleton, Transform};
    /// use sinew::animation::Aimed;
    ///
    /// let skeleton = Skeleton::new(&[Bone::new("head", None, Transform::IDENTITY)])?;
    /// let (mut pose, mut model_from_joint) = (skeleton.rest_pose(), skeleton.identity_matrices());
    /// skeleton.to_model(&pose, .., &mut model_from_joint)?;
    /// let aim = Aim::new(skeleton.joint("head")?, [0.0, 0.0, 1.0], [5.0, 0.0, 0.0]);
    /// assert_eq!(skeleton.aim(&aim, &mut pose, &mut model_from_joint)?, Aimed::Reached);
    /// let [x, y, z] = model_from_joint[0].transform_vector([0.0, 0.0, 1.0]);
    /// assert!((x - 1.0).abs() < 1e-6 && y.abs() < 1e-6 && z.abs() < 1e-6);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the number of joints in the pose or the number of matrices differs from the skeleton's,
    /// the joint does not exist, the weight is not from 0 to 1, or the limit is not from -1 to 1.
    pub fn aim(
        &self,
        aim: &Aim,
        pose: &mut Pose,
        model_from_joint: &mut [Matrix],
    ) -> Result<Aimed, AnimationError> {
        check_inputs(self, aim.joint, pose, model_from_joint)?;
        self.check_aim(aim)?;
        let aimed = aim.rotate(self, pose, model_from_joint);
        if aimed != Aimed::Unchanged && aim.weight > 0.0 {
            self.to_model(pose, aim.joint.., model_from_joint)?;
        }
        Ok(aimed)
    }

    /// Checks the joint, the weight and the limit.
    fn check_aim(&self, aim: &Aim) -> Result<(), AnimationError> {
        check_joint(aim.joint, self.len())?;
        check_factor("weight of the aim", aim.weight)?;
        if (-1.0..=1.0).contains(&aim.limit) {
            Ok(())
        } else {
            Err(AnimationError::BadCosine { what: "limit of the aim", found: aim.limit })
        }
    }
}

/// The joint's new rotation and the result.
fn solve(aim: &Aim, pose: &Pose, space: &ParentSpace) -> Option<([f64; 4], Aimed)> {
    let to_target = space.point(aim.target);
    let toward = try_normalize(to_target)?;
    let factors = vector::to_f64(pose.scale(aim.joint));
    let scaled = |v: [f32; 3]| vector::to_f64(v) * factors;
    let rotation = to_unit_f64(pose.rotation(aim.joint));
    let (sight, sight_line) =
        sight_point(scaled(aim.offset), try_normalize(scaled(aim.forward))?, to_target.length());
    let sight = try_normalize(rotate(rotation, sight))?;
    let (toward, limited) = clamp_to_cone(sight, toward, f64::from(aim.limit));
    let swing = multiply(rotation_arc(sight, toward), rotation);
    let twist =
        aim.up.and_then(|up| twist_arc(rotate(swing, scaled(up.axis)), space.direction(up.toward), toward));
    let solution = twist.map_or(swing, |twist| multiply(twist, swing));
    let aimed = match sight_line {
        _ if limited => Aimed::Limited,
        SightLine::MeetsTarget => Aimed::Reached,
        SightLine::MissesTarget => Aimed::TooNear,
    };
    solution.iter().all(|element| element.is_finite()).then_some((solution, aimed))
}

/// Whether the line of sight meets the sphere around the joint that contains the target.
enum SightLine {
    MeetsTarget,
    MissesTarget,
}

/// The point on the line of sight at the target's distance from the joint. Rotating this point onto
/// the target makes the line meet the target. If there is no such point, because the line passes or
/// starts too far from the joint, returns the closest point on the line.
fn sight_point(offset: Vector, forward: Vector, distance: f64) -> (Vector, SightLine) {
    let ahead = offset.dot(forward);
    let discriminant = ahead * ahead - offset.dot(offset) + distance * distance;
    let along = -ahead + discriminant.max(0.0).sqrt();
    if discriminant >= 0.0 && along > 0.0 {
        return (offset + forward * along, SightLine::MeetsTarget);
    }
    let nearest = offset + forward * (-ahead).max(0.0);
    (if nearest.length() == 0.0 { forward } else { nearest }, SightLine::MissesTarget)
}

/// The direction within a cone about `from` that is closest to `to`, and whether it differs from
/// `to`.
fn clamp_to_cone(from: Vector, to: Vector, cosine: f64) -> (Vector, bool) {
    if from.dot(to) >= cosine {
        return (to, false);
    }
    let side = perpendicular_part(to, from, 1e-9).unwrap_or_else(|| any_perpendicular(from));
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    (from * cosine + side * sine, true)
}
