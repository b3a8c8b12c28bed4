//! The times of the frames that a command writes or draws.

use sinew::Clip;

use crate::CliError;

/// The frames that the arguments select.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FrameChoice {
    /// One frame, at the first key frame.
    First,
    /// One frame, at this time in seconds.
    At(f64),
    /// The whole clip, with the requested number of frames per second.
    Rate(f64),
    /// The whole clip, with the default number of frames per second.
    DefaultRate(f64),
}

/// Evenly spaced frames of a clip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameTimes {
    times: sinew_io::FrameTimes,
    /// The number of frames, at least one.
    pub(crate) frames: usize,
    /// Whether these are the frames of a motion, even if there is only one.
    pub(crate) is_sequence: bool,
}

impl FrameTimes {
    /// The frames of a clip, or of the rest pose.
    pub(crate) fn new(clip: Option<&Clip>, choice: FrameChoice) -> Result<Self, CliError> {
        let times = match choice {
            FrameChoice::First => sinew_io::FrameTimes::single(clip.map_or(0.0, |clip| clip.start().into())),
            FrameChoice::At(seconds) => sinew_io::FrameTimes::single(seconds),
            FrameChoice::Rate(rate) => sinew_io::FrameTimes::of_clip(clip, rate)
                .map_err(|error| CliError::Usage(format!("--fps: {error}")))?,
            // With the default rate, the file is at fault, not the arguments.
            FrameChoice::DefaultRate(rate) => sinew_io::FrameTimes::of_clip(clip, rate)
                .map_err(|error| CliError::Input(error.to_string()))?,
        };
        let is_sequence = matches!(choice, FrameChoice::Rate(_) | FrameChoice::DefaultRate(_));
        Ok(Self { times, frames: times.len(), is_sequence })
    }

    /// Drops a last frame at the last key frame. In a loop it would repeat the first frame, or show
    /// the jump back to it.
    pub(crate) fn without_loop_end(self, clip: Option<&Clip>) -> Self {
        let times = self.times.without_loop_end(clip);
        Self { times, frames: times.len(), ..self }
    }

    /// The time of a frame in the clip, in seconds.
    pub(crate) fn seconds(&self, frame: usize) -> f64 {
        self.times.seconds(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(first: f32, last: f32) -> Clip {
        use sinew::animation::{Interpolation, Keys, Track};
        use sinew::{Bone, JointId, Skeleton, Transform};
        let skeleton = Skeleton::new(&[Bone::new("", None, Transform::IDENTITY)]).expect("a root");
        let values = [[0.0; 3]; 2];
        let keys = Keys::Translations { joint: JointId::new(0), values: &values };
        let times = [first, last];
        let track = Track { times: &times, keys, interpolation: Interpolation::Linear };
        Clip::new("", &skeleton, &[track]).expect("a valid clip")
    }

    fn frames(first: f32, last: f32, rate: f64) -> usize {
        FrameTimes::new(Some(&clip(first, last)), FrameChoice::Rate(rate)).expect("few frames").frames
    }

    #[test]
    fn frames_reach_from_the_first_key_frame_to_the_last() {
        assert_eq!(frames(0.0, 1.0, 24.0), 25);
        assert_eq!(frames(0.5, 1.0, 24.0), 13);
        assert_eq!(frames(0.0, 0.999, 24.0), 24);
        // Rounding has placed the last key frame before its frame.
        assert_eq!(frames(0.0, 0.999_999, 24.0), 25);
        assert_eq!(frames(0.0, 1.0, 0.1), 1);
    }

    #[test]
    fn a_loop_drops_the_frame_at_the_last_key_frame_and_no_other() {
        for (last, rate, frames) in
            [(1.0, 25.0, 25), (0.99, 25.0, 25), (0.999_999, 24.0, 24), (0.5, 1.0, 1), (100.1, 10.0, 1001)]
        {
            let clip = clip(0.0, last);
            let frame_times = FrameTimes::new(Some(&clip), FrameChoice::Rate(rate)).expect("few frames");
            assert_eq!(
                frame_times.without_loop_end(Some(&clip)).frames,
                frames,
                "{last} s, {rate} frames per second"
            );
        }
    }

    #[test]
    fn too_many_frames_are_rejected() {
        let times = |seconds, choice| FrameTimes::new(Some(&clip(0.0, seconds)), choice);
        for rate in [1e7, 1e300] {
            let Err(CliError::Usage(text)) = times(1.0, FrameChoice::Rate(rate)) else { panic!("{rate}") };
            assert!(text.starts_with("--fps: ") && text.contains("at most 10000000 frames"), "{text}");
        }
        for seconds in [1e6, f32::MAX] {
            let Err(CliError::Input(text)) = times(seconds, FrameChoice::DefaultRate(24.0)) else {
                panic!("{seconds}")
            };
            assert!(text.contains("at most 10000000 frames"), "{text}");
        }
        assert_eq!(times(1.0, FrameChoice::Rate(1e7 - 1.0)).expect("the most frames").frames, 10_000_000);
    }

    #[test]
    fn the_rest_pose_is_one_frame_at_any_rate() {
        let frame_times = FrameTimes::new(None, FrameChoice::Rate(f64::MAX)).expect("one frame");
        assert_eq!(frame_times.frames, 1);
    }
}
