//! Pose modifiers of instances and members: IK, aiming, overrides, and functions of the caller.

use std::fmt;
use std::sync::Arc;

use sinew::JointId;
use sinew::animation::{ModifierContext, ModifierId, ModifierStack, PoseModifier};

use crate::playback::Player;
use crate::records::{
    AimSettings, AttachmentSettings, Matrix3x4, OverrideSettings, ReachSettings, Transform, TurnSettings,
    flag,
};
use crate::{Code, Error, matrix_numbers};

/// The most modifiers of an instance or member.
const MAX_MODIFIERS: usize = 64;

/// A pose modifier of any kind.
#[derive(Clone, Debug)]
pub enum Modifier {
    /// A joint points at a target.
    Aim(AimSettings),
    /// A limb of two bones reaches a point.
    Reach(ReachSettings),
    /// Parts of a joint's transform are set.
    Override(OverrideSettings),
    /// A joint's rotation in model space is set.
    Turn(TurnSettings),
    /// A joint follows another one.
    Attachment(AttachmentSettings),
    /// A function of the caller edits the pose.
    Callback(PoseCallback),
}

/// A pose that a function of the caller edits.
#[derive(Debug)]
pub struct PoseEdit<'a> {
    /// The time of the step.
    pub seconds: f32,
    /// The joints relative to their parents. What is not finite afterwards is not taken over.
    pub joints: &'a mut [Transform],
    /// The joints in model space, before the edit.
    pub model_from_joint: &'a [Matrix3x4],
    /// The weights of morph targets. What is not finite afterwards is not taken over.
    pub morph_weights: &'a mut [f32],
}

/// A function of the caller that edits a pose in each step. A crowd calls it from its threads.
#[derive(Clone)]
pub struct PoseCallback {
    edit: Arc<dyn Fn(&mut PoseEdit<'_>) + Send + Sync>,
    joints: Vec<Transform>,
    model_from_joint: Vec<Matrix3x4>,
    morph_weights: Vec<f32>,
}

impl PoseCallback {
    /// A modifier that calls a function.
    #[must_use]
    pub fn new(edit: impl Fn(&mut PoseEdit<'_>) + Send + Sync + 'static) -> Self {
        let edit = Arc::new(edit);
        Self { edit, joints: Vec::new(), model_from_joint: Vec::new(), morph_weights: Vec::new() }
    }
}

impl fmt::Debug for PoseCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoseCallback").finish_non_exhaustive()
    }
}

impl PoseModifier for PoseCallback {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        let Self { edit, joints, model_from_joint, morph_weights } = self;
        // Allocates only the first time.
        joints.clear();
        joints.extend(context.pose().transforms().map(Transform::from));
        morph_weights.clear();
        morph_weights.extend_from_slice(context.pose().morph_weights());
        model_from_joint.clear();
        if let Ok(matrices) = context.model_matrices(..) {
            model_from_joint.extend(matrices.iter().map(matrix_numbers));
        }
        edit(&mut PoseEdit { seconds: context.seconds(), joints, model_from_joint, morph_weights });
        for (index, edited) in joints.iter().enumerate() {
            let joint = JointId::new(index);
            let Transform { rotation, translation, scale } = edited;
            let mut numbers = rotation.iter().chain(translation).chain(scale);
            if numbers.all(|number| number.is_finite())
                && *edited != Transform::from(context.pose().transform(joint))
            {
                context.set_transform(joint, &(*edited).into());
            }
        }
        for (to, &edited) in context.morph_weights_mut().iter_mut().zip(&*morph_weights) {
            if edited.is_finite() {
                *to = edited;
            }
        }
    }
}

/// Adds a modifier that runs after all others, in each step. Returns its number in the instance or
/// member, which is never zero.
///
/// # Errors
///
/// If the player does not exist, the modifier does not fit its skeleton, or it has 64.
pub fn modifier_push(player: Player, modifier: Modifier) -> Result<u64, Error> {
    player.modifiers(|stack| match modifier {
        Modifier::Aim(settings) => push(stack, settings.to_library()?),
        Modifier::Reach(settings) => push(stack, settings.to_library()?),
        Modifier::Override(settings) => push(stack, settings.to_library()?),
        Modifier::Turn(settings) => push(stack, settings.to_library()),
        Modifier::Attachment(settings) => push(stack, settings.to_library()),
        Modifier::Callback(callback) => push(stack, callback),
    })
}

/// Adds a modifier to a stack, unless that is full.
pub(crate) fn push(stack: &mut ModifierStack, modifier: impl PoseModifier) -> Result<u64, Error> {
    if stack.len() >= MAX_MODIFIERS {
        return Err(Error::new(Code::Limit, format!("expected at most {MAX_MODIFIERS} modifiers")));
    }
    Ok(stack.push(modifier)?.to_bits().wrapping_add(1))
}

/// Replaces a modifier by another one, which keeps its place and weight: to move a target.
///
/// # Errors
///
/// If the player or the modifier does not exist, or the new one does not fit its skeleton.
pub fn modifier_replace(player: Player, modifier: u64, by: Modifier) -> Result<(), Error> {
    let id = modifier_id(modifier);
    player.modifiers(|stack| {
        match by {
            Modifier::Aim(settings) => stack.replace(id, settings.to_library()?),
            Modifier::Reach(settings) => stack.replace(id, settings.to_library()?),
            Modifier::Override(settings) => stack.replace(id, settings.to_library()?),
            Modifier::Turn(settings) => stack.replace(id, settings.to_library()),
            Modifier::Attachment(settings) => stack.replace(id, settings.to_library()),
            Modifier::Callback(callback) => stack.replace(id, callback),
        }?;
        Ok(())
    })
}

/// Sets whether a modifier runs (1) or not (0).
///
/// # Errors
///
/// If the player or the modifier does not exist, or `enabled` is another number.
pub fn modifier_set_enabled(player: Player, modifier: u64, enabled: u32) -> Result<(), Error> {
    let enabled = flag("enabled", enabled)?;
    player.modifiers(|stack| Ok(stack.set_enabled(modifier_id(modifier), enabled)?))
}

/// Sets how much of a modifier's change is applied, from 0 to 1.
///
/// # Errors
///
/// If the player or the modifier does not exist, or the weight is not from 0 to 1.
pub fn modifier_set_weight(player: Player, modifier: u64, weight: f32) -> Result<(), Error> {
    player.modifiers(|stack| Ok(stack.set_weight(modifier_id(modifier), weight)?))
}

/// Removes a modifier.
///
/// # Errors
///
/// If the player or the modifier does not exist.
pub fn modifier_remove(player: Player, modifier: u64) -> Result<(), Error> {
    let id = modifier_id(modifier);
    // Dropped without the lock: the caller's function may free its data by a call of its own.
    let removed = player.modifiers(|stack| {
        let removed = stack.remove(id);
        Ok(removed.ok_or(sinew::animation::AnimationError::ModifierNotFound { id })?)
    });
    removed.map(drop)
}

/// Makes all modifiers forget their motion, as after a teleport.
///
/// # Errors
///
/// If the player does not exist.
pub fn modifiers_reset(player: Player) -> Result<(), Error> {
    player.modifiers(|stack| {
        stack.reset();
        Ok(())
    })
}

pub(crate) fn modifier_id(modifier: u64) -> ModifierId {
    ModifierId::from_bits(modifier.wrapping_sub(1))
}
