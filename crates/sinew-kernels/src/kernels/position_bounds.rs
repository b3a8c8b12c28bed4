//! The exact AABB of positions in a vertex buffer, read again after they were skinned into it.

use crate::lanes::Lanes;
use crate::{Aabb, BLOCK, StridedPositions};

/// Extends an AABB to contain positions.
#[derive(Debug)]
pub struct PositionBounds<'a> {
    /// The positions.
    pub positions: StridedPositions<'a>,
    /// Extended to contain the positions. A NaN coordinate is ignored.
    pub bounds: &'a mut Aabb,
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut PositionBounds<'_>) {
    let PositionBounds { positions, bounds } = contract;
    let done = match positions.packed_blocks() {
        Some(blocks) => extend_by_blocks::<L>(token, blocks, bounds),
        None => extend_by_quads::<L>(token, *positions, bounds),
    };
    for vertex in done..positions.len() {
        if let Some(&position) = positions.get(vertex) {
            extend(bounds, position, position);
        }
    }
}

/// Extends an AABB by positions without gaps. Returns their number.
#[inline(always)]
fn extend_by_blocks<L: Lanes>(token: L::Token, blocks: &[[f32; 3 * BLOCK]], bounds: &mut Aabb) -> usize {
    // Float `i` of every block, so that each lane has one axis.
    let (mut low, mut high) = ([[0.0; BLOCK]; 3], [[0.0; BLOCK]; 3]);
    for group in 0..L::GROUPS {
        let mut lowest = [L::splat(token, f32::INFINITY); 3];
        let mut highest = [L::splat(token, f32::NEG_INFINITY); 3];
        for block in blocks {
            let (rows, _) = block.as_chunks::<BLOCK>();
            for r in 0..3 {
                let x = L::load(token, &rows[r], group);
                lowest[r] = x.min(lowest[r]);
                highest[r] = x.max(highest[r]);
            }
        }
        for r in 0..3 {
            lowest[r].store(&mut low[r], group);
            highest[r].store(&mut high[r], group);
        }
    }
    for i in 0..BLOCK {
        let of_vertex = |floats: &[[f32; BLOCK]; 3], axis: usize| {
            let i = 3 * i + axis;
            floats[i / BLOCK % 3][i % BLOCK]
        };
        let of_vertex =
            |floats: &[[f32; BLOCK]; 3]| [of_vertex(floats, 0), of_vertex(floats, 1), of_vertex(floats, 2)];
        extend(bounds, of_vertex(&low), of_vertex(&high));
    }
    BLOCK * blocks.len()
}

/// Extends an AABB by positions, loaded with the float behind them, whatever it is: the last lane
/// is never looked at. Returns their number: some at the end are left.
#[inline(always)]
fn extend_by_quads<L: Lanes>(token: L::Token, positions: StridedPositions<'_>, bounds: &mut Aabb) -> usize {
    // Two of each, since a minimum waits for the one before.
    let mut lowest = [L::splat(token, f32::INFINITY); 2];
    let mut highest = [L::splat(token, f32::NEG_INFINITY); 2];
    let mut quads = positions.quads();
    let all = quads.len();
    while let Some(four) = quads.next_four() {
        for register in 0..4 / L::QUADS {
            let x = L::load_quads(token, |quad| four[(register * L::QUADS + quad) % 4]);
            lowest[register % 2] = x.min(lowest[register % 2]);
            highest[register % 2] = x.max(highest[register % 2]);
        }
    }
    for i in 0..2 {
        for quad in 0..L::QUADS {
            let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
            lowest[i].store_quad(quad, &mut low);
            highest[i].store_quad(quad, &mut high);
            extend(bounds, [low[0], low[1], low[2]], [high[0], high[1], high[2]]);
        }
    }
    all - quads.len()
}

/// Extends an AABB to contain another. Adding zero turns -0.0 into 0.0, so that the result does not
/// depend on the order of vertices.
#[inline(always)]
fn extend(bounds: &mut Aabb, low: [f32; 3], high: [f32; 3]) {
    for axis in 0..3 {
        let (low, high) = (low[axis] + 0.0, high[axis] + 0.0);
        bounds.min[axis] = if low < bounds.min[axis] { low } else { bounds.min[axis] };
        bounds.max[axis] = if high > bounds.max[axis] { high } else { bounds.max[axis] };
    }
}
