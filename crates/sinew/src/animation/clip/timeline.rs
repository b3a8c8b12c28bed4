//! Timelines: lists of key times that tracks share, and the search for the keys around a time.

/// The times of all timelines of a clip, and the index that finds them.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyTimes {
    /// Concatenated. Each list is followed by infinities, so that the last key also has a next time
    /// and a full search window.
    times: Vec<f32>,
    /// Concatenated. For each timeline and bucket, the number of keys in earlier buckets.
    buckets: Vec<u32>,
}

/// A list of key times.
///
/// The time from the first to the last key is divided into buckets of equal length, about one for
/// four keys. So a search looks at a few keys only, however long the clip is. Keys at about equal
/// distances need no list of buckets: each has a bucket of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeline {
    first: usize,
    /// The number of keys, at least one.
    pub(super) len: usize,
    first_bucket: usize,
    /// The number of buckets in the list; zero if each key has one of its own.
    buckets: usize,
    /// Buckets per second.
    bucket_rate: f32,
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

impl KeyTimes {
    /// Appends a list of at least one time.
    pub(super) fn add(&mut self, times: &[f32]) -> Timeline {
        let (first, first_bucket) = (self.times.len(), self.buckets.len());
        self.times.extend_from_slice(times);
        self.times.extend([f32::INFINITY; WINDOW]);
        let bucket_rate = (times.len() - 1) as f32 / (times[times.len() - 1] - times[0]);
        let regular = Timeline { first, len: times.len(), first_bucket, buckets: 0, bucket_rate };
        if regular.is_regular(times) {
            return regular;
        }
        let buckets = (times.len() / 4).max(1);
        let rate = buckets as f32 / (times[times.len() - 1] - times[0]);
        let (buckets, bucket_rate) = if rate.is_finite() { (buckets, rate) } else { (1, 0.0) };
        let timeline = Timeline { first, len: times.len(), first_bucket, buckets, bucket_rate };
        let mut key = 0;
        for bucket in 0..buckets {
            while key < times.len() && timeline.bucket(times[0], times[key]) < bucket {
                key += 1;
            }
            self.buckets.push(key as u32);
        }
        self.buckets.push(times.len() as u32);
        timeline
    }

    pub(super) fn shrink(&mut self) {
        self.times.shrink_to_fit();
        self.buckets.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.times) + size_of_val(&*self.buckets)
    }
}

impl Timeline {
    /// The times.
    pub(super) fn times<'a>(&self, all: &'a KeyTimes) -> &'a [f32] {
        &all.times[self.first..self.first + self.len]
    }

    /// The times, and infinities after them.
    #[inline]
    fn padded_times<'a>(&self, all: &'a KeyTimes) -> &'a [f32] {
        &all.times[self.first..self.first + self.len + WINDOW]
    }

    /// A later time is in the same bucket or in a later one.
    #[inline]
    fn bucket(&self, start: f32, seconds: f32) -> usize {
        let last = if self.buckets == 0 { self.len - 1 } else { self.buckets - 1 };
        (((seconds - start) * self.bucket_rate) as usize).min(last)
    }

    /// Whether each key is in the bucket of its number, or in one beside it.
    fn is_regular(&self, times: &[f32]) -> bool {
        let is_near = |(key, &time): (usize, &f32)| self.bucket(times[0], time).abs_diff(key) <= 1;
        self.bucket_rate.is_finite() && times.iter().enumerate().all(is_near)
    }

    /// Finds the keys around a time. `hint` is the key to try first. It may be any number and
    /// affects only the speed.
    // Inlined: a caller that copies a returned struct loads several fields at once, which waits for
    // their stores.
    #[inline(always)]
    pub(super) fn find_span(&self, all: &KeyTimes, seconds: f32, hint: usize) -> KeySpan {
        let times = self.padded_times(all);
        // NaN becomes the first time. Infinity becomes finite, so that it stays before the
        // infinities at the end of the list.
        let seconds = seconds.max(times[0]).min(f32::MAX);
        let key = self.find_key(all, seconds, hint);
        let (from, to) = (times[key], times[key + 1]);
        let distance = to - from;
        // At and after the last key the distance is infinite, so the factor is zero.
        KeySpan { key, next: (key + 1).min(self.len - 1), distance, factor: (seconds - from) / distance }
    }

    /// The last key at or before a finite time that is not before the first key.
    #[inline(always)]
    fn find_key(&self, all: &KeyTimes, seconds: f32, hint: usize) -> usize {
        let times = self.padded_times(all);
        if let Some(&[from, to, after]) = times.get(hint..).and_then(<[f32]>::first_chunk)
            && from <= seconds
            && seconds < after
        {
            return hint + usize::from(to <= seconds);
        }
        self.search(all, seconds)
    }

    /// Finds the key in its bucket.
    #[inline(never)]
    fn search(&self, all: &KeyTimes, seconds: f32) -> usize {
        let times = self.padded_times(all);
        let passed = |window: &[f32; WINDOW]| {
            // Counting is branchless: how many keys have passed is unpredictable.
            window.iter().map(|&time| u32::from(time <= seconds)).sum::<u32>() as usize
        };
        let bucket = self.bucket(times[0], seconds);
        if self.buckets == 0 {
            // The key before a time is at most two before its bucket, and at most one after it.
            let low = bucket.saturating_sub(2);
            let window = times.get(low..).and_then(<[f32]>::first_chunk);
            return window.map_or(0, |window| low + passed(window) - 1);
        }
        let bucket = self.first_bucket + bucket;
        let (low, high) = (all.buckets[bucket] as usize, all.buckets[bucket + 1] as usize);
        // All keys of later buckets are later. The key may be the last one of an earlier bucket.
        let passed = match times.get(low..).and_then(<[f32]>::first_chunk::<WINDOW>) {
            Some(window) if high - low <= WINDOW => passed(window),
            _ => times[low..high].partition_point(|&time| time <= seconds),
        };
        low + passed - 1
    }
}

/// The number of times that are compared at once.
const WINDOW: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn check_spans(times: &[f32]) {
        let mut all = KeyTimes::default();
        all.add(&[7.0, 9.0]);
        let timeline = all.add(times);
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
