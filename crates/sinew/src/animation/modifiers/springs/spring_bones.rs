//! Spring bones as a pose modifier.

use std::sync::Arc;

use sinew_kernels::{BLOCK, BoneLength};

use super::error::SpringError;
use super::rig::{SpringRig, WORLD_SLOT};
use super::scratch::SpringScratch;
use super::source::SpringSource;
use crate::animation::{AnimationError, ModifierContext, PoseModifier};
use crate::skeleton::Skeleton;

/// The longest sub-step.
const MAX_SUB_STEP: f32 = 1.0 / 30.0;

/// The maximum number of sub-steps of one step. What a longer step has beyond them is dropped.
const MAX_SUB_STEPS: u32 = 16;

/// Chains of joints that swing after the body, such as hair, skirts and tails, as VRMC_springBone
/// 1.0 defines them: stiffness, gravity, drag, colliders, and a space that they swing in.
///
/// They simulate in world space, so set [`Instance::set_world`](crate::Instance::set_world) or
/// [`Member::world`](crate::crowd::Member::world) if the character moves. A step longer than 1/30 s
/// is divided into equal sub-steps, at most 16. The result depends only on the steps and the poses:
/// it has the same bits on every backend, alone or in a crowd.
///
/// Each joint swings about its rest rotation, whatever the clips play on it. The first step, and
/// the first one after a [`reset`](PoseModifier::reset), starts with all bones at rest.
///
/// Clones share what is constant. Clone one for each member of a crowd: eight members that share it
/// are simulated at once.
///
/// ```
/// use sinew::animation::{Spring, SpringBones, SpringJoint, SpringSource};
/// # use sinew::{Bone, Skeleton, Transform};
/// # use sinew::model::ModelSource;
/// # let down = Transform { translation: [0.0, -0.1, 0.0], ..Transform::IDENTITY };
/// # let bones = ["head", "hair", "tip"].iter().enumerate();
/// # let bones: Vec<Bone> = bones.map(|(i, name)| Bone::new(name, i.checked_sub(1), down)).collect();
/// # let model = sinew::Model::new(ModelSource::new(Skeleton::new(&bones)?))?;
/// let skeleton = model.skeleton();
/// let chain = [skeleton.joint("hair")?, skeleton.joint("tip")?];
/// let numbers = SpringJoint { gravity_power: 0.3, ..SpringJoint::default() };
/// let source = SpringSource { springs: vec![Spring::new(&chain, numbers)], ..SpringSource::default() };
/// let springs = SpringBones::new(skeleton, &source)?;
/// let mut figure = model.instance();
/// figure.modifiers_mut().push(springs)?;
/// figure.step(1.0 / 60.0);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpringBones {
    rig: Arc<SpringRig>,
    states: Vec<TailState>,
    /// Whether the states are those of a step.
    started: bool,
    teleport_distance: f32,
    /// Where the model was in the last step.
    place: [f32; 3],
}

/// The end of a bone after the last two steps, in the space of its center, and the joint there.
#[derive(Clone, Copy, Debug, Default)]
struct TailState {
    tail: [f32; 3],
    previous_tail: [f32; 3],
    /// In world space. Used only where bones are measured in each step.
    next_joint: [f32; 3],
}

impl SpringBones {
    /// Checks a description and builds it for a skeleton.
    ///
    /// # Errors
    ///
    /// The first fault, with its place: a joint, collider or group that does not exist, a number
    /// that is not finite or out of its range, a joint that is not below the one before it in its
    /// chain, or that two chains rotate.
    pub fn new(skeleton: &Skeleton, source: &SpringSource) -> Result<Self, AnimationError> {
        let rig = SpringRig::new(skeleton, source)?;
        let states = vec![TailState::default(); rig.bones.len()];
        Ok(Self {
            rig: Arc::new(rig),
            states,
            started: false,
            teleport_distance: f32::INFINITY,
            place: [0.0; 3],
        })
    }

