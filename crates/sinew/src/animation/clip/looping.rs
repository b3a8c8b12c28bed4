//! Looping of a clip's time.

use super::Clip;

impl Clip {
    /// The time in the clip after `elapsed` seconds of endless looping, which runs backward if they
    /// are negative. A clip with a single key frame time stays there.
    ///
    /// ```
    /// use sinew::animation::{Interpolation, Keys, Track};
    /// use sinew::{Bone, Clip, Skeleton, Transform};
    ///
    /// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
    /// let keys = Keys::Translations { joint: skeleton.joint("root")?, values: &[[0.0; 3]; 2] };
    /// let track = Track { times: &[1.0, 3.0], keys, interpolation: Interpolation::Linear };
    /// let clip = Clip::new("wait", &skeleton, &[track])?;
    /// assert_eq!([0.5, 2.5, -0.5].map(|elapsed| clip.looped_time(elapsed)), [1.5, 1.5, 2.5]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    #[must_use]
    pub fn looped_time(&self, elapsed: f64) -> f64 {
        let (start, length) = (f64::from(self.start()), f64::from(self.end() - self.start()));
        if length > 0.0 { start + elapsed.rem_euclid(length) } else { start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::{Interpolation, Keys, Track};
    use crate::skeleton::{Bone, JointId, Skeleton, Transform};

    fn clip(times: &[f32]) -> Clip {
        let bone = Bone::new("", None, Transform::IDENTITY);
        let skeleton = Skeleton::new(&[bone]).expect("a root");
        let values: Vec<[f32; 3]> = times.iter().map(|&time| [time, 0.0, 0.0]).collect();
        let keys = Keys::Translations { joint: JointId::new(0), values: &values };
        let track = Track { times, keys, interpolation: Interpolation::Linear };
        Clip::new("", &skeleton, &[track]).expect("a valid clip")
    }

    #[test]
    fn looped_time_stays_within_the_clip_for_any_elapsed_time() {
        let looped = clip(&[0.25, 1.0, 1.5]);
        for elapsed in [0.0, 0.5, 1.25, 1e9, -0.1, -1.25, -1e9, f64::MIN_POSITIVE, -1e-300] {
            let time = looped.looped_time(elapsed);
            assert!((0.25..=1.5).contains(&time), "{elapsed}: {time}");
        }
        assert_eq!(looped.looped_time(2.0), 1.0);
        assert_eq!(looped.looped_time(-0.25), 1.25);
    }

    #[test]
    fn looped_time_of_a_single_key_frame_is_its_time() {
        for elapsed in [0.0, 3.0, -7.5] {
            assert_eq!(clip(&[0.5]).looped_time(elapsed), 0.5);
        }
    }
}
