//! Checks and repairs key times: not negative, and strictly increasing.

use std::borrow::Cow;

use super::source_location::SourceLocation;
use super::warning_count::WarningCount;
use crate::error::BoxedError as Error;
use crate::{KeyTimes, Report};

/// Key times in ascending order.
pub(super) struct Times<'a> {
    pub(super) seconds: Cow<'a, [f32]>,
    /// The number of keys in the file.
    pub(super) len_in_file: usize,
    /// The key in the file of each time, if keys were sorted or dropped.
    pub(super) kept: Option<Vec<usize>>,
}

/// Checks the times of a file. Refuses times that are out of order, or repairs them.
pub(super) fn check<'a>(
    seconds: Cow<'a, [f32]>,
    key_times: KeyTimes,
    location: &SourceLocation,
    report: &mut Report,
) -> Result<Times<'a>, Error> {
    let Some(invalid) = first_invalid(&seconds) else {
        return Ok(Times { len_in_file: seconds.len(), seconds, kept: None });
    };
    if key_times == KeyTimes::Refuse {
        return Err(match invalid.checked_sub(1) {
            Some(before) if is_time(seconds[invalid]) => Error::invalid(
                location,
                format!("increasing times, above {} seconds", seconds[before]),
                format!("{} seconds at key {invalid}", seconds[invalid]),
            ),
            _ => Error::invalid(
                location,
                "times that are finite and not negative",
                format!("{} seconds at key {invalid}", seconds[invalid]),
            ),
        });
    }
    repair(&seconds, location, report)
}

fn is_time(seconds: f32) -> bool {
    seconds.is_finite() && seconds >= 0.0
}

/// The first key with an invalid time, or a time not above the previous one.
fn first_invalid(seconds: &[f32]) -> Option<usize> {
    let broken = |&key: &usize| !is_time(seconds[key]) || (key > 0 && seconds[key] <= seconds[key - 1]);
    (0..seconds.len()).find(broken)
}

fn repair<'a>(seconds: &[f32], location: &SourceLocation, report: &mut Report) -> Result<Times<'a>, Error> {
    let mut dropped = WarningCount::default();
    let mut kept = Vec::with_capacity(seconds.len());
    for (key, &time) in seconds.iter().enumerate() {
        if is_time(time) { kept.push(key) } else { dropped.add(key) }
    }
    dropped.warn(report, location, "the times that are negative or not finite", "their keys were dropped")?;
    if kept.is_empty() {
        return Err(Error::invalid(location, "a time that is finite and not negative", "none"));
    }
    let unsorted = kept.windows(2).filter(|pair| seconds[pair[1]] < seconds[pair[0]]).count();
    if unsorted > 0 {
        report.warn(
            location,
            format!("{unsorted} times that are less than the previous one"),
            "keys were sorted",
        )?;
    }
    // Of keys with equal times, the last in the file comes last. Adding zero gives all zeros the
    // same sign. Numbers that are not negative are in the order of their bits.
    let mut keyed: Vec<(u64, usize)> =
        kept.into_iter().map(|key| (u64::from((seconds[key] + 0.0).to_bits()), key)).collect();
    keyed.sort_unstable();
    let mut kept: Vec<usize> = keyed.into_iter().map(|(_, key)| key).collect();
    let before = kept.len();
    kept.reverse();
    kept.dedup_by(|a, b| seconds[*a] == seconds[*b]);
    kept.reverse();
    if kept.len() < before {
        let found = format!("{} keys with the time of another key", before - kept.len());
        report.warn(location, found, "all but the last of each were dropped")?;
    }
    let len_in_file = seconds.len();
    let seconds = kept.iter().map(|&key| seconds[key]).collect::<Vec<_>>().into();
    Ok(Times { seconds, len_in_file, kept: Some(kept) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(seconds: &[f32], key_times: KeyTimes) -> Result<(Times<'_>, usize), Error> {
        let mut report = Report::new(false);
        let times = check(seconds.into(), key_times, &SourceLocation::new("here"), &mut report)?;
        Ok((times, report.warnings().len()))
    }

    #[test]
    fn times_in_order_stay() {
        for seconds in [&[0.0_f32][..], &[3.0], &[0.0, 1e-45, 1.0, f32::MAX]] {
            let (found, warnings) = times(seconds, KeyTimes::Refuse).unwrap();
            assert_eq!((&found.seconds[..], found.kept, warnings), (seconds, None, 0));
        }
    }

    #[test]
    fn times_out_of_order_are_refused() {
        for seconds in [&[-1.0_f32][..], &[f32::NAN], &[0.0, 0.0], &[1.0, 0.5], &[0.0, f32::INFINITY]] {
            assert!(times(seconds, KeyTimes::Refuse).is_err(), "{seconds:?}");
        }
    }

    #[test]
    fn repair_sorts_and_keeps_the_last_of_equal_times() {
        let seconds = [1.0, f32::NAN, 0.0, 1.0, -2.0, 0.5, -0.0];
        let (found, warnings) = times(&seconds, KeyTimes::Repair).unwrap();
        assert_eq!(found.kept.as_deref(), Some(&[6, 5, 3][..]));
        assert_eq!((&*found.seconds, warnings), (&[0.0, 0.5, 1.0][..], 3));
        assert!(times(&[f32::NAN], KeyTimes::Repair).is_err());
    }
}
