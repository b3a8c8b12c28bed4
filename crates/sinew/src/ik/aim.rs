//! Aim IK: a joint turns until it points at a target.

use sinew_kernels::Matrix;

use super::parent_space::{ParentSpace, check, turn_toward, twist_between};
use crate::blend::check_factor;
use crate::quaternion::{between, multiply, rotate, wide};
use crate::vector::{self, Vector, add, any_beside, dot, length, scale, stretch, unit, unit_beside};
use crate::{Error, Pose, Skeleton};

/// A head, an eye or a weapon, and what it should point at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The joint that turns.
    pub joint: usize,
    /// What should point at the target: a direction in the joint's space; any length but zero.
    pub forward: [f32; 3],
    /// Where in the joint's space the line along `forward` begins: between the eyes of a head, say. Zero is the joint.
    pub offset: [f32; 3],
    /// What should be up; `None` turns the shortest way, whatever becomes of it.
    pub up: Option<AimUp>,
    /// What to point at, in model space.
    pub target: [f32; 3],
    /// The cosine of the most that the line to the target may turn from where the pose has it; -1 is no limit.
    pub limit: f32,
    /// From 0, which changes nothing, to 1, which points at the target.
    pub weight: f32,
}

/// What of a joint should be up, and what up is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimUp {
    /// A direction in the joint's space.
    pub axis: [f32; 3],
    /// A direction in model space. The joint turns about the line to the target until the axis leans toward it.
    pub toward: [f32; 3],
}

/// What came of aiming. Where the weight is less than one, what would have come of it at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aimed {
    /// The joint points at the target.
    Reached,
    /// It turned as far toward the target as the limit allows.
    Limited,
    /// The target is nearer to the joint than the line that starts at the offset: the line passes by it.
    TooNear,
    /// Nothing was changed: the target is at the joint or not finite, there is no forward, or the matrices have no inverse.
    Unchanged,
}

impl Aim {
    /// A joint that points all the way at its target, without limit.
    #[must_use]
    pub fn new(joint: usize, forward: [f32; 3], target: [f32; 3]) -> Self {
        Self { joint, forward, offset: [0.0; 3], up: None, target, limit: -1.0, weight: 1.0 }
    }
}

impl Skeleton {
    /// Turns a joint so that it points at a target, whatever scale is in it or above it.
    ///
    /// `model_from_joint` is what [`to_model`](Self::to_model) made of the pose. From the joint on, it is made again.
    ///
    /// ```
    /// use sinew::{Aim, Aimed, Bone, Skeleton, Transform};
    ///
    /// let skeleton = Skeleton::new(&[Bone::new("head", None, Transform::IDENTITY)])?;
    /// let (mut pose, mut model_from_joint) = (skeleton.rest_pose(), skeleton.model_matrices());
    /// skeleton.to_model(&pose, .., &mut model_from_joint)?;
    /// let aim = Aim::new(0, [0.0, 0.0, 1.0], [5.0, 0.0, 0.0]);
    /// assert_eq!(skeleton.aim(&aim, &mut pose, &mut model_from_joint)?, Aimed::Reached);
    /// let [x, y, z] = model_from_joint[0].transform_vector([0.0, 0.0, 1.0]);
    /// assert!((x - 1.0).abs() < 1e-6 && y.abs() < 1e-6 && z.abs() < 1e-6);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the pose or the matrices are not as many as the joints, there is no such joint, the weight is not from 0 to 1,
    /// or the limit not from -1 to 1.
    pub fn aim(&self, aim: &Aim, pose: &mut Pose, model_from_joint: &mut [Matrix]) -> Result<Aimed, Error> {
        check(self, aim.joint, pose, model_from_joint)?;
        self.check_aim(aim)?;
        let space = ParentSpace::new(self, aim.joint, model_from_joint);
        let Some((rotation, aimed)) = space.and_then(|space| solve(aim, pose, &space)) else {
            return Ok(Aimed::Unchanged);
        };
        if aim.weight > 0.0 {
            turn_toward(pose, aim.joint, rotation, aim.weight);
            self.to_model(pose, aim.joint.., model_from_joint)?;
        }
        Ok(aimed)
    }

    /// That the joint is there, and weight and limit are what they should be.
    pub(crate) fn check_aim(&self, aim: &Aim) -> Result<(), Error> {
        if aim.joint >= self.len() {
            return Err(Error::JointOutOfRange { joint: aim.joint, len: self.len() });
        }
        check_factor("weight of the aim", aim.weight)?;
        if (-1.0..=1.0).contains(&aim.limit) {
            Ok(())
        } else {
            Err(Error::BadCosine { what: "limit of the aim", found: aim.limit })
        }
    }
}

/// The joint's new rotation.
fn solve(aim: &Aim, pose: &Pose, space: &ParentSpace) -> Option<([f64; 4], Aimed)> {
    let to_target = space.point(aim.target);
    let toward = unit(to_target)?;
    let factors = vector::wide(pose.scales[aim.joint].factors);
    let scaled = |v: [f32; 3]| stretch(vector::wide(v), factors);
    let rotation = wide(pose.joints[aim.joint].rotation);
    let (sight, on_sphere) = sight(scaled(aim.offset), unit(scaled(aim.forward))?, length(to_target));
    let sight = unit(rotate(rotation, sight))?;
    let (toward, limited) = limited(sight, toward, f64::from(aim.limit));
    let swing = multiply(between(sight, toward), rotation);
    let twist = aim
        .up
        .and_then(|up| twist_between(rotate(swing, scaled(up.axis)), space.direction(up.toward), toward));
    let turned = twist.map_or(swing, |twist| multiply(twist, swing));
    let aimed = match on_sphere {
        _ if limited => Aimed::Limited,
        OnSphere::Yes => Aimed::Reached,
        OnSphere::No => Aimed::TooNear,
    };
    turned.iter().all(|element| element.is_finite()).then_some((turned, aimed))
}

/// Whether a line meets the sphere around the joint that the target is on.
enum OnSphere {
    Yes,
    No,
}

/// The point of the line of sight that is as far from the joint as the target: once it points there, the line meets
/// the target. Where the line passes too far from the joint, or begins too far, it is the nearest there is.
fn sight(offset: Vector, forward: Vector, distance: f64) -> (Vector, OnSphere) {
    let ahead = dot(offset, forward);
    let under = ahead * ahead - dot(offset, offset) + distance * distance;
    let along = -ahead + under.max(0.0).sqrt();
    if under >= 0.0 && along > 0.0 {
        return (add(offset, scale(forward, along)), OnSphere::Yes);
    }
    let nearest = add(offset, scale(forward, (-ahead).max(0.0)));
    (if length(nearest) == 0.0 { forward } else { nearest }, OnSphere::No)
}

/// The direction nearest to `to` that is within the cone about `from`, and whether that is another.
fn limited(from: Vector, to: Vector, cosine: f64) -> (Vector, bool) {
    if dot(from, to) >= cosine {
        return (to, false);
    }
    let side = unit_beside(to, from, 1e-9).unwrap_or_else(|| any_beside(from));
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    (add(scale(from, cosine), scale(side, sine)), true)
}
