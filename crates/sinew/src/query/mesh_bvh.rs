//! A bounding volume hierarchy of a mesh's triangles, refitted when vertices move.

use std::sync::Arc;

use sinew_kernels::{BLOCK, VectorBlock};

use super::aabb4::{Aabb4, PaddedAabb};
use super::bvh_topology::BvhTopology;
use super::extent4::Extent4;
use crate::geometry::PositionView;
use crate::length::check_len;
use crate::mesh::MeshError;
use crate::mesh::{Mesh, check_triangle_count};
use crate::query::QueryError;
use crate::skinning::VertexOrder;

/// A BVH of a mesh's triangles at the current vertex positions, for ray casts and other geometry
/// queries.
///
/// It is built once in the rest pose, which takes much longer than a frame; clones share the
/// topology. [`refit`](Self::refit) updates it to new vertex positions. No result depends on the
/// topology. Rays are a little slower after a refit than after a rebuild: by about a third if the
/// pose distorts the mesh heavily. [`from_triangles`](Self::from_triangles) builds a BVH for a
/// given pose.
///
/// All queries ignore a triangle with a corner that is not finite until a refit makes it finite.
/// Rays hit a triangle without area only by rounding; all other queries include it.
#[derive(Clone, Debug)]
pub struct MeshBvh {
    pub(super) topology: Arc<BvhTopology>,
    /// One per node.
    pub(super) aabbs: Vec<Aabb4>,
    /// Vertex positions. If any coordinate is not finite, all coordinates of the vertex are NaN.
    pub(super) positions: Vec<[f32; 4]>,
}

impl MeshBvh {
    /// Builds the BVH of a mesh in the rest pose. Clones share the topology.
    #[must_use]
    pub fn build(mesh: &Mesh) -> Self {
        let positions = mesh.rest_positions();
        Self::from_topology(positions, Arc::new(BvhTopology::new(positions, mesh.triangles())))
    }

    /// As [`build`](Self::build), to be refitted to positions in an order: for programs that skin
    /// in source order. Hits are the same, up to the rounding of the positions.
    #[must_use]
    pub fn build_in(mesh: &Mesh, order: VertexOrder) -> Self {
        if order == VertexOrder::Run {
            return Self::build(mesh);
        }
        let positions = mesh.rest_in_source_order();
        let (positions, triangles) = (PositionView::Packed(&positions), mesh.triangles_in(order));
        Self::from_topology(positions, Arc::new(BvhTopology::new(positions, &triangles)))
    }

    /// Creates a BVH in the rest pose from a topology that was built before.
    pub(super) fn with_topology(mesh: &Mesh, topology: &Arc<BvhTopology>) -> Self {
        Self::from_topology(mesh.rest_positions(), Arc::clone(topology))
    }

    /// Builds the BVH of any triangles, which index `positions`.
    ///
    /// # Errors
    ///
    /// If a triangle index is out of range, or there are 2^32 triangles or more.
    pub fn from_triangles(positions: PositionView<'_>, triangles: &[[u32; 3]]) -> Result<Self, QueryError> {
        let len = positions.len();
        check_triangle_count(triangles.len())?;
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&corner| corner as usize >= len) {
                return Err(MeshError::TriangleOutOfRange { triangle, vertex, len }.into());
            }
        }
        Ok(Self::from_topology(positions, Arc::new(BvhTopology::new(positions, triangles))))
    }

    fn from_topology(positions: PositionView<'_>, topology: Arc<BvhTopology>) -> Self {
        let mut copied = vec![[0.0; 4]; positions.len()];
        copy_positions(positions, &mut copied);
        let mut bvh = Self { aabbs: vec![Aabb4::EMPTY; topology.nodes.len()], topology, positions: copied };
        bvh.refit_aabbs();
        bvh
    }

    /// The number of triangles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.topology.triangle_indices.len()
    }

    /// Whether there are no triangles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Updates the BVH to new vertex positions, in the same order as at construction: run order for
    /// a mesh, unless it was built [in another](Self::build_in).
    ///
    /// # Errors
    ///
    /// If the number of positions differs.
    pub fn refit(&mut self, positions: PositionView<'_>) -> Result<(), QueryError> {
        check_len("vertices of the BVH", self.positions.len(), positions.len())?;
        copy_positions(positions, &mut self.positions);
        self.refit_aabbs();
        Ok(())
    }

    /// Recomputes all AABBs from the vertex positions.
    pub(super) fn refit_aabbs(&mut self) {
        // Children come after their parents.
        for node in (0..self.aabbs.len()).rev() {
            self.aabbs[node] = self.node_aabbs(node);
        }
    }

    fn node_aabbs(&self, node: usize) -> Aabb4 {
        let source = &self.topology.nodes[node];
        let mut aabbs = Aabb4::EMPTY;
        for lane in 0..source.used as usize {
            let (first, len) = (source.first[lane] as usize, source.len[lane] as usize);
            let aabb = if len == 0 { self.aabbs[first].union() } else { self.leaf_aabb(first, len) };
            aabbs.set(lane, &aabb);
        }
        aabbs
    }

    /// Not inlined: where the fourth lane is known to be ignored, the compiler mixes minima and
    /// maxima in one register, and a refit takes 1.5 times as long.
    #[inline(never)]
    fn leaf_aabb(&self, first: usize, len: usize) -> PaddedAabb {
        let mut extent = Extent4::EMPTY;
        for corners in &self.topology.corners[first..first + len] {
            for &corner in corners {
                extent.add(&self.positions[corner as usize]);
            }
        }
        let [min, max] = extent.min_max();
        PaddedAabb { min, max }
    }

    /// The corners of a triangle; `slot` is its index in leaf order.
    #[inline]
    pub(super) fn leaf_triangle(&self, slot: usize) -> [[f32; 3]; 3] {
        self.leaf_corners(slot).map(|&[x, y, z, _]| [x, y, z])
    }

    /// The corners of a triangle where they are stored, each with a fourth component to ignore.
    #[inline(always)]
    pub(super) fn leaf_corners(&self, slot: usize) -> [&[f32; 4]; 3] {
        let [a, b, c] = self.topology.corners[slot];
        [&self.positions[a as usize], &self.positions[b as usize], &self.positions[c as usize]]
    }
}

