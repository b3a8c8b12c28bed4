//! Blocks whose vertices have joints of their own: two vertices at a time, by matrices kept as
//! columns.
//!
//! A vertex blends the columns of its matrices without a gather, and its vectors are sums of
//! columns times broadcast components. The sums have the order of [`transform`], and joints that a
//! vertex lacks would add zero, so the result has the same bits as among shared joints.
//!
//! One loop serves any number of influences: a loop for each number would be 4 % faster at most.
//!
//! [`transform`]: crate::kernels::skin_vertices::transform

use crate::lanes::column_table::{ColumnPair, ColumnPairs, ColumnVertices, PairInfluences, TwoInfluences};
use crate::lanes::format_pairs::FormatPairs;
use crate::lanes::quads::gather_from;
use crate::lanes::segments::VertexPair;
use crate::lanes::vertex_stores::QuadPairs;
use crate::lanes::{Lanes, Outlined};
use crate::{BLOCK, VectorBlock};

/// Skins as many pairs of vertices as there is room for. `PACKED`: every vector goes to an array of
/// its own without gaps.
#[inline(always)]
pub(super) fn skin_pairs<L: Lanes, const PACKED: bool, const V: usize>(
    token: L::Token,
    mut vertices: ColumnVertices<'_>,
    to: QuadPairs<'_, V>,
) {
    let from = vertices.take_pairs(to.len());
    // Not in the function of the other loops, where too many of the addresses would be in memory.
    if from.influences() == 1 {
        L::outline(token, SkinPairs::<true, PACKED, V> { from, to });
    } else {
        L::outline(token, SkinPairs::<false, PACKED, V> { from, to });
    }
}

/// Skins pairs of vertices. `SINGLE`: each vertex has one joint, of weight 1.
struct SkinPairs<'a, const SINGLE: bool, const PACKED: bool, const V: usize> {
    from: ColumnPairs<'a, V>,
    to: QuadPairs<'a, V>,
}

impl<L: Lanes, const SINGLE: bool, const PACKED: bool, const V: usize> Outlined<L>
    for SkinPairs<'_, SINGLE, PACKED, V>
{
    #[inline(always)]
    fn run(self, token: L::Token) {
        // Locals, which stay in registers: stores might change the memory of arguments.
        let Self { mut from, mut to } = self;
        // So that one counter is enough.
        if from.len() != to.len() {
            return;
        }
        // Few influences are limited by the lines to be stored to, more by the loads.
        let prefetches = SINGLE || from.influences() <= 2;
        let reads_ahead = from.reads_ahead();
        while let (Some(pair), Some(to)) = (from.next(), to.next::<PACKED>()) {
            if prefetches {
                to.prefetch::<L>(token);
            }
            if reads_ahead {
                pair.prefetch::<L>(token);
            }
            // A register holds both vertices or one.
            for step in 0..2 / L::QUADS {
                let columns = blend_step::<L, SINGLE, V>(token, &pair, step);
                to.store::<L>(step, transform::<L, PACKED, V>(token, &columns, pair.base(), step));
            }
        }
    }
}

/// The same into smaller numbers.
#[inline(always)]
pub(super) fn skin_format_pairs<L: Lanes, const V: usize>(
    token: L::Token,
    mut vertices: ColumnVertices<'_>,
    to: FormatPairs<'_, V>,
) {
    let from = vertices.take_pairs(to.len());
    if from.influences() == 1 {
        L::outline(token, SkinFormatPairs::<true, V> { from, to });
    } else {
        L::outline(token, SkinFormatPairs::<false, V> { from, to });
    }
}

/// Skins pairs of vertices into smaller numbers. Not one loop with [`SkinPairs`], generic over
/// where vertices go: the compiler kept more of its addresses in memory, and it took 3 % longer.
struct SkinFormatPairs<'a, const SINGLE: bool, const V: usize> {
    from: ColumnPairs<'a, V>,
    to: FormatPairs<'a, V>,
}

