//! The times of keys, which tracks share, and finding a place between them.

use std::hint::select_unpredictable;

/// The times of some keys within a clip's list of all times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeline {
    /// Where its times begin. Behind them stand infinities, so that the last key, too, has some after it.
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
        all.extend([f32::INFINITY; WINDOW]);
        let seconds = times[times.len() - 1] - times[0];
        Self { first, len: times.len(), rate: (times.len() - 1) as f32 / seconds }
    }

    /// Its times, without the infinities behind them.
    pub(super) fn times<'a>(&self, all: &'a [f32]) -> &'a [f32] {
        &all[self.first..self.first + self.len]
    }

    /// Where a time lies. `near` is a key to look at first, any number; it changes nothing but the time this takes.
    #[inline]
    pub(super) fn place(&self, all: &[f32], seconds: f32, near: usize) -> Place {
        let times = &all[self.first..self.first + self.len + WINDOW];
        // Not a number becomes the first time; what is infinite stays before the infinity that ends the list.
        let seconds = seconds.max(times[0]).min(f32::MAX);
        let last = self.len - 1;
        let key = near_by(times, seconds, near).unwrap_or_else(|| self.search(times, seconds));
        let (from, to) = (times[key], times[key + 1]);
        let distance = to - from;
        // Past the last key this divides by infinity.
        Place { key, next: (key + 1).min(last), distance, factor: (seconds - from) / distance }
    }

    /// The last key that is not after a time: near where it would be among keys at even times, or anywhere.
    fn search(&self, times: &[f32], seconds: f32) -> usize {
        let guess = ((seconds - times[0]) * self.rate) as usize;
        if let Some(key) = near_by(times, seconds, guess) {
            return key;
        }
        // Always as many steps, and none of them a branch: many searches run beside each other. The key stays among `len`
        // from `base` on, at last fewer than a window holds.
        let (mut base, mut len) = (0, self.len);
        while len >= WINDOW {
            let half = len / 2;
            base = select_unpredictable(times[base + half] <= seconds, base + half, base);
            len -= half;
        }
        near_by(times, seconds, base + BEFORE).unwrap_or(base)
    }
}

/// How many times are compared at once.
const WINDOW: usize = 8;
/// How many of them lie before the key that is looked at first.
const BEFORE: usize = 3;

/// The last key that is not after a time, where that is `near` or a few keys from it.
#[inline]
fn near_by(times: &[f32], seconds: f32, near: usize) -> Option<usize> {
    let base = near.saturating_sub(BEFORE);
    let window: &[f32; WINDOW] = times.get(base..)?.first_chunk()?;
    // Counting is no branch, and how many keys a frame passes cannot be foreseen.
    let passed = window.iter().map(|&time| u32::from(time <= seconds)).sum::<u32>() as usize;
    (1..WINDOW).contains(&passed).then(|| base + passed - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(times: &[f32]) {
        let mut all = vec![7.0; 9];
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
        for len in (1..40).chain([63, 64, 65, 127, 128, 129, 300]) {
            places(&(0..len).map(|i| i as f32 / 30.0).collect::<Vec<_>>());
            places(&(0..len).map(|i| (i * i * i) as f32).collect::<Vec<_>>());
        }
        places(&[0.0, 1e-3, 1.0, 1.001, 50.0, 50.5, 1e9]);
    }
}
