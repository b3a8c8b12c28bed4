//! Timelines: lists of key times that tracks share, and the search for the keys around a time.

use std::hint::select_unpredictable;

/// A list of key times within a clip's concatenated times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeline {
    /// The index of the first time. The times are followed by infinities, so that the last key also
    /// has a next time and a full search window.
    pub(super) first: usize,
    /// The number of keys, at least one.
    pub(super) len: usize,
    /// The average number of keys per second, used only to guess the position of a key.
    rate: f32,
}

/// The two keys around a time, and the interpolation factor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeySpan {
    /// The key at or before the time.
    pub(super) key: usize,
    /// The next key; the same key at and after the last one.
    pub(super) next: usize,
    /// Seconds between the keys; infinity at and after the last key.
    pub(super) distance: f32,
    /// The interpolation factor, from 0 to 1.
    pub(super) factor: f32,
}

impl Timeline {
    /// Appends a list of at least one time to the times of all timelines.
    pub(super) fn add(times: &[f32], all: &mut Vec<f32>) -> Self {
        let first = all.len();
        all.extend_from_slice(times);
        all.extend([f32::INFINITY; WINDOW]);
        let seconds = times[times.len() - 1] - times[0];
        Self { first, len: times.len(), rate: (times.len() - 1) as f32 / seconds }
    }

    /// The times, without the infinities after them.
    pub(super) fn times<'a>(&self, all: &'a [f32]) -> &'a [f32] {
        &all[self.first..self.first + self.len]
    }

    /// Finds the keys around a time. `hint` is the key to try first. It may be any number and
    /// affects only the speed.
    #[inline]
    pub(super) fn find_span(&self, all: &[f32], seconds: f32, hint: usize) -> KeySpan {
        let times = &all[self.first..self.first + self.len + WINDOW];
        // NaN becomes the first time. Infinity becomes finite, so that it stays before the
        // infinities at the end of the list.
        let seconds = seconds.max(times[0]).min(f32::MAX);
        let last = self.len - 1;
        let key = search_window(times, seconds, hint).unwrap_or_else(|| self.search(times, seconds));
        let (from, to) = (times[key], times[key + 1]);
        let distance = to - from;
        // At and after the last key the distance is infinite, so the factor is zero.
        KeySpan { key, next: (key + 1).min(last), distance, factor: (seconds - from) / distance }
    }

    /// The last key at or before a time. Tries the key that evenly spaced times would give, then
    /// does a binary search.
    fn search(&self, times: &[f32], seconds: f32) -> usize {
        let guess = ((seconds - times[0]) * self.rate) as usize;
        if let Some(key) = search_window(times, seconds, guess) {
            return key;
        }
        // A branchless binary search with a fixed number of steps, so that the CPU can overlap
        // several searches. The key stays within `len` keys from `base`, in the end fewer than a
        // window.
        let (mut base, mut len) = (0, self.len);
        while len >= WINDOW {
            let half = len / 2;
            base = select_unpredictable(times[base + half] <= seconds, base + half, base);
            len -= half;
        }
        search_window(times, seconds, base + WINDOW_BEFORE).unwrap_or(base)
    }
}

/// The number of times that are compared at once.
const WINDOW: usize = 8;
/// The number of times in the window before the hint.
const WINDOW_BEFORE: usize = 3;

/// The last key at or before a time, if it is within the window around `hint`.
#[inline]
fn search_window(times: &[f32], seconds: f32, hint: usize) -> Option<usize> {
    let base = hint.saturating_sub(WINDOW_BEFORE);
    let window: &[f32; WINDOW] = times.get(base..)?.first_chunk()?;
    // Counting is branchless. The number of keys that a frame passes is unpredictable.
    let passed = window.iter().map(|&time| u32::from(time <= seconds)).sum::<u32>() as usize;
    (1..WINDOW).contains(&passed).then(|| base + passed - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_spans(times: &[f32]) {
        let mut all = vec![7.0; 9];
        let timeline = Timeline::add(times, &mut all);
        let mut queries = vec![-1.0, f32::NEG_INFINITY, f32::INFINITY, f32::NAN, f32::MAX, 0.0];
        queries.extend(times.iter().flat_map(|&time| [time.next_down(), time, time.next_up()]));
        for seconds in queries {
            let expected = times.iter().rposition(|&time| time <= seconds).unwrap_or(0);
            for hint in (0..times.len() + 3).chain([usize::MAX]) {
                let span = timeline.find_span(&all, seconds, hint);
                assert_eq!(span.key, expected, "{seconds} in {times:?} hint {hint}");
                assert!(span.next == expected + 1 || span.next == expected && expected == times.len() - 1);
                assert!((0.0..=1.0).contains(&span.factor), "{seconds} in {times:?}: {}", span.factor);
                assert!(span.key != span.next || span.factor == 0.0);
            }
        }
    }

    #[test]
    fn every_time_is_found_with_any_hint() {
        check_spans(&[0.0]);
        check_spans(&[3.5]);
        check_spans(&[0.0, f32::from_bits(1)]);
        check_spans(&[0.0, f32::MAX]);
        check_spans(&[f32::MAX.next_down(), f32::MAX]);
        for len in (1..40).chain([63, 64, 65, 127, 128, 129, 300]) {
            check_spans(&(0..len).map(|i| i as f32 / 30.0).collect::<Vec<_>>());
            check_spans(&(0..len).map(|i| (i * i * i) as f32).collect::<Vec<_>>());
        }
        check_spans(&[0.0, 1e-3, 1.0, 1.001, 50.0, 50.5, 1e9]);
    }
}
