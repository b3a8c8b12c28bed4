//! Building the tree: triangles parted where rays have least to do (binned surface area heuristic).

use std::ops::Range;

use super::boxes::{Span, WIDTH};
use crate::Points;

/// Triangles of a leaf at most.
const LEAF: usize = 4;
const BINS: usize = 16;
/// From this depth on, ranges are halved, so that no mesh makes the tree deep.
const DEEP: usize = 24;
/// No tree is deeper: halving twice for each level, 2^32 triangles are parted by sixteen more.
pub(super) const DEEPEST: usize = DEEP + 17;

/// What the tree looks like, whatever its boxes are. Children come after their parents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(super) nodes: Vec<Node>,
    /// The number of each triangle, in the order of leaves.
    pub(super) order: Vec<u32>,
    /// The corners of each triangle, in that order.
    pub(super) corners: Vec<[u32; 3]>,
}

/// What is in the four boxes of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// A node, or the first triangle of a leaf.
    pub(super) first: [u32; WIDTH],
    /// The triangles of a leaf; zero for a node.
    pub(super) len: [u32; WIDTH],
    /// How many of the boxes are in use.
    pub(super) used: u32,
}

/// A triangle while the tree is built.
#[derive(Clone, Copy)]
struct Item {
    span: Span,
    centre: [f32; 3],
    number: u32,
}

/// Triangles that become a node.
struct Task {
    node: usize,
    range: Range<usize>,
    depth: usize,
}

impl Shape {
    /// For triangles whose corners are all among the points.
    pub(crate) fn new(points: Points<'_>, triangles: &[[u32; 3]]) -> Self {
        let mut items: Vec<Item> =
            triangles.iter().zip(0..).map(|(t, number)| Item::new(&points, t, number)).collect();
        let mut nodes = Vec::new();
        let mut tasks = Vec::new();
        if !items.is_empty() {
            nodes.push(Node::EMPTY);
            tasks.push(Task { node: 0, range: 0..items.len(), depth: 0 });
        }
        while let Some(Task { node, range, depth }) = tasks.pop() {
            for (lane, part) in parts(&mut items, range, depth).into_iter().flatten().enumerate() {
                nodes[node].used += 1;
                if part.len() <= LEAF {
                    nodes[node].first[lane] = part.start as u32;
                    nodes[node].len[lane] = part.len() as u32;
                } else {
                    nodes[node].first[lane] = nodes.len() as u32;
                    tasks.push(Task { node: nodes.len(), range: part, depth: depth + 1 });
                    nodes.push(Node::EMPTY);
                }
            }
        }
        let order: Vec<u32> = items.iter().map(|item| item.number).collect();
        let corners = order.iter().map(|&number| triangles[number as usize]).collect();
        Self { nodes, order, corners }
    }
}

impl Node {
    const EMPTY: Self = Self { first: [0; WIDTH], len: [0; WIDTH], used: 0 };
}

impl Item {
    fn new(points: &Points<'_>, triangle: &[u32; 3], number: u32) -> Self {
        let mut span = Span::EMPTY;
        for &corner in triangle {
            let [x, y, z] = points.point(corner as usize);
            span.add(&[x, y, z, 0.0]);
        }
        let centre = [0, 1, 2].map(|axis| 0.5 * span.low[axis] + 0.5 * span.high[axis]);
        // A triangle that is nowhere stands at the origin, and its box stays empty.
        Self { span, centre: centre.map(|x| if x.is_finite() { x } else { 0.0 }), number }
    }
}

/// Up to four ranges that a range is parted into, by parting the one with most surface again.
fn parts(items: &mut [Item], range: Range<usize>, depth: usize) -> [Option<Range<usize>>; WIDTH] {
    let mut parts = [const { None }; WIDTH];
    parts[0] = Some(range);
    for free in 1..WIDTH {
        let cost = |range: &Range<usize>| {
            let area = span_of(&items[range.clone()]).area();
            if depth < DEEP { area } else { range.len() as f32 }
        };
        let large = |(place, range): (usize, &Option<Range<usize>>)| {
            let range = range.as_ref().filter(|range| range.len() > LEAF)?;
            Some((place, cost(range)))
        };
        let open = parts.iter().enumerate().filter_map(large);
        let Some((place, _)) = open.reduce(|most, other| if other.1 > most.1 { other } else { most }) else {
            break;
        };
        let Some(range) = parts[place].take() else { break };
        let middle = range.start + part(&mut items[range.clone()], depth);
        parts[place] = Some(range.start..middle);
        parts[free] = Some(middle..range.end);
    }
    parts
}

/// Moves items so that those before the number that is given belong together, and the others; both are some.
fn part(items: &mut [Item], depth: usize) -> usize {
    let mut span = Span::EMPTY;
    for &Item { centre: [x, y, z], .. } in &*items {
        span.add(&[x, y, z, 0.0]);
    }
    let best = if depth < DEEP { cheapest(items, &span) } else { None };
    let Some((axis, bin)) = best else { return halved(items, &span) };
    let scale = scale_of(&span, axis);
    let mut middle = 0;
    for place in 0..items.len() {
        if bin_of(items[place].centre[axis], span.low[axis], scale) <= bin {
            items.swap(middle, place);
            middle += 1;
        }
    }
    middle
}

/// The axis and the last bin of the first part for which surface times triangles is least; `None` where no axis parts them.
fn cheapest(items: &[Item], centres: &Span) -> Option<(usize, usize)> {
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in 0..3 {
        let scale = scale_of(centres, axis);
        if scale == 0.0 {
            continue;
        }
        let mut bins = [(Span::EMPTY, 0_usize); BINS];
        for item in items {
            let (span, count) = &mut bins[bin_of(item.centre[axis], centres.low[axis], scale)];
            span.join(&item.span);
            *count += 1;
        }
        let mut behind = [0.0; BINS];
        let (mut span, mut count) = (Span::EMPTY, 0);
        for bin in (1..BINS).rev() {
            count += join(&mut span, &bins[bin]);
            behind[bin - 1] = span.area() * count as f32;
        }
        (span, count) = (Span::EMPTY, 0);
        for bin in 0..BINS - 1 {
            count += join(&mut span, &bins[bin]);
            let cost = span.area() * count as f32 + behind[bin];
            if count > 0 && count < items.len() && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, bin));
            }
        }
    }
    best.map(|(_, axis, bin)| (axis, bin))
}

/// Grows by a bin, and gives its count.
fn join(span: &mut Span, (other, count): &(Span, usize)) -> usize {
    span.join(other);
    *count
}

/// Bins for each unit along an axis; zero where there is nothing to part.
fn scale_of(span: &Span, axis: usize) -> f32 {
    let scale = BINS as f32 / (span.high[axis] - span.low[axis]);
    if scale.is_finite() { scale } else { 0.0 }
}

fn bin_of(centre: f32, low: f32, scale: f32) -> usize {
    (((centre - low) * scale) as usize).min(BINS - 1)
}

/// Half of the items on each side, along the longest axis.
fn halved(items: &mut [Item], span: &Span) -> usize {
    let length = |axis: usize| span.high[axis] - span.low[axis];
    let axis = (1..3).fold(0, |longest, axis| if length(axis) > length(longest) { axis } else { longest });
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.centre[axis].total_cmp(&b.centre[axis]).then(a.number.cmp(&b.number))
    });
    middle
}

fn span_of(items: &[Item]) -> Span {
    let mut span = Span::EMPTY;
    for item in items {
        span.join(&item.span);
    }
    span
}
