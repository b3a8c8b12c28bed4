//! Blocks whose vertices have joints of their own: as many vertices at once as a register has
//! quads, by matrices kept as columns.
//!
//! A vertex blends the columns of its matrices without a gather, and its vectors are sums of
//! columns times broadcast components. The sums have the order of [`transform`], and joints that a
//! vertex lacks would add zero, so the result has the same bits as among shared joints.
//!
//! [`transform`]: crate::kernels::skin_vertices::transform

use super::sinks::Buffers;
use crate::BLOCK;
use crate::lanes::Lanes;
use crate::lanes::column_table::{ColumnBlock, ColumnMatrices};
use crate::lanes::segments::{ColumnSegment, VertexPair};

/// Skins a stretch of blocks.
#[inline(always)]
pub(super) fn skin<L: Lanes, const V: usize>(
    token: L::Token,
    segment: &ColumnSegment<'_>,
    matrices: ColumnMatrices<'_>,
    buffers: &mut Buffers<'_, V>,
) {
    // With fewer vectors the fourth component costs little, and the loops are not worth their
    // compile time.
    if V < 3 || buffers.stores.has_fourth() {
        dispatch_influences::<L, true, V>(token, segment, matrices, buffers);
    } else {
        dispatch_influences::<L, false, V>(token, segment, matrices, buffers);
    }
}

/// `FOURTH`: a vector has four components. A constant, so that packed arrays do without.
#[inline(always)]
fn dispatch_influences<L: Lanes, const FOURTH: bool, const V: usize>(
    token: L::Token,
    segment: &ColumnSegment<'_>,
    matrices: ColumnMatrices<'_>,
    buffers: &mut Buffers<'_, V>,
) {
    match segment.influences {
        1 => fixed::<L, FOURTH, 1, V>(token, segment, matrices, buffers),
        _ if L::COMPACT_LAYOUT_LOOPS => any::<L, FOURTH, V>(token, segment, matrices, buffers),
        2 => fixed::<L, FOURTH, 2, V>(token, segment, matrices, buffers),
        3 => fixed::<L, FOURTH, 3, V>(token, segment, matrices, buffers),
        4 => fixed::<L, FOURTH, 4, V>(token, segment, matrices, buffers),
        _ => any::<L, FOURTH, V>(token, segment, matrices, buffers),
    }
}

/// `K` influences per vertex. A single one has weight 1.
#[inline(always)]
fn fixed<L: Lanes, const FOURTH: bool, const K: usize, const V: usize>(
    token: L::Token,
    segment: &ColumnSegment<'_>,
    matrices: ColumnMatrices<'_>,
    buffers: &mut Buffers<'_, V>,
) {
    for (index, block) in segment.blocks.clone().enumerate() {
        let (Some(own), Some(base)) = (matrices.block::<K>(index), segment.base_block::<V>(index)) else {
            break;
        };
        if K <= 2 {
            buffers.stores.prefetch::<L>(token, block);
        }
        let writer = buffers.block(block);
        // Blending one step ahead hides its latency, as long as there are registers for both.
        let ahead = V == 1 || K <= 2;
        let mut columns = blended::<L, K>(token, &own, 0);
        for step in 0..BLOCK / L::QUADS {
            let mut next = columns;
            if ahead {
                next = blended::<L, K>(token, &own, (step + 1) * L::QUADS);
            } else if step > 0 {
                columns = blended::<L, K>(token, &own, step * L::QUADS);
            }
            let base = base.pair(step * L::QUADS / 2);
            writer.store_quads::<L, FOURTH>(token, step, transform::<L, V>(token, &columns, base, step));
            if ahead {
                columns = next;
            }
        }
    }
}

/// The blended columns of the vertices of one register.
#[inline(always)]
fn blended<L: Lanes, const K: usize>(token: L::Token, own: &ColumnBlock<'_, K>, first: usize) -> [L; 4] {
    if K == 1 {
        single_matrices::<L, K>(token, own, first)
    } else if L::QUADS == 2 {
        blend_pair::<L, K>(token, own, first)
    } else {
        blend::<L, K>(token, own, first)
    }
}

