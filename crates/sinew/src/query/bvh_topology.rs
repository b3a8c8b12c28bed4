//! BVH construction by the binned surface area heuristic (SAH).

use std::ops::Range;

use super::aabb4::{PaddedAabb, WIDTH};
use crate::geometry::PositionView;

/// Largest number of triangles in a leaf.
pub(super) const MAX_LEAF_TRIANGLES: usize = 4;
const BINS: usize = 16;
/// From this depth on, ranges are split at the median, which bounds the depth for any mesh.
const SAH_DEPTH: usize = 24;
/// Largest depth: every level splits twice, so 16 more levels separate 2^32 triangles.
pub(super) const MAX_DEPTH: usize = SAH_DEPTH + 17;

/// The nodes and leaves of a BVH, without AABBs. Children come after their parents.
#[derive(Clone, Debug, Default)]
pub(crate) struct BvhTopology {
    pub(super) nodes: Vec<Node>,
    /// Index of each triangle in the mesh, in leaf order.
    pub(super) triangle_indices: Vec<u32>,
    /// Vertex indices of each triangle, in leaf order.
    pub(super) corners: Vec<[u32; 3]>,
}

/// The four children of a wide node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Index of the child node, or first triangle of the leaf in leaf order.
    pub(super) first: [u32; WIDTH],
    /// Number of triangles in the leaf; zero if the child is a node.
    pub(super) len: [u32; WIDTH],
    /// Number of children.
    pub(super) used: u32,
}

/// A triangle during construction.
#[derive(Clone, Copy)]
struct Item {
    aabb: PaddedAabb,
    centroid: [f32; 3],
    triangle: u32,
}

/// A range of triangles that becomes a node.
struct Task {
    node: usize,
    range: Range<usize>,
    depth: usize,
}

impl BvhTopology {
    /// Builds the topology. All triangle indices must be in range.
    pub(crate) fn new(positions: PositionView<'_>, triangles: &[[u32; 3]]) -> Self {
        let mut items: Vec<Item> = triangles
            .iter()
            .zip(0..)
            .map(|(corners, triangle)| Item::new(&positions, corners, triangle))
            .collect();
        let mut nodes = Vec::new();
        let mut tasks = Vec::new();
        if !items.is_empty() {
            nodes.push(Node::EMPTY);
            tasks.push(Task { node: 0, range: 0..items.len(), depth: 0 });
        }
        while let Some(Task { node, range, depth }) = tasks.pop() {
            for (lane, part) in split_range(&mut items, range, depth).into_iter().flatten().enumerate() {
                nodes[node].used += 1;
                if part.len() <= MAX_LEAF_TRIANGLES {
                    nodes[node].first[lane] = part.start as u32;
                    nodes[node].len[lane] = part.len() as u32;
                } else {
                    nodes[node].first[lane] = nodes.len() as u32;
                    tasks.push(Task { node: nodes.len(), range: part, depth: depth + 1 });
                    nodes.push(Node::EMPTY);
                }
            }
        }
        let triangle_indices: Vec<u32> = items.iter().map(|item| item.triangle).collect();
        let corners = triangle_indices.iter().map(|&triangle| triangles[triangle as usize]).collect();
        Self { nodes, triangle_indices, corners }
    }
}

impl Node {
    const EMPTY: Self = Self { first: [0; WIDTH], len: [0; WIDTH], used: 0 };
}

impl Item {
    fn new(positions: &PositionView<'_>, corners: &[u32; 3], triangle: u32) -> Self {
        let mut aabb = PaddedAabb::EMPTY;
        for &corner in corners {
            let [x, y, z] = positions.position(corner as usize);
            aabb.add_point(&[x, y, z, 0.0]);
        }
        let centroid = [0, 1, 2].map(|axis| 0.5 * aabb.min[axis] + 0.5 * aabb.max[axis]);
        // A triangle without a finite centroid is placed at the origin, and its AABB stays empty.
        Self { aabb, centroid: centroid.map(|x| if x.is_finite() { x } else { 0.0 }), triangle }
    }
}