    /// The number of joints that swing.
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.rig.bones.len()
    }

    /// Sets how far the model may move in one step, in meters of world space, before it counts as a
    /// teleport, which [resets](PoseModifier::reset) the springs. Infinite by default; NaN counts
    /// as infinite.
    #[must_use]
    pub fn with_teleport_distance(mut self, meters: f32) -> Self {
        self.teleport_distance = if meters.is_nan() { f32::INFINITY } else { meters };
        self
    }

    /// Whether both are clones of the same springs, which can be simulated together.
    pub(crate) fn shares_rig(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
    }

    /// Prepares the working memory for a group of clones.
    pub(crate) fn begin_group(&self, scratch: &mut SpringScratch) {
        scratch.reserve(&self.rig);
    }

    /// Writes the pose and the state of one character to a lane.
    pub(crate) fn gather(
        &mut self,
        lane: usize,
        context: &mut ModifierContext<'_>,
        scratch: &mut SpringScratch,
    ) {
        let world = *context.world_from_model();
        let place = world.translation();
        let squared: f32 = (0..3).map(|axis| (place[axis] - self.place[axis]).powi(2)).sum();
        if squared.sqrt() > self.teleport_distance {
            self.started = false;
        }
        self.place = place;
        scratch.characters = scratch.characters.max(lane + 1);
        scratch.starts[lane] = !self.started;
        let seconds = context.seconds();
        // The cast saturates.
        let steps = if seconds > 0.0 { ((seconds / MAX_SUB_STEP - 1e-4).ceil() as u32).max(1) } else { 0 };
        let dropped = steps > MAX_SUB_STEPS;
        let steps = steps.min(MAX_SUB_STEPS);
        scratch.sub_steps[lane] = steps;
        scratch.seconds[lane] = if dropped { MAX_SUB_STEP } else { seconds / steps.max(1) as f32 };

        scratch.worlds[WORLD_SLOT].set_matrix(lane, &world);
        for (&joint, &slot) in self.rig.inputs.iter().zip(&self.rig.input_slots) {
            scratch.worlds[slot as usize].set_matrix(lane, context.model_from_joint(joint));
        }
        let pose = context.pose();
        for (&joint, block) in self.rig.follows.iter().zip(&mut scratch.locals) {
            block.set_matrix(lane, &pose.transform(joint).matrix());
        }
        let measures = self.rig.bone_length == BoneLength::SinceLastStep;
        for ((&joint, block), state) in self.rig.bones.iter().zip(&mut scratch.bones).zip(&self.states) {
            block.translation.set_vector(lane, pose.translation(joint));
            block.scale.set_vector(lane, pose.scale(joint));
            block.tail.set_vector(lane, state.tail);
            block.previous_tail.set_vector(lane, state.previous_tail);
            if measures {
                block.next_joint.set_vector(lane, state.next_joint);
            }
        }
    }

    /// Simulates all lanes that were gathered.
    pub(crate) fn simulate(&self, scratch: &mut SpringScratch) {
        scratch.simulate(&self.rig);
    }

    /// Reads the rotations and the state of one character from its lane. If a number is not finite,
    /// as a pose or a world matrix may have, the pose is left as it is and the next step starts
    /// without motion.
    pub(crate) fn scatter(
        &mut self,
        lane: usize,
        context: &mut ModifierContext<'_>,
        scratch: &SpringScratch,
    ) {
        let finite = scratch.bones[..self.states.len()].iter().all(|block| {
            let [x, y, z] = block.tail.vector(lane);
            let [a, b, c, w] = block.rotation.rotation(lane);
            // A sum is not finite if a number is not.
            (x + y + z + a + b + c + w).is_finite()
        });
        self.started = finite;
        if !finite {
            return;
        }
        let measures = self.rig.bone_length == BoneLength::SinceLastStep;
        for ((&joint, block), state) in self.rig.bones.iter().zip(&scratch.bones).zip(&mut self.states) {
            context.set_rotation(joint, block.rotation.rotation(lane));
            state.tail = block.tail.vector(lane);
            state.previous_tail = block.previous_tail.vector(lane);
            if measures {
                state.next_joint = block.next_joint.vector(lane);
            }
        }
    }
}

impl PoseModifier for SpringBones {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        if self.rig.bones.is_empty() {
            return;
        }
        let mut scratch = std::mem::take(context.scratch);
        self.begin_group(&mut scratch);
        self.gather(0, context, &mut scratch);
        self.simulate(&mut scratch);
        self.scatter(0, context, &scratch);
        *context.scratch = scratch;
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        Ok(self.rig.check(skeleton)?)
    }

    fn reset(&mut self) {
        self.started = false;
    }
}

impl From<SpringError> for AnimationError {
    fn from(error: SpringError) -> Self {
        Self::Spring(error)
    }
}

const _: () = assert!(BLOCK == 8, "a group of a crowd has as many members");
