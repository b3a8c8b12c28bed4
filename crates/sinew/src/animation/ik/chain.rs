//! Chain IK: rotates any number of joints so that the last one reaches a target.
//!
//! A chain without limits is bent at one joint and turned at its root, which reaches a target
//! exactly where the triangle of the two rigid parts allows it. Elsewhere, a pass of FABRIK brings
//! the chain closer first: backward from the target, then forward from the root. With limits,
//! cyclic coordinate descent turns one joint after the other toward the target, from the tip to the
//! root.

use super::parent_space::parent_rotation;
use crate::animation::blend::check_factor;
use crate::animation::{AnimationError, ModifierContext, PoseModifier};
use crate::math::quaternion::{
    IDENTITY, Quaternion, conjugate, multiply, nlerp, normalize_or_identity, rotate, rotation_arc, to_f32,
    to_unit_f64,
};
use crate::math::vector::{self, Vector, any_perpendicular, try_normalize};
use crate::skeleton::{JointId, Skeleton, check_joint};

/// A chain of joints, such as a tail, a spine or a tentacle, whose last joint reaches for a target.
///
/// There may be other joints between those of the chain; they turn with it. All joints but the last
/// one rotate. Scale must be uniform.
///
/// ```
/// use sinew::animation::{ChainIk, ChainReach};
/// # use sinew::{Bone, Skeleton, Transform};
/// # use sinew::model::ModelSource;
/// # let up = Transform { translation: [0.0, 0.5, 0.0], ..Transform::IDENTITY };
/// # let bones: Vec<Bone> = (0..6_usize).map(|i| Bone::new("", i.checked_sub(1), up)).collect();
/// # let model = sinew::Model::new(ModelSource::new(Skeleton::new(&bones)?))?;
/// let joints: Vec<_> = model.skeleton().joints().collect();
/// let mut tentacle = model.instance();
/// let ik = tentacle.modifiers_mut().push(ChainIk::new(&joints, [1.0, 1.5, 0.5]))?;
/// tentacle.step(0.0);
/// assert_eq!(tentacle.modifiers().get::<ChainIk>(ik).map(ChainIk::reach), Some(ChainReach::Reached));
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChainIk {
    /// The target of the last joint in model space.
    pub target: [f32; 3],
    /// From 0, which changes nothing, to 1, which reaches the target.
    pub weight: f32,
    joints: Vec<JointId>,
    /// The cosine of the largest angle from its rest rotation, for each joint but the last; empty
    /// without limits.
    limits: Vec<f32>,
    iterations: u32,
    links: Vec<Link>,
    best: Vec<Quaternion>,
    /// The positions of the backward pass.
    backward: Vec<Vector>,
    reach: ChainReach,
    distance: f32,
}

/// The result of a step of [`ChainIk`]. With a weight below one, it is the result that weight one
/// would give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainReach {
    /// The end is within 1e-4 of the chain's length of the target.
    Reached,
    /// The end is as close to the target as was found, which [`ChainIk::distance`] tells.
    Closest,
    /// Nothing was changed: there was no step yet, the target is not finite, the chain has no
    /// length, or a number is invalid.
    Unchanged,
}

/// A joint of the chain while it is solved, in model space.
#[derive(Clone, Copy, Debug)]
struct Link {
    position: Vector,
    /// The model rotation of the joint's parent, before.
    parent: Quaternion,
    /// The model rotation of the joint, before.
    before: Quaternion,
    /// How the joint has turned since.
    turn: Quaternion,
    /// The rest rotation, relative to the parent.
    rest: Quaternion,
    /// The cosine of half the largest angle from rest; `None` without a limit.
    limit: Option<f64>,
}

/// The distance from the target that counts as reached, relative to the length of the chain.
const TOLERANCE: f64 = 1e-4;