/// Splits a range into up to four, by splitting the range with the largest surface area again.
fn split_range(items: &mut [Item], range: Range<usize>, depth: usize) -> [Option<Range<usize>>; WIDTH] {
    let mut parts = [const { None }; WIDTH];
    parts[0] = Some(range);
    for new in 1..WIDTH {
        let cost = |range: &Range<usize>| {
            let area = items_aabb(&items[range.clone()]).half_area();
            if depth < SAH_DEPTH { area } else { range.len() as f32 }
        };
        let large = |(index, range): (usize, &Option<Range<usize>>)| {
            let range = range.as_ref().filter(|range| range.len() > MAX_LEAF_TRIANGLES)?;
            Some((index, cost(range)))
        };
        let open = parts.iter().enumerate().filter_map(large);
        let Some((index, _)) = open.reduce(|most, other| if other.1 > most.1 { other } else { most }) else {
            break;
        };
        let Some(range) = parts[index].take() else { break };
        let middle = range.start + split(&mut items[range.clone()], depth);
        parts[index] = Some(range.start..middle);
        parts[new] = Some(middle..range.end);
    }
    parts
}

/// Partitions the items in two and returns the length of the first part. Neither part is empty.
fn split(items: &mut [Item], depth: usize) -> usize {
    let mut aabb = PaddedAabb::EMPTY;
    for &Item { centroid: [x, y, z], .. } in &*items {
        aabb.add_point(&[x, y, z, 0.0]);
    }
    let best = if depth < SAH_DEPTH { best_sah_split(items, &aabb) } else { None };
    let Some((axis, bin)) = best else { return split_at_median(items, &aabb) };
    let scale = bins_per_unit(&aabb, axis);
    let mut middle = 0;
    for index in 0..items.len() {
        if bin_index(items[index].centroid[axis], aabb.min[axis], scale) <= bin {
            items.swap(middle, index);
            middle += 1;
        }
    }
    middle
}

/// The axis, and the last bin of the left part, with the lowest cost: the sum over both parts of
/// surface area times triangle count. `None` if no axis separates the items.
fn best_sah_split(items: &[Item], centroids: &PaddedAabb) -> Option<(usize, usize)> {
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in 0..3 {
        let scale = bins_per_unit(centroids, axis);
        if scale == 0.0 {
            continue;
        }
        let mut bins = [(PaddedAabb::EMPTY, 0_usize); BINS];
        for item in items {
            let (aabb, count) = &mut bins[bin_index(item.centroid[axis], centroids.min[axis], scale)];
            aabb.merge(&item.aabb);
            *count += 1;
        }
        let mut right_costs = [0.0; BINS];
        let (mut aabb, mut count) = (PaddedAabb::EMPTY, 0);
        for bin in (1..BINS).rev() {
            count += add_bin(&mut aabb, &bins[bin]);
            right_costs[bin - 1] = aabb.half_area() * count as f32;
        }
        (aabb, count) = (PaddedAabb::EMPTY, 0);
        for bin in 0..BINS - 1 {
            count += add_bin(&mut aabb, &bins[bin]);
            let cost = aabb.half_area() * count as f32 + right_costs[bin];
            if count > 0 && count < items.len() && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, bin));
            }
        }
    }
    best.map(|(_, axis, bin)| (axis, bin))
}

/// Merges a bin into an AABB and returns the bin's triangle count.
fn add_bin(aabb: &mut PaddedAabb, (other, count): &(PaddedAabb, usize)) -> usize {
    aabb.merge(other);
    *count
}

/// Bins per unit length along an axis; zero if the centroids have no extent there.
fn bins_per_unit(aabb: &PaddedAabb, axis: usize) -> f32 {
    let scale = BINS as f32 / (aabb.max[axis] - aabb.min[axis]);
    if scale.is_finite() { scale } else { 0.0 }
}

fn bin_index(centroid: f32, min: f32, scale: f32) -> usize {
    (((centroid - min) * scale) as usize).min(BINS - 1)
}

/// Partitions the items at the median of the longest axis.
fn split_at_median(items: &mut [Item], aabb: &PaddedAabb) -> usize {
    let length = |axis: usize| aabb.max[axis] - aabb.min[axis];
    let axis = (1..3).fold(0, |longest, axis| if length(axis) > length(longest) { axis } else { longest });
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.centroid[axis].total_cmp(&b.centroid[axis]).then(a.triangle.cmp(&b.triangle))
    });
    middle
}

fn items_aabb(items: &[Item]) -> PaddedAabb {
    let mut aabb = PaddedAabb::EMPTY;
    for item in items {
        aabb.merge(&item.aabb);
    }
    aabb
}