impl<L: Lanes, const SINGLE: bool, const V: usize> Outlined<L> for SkinFormatPairs<'_, SINGLE, V> {
    #[inline(always)]
    fn run(self, token: L::Token) {
        let Self { mut from, mut to } = self;
        if from.len() != to.len() {
            return;
        }
        let prefetches = SINGLE || from.influences() <= 2;
        let reads_ahead = from.reads_ahead();
        while let (Some(pair), Some(to)) = (from.next(), to.next()) {
            if prefetches {
                to.prefetch::<L>(token);
            }
            if reads_ahead {
                pair.prefetch::<L>(token);
            }
            for step in 0..2 / L::QUADS {
                let columns = blend_step::<L, SINGLE, V>(token, &pair, step);
                to.store::<L>(step, transform::<L, false, V>(token, &columns, pair.base(), step));
            }
        }
    }
}

/// Skins vertices into blocks, as many as there are.
#[inline(always)]
pub(super) fn skin_blocks<L: Lanes, const V: usize>(
    token: L::Token,
    mut vertices: ColumnVertices<'_>,
    to: &mut [[VectorBlock; V]],
) {
    let from = vertices.take_pairs(to.len() * BLOCK / 2);
    if from.influences() == 1 {
        L::outline(token, SkinBlocks::<true, V> { from, to });
    } else {
        L::outline(token, SkinBlocks::<false, V> { from, to });
    }
}

/// Skins pairs of vertices into blocks.
struct SkinBlocks<'a, const SINGLE: bool, const V: usize> {
    from: ColumnPairs<'a, V>,
    to: &'a mut [[VectorBlock; V]],
}

impl<L: Lanes, const SINGLE: bool, const V: usize> Outlined<L> for SkinBlocks<'_, SINGLE, V> {
    #[inline(always)]
    fn run(self, token: L::Token) {
        let Self { mut from, to } = self;
        // A block in quads. Not zeros, which would be set by a call.
        let mut quads = [[[1.0; 4]; BLOCK]; V];
        for block in to {
            for pair_index in 0..BLOCK / 2 {
                let Some(pair) = from.next() else { return };
                for step in 0..2 / L::QUADS {
                    let columns = blend_step::<L, SINGLE, V>(token, &pair, step);
                    let vectors = transform::<L, true, V>(token, &columns, pair.base(), step);
                    for v in 0..V {
                        for quad in 0..L::QUADS {
                            let vertex = 2 * pair_index + step * L::QUADS + quad;
                            vectors[v].store_quad(quad, &mut quads[v][vertex % BLOCK]);
                        }
                    }
                }
            }
            for v in 0..V {
                for group in 0..L::GROUPS {
                    let components = gather_from::<L>(token, |i| &quads[v][(group * L::LEN + i) % BLOCK]);
                    for r in 0..3 {
                        components[r].store(&mut block[v].rows[r], group);
                    }
                }
            }
        }
    }
}

/// The blended columns of one register of a pair's vertices.
#[inline(always)]
fn blend_step<L: Lanes, const SINGLE: bool, const V: usize>(
    token: L::Token,
    pair: &ColumnPair<'_, V>,
    step: usize,
) -> [L; 4] {
    if L::QUADS == 2 {
        blend_pair::<L, SINGLE>(token, pair.influences::<2>(step))
    } else {
        blend::<L, SINGLE>(token, pair.influences::<1>(step))
    }
}

