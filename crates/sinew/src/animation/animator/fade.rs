//! Fades: a factor of a playback's weight that changes over time.

/// A factor of the weight that changes over time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fade {
    /// The factor, from 0 to 1.
    pub(super) level: f32,
    /// The change per second. A playback with a negative rate is removed when its level reaches
    /// zero.
    pub(super) rate: f32,
}

impl Fade {
    /// Full weight, without change.
    pub(super) const FULL: Self = Self { level: 1.0, rate: 0.0 };

    /// A fade from a level to a goal over a number of seconds, immediate if `seconds` is not above
    /// zero.
    pub(super) fn new(level: f32, goal: f32, seconds: f32) -> Self {
        let rate = (goal - level) / seconds;
        // The rate of a fade-out is negative even if the level is already zero, so that the
        // playback is removed.
        let rate_at_goal = if goal > 0.0 { 0.0 } else { -1.0 };
        if seconds > 0.0 && rate.is_finite() {
            Self { level, rate: if rate == 0.0 { rate_at_goal } else { rate } }
        } else {
            Self { level: goal, rate: rate_at_goal }
        }
    }

    pub(super) fn step(&mut self, seconds: f32) {
        // A step that overflows `f32` is infinite, and zero times infinity is NaN.
        if self.rate == 0.0 {
            return;
        }
        self.level = (self.level + self.rate * seconds).clamp(0.0, 1.0);
    }

    /// The level after a number of seconds.
    pub(super) fn level_after(mut self, seconds: f64) -> f32 {
        self.step(seconds as f32);
        self.level
    }

    /// Whether the level is zero and cannot rise again.
    pub(super) fn is_faded_out(&self) -> bool {
        self.level == 0.0 && self.rate < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fade_level_stays_between_zero_and_one_for_any_step() {
        let fades =
            [Fade::FULL, Fade::new(0.0, 1.0, 2.0), Fade::new(1.0, 0.0, 2.0), Fade::new(0.5, 0.0, 0.0)];
        for (fade, end) in fades.into_iter().zip([1.0, 1.0, 0.0, 0.0]) {
            for seconds in [3.0, f32::MAX, f32::INFINITY] {
                let mut fade = fade;
                for _ in 0..3 {
                    fade.step(seconds);
                    assert_eq!(fade.level, end, "{fade:?} after {seconds} s");
                }
                fade.step(-seconds);
                assert!((0.0..=1.0).contains(&fade.level), "{fade:?} after -{seconds} s");
            }
        }
    }
}
