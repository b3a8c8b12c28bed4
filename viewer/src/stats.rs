//! How long the last frames took, by stage.

use std::collections::VecDeque;

use crate::session::StageTimes;

/// Number of frames kept: as many as are plotted.
const CAPACITY: usize = 240;

/// The timings of the last frames.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    frames: VecDeque<FrameRecord>,
    frame_count: u64,
}

/// The timings of one frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameRecord {
    /// Seconds since the previous frame.
    pub interval: f64,
    /// Seconds per stage.
    pub stages: StageTimes,
}

impl Stats {
    /// Adds a frame.
    pub fn push(&mut self, frame: FrameRecord) {
        self.frame_count += 1;
        self.frames.push_back(frame);
        if self.frames.len() > CAPACITY {
            self.frames.pop_front();
        }
    }

    /// Discards all timings, because they belong to other settings.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// Number of frames so far, including those discarded.
    #[must_use]
    pub fn frame_count(&self) -> u64 {
        self.frame_count
    }

    /// Number of frames kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether no frame is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The frames kept, oldest first.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &FrameRecord> {
        self.frames.iter()
    }

    /// The frame rate of the last second, or of the last frame if that took longer.
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

    /// The median over the last half second, or over the last eight frames if they took longer. A
    /// single stalled frame does not change it.
    #[must_use]
    pub fn median(&self, of: impl Fn(&StageTimes) -> f64) -> f64 {
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

    fn frame(interval: f64, draw: f64) -> FrameRecord {
        FrameRecord { interval, stages: StageTimes { draw, ..StageTimes::default() } }
    }

    #[test]
    fn the_frame_rate_covers_the_last_second() {
        let mut stats = Stats::default();
        assert_eq!(stats.frames_per_second(), 0.0);
        (0..300).for_each(|_| stats.push(frame(0.02, 0.0)));
        assert!((stats.frames_per_second() - 50.0).abs() < 1.5);
        stats.push(frame(4.0, 0.0));
        assert_eq!(stats.frames_per_second(), 0.25);
        assert_eq!((stats.frame_count(), stats.len()), (301, CAPACITY));
    }

    #[test]
    fn one_slow_frame_does_not_change_the_median() {
        let mut stats = Stats::default();
        (0..20).for_each(|i| stats.push(frame(0.016, if i == 12 { 9.0 } else { 0.003 })));
        assert_eq!(stats.median(|stages| stages.draw), 0.003);
    }
}
