//! The times of keys: from zero up, each after the one before.

use super::tally::Tally;
use crate::{Error, KeyTimes, Report};

/// Times that are in order, and which keys of the file they belong to.
pub(super) struct Times {
    pub(super) seconds: Vec<f32>,
    /// Where keys were sorted or dropped: for each time its key in the file.
    pub(super) kept: Option<Vec<usize>>,
}

/// Checks times as a file has them. Those out of order are refused, or sorted and dropped.
pub(super) fn checked(
    seconds: Vec<f32>,
    key_times: KeyTimes,
    place: &str,
    report: &mut Report,
) -> Result<Times, Error> {
    let Some(fault) = first_fault(&seconds) else { return Ok(Times { seconds, kept: None }) };
    if key_times == KeyTimes::Refuse {
        return Err(match fault.checked_sub(1) {
            Some(before) if is_time(seconds[fault]) => Error::fault(
                place,
                format!("times that rise, after {} seconds", seconds[before]),
                format!("{} seconds at key {fault}", seconds[fault]),
            ),
            _ => Error::fault(
                place,
                "times that are finite and not negative",
                format!("{} seconds at key {fault}", seconds[fault]),
            ),
        });
    }
    repaired(&seconds, place, report)
}

fn is_time(seconds: f32) -> bool {
    seconds.is_finite() && seconds >= 0.0
}

/// The first key with a time that is none, or not after the one before.
fn first_fault(seconds: &[f32]) -> Option<usize> {
    let broken = |&key: &usize| !is_time(seconds[key]) || (key > 0 && seconds[key] <= seconds[key - 1]);
    (0..seconds.len()).find(broken)
}

fn repaired(seconds: &[f32], place: &str, report: &mut Report) -> Result<Times, Error> {
    let mut dropped = Tally::default();
    let mut kept = Vec::with_capacity(seconds.len());
    for (key, &time) in seconds.iter().enumerate() {
        if is_time(time) { kept.push(key) } else { dropped.add(key) }
    }
    dropped.note(report, place, "the times that are negative or not finite", "their keys were dropped")?;
    if kept.is_empty() {
        return Err(Error::fault(place, "a time that is finite and not negative", "none"));
    }
    let turned = kept.windows(2).filter(|pair| seconds[pair[1]] < seconds[pair[0]]).count();
    if turned > 0 {
        report.note(place, format!("{turned} times before the one before"), "keys were sorted")?;
    }
    // Stable, so of keys at one time the last in the file comes last. Adding zero gives all zeros one sign.
    kept.sort_by(|&a, &b| (seconds[a] + 0.0).total_cmp(&(seconds[b] + 0.0)));
    let before = kept.len();
    kept.reverse();
    kept.dedup_by(|a, b| seconds[*a] == seconds[*b]);
    kept.reverse();
    if kept.len() < before {
        let found = format!("{} keys at the time of another", before - kept.len());
        report.note(place, found, "all but the last of each were dropped")?;
    }
    Ok(Times { seconds: kept.iter().map(|&key| seconds[key]).collect(), kept: Some(kept) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(seconds: &[f32], key_times: KeyTimes) -> Result<(Times, usize), Error> {
        let mut report = Report::new(false);
        let times = checked(seconds.to_vec(), key_times, "here", &mut report)?;
        Ok((times, report.oddities().len()))
    }

    #[test]
    fn times_in_order_stay() {
        for seconds in [&[0.0_f32][..], &[3.0], &[0.0, 1e-45, 1.0, f32::MAX]] {
            let (found, oddities) = times(seconds, KeyTimes::Refuse).unwrap();
            assert_eq!((&found.seconds[..], found.kept, oddities), (seconds, None, 0));
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
        let (found, oddities) = times(&seconds, KeyTimes::Repair).unwrap();
        assert_eq!(found.kept.as_deref(), Some(&[6, 5, 3][..]));
        assert_eq!((found.seconds, oddities), (vec![0.0, 0.5, 1.0], 3));
        assert!(times(&[f32::NAN], KeyTimes::Repair).is_err());
    }
}
