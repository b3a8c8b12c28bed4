//! The playhead: the current time in a clip.

use crate::animation::{Clip, Passage};

/// What happens when playback reaches an end of the clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// Playback continues at the other end.
    #[default]
    Loop,
    /// Playback stops there.
    Clamp,
}

/// A time within a clip that advances in steps, at any speed, forward or in reverse.
///
/// Hours of steps do not drift. The rounding error of each addition is kept and added later, and a
/// loop subtracts exactly the length of the clip. After any number of steps the time equals the
/// exact sum of the products of speed and seconds, each rounded to `f64`, to within 1e-14 of the
/// clip's end time.
///
/// ```
/// use sinew::{Bone, Clip, Skeleton, Transform};
/// use sinew::animation::{Keys, Playhead, Repeat, Track};
///
/// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// let root = skeleton.joint("root")?;
/// let keys = Keys::Translations { joint: root, values: &[[0.0; 3], [4.0, 0.0, 0.0]] };
/// let track = Track { times: &[0.0, 2.0], keys, interpolation: Default::default() };
/// let clip = Clip::new("slide", &skeleton, &[track])?;
/// let mut playhead = Playhead::new(&clip, Repeat::Loop);
/// playhead.speed = 0.5;
/// assert_eq!(playhead.advance(1.0), 0);
/// assert_eq!(playhead.advance(8.0), 2); // It looped twice.
/// assert_eq!(playhead.seconds(), 0.5);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playhead {
    /// Seconds of the clip per second of real time; negative plays in reverse. While the speed is
    /// not finite, the playhead does not move.
    pub speed: f64,
    /// What happens at the ends of the clip.
    pub repeat: Repeat,
    start: f64,
    length: f64,
    /// Seconds from the start, as an unevaluated sum of two numbers. The second is the rounding
    /// error of the first.
    offset: (f64, f64),
    /// Whether it came here by a jump, and no step has followed.
    arrived: bool,
}

impl Playhead {
    /// A playhead at the start of a clip, at speed one.
    #[must_use]
    pub fn new(clip: &Clip, repeat: Repeat) -> Self {
        let [start, end] = [clip.start(), clip.end()].map(f64::from);
        Self { speed: 1.0, repeat, start, length: end - start, offset: (0.0, 0.0), arrived: true }
    }

    /// A playhead over a cycle that runs from 0 to 1.
    pub(crate) fn of_phase(repeat: Repeat) -> Self {
        Self { speed: 1.0, repeat, start: 0.0, length: 1.0, offset: (0.0, 0.0), arrived: true }
    }

    /// Advances by `seconds` times the speed. Returns how often the playhead looped: positive past
    /// the end, negative past the start, zero with [`Repeat::Clamp`].
    ///
    /// A step that is infinite or NaN is ignored. In a clip of length zero the playhead does not
    /// move.
    pub fn advance(&mut self, seconds: f64) -> i64 {
        self.pass(seconds).laps()
    }

    /// As [`advance`](Self::advance); returns the stretch of the clip that the step has covered,
    /// for [`Clip::events_in`].
    ///
    /// Which times a step reaches:
    ///
    /// - All on its way, and the last one, but not the one at which it begins: the previous step
    ///   has reached that. So however time is divided into steps, and in whichever direction it
    ///   moves, a time counts once whenever the playhead comes to it or passes over it.
    /// - A new playhead and [`seek`](Self::seek) jump: no time in between is reached, and the next
    ///   step, however short, also reaches the time at which it begins.
    /// - In a loop, the end of the clip is passed just before its start is reached, and in reverse
    ///   just after it.
    pub fn pass(&mut self, seconds: f64) -> Passage {
        let (from, arrived) = (self.offset, self.arrived);
        let step = self.speed * seconds;
        let (sum, lost) = two_sum(self.offset.0, step);
        let laps = self.clamp_or_wrap(two_sum(sum, self.offset.1 + lost));
        self.arrived = false;
        Passage { from, to: self.offset, laps, arrived }
    }

    /// Moves to a time of the clip. A time outside the clip is wrapped or clamped. A time that is
    /// infinite or NaN is ignored.
    pub fn seek(&mut self, seconds: f64) {
        self.clamp_or_wrap((seconds - self.start, 0.0));
        self.arrived |= seconds.is_finite();
    }

    /// The playhead after a step that stops at the ends of the clip, even in a loop.
    pub(crate) fn peek(&self, seconds: f64) -> Self {
        let mut moved = Self { repeat: Repeat::Clamp, ..*self };
        moved.pass(seconds);
        Self { repeat: self.repeat, ..moved }
    }

    /// Whether a step would loop.
    pub(crate) fn would_loop(&self, seconds: f64) -> bool {
        let offset = self.offset.0 + self.speed * seconds;
        self.repeat == Repeat::Loop && !(0.0..=self.length).contains(&offset)
    }

    /// The current time in seconds, for [`Clip::sample`].
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.time() as f32
    }

    /// The current time in seconds, between the clip's start and end.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.start + self.offset.0
    }

    /// The fraction of the clip that has been played, from 0 to 1; zero in a clip of length zero.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        if self.length > 0.0 { self.offset.0 / self.length } else { 0.0 }
    }

    /// Whether the playhead is clamped at the end that it plays toward.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let end = if self.speed < 0.0 { 0.0 } else { self.length };
        self.repeat == Repeat::Clamp && self.offset.0 == end
    }

    /// Wraps or clamps an offset into the clip and returns the number of loops.
    fn clamp_or_wrap(&mut self, offset: (f64, f64)) -> i64 {
        if !(self.length > 0.0 && offset.0.is_finite() && offset.1.is_finite()) {
            return 0;
        }
        match self.repeat {
            Repeat::Clamp if offset.0 < 0.0 => self.offset = (0.0, 0.0),
            Repeat::Clamp if self.reaches_end(offset) => self.offset = (self.length, 0.0),
            Repeat::Clamp => self.offset = offset,
            Repeat::Loop => return self.wrap(offset),
        }
        0
    }

    fn wrap(&mut self, offset: (f64, f64)) -> i64 {
        if offset.0 >= 0.0 && !self.reaches_end(offset) {
            // The common case. Skipping the division saves most of the time.
            self.offset = offset;
            return 0;
        }
        // The floating-point remainder is exact.
        let remainder = offset.0 % self.length;
        let mut laps = ((offset.0 - remainder) / self.length).round() as i64;
        let mut offset = two_sum(remainder, offset.1);
        if offset.0 < 0.0 {
            offset = self.shift(offset, self.length);
            laps = laps.saturating_sub(1);
        }
        if self.reaches_end(offset) {
            offset = self.shift(offset, -self.length);
            laps = laps.saturating_add(1);
        }
        self.offset = offset;
        laps
    }

    /// Whether an offset is at or past the end of the clip.
    fn reaches_end(&self, offset: (f64, f64)) -> bool {
        offset.0 > self.length || offset.0 == self.length && offset.1 >= 0.0
    }

    fn shift(&self, offset: (f64, f64), by: f64) -> (f64, f64) {
        let (sum, lost) = two_sum(offset.0, by);
        two_sum(sum, offset.1 + lost)
    }
}

/// The rounded sum of two numbers and its exact rounding error (Knuth's TwoSum).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    let from_a = sum - from_b;
    (sum, (a - from_a) + (b - from_b))
}
