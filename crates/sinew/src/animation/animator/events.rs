//! Events of clips that fired in the last step.

use crate::animation::{ClipEvent, ClipSet};

/// An event of a clip that fired in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiredEvent<'a> {
    /// The event: its name and its time in the clip.
    pub event: &'a ClipEvent,
    /// The index of its clip.
    pub clip: usize,
    /// How often the step passed it: more than once only if the step is longer than the clip.
    pub passes: u64,
    /// The weight of its clip after the step, before it is divided by the sum of all weights. A
    /// clip that fades in fires from the first step, with little weight; a program may ignore
    /// those.
    pub weight: f32,
    /// Whether the clip was playing in reverse.
    pub reverse: bool,
}

/// The same without references.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fired {
    pub(super) clip: usize,
    pub(super) index: usize,
    pub(super) passes: u64,
    pub(super) weight: f32,
    pub(super) reverse: bool,
}

impl Fired {
    pub(super) fn resolve<'a>(&self, set: &'a ClipSet) -> FiredEvent<'a> {
        let &Self { clip, index, passes, weight, reverse } = self;
        FiredEvent { event: &set.clips()[clip].events()[index], clip, passes, weight, reverse }
    }
}
