//! Blocks whose vertices share joints: eight vertices at once, by broadcast matrix elements.

use super::sinks::{BlockWriter, Sink};
use crate::kernels::skin_shared_joints::{Differences, JointSet, MAX_FIXED_JOINTS};
use crate::kernels::skin_vertices::{last_matrix, transform};
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::segments::SharedSegment;
use crate::{Matrix, NO_JOINT};

/// Skins a stretch of blocks.
#[inline(always)]
pub(super) fn skin<L: Lanes, S: Sink<V>, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: &SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    match segment.joints.len() {
        _ if L::COMPACT_LAYOUT_LOOPS => any::<L, S, V>(token, palette, segment, base_vectors, sink),
        1 => fixed::<L, S, 1, V>(token, palette, segment, base_vectors, sink),
        2 => fixed::<L, S, 2, V>(token, palette, segment, base_vectors, sink),
        3 => fixed::<L, S, 3, V>(token, palette, segment, base_vectors, sink),
        4 => fixed::<L, S, 4, V>(token, palette, segment, base_vectors, sink),
        // The same bits as `any`, unless there are differences from a last joint.
        5 if segment.joints.last() == Some(&NO_JOINT) => {
            fixed::<L, S, 5, V>(token, palette, segment, base_vectors, sink)
        }
        _ => any::<L, S, V>(token, palette, segment, base_vectors, sink),
    }
}

/// `K` joints.
#[inline(always)]
fn fixed<L: Lanes, S: Sink<V>, const K: usize, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: &SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    let Some(joints) = segment.joints.first_chunk::<K>() else { return };
    let differences = Differences::new::<L>(token, palette, joints, last_matrix(palette, joints[K - 1]));
    let differences = differences.opaque::<L, V>();
    let mut weights = segment.weights;
    for (block, base) in segment.blocks.clone().inline_zip(segment.base.chunks_exact(base_vectors)) {
        let (Some(base), Some((own, rest))) = (base.first_chunk::<V>(), weights.split_at_checked(K - 1))
        else {
            break;
        };
        weights = rest;
        let Some(mut writer) = sink.block_writer::<L>(token, block) else { break };
        for group in L::groups() {
            let matrix = differences.weighted::<L>(token, own, group);
            writer.store(token, group, transform::<L, V>(token, &matrix, base, group));
        }
    }
}

/// Any number of joints, in one loop.
#[inline(always)]
fn any<L: Lanes, S: Sink<V>, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: &SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    let mut scratch = [Matrix::ZERO; MAX_FIXED_JOINTS - 1];
    let last = last_matrix(palette, segment.joints.last().copied().unwrap_or(NO_JOINT));
    let set = JointSet::new::<L>(token, palette, segment.joints, last, &mut scratch);
    let (rows, mut weights) = (segment.joints.len().saturating_sub(1), segment.weights);
    for (block, base) in segment.blocks.clone().inline_zip(segment.base.chunks_exact(base_vectors)) {
        let (Some(base), Some((own, rest))) = (base.first_chunk::<V>(), weights.split_at_checked(rows))
        else {
            break;
        };
        weights = rest;
        let Some(mut writer) = sink.block_writer::<L>(token, block) else { break };
        for group in L::groups() {
            let matrix = set.weighted::<L>(token, palette, own, group);
            writer.store(token, group, transform::<L, V>(token, &matrix, base, group));
        }
    }
}
