//! The times of keys, which tracks share, and finding a place between them.

/// The times of some keys within a clip's list of all times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeline {
    /// Where its times begin. Behind them stands infinity, so that the last key, too, has one after it.
    pub(super) first: usize,
    /// How many keys: one or more.
    pub(super) len: usize,
    /// Keys per second, on average; a guess, and nothing more.
    rate: f32,
}

/// Between which keys a time lies, and how far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// The key before it.
    pub(super) key: usize,
    /// The key after it; the same one at and after the last.
    pub(super) next: usize,
    /// Seconds between them; infinity at and after the last.
    pub(super) distance: f32,
    /// How far from one to the other, from 0 to 1.
    pub(super) factor: f32,
}

impl Timeline {
    /// Puts the times of keys, of which there is at least one, behind all others.
    pub(super) fn add(times: &[f32], all: &mut Vec<f32>) -> Self {
        let first = all.len();
        all.extend_from_slice(times);
        all.push(f32::INFINITY);
        let seconds = times[times.len() - 1] - times[0];
        Self { first, len: times.len(), rate: (times.len() - 1) as f32 / seconds }
    }

    /// Its times, without the infinity behind them.
    pub(super) fn times<'a>(&self, all: &'a [f32]) -> &'a [f32] {
        &all[self.first..self.first + self.len]
    }

    /// Where a time lies. `near` is a key to look at first, any number; it changes nothing but the time this takes.
    #[inline]
    pub(super) fn place(&self, all: &[f32], seconds: f32, near: usize) -> Place {
        let times = &all[self.first..=self.first + self.len];
        // Not a number becomes the first time; what is infinite stays before the infinity that ends the list.
        let seconds = seconds.max(times[0]).min(f32::MAX);
        let last = self.len - 1;
        let key = step(times, seconds, near.min(last)).unwrap_or_else(|| self.search(times, seconds));
        let (from, to) = (times[key], times[key + 1]);
        let distance = to - from;
        // Past the last key this divides by infinity.
        Place { key, next: (key + 1).min(last), distance, factor: (seconds - from) / distance }
    }

    /// The last key that is not after a time. Keys at even times are where the average says, or beside that.
    #[cold]
    fn search(&self, times: &[f32], seconds: f32) -> usize {
        let guess = ((seconds - times[0]) * self.rate) as usize;
        step(times, seconds, guess.min(self.len - 1))
            .unwrap_or_else(|| times.partition_point(|&time| time <= seconds).saturating_sub(1))
    }
}

/// The last key that is not after a time, where that is `near` or beside it.
#[inline]
fn step(times: &[f32], seconds: f32, near: usize) -> Option<usize> {
    let (this, next) = (*times.get(near)?, *times.get(near + 1)?);
    // Not branches: half of all frames go on by a key, and which ones cannot be foreseen.
    let key = near + usize::from(next <= seconds) - usize::from(seconds < this && near > 0);
    let (this, next) = (*times.get(key)?, *times.get(key + 1)?);
    (this <= seconds && seconds < next).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(times: &[f32]) {
        let mut all = vec![7.0, f32::INFINITY];
        let timeline = Timeline::add(times, &mut all);
        let mut asked = vec![-1.0, f32::NEG_INFINITY, f32::INFINITY, f32::NAN, f32::MAX, 0.0];
        asked.extend(times.iter().flat_map(|&time| [time.next_down(), time, time.next_up()]));
        for seconds in asked {
            let expected = times.iter().rposition(|&time| time <= seconds).unwrap_or(0);
            for near in (0..times.len() + 3).chain([usize::MAX]) {
                let place = timeline.place(&all, seconds, near);
                assert_eq!(place.key, expected, "{seconds} in {times:?} near {near}");
                assert!(place.next == expected + 1 || place.next == expected && expected == times.len() - 1);
                assert!((0.0..=1.0).contains(&place.factor), "{seconds} in {times:?}: {}", place.factor);
                assert!(place.key != place.next || place.factor == 0.0);
            }
        }
    }

    #[test]
    fn every_time_is_found_from_everywhere() {
        places(&[0.0]);
        places(&[3.5]);
        places(&[0.0, f32::from_bits(1)]);
        places(&[0.0, f32::MAX]);
        places(&[f32::MAX.next_down(), f32::MAX]);
        places(&(0..50).map(|i| i as f32 / 30.0).collect::<Vec<_>>());
        places(&(0..50).map(|i| (i * i * i) as f32).collect::<Vec<_>>());
        places(&[0.0, 1e-3, 1.0, 1.001, 50.0, 50.5, 1e9]);
    }
}
