//! The trait of everything that changes a pose between clips and skin.

use std::any::Any;
use std::fmt;

use super::ModifierContext;
use crate::animation::AnimationError;
use crate::skeleton::Skeleton;

/// Changes a pose after clips were sampled and blended, and before it is skinned: IK, springs,
/// attachments, or a program's own rule. Push it on the [`ModifierStack`](super::ModifierStack) of
/// an [`Instance`](crate::Instance) or of a member of a [`Crowd`](crate::Crowd).
///
/// A modifier may keep state from step to step. Clones of an instance clone the state. A crowd
/// calls modifiers on any of its threads, each member's in their order.
///
/// ```
/// use sinew::animation::{ModifierContext, PoseModifier};
/// use sinew::{JointId, Skeleton};
///
/// /// Moves a joint up and down.
/// #[derive(Clone, Debug)]
/// struct Breathe {
///     chest: JointId,
///     phase: f32,
/// }
///
/// impl PoseModifier for Breathe {
///     fn modify(&mut self, context: &mut ModifierContext<'_>) {
///         self.phase = (self.phase + context.seconds()) % 4.0;
///         let [x, y, z] = context.pose().translation(self.chest);
///         let rise = 0.01 * (self.phase * std::f32::consts::FRAC_PI_2).sin();
///         context.set_translation(self.chest, [x, y + rise, z]);
///     }
/// }
/// # use sinew::{Bone, Transform};
/// # use sinew::model::ModelSource;
/// # let skeleton = Skeleton::new(&[Bone::new("chest", None, Transform::IDENTITY)])?;
/// # let model = sinew::Model::new(ModelSource::new(skeleton))?;
/// let mut figure = model.instance();
/// let chest = model.skeleton().joint("chest")?;
/// figure.modifiers_mut().push(Breathe { chest, phase: 0.0 })?;
/// figure.step(1.0);
/// assert_eq!(figure.pose().translation(chest), [0.0, 0.01, 0.0]);
/// # Ok::<(), sinew::Error>(())
/// ```
pub trait PoseModifier: CloneModifier + Any + fmt::Debug + Send + Sync {
    /// Changes the pose. Called once in each step.
    ///
    /// A step of zero seconds asks for the pose again: it must give the same pose, and leave the
    /// state as it is. Must not allocate, so that a frame does not.
    fn modify(&mut self, context: &mut ModifierContext<'_>);

    /// Checks that the modifier fits a skeleton, before it is pushed on a stack of that skeleton.
    ///
    /// # Errors
    ///
    /// When a joint does not exist or a number is invalid.
    /// [`AnimationError::Modifier`] is for messages of a program's own.
    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        let _ = skeleton;
        Ok(())
    }

    /// Forgets all motion, as after a teleport: the next step starts from the pose of the clips.
    /// Modifiers without state have nothing to do.
    fn reset(&mut self) {}
}

/// Clones a modifier behind a box. Implemented for all modifiers that are [`Clone`].
pub trait CloneModifier {
    /// A clone of the modifier with its state.
    fn clone_boxed(&self) -> Box<dyn PoseModifier>;
}

impl<T: PoseModifier + Clone> CloneModifier for T {
    fn clone_boxed(&self) -> Box<dyn PoseModifier> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn PoseModifier> {
    fn clone(&self) -> Self {
        (**self).clone_boxed()
    }
}
