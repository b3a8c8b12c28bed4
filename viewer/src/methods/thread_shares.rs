//! What each thread does in a frame: Davies' Figures 19 and 20.

use super::PipelineTimes;

/// The weight of a new frame in the average.
const NEW_FRAME: f64 = 0.1;

/// The shares of a frame, from its start until its vertices are skinned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThreadShares {
    /// Animating.
    pub animate: f64,
    /// Skinning.
    pub skin: f64,
}

impl ThreadShares {
    pub(super) fn new(animate: f64, skin: f64, frame: &PipelineTimes) -> Self {
        let share = |seconds: f64| if frame.total > 0.0 { (seconds / frame.total).min(1.0) } else { 0.0 };
        Self { animate: share(animate), skin: share(skin) }
    }

    /// Waiting for other threads.
    #[must_use]
    pub fn wait(&self) -> f64 {
        (1.0 - self.animate - self.skin).max(0.0)
    }

    /// Moves the averages of all threads towards those of a new frame.
    pub(super) fn average(averages: &mut Vec<Self>, frame: Vec<Self>) {
        if averages.len() != frame.len() {
            *averages = frame;
            return;
        }
        for (average, new) in averages.iter_mut().zip(frame) {
            average.animate += NEW_FRAME * (new.animate - average.animate);
            average.skin += NEW_FRAME * (new.skin - average.skin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neither_animating_nor_skinning_is_waiting() {
        let frame = PipelineTimes { animate: 1.0, skin: 2.0, total: 4.0 };
        let mut averages = Vec::new();
        ThreadShares::average(&mut averages, vec![ThreadShares::new(1.0, 2.0, &frame)]);
        assert_eq!(averages[0], ThreadShares { animate: 0.25, skin: 0.5 });
        assert_eq!(averages[0].wait(), 0.25);
        ThreadShares::average(&mut averages, vec![ThreadShares::default()]);
        assert!((averages[0].skin - 0.45).abs() < 1e-12);
    }
}