impl ChainIk {
    /// A chain without limits that reaches for a target with full weight, in at most ten
    /// iterations. Each joint must be a descendant of the one before.
    #[must_use]
    pub fn new(joints: &[JointId], target: [f32; 3]) -> Self {
        Self {
            target,
            weight: 1.0,
            joints: joints.to_vec(),
            limits: Vec::new(),
            iterations: 10,
            links: Vec::with_capacity(joints.len()),
            best: Vec::with_capacity(joints.len()),
            backward: Vec::with_capacity(joints.len()),
            reach: ChainReach::Unchanged,
            distance: 0.0,
        }
    }

    /// Limits how far each joint but the last may rotate from its rest rotation, by the cosines of
    /// the angles: 1 is not at all, -1 is no limit.
    #[must_use]
    pub fn with_limits(mut self, cosines: &[f32]) -> Self {
        self.limits = cosines.to_vec();
        self
    }

    /// Sets the maximum number of iterations of a step.
    #[must_use]
    pub fn with_iterations(mut self, iterations: u32) -> Self {
        self.iterations = iterations;
        self
    }

    /// The joints of the chain.
    #[must_use]
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    /// The result of the last step.
    #[must_use]
    pub fn reach(&self) -> ChainReach {
        self.reach
    }

    /// The distance of the end from the target after the last step.
    #[must_use]
    pub fn distance(&self) -> f32 {
        self.distance
    }

    /// Reads the chain from a pose. `None` if it has no length or a number is not finite.
    fn read_links(&mut self, context: &mut ModifierContext<'_>) -> Option<f64> {
        self.links.clear();
        let skeleton = context.skeleton();
        for (index, &joint) in self.joints.iter().enumerate() {
            let position = vector::to_f64(context.model_from_joint(joint).translation());
            let parent = parent_rotation(skeleton, context.pose(), joint);
            let before = multiply(parent, to_unit_f64(context.pose().rotation(joint)));
            let rest = to_unit_f64(skeleton.rest().rotation(joint));
            let limit = self.limits.get(index).map(|&cosine| (0.5 + 0.5 * f64::from(cosine)).max(0.0).sqrt());
            self.links.push(Link { position, parent, before, turn: IDENTITY, rest, limit });
        }
        let length: f64 = self.bone_lengths().sum();
        (length > f64::MIN_POSITIVE && length.is_finite()).then_some(length)
    }

    fn bone_lengths(&self) -> impl Iterator<Item = f64> {
        self.links.windows(2).map(|pair| pair[0].position.distance(pair[1].position))
    }

    /// Turns joints until the end is at the target, or nothing helps. Returns the last distance.
    fn solve(&mut self, target: Vector, length: f64) -> f64 {
        let limited = !self.limits.is_empty();
        if limited {
            (0..self.links.len() - 1).for_each(|link| self.turn(link, IDENTITY));
        } else if self.stretch_or_fold(target, length) {
            return self.end().distance(target);
        }
        self.store_best();
        let mut best = self.end().distance(target);
        for _ in 0..self.iterations {
            if best <= 1e-6 * length {
                break;
            }
            if limited {
                self.descend(target);
            } else if !self.bend_to(target) {
                self.reach_back_and_forth(target);
            }
            let distance = self.end().distance(target);
            if distance < best {
                best = distance;
                self.store_best();
            }
        }
        for (link, best) in self.links.iter_mut().zip(&self.best) {
            link.turn = *best;
        }
        best
    }

    /// Turns one joint after the other, from the tip to the root, so that the end points at the
    /// target.
    fn descend(&mut self, target: Vector) {
        for link in (0..self.links.len() - 1).rev() {
            let from = self.links[link].position;
            let arc = try_normalize(self.end() - from)
                .zip(try_normalize(target - from))
                .map(|(end, target)| rotation_arc(end, target));
            self.turn(link, arc.unwrap_or(IDENTITY));
        }
    }

