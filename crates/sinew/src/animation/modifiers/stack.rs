//! An ordered stack of pose modifiers.

use std::any::Any;
use std::fmt;
use std::ops::Range;

use super::{ModifierContext, PoseModifier, SpringBones};
use crate::animation::blend::check_factor;
use crate::animation::{AnimationError, ClipSet};
use crate::math::quaternion::{nlerp, to_f32, to_unit_f64};
use crate::skeleton::{JointId, Pose, Skeleton};

/// A modifier of a stack, for as long as it is in that stack or a clone of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModifierId(u64);

impl ModifierId {
    /// The id as a number, for programs that cannot hold the type.
    #[must_use]
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The id of a number from [`to_bits`](Self::to_bits). Another number is the id of no modifier,
    /// or of another one.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

impl fmt::Display for ModifierId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Pose modifiers in the order in which they run, each with an enable flag and a weight.
///
/// ```
/// # use sinew::{Aim, Bone, Skeleton, Transform};
/// # use sinew::model::ModelSource;
/// # let skeleton = Skeleton::new(&[Bone::new("neck", None, Transform::IDENTITY)])?;
/// # let model = sinew::Model::new(ModelSource::new(skeleton))?;
/// let mut fox = model.instance();
/// let neck = model.skeleton().joint("neck")?;
/// let look = fox.modifiers_mut().push(Aim::new(neck, [0.0, 0.0, 1.0], [5.0, 0.0, 0.0]))?;
/// // Every frame: change the target, then step.
/// if let Some(aim) = fox.modifiers_mut().get_mut::<Aim>(look) {
///     aim.target = [0.0, 1.0, 5.0];
/// }
/// fox.step(1.0 / 60.0);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModifierStack {
    set: ClipSet,
    entries: Vec<StackEntry>,
    next: u64,
    /// The pose before a modifier whose weight is below one. Allocated by the first such weight.
    before: Option<Pose>,
}

#[derive(Clone, Debug)]
struct StackEntry {
    id: ModifierId,
    enabled: bool,
    weight: f32,
    modifier: Box<dyn PoseModifier>,
}

impl ModifierStack {
    /// An empty stack for the skeleton of the clips.
    pub(crate) fn new(set: &ClipSet) -> Self {
        Self { set: set.clone(), entries: Vec::new(), next: 0, before: None }
    }

