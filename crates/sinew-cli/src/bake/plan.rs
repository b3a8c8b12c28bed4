//! When the frames are.

use sinew::Clip;

use crate::Failure;

/// More frames than anybody waits for.
const MOST_FRAMES: f64 = 10_000_000.0;

/// A last key may be so much of a frame before its frame, by rounding in the file.
const ROUNDING: f64 = 1e-4;

/// A frame this near to the last key, as a share of a frame, shows it: times of long clips are rounded by so much.
const AT_END: f64 = 0.01;

/// Which frames are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Timing {
    /// That of the first key.
    First,
    /// One, at so many seconds.
    At(f64),
    /// So many a second, as was asked for.
    Rate(f64),
    /// So many a second, because nothing was asked for.
    Usual(f64),
}

/// Frames of a clip, evenly spaced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    first: f64,
    rate: f64,
    /// One or more.
    pub(crate) frames: usize,
    /// Whether they are frames of a motion, even if there is only one.
    pub(crate) is_sequence: bool,
}

impl Plan {
    /// The frames of a clip, or of the rest pose.
    pub(crate) fn new(clip: Option<&Clip>, timing: Timing) -> Result<Self, Failure> {
        let (first, last) = clip.map_or((0.0, 0.0), |clip| (clip.start().into(), clip.end().into()));
        let one = |first: f64| Self { first, rate: 1.0, frames: 1, is_sequence: false };
        match timing {
            Timing::First => Ok(one(first)),
            Timing::At(seconds) => Ok(one(seconds)),
            Timing::Rate(rate) | Timing::Usual(rate) => {
                let steps = ((last - first) * rate + ROUNDING).floor();
                if steps >= MOST_FRAMES {
                    let fault = format!(
                        "{rate} frames a second from {first} s to {last} s: \
                         expected at most {MOST_FRAMES} frames, found {steps}"
                    );
                    // Without a wish the file alone is to blame.
                    return Err(match timing {
                        Timing::Rate(_) => Failure::Usage(format!("--fps: {fault}")),
                        _ => Failure::Input(fault),
                    });
                }
                Ok(Self { first, rate, frames: steps as usize + 1, is_sequence: true })
            }
        }
    }

    /// Without a last frame at the last key: where frames go round, that is the first again, or the jump back to it.
    pub(crate) fn round(mut self, clip: Option<&Clip>) -> Self {
        let end = clip.map_or(self.first, |clip| clip.end().into());
        if self.frames > 1 && (self.seconds(self.frames - 1) - end).abs() * self.rate < AT_END {
            self.frames -= 1;
        }
        self
    }

    /// When a frame is, in seconds of the clip's own time.
    pub(crate) fn seconds(&self, frame: usize) -> f64 {
        self.first + frame as f64 / self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(first: f32, last: f32) -> Clip {
        use sinew::{Bone, Interpolation, Keys, Skeleton, Track, Transform};
        let skeleton = Skeleton::new(&[Bone::new("", None, Transform::IDENTITY)]).expect("a root");
        let values = [[0.0; 3]; 2];
        let keys = Keys::Translations { joint: 0, values: &values };
        let times = [first, last];
        let track = Track { times: &times, keys, interpolation: Interpolation::Linear };
        Clip::new("", &skeleton, &[track]).expect("a sound clip")
    }

    fn frames(first: f32, last: f32, rate: f64) -> usize {
        Plan::new(Some(&clip(first, last)), Timing::Rate(rate)).expect("few frames").frames
    }

    #[test]
    fn frames_go_from_the_first_key_to_the_last() {
        assert_eq!(frames(0.0, 1.0, 24.0), 25);
        assert_eq!(frames(0.5, 1.0, 24.0), 13);
        assert_eq!(frames(0.0, 0.999, 24.0), 24);
        // A last key that rounding has put before its frame.
        assert_eq!(frames(0.0, 0.999_999, 24.0), 25);
        assert_eq!(frames(0.0, 1.0, 0.1), 1);
    }

    #[test]
    fn frames_that_go_round_leave_out_the_last_key_and_nothing_else() {
        for (last, rate, frames) in
            [(1.0, 25.0, 25), (0.99, 25.0, 25), (0.999_999, 24.0, 24), (0.5, 1.0, 1), (100.1, 10.0, 1001)]
        {
            let clip = clip(0.0, last);
            let plan = Plan::new(Some(&clip), Timing::Rate(rate)).expect("few frames");
            assert_eq!(plan.round(Some(&clip)).frames, frames, "{last} s, {rate} frames a second");
        }
    }

    #[test]
    fn too_many_frames_are_refused() {
        let asked = |seconds, timing| Plan::new(Some(&clip(0.0, seconds)), timing);
        for rate in [1e7, 1e300] {
            let Err(Failure::Usage(text)) = asked(1.0, Timing::Rate(rate)) else { panic!("{rate}") };
            assert!(text.starts_with("--fps: ") && text.contains("at most 10000000 frames"), "{text}");
        }
        for seconds in [1e6, f32::MAX] {
            let Err(Failure::Input(text)) = asked(seconds, Timing::Usual(24.0)) else { panic!("{seconds}") };
            assert!(text.contains("at most 10000000 frames"), "{text}");
        }
        assert_eq!(asked(1.0, Timing::Rate(1e7 - 1.0)).expect("as many as may be").frames, 10_000_000);
    }

    #[test]
    fn the_rest_pose_is_one_frame_at_any_rate() {
        let plan = Plan::new(None, Timing::Rate(f64::MAX)).expect("one frame");
        assert_eq!(plan.frames, 1);
    }
}
