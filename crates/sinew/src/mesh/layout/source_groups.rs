//! Groups over the blocks of source order, for what segments cannot skin: normals by cofactors,
//! stored bitangents and levels of detail of morphed vertices.
//!
//! Every vertex has joints of its own, so that copies of a vertex along seams get the same bits,
//! whatever their neighbors are.

use sinew_kernels::BLOCK;

use super::groups::Groups;
use super::report::Grouping;
use super::slot_influences::{RunSpan, SlotInfluences};
use crate::math::sort::sort_by_key;
use crate::mesh::influences::VertexInfluences;

/// Builds groups with at most this number of influences per vertex. The last vertex is repeated to
/// fill its block.
pub(crate) fn build_source_groups(influences: &VertexInfluences, max_influences: usize) -> Groups {
    let blocks = influences.len().div_ceil(BLOCK);
    let last = influences.len().saturating_sub(1);
    let vertices: Vec<u32> = (0..BLOCK * blocks).map(|slot| slot.min(last) as u32).collect();
    let slots = SlotInfluences { influences, inverse_remap: &vertices, max_influences };
    slots.groups(Grouping::PerVertexJoints, &source_spans(influences, max_influences))
}

/// The spans of source order: consecutive blocks with the same number of influences, those with the
/// fewest first.
pub(super) fn source_spans(influences: &VertexInfluences, max_influences: usize) -> Vec<RunSpan> {
    let mut spans: Vec<RunSpan> = Vec::new();
    for first in 0..influences.len().div_ceil(BLOCK) {
        let own = BLOCK * first..(BLOCK * (first + 1)).min(influences.len());
        let most = own.map(|vertex| influences.count(vertex)).max().unwrap_or(1);
        let influences = most.min(max_influences);
        match spans.last_mut() {
            Some(span) if span.influences == influences => span.blocks += 1,
            _ => spans.push(RunSpan { influences, first, blocks: 1 }),
        }
    }
    sort_by_key(&mut spans, |span| span.influences as u64);
    spans
}