    /// The skeleton whose poses are modified.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        self.set.skeleton()
    }

    /// The number of modifiers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no modifiers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The modifiers, in the order in which they run.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ModifierId> {
        self.entries.iter().map(|entry| entry.id)
    }

    /// Adds a modifier that runs after all others.
    ///
    /// # Errors
    ///
    /// When the modifier does not fit the skeleton. See [`PoseModifier::check`].
    pub fn push(&mut self, modifier: impl PoseModifier) -> Result<ModifierId, AnimationError> {
        self.insert(self.len(), modifier)
    }

    /// Adds a modifier that runs at this position; at the end if there are fewer modifiers.
    ///
    /// # Errors
    ///
    /// When the modifier does not fit the skeleton. See [`PoseModifier::check`].
    pub fn insert(
        &mut self,
        position: usize,
        modifier: impl PoseModifier,
    ) -> Result<ModifierId, AnimationError> {
        self.insert_boxed(position, Box::new(modifier))
    }

    /// As [`insert`](Self::insert), with a modifier that is in a box already.
    ///
    /// # Errors
    ///
    /// When the modifier does not fit the skeleton. See [`PoseModifier::check`].
    pub fn insert_boxed(
        &mut self,
        position: usize,
        modifier: Box<dyn PoseModifier>,
    ) -> Result<ModifierId, AnimationError> {
        modifier.check(self.set.skeleton())?;
        let id = ModifierId(self.next);
        self.next += 1;
        let entry = StackEntry { id, enabled: true, weight: 1.0, modifier };
        self.entries.insert(position.min(self.entries.len()), entry);
        Ok(id)
    }

    /// Replaces a modifier by another one, which keeps its place, flag and weight. Does not
    /// allocate if the type stays the same.
    ///
    /// # Errors
    ///
    /// When there is no such modifier, or the new one does not fit the skeleton. Nothing is changed
    /// then.
    pub fn replace<T: PoseModifier>(&mut self, id: ModifierId, modifier: T) -> Result<(), AnimationError> {
        modifier.check(self.set.skeleton())?;
        let entry = self.entry_mut(id)?;
        match (&mut *entry.modifier as &mut dyn Any).downcast_mut::<T>() {
            Some(same) => *same = modifier,
            None => entry.modifier = Box::new(modifier),
        }
        Ok(())
    }

    /// Removes a modifier; `None` if there is none with this id.
    pub fn remove(&mut self, id: ModifierId) -> Option<Box<dyn PoseModifier>> {
        let position = self.entries.iter().position(|entry| entry.id == id)?;
        Some(self.entries.remove(position).modifier)
    }

    /// Removes all modifiers.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// A modifier of a known type; `None` if there is none with this id, or it has another type.
    #[must_use]
    pub fn get<T: PoseModifier>(&self, id: ModifierId) -> Option<&T> {
        (self.get_dyn(id)? as &dyn Any).downcast_ref()
    }

    /// Mutable access to a modifier of a known type, to change a target or a parameter; `None` if
    /// there is none with this id, or it has another type.
    ///
    /// The changes are not checked: with an invalid number, the modifiers of this crate leave the
    /// pose as it is. [`replace`](Self::replace) checks.
    pub fn get_mut<T: PoseModifier>(&mut self, id: ModifierId) -> Option<&mut T> {
        let entry = self.entries.iter_mut().find(|entry| entry.id == id)?;
        (&mut *entry.modifier as &mut dyn Any).downcast_mut()
    }

    /// A modifier of any type; `None` if there is none with this id.
    #[must_use]
    pub fn get_dyn(&self, id: ModifierId) -> Option<&dyn PoseModifier> {
        self.entries.iter().find(|entry| entry.id == id).map(|entry| &*entry.modifier)
    }

    /// Whether a modifier runs; `None` if there is none with this id.
    #[must_use]
    pub fn is_enabled(&self, id: ModifierId) -> Option<bool> {
        self.entries.iter().find(|entry| entry.id == id).map(|entry| entry.enabled)
    }

    /// Sets whether a modifier runs. One that is enabled again starts without motion.
    ///
    /// # Errors
    ///
    /// When there is no such modifier.
    pub fn set_enabled(&mut self, id: ModifierId, enabled: bool) -> Result<(), AnimationError> {
        let entry = self.entry_mut(id)?;
        if enabled && !entry.enabled {
            entry.modifier.reset();
        }
        entry.enabled = enabled;
        Ok(())
    }

    /// The weight of a modifier; `None` if there is none with this id.
    #[must_use]
    pub fn weight(&self, id: ModifierId) -> Option<f32> {
        self.entries.iter().find(|entry| entry.id == id).map(|entry| entry.weight)
    }

    /// Sets how much of a modifier's change is applied: 0 is nothing, 1 is all. In between, joints
    /// are interpolated from the pose before to the pose after it. A modifier with weight zero
    /// runs, so its state goes on.
    ///
    /// # Errors
    ///
    /// When there is no such modifier, or the weight is not from 0 to 1.
    pub fn set_weight(&mut self, id: ModifierId, weight: f32) -> Result<(), AnimationError> {
        check_factor("weight of the modifier", weight)?;
        self.entry_mut(id)?.weight = weight;
        if weight < 1.0 && self.before.is_none() {
            self.before = Some(self.set.skeleton().rest_pose());
        }
        Ok(())
    }

    /// Makes all modifiers forget their motion, as after a teleport. See [`PoseModifier::reset`].
    pub fn reset(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.modifier.reset());
    }

    fn entry_mut(&mut self, id: ModifierId) -> Result<&mut StackEntry, AnimationError> {
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        entry.ok_or(AnimationError::ModifierNotFound { id })
    }

    /// Whether the stack was made for the skeleton of this set.
    pub(crate) fn is_for(&self, set: &ClipSet) -> bool {
        self.set.is_same(set)
    }

    /// Runs all enabled modifiers in order. The context must be of a pose of the stack's skeleton.
    pub(crate) fn run(&mut self, context: &mut ModifierContext<'_>) {
        self.run_range(0..self.entries.len(), context);
    }

    /// Runs the enabled modifiers of a range, which must be within the stack.
    pub(crate) fn run_range(&mut self, range: Range<usize>, context: &mut ModifierContext<'_>) {
        let Self { entries, before, .. } = self;
        for entry in entries[range].iter_mut().filter(|entry| entry.enabled) {
            entry.run(before.as_mut(), context);
        }
    }

    /// The first springs that run with full weight, and their position: these can be simulated
    /// together with those of other stacks.
    pub(crate) fn springs(&self) -> Option<(usize, &SpringBones)> {
        self.entries.iter().enumerate().find_map(|(position, entry)| {
            let springs = (&*entry.modifier as &dyn Any).downcast_ref::<SpringBones>()?;
            (entry.enabled && entry.weight == 1.0 && springs.bone_count() > 0).then_some((position, springs))
        })
    }

    /// Mutable access to the springs that [`springs`](Self::springs) returns.
    pub(crate) fn springs_mut(&mut self) -> Option<&mut SpringBones> {
        let (position, _) = self.springs()?;
        (&mut *self.entries[position].modifier as &mut dyn Any).downcast_mut()
    }
}

impl StackEntry {
    /// Runs the modifier with its weight. `before` is there if any weight is below one.
    fn run(&mut self, before: Option<&mut Pose>, context: &mut ModifierContext<'_>) {
        let before = before.filter(|_| self.weight < 1.0);
        let Some(before) = before else { return self.modifier.modify(context) };
        before.copy_from(context.pose).expect("poses of one skeleton");
        self.modifier.modify(context);
        interpolate_changes(before, context, self.weight);
    }
}

/// Interpolates all joints and morph weights that differ from the pose before.
fn interpolate_changes(before: &Pose, context: &mut ModifierContext<'_>, weight: f32) {
    if weight == 0.0 {
        return context.pose_mut().copy_from(before).expect("poses of one skeleton");
    }
    let between = |from: f32, to: f32| from + weight * (to - from);
    for joint in (0..before.len()).map(JointId::new) {
        let (from, mut to) = (before.transform(joint), context.pose.transform(joint));
        if from == to {
            continue;
        }
        if from.rotation != to.rotation {
            let [from, to_unit] = [from.rotation, to.rotation].map(to_unit_f64);
            to.rotation = to_f32(nlerp(from, to_unit, f64::from(weight)));
        }
        to.translation = std::array::from_fn(|axis| between(from.translation[axis], to.translation[axis]));
        to.scale = std::array::from_fn(|axis| between(from.scale[axis], to.scale[axis]));
        context.set_transform(joint, &to);
    }
    for (to, &from) in context.pose.morph_weights_mut().iter_mut().zip(before.morph_weights()) {
        *to = between(from, *to);
    }
}
