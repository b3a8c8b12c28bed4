//! Node constraints as pose modifiers.

use sinew::animation::{AnimationError, ModifierContext, PoseModifier};
use sinew::{JointId, Skeleton};

use super::quaternion::{from_f32, from_to, normalize, slerp, to_f32};
use super::vrm::{ConstraintAxis, ConstraintKind, Vrm, VrmConstraint};
use crate::math::Quaternion;
use crate::math::quaternion::{conjugate, product, rotate};

/// A node constraint of VRM as a pose modifier: a joint follows another. Made by
/// [`Vrm::constraint_modifiers`].
///
/// The joint's rotation of the clip is replaced: at weight zero, it is the one of the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeConstraint {
    constraint: VrmConstraint,
    /// The rotations at rest.
    joint_rest: Quaternion,
    source_rest: Quaternion,
}

impl NodeConstraint {
    /// The constraint on joints of a skeleton; `None` if the skeleton does not have them.
    #[must_use]
    pub fn new(constraint: VrmConstraint, skeleton: &Skeleton) -> Option<Self> {
        let rest = |joint: JointId| {
            let exists = joint.index() < skeleton.len();
            exists.then(|| normalize(from_f32(skeleton.rest().transform(joint).rotation)))
        };
        let (joint_rest, source_rest) = (rest(constraint.joint)?, rest(constraint.source)?);
        Some(Self { constraint, joint_rest, source_rest })
    }

    /// What the constraint says.
    #[must_use]
    pub fn constraint(&self) -> &VrmConstraint {
        &self.constraint
    }

    /// The rotation of the joint at full weight.
    fn target(&self, context: &mut ModifierContext<'_>) -> Quaternion {
        let source = normalize(from_f32(context.pose().rotation(self.constraint.source)));
        match self.constraint.kind {
            // The rotation of the source since rest, in its own axes.
            ConstraintKind::Rotation => {
                product(self.joint_rest, product(conjugate(self.source_rest), source))
            }
            ConstraintKind::Roll(axis) => self.roll(source, axis),
            ConstraintKind::Aim(axis) => self.aim(context, axis),
        }
    }

    /// The rotation of the source since rest, in the axes of the joint, without what tilts the
    /// axis.
    fn roll(&self, source: Quaternion, axis: ConstraintAxis) -> Quaternion {
        let in_parent = product(source, conjugate(self.source_rest));
        let in_joint = product(product(conjugate(self.joint_rest), in_parent), self.joint_rest);
        let axis = axis.vector().map(f64::from);
        let tilt = from_to(axis, rotate(in_joint, axis));
        product(self.joint_rest, product(conjugate(tilt), in_joint))
    }

    /// The rotation at rest, turned the shortest way until the axis points at the source.
    fn aim(&self, context: &mut ModifierContext<'_>, axis: ConstraintAxis) -> Quaternion {
        let position = |context: &mut ModifierContext<'_>, joint: JointId| {
            context.model_from_joint(joint).rows.map(|row| f64::from(row[3]))
        };
        let (own, source) =
            (position(context, self.constraint.joint), position(context, self.constraint.source));
        let mut parent = [0.0, 0.0, 0.0, 1.0];
        let mut next = context.skeleton().parent(self.constraint.joint);
        while let Some(joint) = next {
            parent = product(normalize(from_f32(context.pose().rotation(joint))), parent);
            next = context.skeleton().parent(joint);
        }
        let at_rest = product(parent, self.joint_rest);
        let from = rotate(at_rest, axis.vector().map(f64::from));
        let turn = from_to(from, std::array::from_fn(|i| source[i] - own[i]));
        product(conjugate(parent), product(turn, at_rest))
    }
}

