//! Levels of detail: the places of the full skin, with fewer influences of each vertex.
//!
//! A block needs only the joints that its vertices keep. Vertices with the same strongest joint stand together, so
//! most blocks of a run need fewer than the run does, and neighbours in two runs may need the same.

use sinew_kernels::BLOCK;

use super::groups::Groups;
use super::place::{Placed, Segment};
use super::report::Grouping;

/// What skins with at most so many influences for each vertex.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Level {
    /// One or more.
    pub(crate) max_influences: usize,
    pub(crate) groups: Groups,
    /// Hundredths of a nanosecond.
    pub(super) cost: u64,
}

/// The level of the placed vertices' `most` influences, in the full skin's form and from its segments.
pub(super) fn level(placed: Placed<'_>, form: Grouping, full: &[Segment]) -> Level {
    let (segments, cost) = match form {
        Grouping::Counts => {
            let segments = with_fewer_each(placed.most, full);
            let cost = segments.iter().map(|segment| segment.cost_of_counted()).sum();
            (segments, cost)
        }
        Grouping::Runs | Grouping::Weighted => {
            let mut parts = Vec::new();
            for &run in full {
                united(parts_of(placed, run)).into_iter().for_each(|part| push(&mut parts, part));
            }
            let mut segments: Vec<Segment> = parts.iter().map(Part::segment).collect();
            segments.sort_by_key(|segment| segment.influences);
            let cost = segments.iter().map(|segment| segment.cost_of_run()).sum();
            (segments, cost)
        }
    };
    Level { max_influences: placed.most, groups: placed.groups(form, &segments), cost }
}

/// Segments of no more influences; those that become alike are one.
fn with_fewer_each(most: usize, full: &[Segment]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for &segment in full {
        let influences = segment.influences.min(most);
        match segments.last_mut() {
            Some(last) if last.influences == influences => last.blocks += segment.blocks,
            _ => segments.push(Segment { influences, ..segment }),
        }
    }
    segments
}

/// Neighbouring blocks and the joints that they need, by rising number.
struct Part {
    first: usize,
    blocks: usize,
    joints: Vec<u32>,
}

impl Part {
    fn segment(&self) -> Segment {
        Segment { influences: self.joints.len(), first: self.first, blocks: self.blocks }
    }

    fn cost(&self) -> u64 {
        self.segment().cost_of_run()
    }

    /// Together with the part that follows it.
    fn with(&self, next: &Self) -> Self {
        let mut joints = [&self.joints[..], &next.joints].concat();
        joints.sort_unstable();
        joints.dedup();
        Self { first: self.first, blocks: self.blocks + next.blocks, joints }
    }
}

/// The blocks of a run, those that need the same joints together.
fn parts_of(placed: Placed<'_>, run: Segment) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut joints: Vec<u32> = Vec::new();
    for first in run.first..run.first + run.blocks {
        joints.clear();
        for place in BLOCK * first..BLOCK * (first + 1) {
            joints.extend(placed.strongest(place).joints);
        }
        joints.sort_unstable();
        joints.dedup();
        push(&mut parts, Part { first, blocks: 1, joints: joints.clone() });
    }
    parts
}

/// Adds a part, to the last where that needs the same joints.
fn push(parts: &mut Vec<Part>, part: Part) {
    match parts.last_mut() {
        Some(last) if last.joints == part.joints => last.blocks += part.blocks,
        _ => parts.push(part),
    }
}

/// Neighbours united where one run of more joints costs less than two, and all where that costs least.
fn united(parts: Vec<Part>) -> Vec<Part> {
    let mut united: Vec<Part> = Vec::new();
    for mut part in parts {
        while let Some(last) = united.pop() {
            let both = last.with(&part);
            if both.cost() > last.cost() + part.cost() {
                united.push(last);
                break;
            }
            part = both;
        }
        united.push(part);
    }
    let whole = united
        .iter()
        .skip(1)
        .fold(None, |whole: Option<Part>, next| Some(whole.as_ref().unwrap_or(&united[0]).with(next)));
    match whole {
        Some(whole) if whole.cost() <= united.iter().map(Part::cost).sum() => vec![whole],
        _ => united,
    }
}
