//! Which linear tracks get a common list of key times.

use crate::math::sort::sort_by_key;
use std::collections::HashSet;

/// Tracks with the same list of times.
pub(super) struct RowCandidate<'a> {
    pub(super) times: &'a [f32],
    /// For each block of joints that the tracks belong to, or for each track that is stored by
    /// itself: its number, different for each channel, and the bytes of its keys at one time.
    pub(super) blocks: Vec<(usize, usize)>,
    /// The bytes of the tracks if they keep their own times.
    pub(super) bytes: usize,
}

/// Rows of up to this many bytes are worth it in any case.
const SMALL: usize = 32 << 10;

/// How much more memory rows may take than the same keys as tracks with times of their own. Rows
/// are blocks of eight joints, so they also take memory for joints without a track.
const MAX_GROWTH: usize = 2;

/// The same for the first list: its tracks have these times already, so nothing is resampled.
const MAX_GROWTH_OF_FIRST: usize = 3;

/// After this many lists in a row that do not fit, no more are tried: a bound on the time that
/// hostile files can take.
const MAX_FAILURES: usize = 32;

/// The common list of times, and for each candidate whether it takes part.
///
/// It contains the times of all that take part. Candidates are tried from the largest to the
/// smallest. One takes part if it fits into the rows as they are, or if they stay small or within
/// the limits above: rows are so much faster that they are worth some memory.
pub(super) fn plan_rows(candidates: &[RowCandidate<'_>]) -> (Vec<f32>, Vec<bool>) {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    sort_by_key(&mut order, |&i| !(candidates[i].bytes as u64));
    let (mut common, mut chosen) = (Vec::new(), vec![false; candidates.len()]);
    let mut blocks = HashSet::new();
    let (mut row_bytes, mut own_bytes, mut failures) = (0, 0, 0);
    for i in order {
        let RowCandidate { times, blocks: added, bytes } = &candidates[i];
        let is_new = |(block, _): &&(usize, usize)| !blocks.contains(block);
        let more: usize = added.iter().filter(is_new).map(|(_, bytes)| bytes).sum();
        let growth = if common.is_empty() { MAX_GROWTH_OF_FIRST } else { MAX_GROWTH };
        let limit = SMALL.max(growth * (own_bytes + bytes)).max(common.len() * row_bytes);
        let fits = |rows: usize| rows.saturating_mul(row_bytes + more) <= limit;
        let merged = fits(times.len().max(common.len())).then(|| merge(&common, times));
        let Some(merged) = merged.filter(|merged| fits(merged.len())) else {
            failures += 1;
            if failures == MAX_FAILURES {
                break;
            }
            continue;
        };
        failures = 0;
        common = merged;
        chosen[i] = true;
        blocks.extend(added.iter().map(|(block, _)| *block));
        (row_bytes, own_bytes) = (row_bytes + more, own_bytes + bytes);
    }
    (common, chosen)
}

/// The times of both ascending lists, each once.
fn merge(a: &[f32], b: &[f32]) -> Vec<f32> {
    let (mut i, mut j) = (0, 0);
    let mut merged = Vec::with_capacity(a.len().max(b.len()));
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&a), Some(&b)) => a.min(b),
            (Some(&one), None) | (None, Some(&one)) => one,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        merged.push(next);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(times: &[f32], block: usize) -> RowCandidate<'_> {
        RowCandidate { times, blocks: vec![(block, 160)], bytes: 8 * 24 * times.len() }
    }

    #[test]
    fn lists_of_one_grid_are_merged() {
        let all: Vec<f32> = (0..3000).map(|i| i as f32 / 30.0).collect();
        let half: Vec<f32> = all.iter().copied().step_by(2).collect();
        let (common, chosen) = plan_rows(&[candidate(&half, 0), candidate(&all, 1)]);
        assert_eq!((common, chosen), (all, vec![true, true]));
    }

    #[test]
    fn lists_without_a_common_grid_stay_apart() {
        let lists: Vec<Vec<f32>> =
            (0..10).map(|list| (0..3000).map(|i| i as f32 + 0.09 * list as f32).collect()).collect();
        let candidates: Vec<_> = lists.iter().enumerate().map(|(i, list)| candidate(list, i)).collect();
        let (common, chosen) = plan_rows(&candidates);
        assert!(chosen.iter().filter(|&&chosen| chosen).count() <= 2, "{chosen:?}");
        assert!(common.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(plan_rows(&[]), (vec![], vec![]));
    }
}
