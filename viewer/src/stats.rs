//! How long the last frames took, stage by stage.

use std::collections::VecDeque;

use crate::show::Stages;

/// As many frames as are plotted.
const KEPT: usize = 240;

/// The last frames.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    frames: VecDeque<Frame>,
    counted: u64,
}

/// One frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Seconds since the frame before.
    pub interval: f64,
    /// Seconds of its stages.
    pub stages: Stages,
}

impl Stats {
    /// Takes a frame.
    pub fn push(&mut self, frame: Frame) {
        self.counted += 1;
        self.frames.push_back(frame);
        if self.frames.len() > KEPT {
            self.frames.pop_front();
        }
    }

    /// Forgets what was measured of something else.
    pub fn forget(&mut self) {
        self.frames.clear();
    }

    /// How many frames there were in all.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// How many are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Those that are kept, the oldest first.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &Frame> {
        self.frames.iter()
    }

    /// Of the last second, or of the last frame where that took longer.
    #[must_use]
    pub fn frames_per_second(&self) -> f64 {
        let (mut seconds, mut count) = (0.0, 0);
        for frame in self.frames.iter().rev() {
            if count > 0 && seconds + frame.interval > 1.0 {
                break;
            }
            seconds += frame.interval;
            count += 1;
        }
        if seconds > 0.0 { f64::from(count) / seconds } else { 0.0 }
    }

    /// The middle of the last half second's, or of the last eight frames: what one of them had to wait for does not count.
    #[must_use]
    pub fn median(&self, of: impl Fn(&Stages) -> f64) -> f64 {
        let (mut seconds, mut values) = (0.0, Vec::new());
        for frame in self.frames.iter().rev() {
            if values.len() >= 8 && seconds > 0.5 {
                break;
            }
            seconds += frame.interval;
            values.push(of(&frame.stages));
        }
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(interval: f64, draw: f64) -> Frame {
        Frame { interval, stages: Stages { draw, ..Stages::default() } }
    }

    #[test]
    fn frames_are_counted_over_the_last_second() {
        let mut stats = Stats::default();
        assert_eq!(stats.frames_per_second(), 0.0);
        (0..300).for_each(|_| stats.push(frame(0.02, 0.0)));
        assert!((stats.frames_per_second() - 50.0).abs() < 1.5);
        stats.push(frame(4.0, 0.0));
        assert_eq!(stats.frames_per_second(), 0.25);
        assert_eq!((stats.counted(), stats.len()), (301, KEPT));
    }

    #[test]
    fn one_slow_frame_does_not_move_the_middle() {
        let mut stats = Stats::default();
        (0..20).for_each(|i| stats.push(frame(0.016, if i == 12 { 9.0 } else { 0.003 })));
        assert_eq!(stats.median(|stages| stages.draw), 0.003);
    }
}