/// Any number of influences per vertex, in one loop.
#[inline(always)]
fn any<L: Lanes, const FOURTH: bool, const V: usize>(
    token: L::Token,
    segment: &ColumnSegment<'_>,
    matrices: ColumnMatrices<'_>,
    buffers: &mut Buffers<'_, V>,
) {
    let influences = segment.influences;
    let mut vertex = 0;
    for (index, block) in segment.blocks.clone().enumerate() {
        let Some(base) = segment.base_block::<V>(index) else { break };
        let writer = buffers.block(block);
        for step in 0..BLOCK / L::QUADS {
            let base = base.pair(step * L::QUADS / 2);
            let mut columns = [L::splat(token, 0.0); 4];
            if L::QUADS == 2 {
                let mut halves = [[L::splat(token, 0.0); 2]; 2];
                for quad in 0..2 {
                    let first = (vertex + quad) * influences;
                    for k in first..first + influences {
                        let Some((matrix, weight)) = matrices.get(k) else { return };
                        let weight = L::splat(token, weight);
                        for half in 0..2 {
                            let pair = L::load(token, matrix.column_pair(half), 0);
                            halves[quad][half] = weight.mul_add(pair, halves[quad][half]);
                        }
                    }
                }
                columns = zip_halves(halves);
            } else {
                let first = vertex * influences;
                for k in first..first + influences {
                    let Some((matrix, weight)) = matrices.get(k) else { return };
                    let weight = L::splat(token, weight);
                    for c in 0..4 {
                        columns[c] = weight.mul_add(L::load_quads(token, |_| matrix.column(c)), columns[c]);
                    }
                }
            }
            vertex += L::QUADS;
            writer.store_quads::<L, FOURTH>(token, step, transform::<L, V>(token, &columns, base, step));
        }
    }
}

/// The columns of vertices with a single joint.
#[inline(always)]
fn single_matrices<L: Lanes, const K: usize>(
    token: L::Token,
    own: &ColumnBlock<'_, K>,
    first: usize,
) -> [L; 4] {
    let ((low, _), (high, _)) = (own.get(first, 0), own.get(first + L::QUADS - 1, 0));
    let column =
        |c: usize| L::load_quads(token, |quad| if quad == 0 { low.column(c) } else { high.column(c) });
    [column(0), column(1), column(2), column(3)]
}

/// The blended columns of one vertex.
#[inline(always)]
fn blend<L: Lanes, const K: usize>(token: L::Token, own: &ColumnBlock<'_, K>, vertex: usize) -> [L; 4] {
    let mut columns = [L::splat(token, 0.0); 4];
    for k in 0..K {
        let (matrix, weight) = own.get(vertex, k);
        let weight = L::splat(token, weight);
        for c in 0..4 {
            let column = L::load_quads(token, |_| matrix.column(c));
            columns[c] = if k == 0 { weight * column } else { weight.mul_add(column, columns[c]) };
        }
    }
    columns
}

/// The blended columns of two vertices. Each is blended as two registers of two columns, which are
/// then paired with those of the other vertex.
#[inline(always)]
fn blend_pair<L: Lanes, const K: usize>(token: L::Token, own: &ColumnBlock<'_, K>, first: usize) -> [L; 4] {
    let mut halves = [[L::splat(token, 0.0); 2]; 2];
    for quad in 0..2 {
        for k in 0..K {
            let (matrix, weight) = own.get(first + quad, k);
            let weight = L::splat(token, weight);
            for half in 0..2 {
                let pair = L::load(token, matrix.column_pair(half), 0);
                halves[quad][half] =
                    if k == 0 { weight * pair } else { weight.mul_add(pair, halves[quad][half]) };
            }
        }
    }
    zip_halves(halves)
}

/// From columns 0 and 1, and columns 2 and 3, of two vertices to each column of both.
#[inline(always)]
fn zip_halves<L: Lanes>(halves: [[L; 2]; 2]) -> [L; 4] {
    let [c0, c1] = L::zip_quads(halves[0][0], halves[1][0]);
    let [c2, c3] = L::zip_quads(halves[0][1], halves[1][1]);
    [c0, c1, c2, c3]
}

/// Transforms the vectors of one register of vertices. Lane 3 of each quad is the base's: the
/// bitangent's sign of a tangent.
#[inline(always)]
fn transform<L: Lanes, const V: usize>(
    token: L::Token,
    columns: &[L; 4],
    base: &[VertexPair; V],
    step: usize,
) -> [[L; 2]; V] {
    let mut vectors = [[columns[3]; 2]; V];
    for v in 0..V {
        let own = L::load(token, &base[v].0, step);
        let x = own.broadcast_lane::<0>();
        let sum = if v == 0 { columns[0].mul_add(x, columns[3]) } else { columns[0] * x };
        let sum = columns[1].mul_add(own.broadcast_lane::<1>(), sum);
        vectors[v] = [columns[2].mul_add(own.broadcast_lane::<2>(), sum), own];
    }
    vectors
}
