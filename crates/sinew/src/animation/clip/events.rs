//! Events of a clip: named times that fire when playback reaches them.

use super::Clip;
use crate::animation::{AnimationError, Passage};
use crate::math::sort::{f32_key, sort_by_key};

/// A named time of a clip, such as the moment in which a foot touches the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipEvent {
    /// The name; may be empty, and need not be unique.
    pub name: String,
    /// The time in the clip, in seconds, from the clip's start to its end.
    pub seconds: f32,
}

impl ClipEvent {
    /// An event with a name and a time.
    #[must_use]
    pub fn new(name: &str, seconds: f32) -> Self {
        Self { name: name.to_owned(), seconds }
    }
}

/// An event that a step has reached or passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassedEvent<'a> {
    /// The event.
    pub event: &'a ClipEvent,
    /// Its index in [`Clip::events`].
    pub index: usize,
    /// How often the step passed it: more than once only if the step is longer than the clip.
    pub passes: u64,
}

impl Clip {
    /// Replaces the events of the clip. They may be in any order.
    ///
    /// ```
    /// use sinew::animation::{ClipEvent, Keys, Playhead, Repeat, Track};
    /// use sinew::{Bone, Clip, Skeleton, Transform};
    ///
    /// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
    /// let keys = Keys::Translations { joint: skeleton.joint("root")?, values: &[[0.0; 3]; 2] };
    /// let track = Track { times: &[0.0, 1.0], keys, interpolation: Default::default() };
    /// let walk = Clip::new("walk", &skeleton, &[track])?
    ///     .with_events(vec![ClipEvent::new("left foot", 0.25), ClipEvent::new("right foot", 0.75)])?;
    /// let mut playhead = Playhead::new(&walk, Repeat::Loop);
    /// let passage = playhead.pass(0.5);
    /// let names: Vec<&str> = walk.events_in(&passage).map(|it| it.event.name.as_str()).collect();
    /// assert_eq!(names, ["left foot"]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the time of an event is before the clip's start, after its end or NaN.
    pub fn with_events(mut self, mut events: Vec<ClipEvent>) -> Result<Self, AnimationError> {
        let range = self.start..=self.end;
        if let Some(index) = events.iter().position(|event| !range.contains(&event.seconds)) {
            let ClipEvent { name, seconds } = events.swap_remove(index);
            let (clip, start, end) = (self.name, self.start, self.end);
            return Err(AnimationError::EventOutOfRange { clip, index, name, found: seconds, start, end });
        }
        // Stable: events at the same time keep their order.
        sort_by_key(&mut events, |event| f32_key(event.seconds));
        self.events = events;
        Ok(self)
    }

    /// The events, in order of their times.
    #[must_use]
    pub fn events(&self) -> &[ClipEvent] {
        &self.events
    }

    /// The events that a step of a playhead of this clip has reached or passed, in the order in
    /// which it did so. See [`Playhead::pass`](crate::animation::Playhead::pass) for what counts.
    pub fn events_in(&self, passage: &Passage) -> impl Iterator<Item = PassedEvent<'_>> {
        self.events_at(*passage, |offset| offset)
    }

    /// The same for a playhead over something else than the clip's seconds. `position` converts the
    /// seconds since the clip's start, and must be monotonic.
    pub(crate) fn events_at(
        &self,
        passage: Passage,
        position: impl Fn(f64) -> f64,
    ) -> impl Iterator<Item = PassedEvent<'_>> {
        let (events, start) = (&self.events[..], f64::from(self.start));
        let position = move |event: &ClipEvent| position(f64::from(event.seconds) - start);
        // The first one on the way, and how many can follow until the way ends or comes back to it.
        let first = events.partition_point(|event| passage.is_behind(position(event)));
        let count = match passage.laps() {
            0 if passage.is_forward() => {
                events.partition_point(|event| passage.is_reached(position(event))).saturating_sub(first)
            }
            0 => first - events.partition_point(|event| !passage.is_reached(position(event))).min(first),
            _ => events.len(),
        };
        (0..count).filter_map(move |i| {
            let index = if passage.is_forward() { first + i } else { first + events.len() - 1 - i };
            let index = index % events.len();
            let event = &events[index];
            let passes = passage.passes(position(event));
            (passes > 0).then_some(PassedEvent { event, index, passes })
        })
    }
}
