//! Where a clip is being played.

use crate::Clip;

/// What happens at the ends of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// It begins again: the end is the start. In reverse the start is the end.
    #[default]
    Loop,
    /// It stays there.
    Clamp,
}

/// A time within a clip that goes on by steps, at any speed, forwards and in reverse.
///
/// Hours of steps do not drift: what an addition rounds off is kept and added later, and a lap takes off the length of the
/// clip exactly. After any number of steps the time is what exact arithmetic gives for the products of speed and seconds,
/// each rounded to `f64`; the difference is below 1e-14 of the clip's end.
///
/// ```
/// use sinew::{Bone, Clip, Keys, Playhead, Repeat, Skeleton, Track, Transform};
///
/// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// let keys = Keys::Translations { joint: 0, values: &[[0.0; 3], [4.0, 0.0, 0.0]] };
/// let track = Track { times: &[0.0, 2.0], keys, interpolation: Default::default() };
/// let clip = Clip::new("slide", &skeleton, &[track])?;
/// let mut playhead = Playhead::new(&clip, Repeat::Loop);
/// playhead.speed = 0.5;
/// assert_eq!(playhead.advance(1.0), 0);
/// assert_eq!(playhead.advance(8.0), 2); // Past the end twice.
/// assert_eq!(playhead.seconds(), 0.5);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playhead {
    /// Seconds of the clip for each second that passes; negative plays in reverse. While it is not finite, nothing moves.
    pub speed: f64,
    /// What happens at the ends.
    pub repeat: Repeat,
    start: f64,
    length: f64,
    /// Seconds from the start, as a sum of which the second part is what the first cannot hold.
    offset: (f64, f64),
}

impl Playhead {
    /// At the start of a clip, at speed one.
    #[must_use]
    pub fn new(clip: &Clip, repeat: Repeat) -> Self {
        let [start, end] = [clip.start(), clip.end()].map(f64::from);
        Self { speed: 1.0, repeat, start, length: end - start, offset: (0.0, 0.0) }
    }

    /// Goes on by seconds, times the speed. Gives how often it went past the end and began again; in reverse, past the
    /// start, that is a negative number. Zero where it clamps.
    ///
    /// A step that is infinite or not a number is none. In a clip without length nothing moves.
    pub fn advance(&mut self, seconds: f64) -> i64 {
        let step = self.speed * seconds;
        let (sum, lost) = two_sum(self.offset.0, step);
        self.settle(two_sum(sum, self.offset.1 + lost))
    }

    /// Goes to a time of the clip. One outside it is looped or clamped; one that is infinite or not a number changes
    /// nothing.
    pub fn seek(&mut self, seconds: f64) {
        self.settle((seconds - self.start, 0.0));
    }

    /// The time in the clip, for [`Clip::sample`].
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.time() as f32
    }

    /// The time in the clip, from its start to its end, in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.start + self.offset.0
    }

    /// How far from the start to the end, from 0 to 1; zero in a clip without length.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        if self.length > 0.0 { self.offset.0 / self.length } else { 0.0 }
    }

    /// Whether it clamps and has come to the end that it plays towards.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let end = if self.speed < 0.0 { 0.0 } else { self.length };
        self.repeat == Repeat::Clamp && self.offset.0 == end
    }

    /// Brings an offset into the clip, and gives how many lengths that took.
    fn settle(&mut self, offset: (f64, f64)) -> i64 {
        if !(self.length > 0.0 && offset.0.is_finite() && offset.1.is_finite()) {
            return 0;
        }
        match self.repeat {
            Repeat::Clamp if offset.0 < 0.0 => self.offset = (0.0, 0.0),
            Repeat::Clamp if self.is_past(offset) => self.offset = (self.length, 0.0),
            Repeat::Clamp => self.offset = offset,
            Repeat::Loop => return self.wrap(offset),
        }
        0
    }

    fn wrap(&mut self, offset: (f64, f64)) -> i64 {
        if offset.0 >= 0.0 && !self.is_past(offset) {
            // Within the clip, as in most frames: dividing takes longer than all else.
            self.offset = offset;
            return 0;
        }
        // The remainder of a division is exact.
        let rest = offset.0 % self.length;
        let mut laps = ((offset.0 - rest) / self.length).round() as i64;
        let mut offset = two_sum(rest, offset.1);
        if offset.0 < 0.0 {
            offset = self.moved(offset, self.length);
            laps = laps.saturating_sub(1);
        }
        if self.is_past(offset) {
            offset = self.moved(offset, -self.length);
            laps = laps.saturating_add(1);
        }
        self.offset = offset;
        laps
    }

    /// At the end or after it, where a lap ends.
    fn is_past(&self, offset: (f64, f64)) -> bool {
        offset.0 > self.length || offset.0 == self.length && offset.1 >= 0.0
    }

    fn moved(&self, offset: (f64, f64), by: f64) -> (f64, f64) {
        let (sum, lost) = two_sum(offset.0, by);
        two_sum(sum, offset.1 + lost)
    }
}

/// A sum, and what it lost by rounding: exactly (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    let from_a = sum - from_b;
    (sum, (a - from_a) + (b - from_b))
}
