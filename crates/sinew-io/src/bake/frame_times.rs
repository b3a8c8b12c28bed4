//! The times of the frames that a clip is baked or drawn at.

use sinew::Clip;

use crate::Error;

/// The most frames of one clip: more than anyone would wait for.
const MAX_FRAMES: f64 = 10_000_000.0;

/// Rounding in the file may place the last key frame this far before its frame, in frames.
const ROUNDING: f64 = 1e-4;

/// A frame shows the last key frame when it is this near to it, in frames. The times of long
/// clips are rounded by that much.
const AT_END: f64 = 0.01;

/// Evenly spaced frames of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTimes {
    first: f64,
    rate: f64,
    len: usize,
}

impl FrameTimes {
    /// One frame, at a time in seconds.
    #[must_use]
    pub fn single(seconds: f64) -> Self {
        Self { first: seconds, rate: 1.0, len: 1 }
    }

    /// The frames from the first key frame of a clip to the last, this many per second; for the
    /// rest pose, which is no clip, one frame.
    ///
    /// # Errors
    ///
    /// When the rate is not above zero, or gives more than ten million frames.
    pub fn of_clip(clip: Option<&Clip>, rate: f64) -> Result<Self, Error> {
        let (first, last) = clip.map_or((0.0, 0.0), |clip| (clip.start().into(), clip.end().into()));
        if !(rate.is_finite() && rate > 0.0) {
            return Err(Error::invalid("frames per second", "a number above zero", rate.to_string()));
        }
        let steps = ((last - first) * rate + ROUNDING).floor();
        if steps >= MAX_FRAMES {
            return Err(Error::invalid(
                format!("{rate} frames per second from {} s to {} s", first as f32, last as f32),
                format!("at most {MAX_FRAMES} frames"),
                steps.to_string(),
            ));
        }
        Ok(Self { first, rate, len: steps as usize + 1 })
    }

    /// Drops a last frame at the last key frame. In a loop it would repeat the first frame, or show
    /// the jump back to it.
    #[must_use]
    pub fn without_loop_end(mut self, clip: Option<&Clip>) -> Self {
        let end = clip.map_or(self.first, |clip| clip.end().into());
        if self.len > 1 && (self.seconds(self.len - 1) - end).abs() * self.rate < AT_END {
            self.len -= 1;
        }
        self
    }

    /// The number of frames, at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always a frame")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The time of a frame in the clip, in seconds.
    #[must_use]
    pub fn seconds(&self, frame: usize) -> f64 {
        self.first + frame as f64 / self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_that_are_not_above_zero_are_refused() {
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(FrameTimes::of_clip(None, rate).is_err(), "{rate}");
        }
        assert_eq!(FrameTimes::of_clip(None, 30.0).expect("a rate").len(), 1);
        assert_eq!(FrameTimes::single(0.5).seconds(0), 0.5);
    }
}