impl PoseModifier for NodeConstraint {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        let target = self.target(context);
        let rotation = slerp(self.joint_rest, target, f64::from(self.constraint.weight));
        context.set_rotation(self.constraint.joint, to_f32(rotation));
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        match [self.constraint.joint, self.constraint.source]
            .iter()
            .all(|joint| joint.index() < skeleton.len())
        {
            true => Ok(()),
            false => Err(AnimationError::Modifier {
                message: "expected joints of the skeleton, found those of another".into(),
            }),
        }
    }
}

impl Vrm {
    /// The node constraints as pose modifiers, in an order in which a joint is moved before another
    /// follows it. Constraints that follow each other in a circle are left out, as the format
    /// forbids them.
    #[must_use]
    pub fn constraint_modifiers(&self, skeleton: &Skeleton) -> Vec<NodeConstraint> {
        let new = |&constraint: &VrmConstraint| NodeConstraint::new(constraint, skeleton);
        let mut modifiers: Vec<NodeConstraint> = self.constraints.iter().filter_map(new).collect();
        let order = Dependencies::new(&modifiers, skeleton).order();
        let mut place = vec![usize::MAX; modifiers.len()];
        for (index, &modifier) in order.iter().enumerate() {
            place[modifier] = index;
        }
        let mut places = place.iter();
        modifiers.retain(|_| places.next().is_some_and(|&place| place != usize::MAX));
        place.retain(|&place| place != usize::MAX);
        let mut ordered: Vec<_> = place.into_iter().zip(modifiers).collect();
        ordered.sort_unstable_by_key(|(place, _)| *place);
        ordered.into_iter().map(|(_, modifier)| modifier).collect()
    }
}

/// What must happen before what: a step for each joint, after which nothing moves it any more, and
/// after these a step for each constraint. A step per joint keeps this linear in the size of the
/// file.
struct Dependencies {
    joints: usize,
    /// The number of steps that each step waits for.
    waiting: Vec<usize>,
    /// The steps that wait for each step.
    followers: Vec<Vec<usize>>,
}

impl Dependencies {
    fn new(modifiers: &[NodeConstraint], skeleton: &Skeleton) -> Self {
        let joints = skeleton.len();
        let steps = joints + modifiers.len();
        let mut dependencies = Self { joints, waiting: vec![0; steps], followers: vec![Vec::new(); steps] };
        let mut of_joint = vec![None; joints];
        for (index, NodeConstraint { constraint, .. }) in modifiers.iter().enumerate() {
            of_joint[constraint.joint.index()] = Some(joints + index);
        }
        for joint in skeleton.joints() {
            let before = [skeleton.parent(joint).map(JointId::index), of_joint[joint.index()]];
            before.into_iter().flatten().for_each(|before| dependencies.add(joint.index(), before));
        }
        for (index, NodeConstraint { constraint, .. }) in modifiers.iter().enumerate() {
            let VrmConstraint { joint, source, kind, .. } = constraint;
            // Only aims depend on where joints are in the model.
            let before = match kind {
                ConstraintKind::Aim(_) => [Some(source.index()), skeleton.parent(*joint).map(JointId::index)],
                ConstraintKind::Roll(_) | ConstraintKind::Rotation => [of_joint[source.index()], None],
            };
            before.into_iter().flatten().for_each(|before| dependencies.add(joints + index, before));
        }
        dependencies
    }

    fn add(&mut self, step: usize, before: usize) {
        self.followers[before].push(step);
        self.waiting[step] += 1;
    }

    /// The constraints in order, without those that wait for themselves.
    fn order(mut self) -> Vec<usize> {
        let mut ready: Vec<usize> =
            (0..self.waiting.len()).rev().filter(|&step| self.waiting[step] == 0).collect();
        let mut order = Vec::new();
        while let Some(step) = ready.pop() {
            order.extend(step.checked_sub(self.joints));
            for &follower in &self.followers[step] {
                self.waiting[follower] -= 1;
                if self.waiting[follower] == 0 {
                    ready.push(follower);
                }
            }
        }
        order
    }
}