    /// Moves the end to the target and all joints after it, then the root back and all joints after
    /// that, with bones of constant length: a pass of FABRIK.
    fn reach_back_and_forth(&mut self, target: Vector) {
        self.backward.clear();
        self.backward.extend(self.links.iter().map(|link| link.position));
        let last = self.backward.len() - 1;
        self.backward[last] = target;
        for link in (0..last).rev() {
            let length = self.links[link].position.distance(self.links[link + 1].position);
            let next = self.backward[link + 1];
            let direction = try_normalize(self.backward[link] - next).unwrap_or(Vector::Y);
            self.backward[link] = next + direction * length;
        }
        for link in 0..last {
            let from = self.links[link].position;
            let arc = try_normalize(self.links[link + 1].position - from)
                .zip(try_normalize(self.backward[link + 1] - from))
                .map(|(bone, to)| rotation_arc(bone, to));
            self.turn(link, arc.unwrap_or(IDENTITY));
        }
    }

    fn end(&self) -> Vector {
        self.links[self.links.len() - 1].position
    }

    fn store_best(&mut self) {
        self.best.clear();
        self.best.extend(self.links.iter().map(|link| link.turn));
    }

    /// Puts a chain without limits on a line if the target is too far away or too close. Returns
    /// whether it did.
    fn stretch_or_fold(&mut self, target: Vector, length: f64) -> bool {
        let start = self.links[0].position;
        let (longest_bone, longest) =
            self.bone_lengths().enumerate().fold((0, 0.0), |longest, (bone, length)| {
                if length > longest.1 { (bone, length) } else { longest }
            });
        let distance = start.distance(target);
        let too_far = distance >= length;
        if !too_far && distance > 2.0 * longest - length {
            return false;
        }
        let direction =
            try_normalize(target - start).or_else(|| try_normalize(self.end() - start)).unwrap_or(Vector::Y);
        for link in 0..self.links.len() - 1 {
            let bone = self.links[link + 1].position - self.links[link].position;
            let forward = too_far || link == longest_bone;
            let to = if forward { direction } else { -direction };
            let arc = try_normalize(bone).map(|bone| rotation_arc(bone, to));
            self.turn(link, arc.unwrap_or(IDENTITY));
        }
        true
    }

    /// Bends the chain at one joint and turns it at its root, so that the end is at the target.
    /// Returns whether there is such a joint. Those in the middle are tried first.
    fn bend_to(&mut self, target: Vector) -> bool {
        let (start, end, last) = (self.links[0].position, self.end(), self.links.len() - 1);
        let distance = start.distance(target);
        // From the middle outward: a joint after it, then one before it.
        let outward = (0..last).map(|offset| match offset % 2 {
            0 => last / 2 + offset / 2,
            _ => (last / 2).wrapping_sub(offset.div_ceil(2)),
        });
        let joint = outward.filter(|joint| (1..last).contains(joint)).find(|&joint| {
            let [upper, lower] = [start, end].map(|other| self.links[joint].position.distance(other));
            // With some room, so that the angle is well defined.
            upper > 0.0
                && lower > 0.0
                && (upper - lower).abs() <= distance * (1.0 - 1e-9)
                && distance <= (upper + lower) * (1.0 - 1e-9)
        });
        let Some(joint) = joint else { return false };
        let at = self.links[joint].position;
        let (Some(back), Some(along)) = (try_normalize(start - at), try_normalize(end - at)) else {
            return false;
        };
        let (upper, lower) = (at.distance(start), at.distance(end));
        let cosine =
            ((upper * upper + lower * lower - distance * distance) / (2.0 * upper * lower)).clamp(-1.0, 1.0);
        let side = try_normalize(along - back * along.dot(back)).unwrap_or_else(|| any_perpendicular(back));
        let bent = back * cosine + side * (1.0 - cosine * cosine).sqrt();
        self.turn(joint, rotation_arc(along, bent));
        let (Some(from), Some(to)) = (try_normalize(self.end() - start), try_normalize(target - start))
        else {
            return false;
        };
        self.turn(0, rotation_arc(from, to));
        true
    }