/// The blended columns of one vertex.
#[inline(always)]
fn blend<L: Lanes, const SINGLE: bool>(token: L::Token, mut own: PairInfluences<'_, 1>) -> [L; 4] {
    let mut columns = [L::splat(token, 0.0); 4];
    if SINGLE {
        let [(matrix, _)] = own.first();
        for c in 0..4 {
            columns[c] = L::load_quads(token, |_| matrix.column(c));
        }
        return columns;
    }
    if let Some([two]) = own.next_two() {
        let [first, second] = weights::<L>(token, two);
        for c in 0..4 {
            columns[c] = first * L::load_quads(token, |_| two.matrices[0].column(c));
            columns[c] = second.mul_add(L::load_quads(token, |_| two.matrices[1].column(c)), columns[c]);
        }
    }
    while let Some([two]) = own.next_two() {
        let weights = weights::<L>(token, two);
        for k in 0..2 {
            for c in 0..4 {
                let column = L::load_quads(token, |_| two.matrices[k].column(c));
                columns[c] = weights[k].mul_add(column, columns[c]);
            }
        }
    }
    if let Some([(matrix, weight)]) = own.next() {
        let weight = L::splat(token, weight);
        for c in 0..4 {
            columns[c] = weight.mul_add(L::load_quads(token, |_| matrix.column(c)), columns[c]);
        }
    }
    columns
}

/// The blended columns of two vertices. Each is blended as two registers of two columns, which are
/// then paired with those of the other vertex.
#[inline(always)]
fn blend_pair<L: Lanes, const SINGLE: bool>(token: L::Token, mut own: PairInfluences<'_, 2>) -> [L; 4] {
    let mut sums = [[L::splat(token, 0.0); 2]; 2];
    if SINGLE {
        let one = own.first();
        for i in 0..2 {
            for half in 0..2 {
                sums[i][half] = L::load(token, one[i].0.column_pair(half), 0);
            }
        }
    } else {
        if let Some(two) = own.next_two() {
            for i in 0..2 {
                let [first, second] = weights::<L>(token, two[i]);
                let [a, b] = two[i].matrices;
                for half in 0..2 {
                    let sum = first * L::load(token, a.column_pair(half), 0);
                    sums[i][half] = second.mul_add(L::load(token, b.column_pair(half), 0), sum);
                }
            }
        }
        while let Some(two) = own.next_two() {
            for i in 0..2 {
                let weights = weights::<L>(token, two[i]);
                for k in 0..2 {
                    for half in 0..2 {
                        let columns = L::load(token, two[i].matrices[k].column_pair(half), 0);
                        sums[i][half] = weights[k].mul_add(columns, sums[i][half]);
                    }
                }
            }
        }
        if let Some(one) = own.next() {
            for i in 0..2 {
                let weight = L::splat(token, one[i].1);
                for half in 0..2 {
                    let columns = L::load(token, one[i].0.column_pair(half), 0);
                    sums[i][half] = weight.mul_add(columns, sums[i][half]);
                }
            }
        }
    }
    let [c0, c1] = L::zip_quads(sums[0][0], sums[1][0]);
    let [c2, c3] = L::zip_quads(sums[0][1], sums[1][1]);
    [c0, c1, c2, c3]
}

/// The weights of two influences, each in every lane. One load for both: loads limit the loop.
#[inline(always)]
fn weights<L: Lanes>(token: L::Token, two: TwoInfluences<'_>) -> [L; 2] {
    let both = L::load_quads(token, |_| two.weights);
    [both.broadcast_lane::<1>(), both.broadcast_lane::<3>()]
}

/// Transforms the vectors of one register of vertices. The fourth component of each is the base's,
/// unless arrays are packed and have none.
#[inline(always)]
fn transform<L: Lanes, const PACKED: bool, const V: usize>(
    token: L::Token,
    columns: &[L; 4],
    base: &[VertexPair; V],
    step: usize,
) -> [L; V] {
    let mut vectors = [columns[3]; V];
    for v in 0..V {
        let own = L::load(token, &base[v].0, step);
        let x = own.broadcast_lane::<0>();
        let sum = if v == 0 { columns[0].mul_add(x, columns[3]) } else { columns[0] * x };
        let sum = columns[1].mul_add(own.broadcast_lane::<1>(), sum);
        let sum = columns[2].mul_add(own.broadcast_lane::<2>(), sum);
        vectors[v] = if PACKED { sum } else { sum.with_lane_3(own) };
    }
    vectors
}