/// Copies positions of any layout. A position that is not finite becomes NaN in all coordinates.
fn copy_positions(positions: PositionView<'_>, to: &mut [[f32; 4]]) {
    match positions {
        PositionView::Blocks { blocks, vectors } => {
            for (to, block) in
                to.as_chunks_mut::<BLOCK>().0.iter_mut().zip(blocks.iter().step_by(vectors.max(1)))
            {
                copy_block(block, to);
            }
        }
        PositionView::Packed(positions) => {
            for (to, &[x, y, z]) in to.iter_mut().zip(positions) {
                *to = nan_unless_finite(x, y, z);
            }
        }
        PositionView::Padded(positions) => {
            for (to, &[x, y, z, _]) in to.iter_mut().zip(positions) {
                *to = nan_unless_finite(x, y, z);
            }
        }
        PositionView::Strided(positions) => {
            for (to, &[x, y, z]) in to.iter_mut().zip(positions.iter()) {
                *to = nan_unless_finite(x, y, z);
            }
        }
    }
}

/// Copies a block of eight positions.
#[inline]
pub(super) fn copy_block(block: &VectorBlock, to: &mut [[f32; 4]; BLOCK]) {
    let [x, y, z] = &block.rows;
    for lane in 0..BLOCK {
        to[lane] = nan_unless_finite(x[lane], y[lane], z[lane]);
    }
}

/// The position, or all NaN if a coordinate is not finite: zero times a finite number is zero, and
/// NaN otherwise.
#[inline]
pub(super) fn nan_unless_finite(x: f32, y: f32, z: f32) -> [f32; 4] {
    let zero_or_nan = 0.0 * x + 0.0 * y + 0.0 * z;
    [x + zero_or_nan, y + zero_or_nan, z + zero_or_nan, zero_or_nan]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RINGS: u32 = 100;
    const SIDES: u32 = 40;

    /// A tube along x with length 2.
    fn tube() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let vertex = |ring: u32, side: u32| ring * SIDES + side % SIDES;
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for (ring, side) in (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
            let (sine, cosine) = (side as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
            positions.push([2.0 * ring as f32 / RINGS as f32, 0.1 * cosine, 0.1 * sine]);
            if ring > 0 {
                let [a, b] = [side, side + 1].map(|side| vertex(ring - 1, side));
                let [c, d] = [side, side + 1].map(|side| vertex(ring, side));
                triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        (positions, triangles)
    }

    /// The SAH cost: the mean number of boxes and triangles that a ray through the root meets.
    fn cost(bvh: &MeshBvh) -> f64 {
        let half_area = |low: [f32; 4], high: [f32; 4]| {
            let [x, y, z] = [0, 1, 2].map(|axis| f64::from(high[axis]) - f64::from(low[axis]));
            x * y + y * z + z * x
        };
        let mut sum = 0.0;
        for (node, aabbs) in bvh.topology.nodes.iter().zip(&bvh.aabbs) {
            for lane in 0..node.used as usize {
                let side = |bound: usize| {
                    std::array::from_fn(|axis| {
                        aabbs.min_max.get(axis).map_or(0.0, |min_max| min_max[bound][lane])
                    })
                };
                sum += half_area(side(0), side(1)) * f64::from(node.len[lane].max(1));
            }
        }
        let root = bvh.aabbs[0].union();
        sum / half_area(root.min, root.max)
    }

    #[test]
    fn a_refit_after_a_rotation_is_nearly_as_good_as_a_rebuild() {
        let (positions, triangles) = tube();
        let mut bvh =
            MeshBvh::from_triangles(PositionView::Packed(&positions), &triangles).expect("valid triangles");
        let (s, c) = 0.7_f32.sin_cos();
        let rotate_z = |[x, y, z]: [f32; 3]| [c * x - s * y, s * x + c * y, z];
        let rotate_y = |[x, y, z]: [f32; 3]| [c * x + s * z, y, c * z - s * x];
        let rotated: Vec<[f32; 3]> = positions.iter().map(|&position| rotate_y(rotate_z(position))).collect();
        bvh.refit(PositionView::Packed(&rotated)).expect("the same vertex count");
        let rebuilt =
            MeshBvh::from_triangles(PositionView::Packed(&rotated), &triangles).expect("valid triangles");
        let (refitted, rebuilt) = (cost(&bvh), cost(&rebuilt));
        assert!(
            refitted < 1.6 * rebuilt,
            "{refitted} boxes and triangles after the refit, {rebuilt} after a rebuild"
        );
    }
}