    /// Turns a joint by a rotation in model space, as far as its limit allows, with all after it.
    fn turn(&mut self, index: usize, rotation: Quaternion) {
        let above = index.checked_sub(1).map_or(IDENTITY, |above| self.links[above].turn);
        let link = self.links[index];
        let parent = multiply(above, link.parent);
        let before = multiply(link.turn, link.before);
        let mut after = multiply(rotation, before);
        if let Some(limit) = link.limit {
            let local = multiply(conjugate(parent), after);
            let from_rest = clamp_angle(multiply(conjugate(link.rest), local), limit);
            after = multiply(parent, multiply(link.rest, from_rest));
        }
        let turned = normalize_or_identity(multiply(after, conjugate(before)));
        for later in &mut self.links[index..] {
            later.turn = normalize_or_identity(multiply(turned, later.turn));
            later.position = link.position + rotate(turned, later.position - link.position);
        }
    }

    /// Writes the rotations to the pose.
    fn write(&self, context: &mut ModifierContext<'_>) {
        let mut above = IDENTITY;
        for (link, &joint) in self.links.iter().zip(&self.joints).take(self.links.len() - 1) {
            let parent = multiply(above, link.parent);
            let local = multiply(conjugate(parent), multiply(link.turn, link.before));
            let current = to_unit_f64(context.pose().rotation(joint));
            let rotation = nlerp(current, local, f64::from(self.weight));
            context.set_rotation(joint, to_f32(rotation));
            above = link.turn;
        }
    }
}

/// Reaches for the target in each step. With an invalid number, changes nothing.
impl PoseModifier for ChainIk {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        self.reach = ChainReach::Unchanged;
        let target = vector::to_f64(self.target);
        if self.check(context.skeleton()).is_err() || !target.is_finite() {
            return;
        }
        let Some(length) = self.read_links(context) else { return };
        let distance = self.solve(target, length);
        if !distance.is_finite() {
            return;
        }
        self.distance = distance as f32;
        self.reach = if distance <= TOLERANCE * length { ChainReach::Reached } else { ChainReach::Closest };
        if self.weight > 0.0 {
            self.write(context);
        }
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        check_factor("weight of the chain", self.weight)?;
        if self.joints.len() < 2 {
            let message = format!("chain: expected at least 2 joints, found {}", self.joints.len());
            return Err(AnimationError::Modifier { message });
        }
        check_joint(self.joints[0], skeleton.len())?;
        for pair in self.joints.windows(2) {
            skeleton.check_descendant(pair[1], pair[0])?;
        }
        if !self.limits.is_empty() && self.limits.len() != self.joints.len() - 1 {
            let (expected, found) = (self.joints.len() - 1, self.limits.len());
            let message = format!(
                "limits of the chain: expected {expected}, one for each joint but the last, found {found}"
            );
            return Err(AnimationError::Modifier { message });
        }
        match self.limits.iter().find(|limit| !(-1.0..=1.0).contains(*limit)) {
            Some(&found) => Err(AnimationError::BadCosine { what: "limit of the chain", found }),
            None => Ok(()),
        }
    }
}

/// The rotation, or one about the same axis by the largest angle, whose half has this cosine.
fn clamp_angle(rotation: Quaternion, half_cosine: f64) -> Quaternion {
    let [x, y, z, w] = if rotation[3] < 0.0 { rotation.map(|element| -element) } else { rotation };
    if w >= half_cosine {
        return [x, y, z, w];
    }
    let axis = Vector::new(x, y, z);
    let Some(axis) = try_normalize(axis) else { return IDENTITY };
    let Vector { x, y, z } = axis * (1.0 - half_cosine * half_cosine).max(0.0).sqrt();
    [x, y, z, half_cosine]
}
