//! Levels of detail: groups over the slots of the full mesh, with fewer influences per vertex.
//!
//! A block needs only the joints that its vertices keep. Vertices with the same strongest joint are
//! placed together, so most blocks of a run need fewer joints than the run, and neighboring blocks
//! of two runs may need the same ones.

use sinew_kernels::BLOCK;

use super::groups::Groups;
use super::report::Grouping;
use super::slot_influences::{RunSpan, SlotInfluences};
use super::source_groups::source_spans;
use crate::math::sort::sort_by_key;

/// The groups of a level of detail.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Level {
    /// The maximum number of influences per vertex, at least one.
    pub(crate) max_influences: usize,
    pub(crate) groups: Groups,
    /// In hundredths of a nanosecond.
    pub(super) cost: u64,
}

/// Builds the level for the maximum in `slot_influences`, with the grouping and from the runs of
/// the full mesh.
pub(super) fn build_level(
    slot_influences: SlotInfluences<'_>,
    grouping: Grouping,
    full: &[RunSpan],
) -> Level {
    let (spans, cost) = match grouping {
        Grouping::PerVertexJoints => {
            let spans = source_spans(slot_influences.influences, slot_influences.max_influences);
            let cost = spans.iter().map(|span| span.per_vertex_joints_cost()).sum();
            (spans, cost)
        }
        Grouping::SharedJoints | Grouping::PreWeighted => {
            let mut block_spans = Vec::new();
            for &run in full {
                for span in merge_neighbors(split_run(slot_influences, run)) {
                    push_span(&mut block_spans, span);
                }
            }
            let mut spans: Vec<RunSpan> = block_spans.iter().map(BlockSpan::run_span).collect();
            sort_by_key(&mut spans, |span| span.influences as u64);
            let cost = spans.iter().map(|span| span.shared_joints_cost()).sum();
            (spans, cost)
        }
    };
    Level {
        max_influences: slot_influences.max_influences,
        groups: slot_influences.groups(grouping, &spans),
        cost,
    }
}

/// Consecutive blocks and the joints that they need, in ascending order.
struct BlockSpan {
    first: usize,
    blocks: usize,
    joints: Vec<u32>,
}

impl BlockSpan {
    fn run_span(&self) -> RunSpan {
        RunSpan { influences: self.joints.len(), first: self.first, blocks: self.blocks }
    }

    fn cost(&self) -> u64 {
        self.run_span().shared_joints_cost()
    }

    /// The union of this span and the one that follows it.
    fn merged_with(&self, next: &Self) -> Self {
        let mut joints = [&self.joints[..], &next.joints].concat();
        joints.sort_unstable();
        joints.dedup();
        Self { first: self.first, blocks: self.blocks + next.blocks, joints }
    }
}

/// Splits a run into spans of blocks that need the same joints.
fn split_run(slot_influences: SlotInfluences<'_>, run: RunSpan) -> Vec<BlockSpan> {
    let mut spans: Vec<BlockSpan> = Vec::new();
    let mut joints: Vec<u32> = Vec::new();
    for first in run.first..run.first + run.blocks {
        joints.clear();
        for slot in BLOCK * first..BLOCK * (first + 1) {
            joints.extend(slot_influences.strongest(slot).joints);
        }
        joints.sort_unstable();
        joints.dedup();
        push_span(&mut spans, BlockSpan { first, blocks: 1, joints: joints.clone() });
    }
    spans
}

/// Appends a span, or extends the last one if it needs the same joints.
fn push_span(spans: &mut Vec<BlockSpan>, span: BlockSpan) {
    match spans.last_mut() {
        Some(last) if last.joints == span.joints => last.blocks += span.blocks,
        _ => spans.push(span),
    }
}

/// Merges neighboring spans if one run with more joints costs less than two runs, and all of them
/// if that costs least.
fn merge_neighbors(spans: Vec<BlockSpan>) -> Vec<BlockSpan> {
    let mut merged: Vec<BlockSpan> = Vec::new();
    for mut span in spans {
        while let Some(last) = merged.pop() {
            let both = last.merged_with(&span);
            if both.cost() > last.cost() + span.cost() {
                merged.push(last);
                break;
            }
            span = both;
        }
        merged.push(span);
    }
    let whole = merged.iter().skip(1).fold(None, |whole: Option<BlockSpan>, next| {
        Some(whole.as_ref().unwrap_or(&merged[0]).merged_with(next))
    });
    match whole {
        Some(whole) if whole.cost() <= merged.iter().map(BlockSpan::cost).sum() => vec![whole],
        _ => merged,
    }
}
