//! A BVH that computes AABBs and skins vertices only where a ray passes.

use std::sync::Arc;

use super::aabb4::{Aabb4, PaddedAabb, WIDTH};
use super::affine_columns::AffineColumns;
use super::bvh_topology::BvhTopology;
use super::joint_aabbs::{BlockRange, JointAabbs, LazyNode};
use super::lazy_ray_cast::LazyRayCast;
use super::mesh_bvh::MeshBvh;
use super::vertex_source::{VertexSource, block_target};
use crate::bounds::{JointBounds, max, min};
use crate::length::check_len;
use crate::mesh::Mesh;
use crate::query::QueryError;
use crate::skinning::{Blending, Palette, SkinOptions};

/// A BVH for few rays per frame: a ray skins only the vertices near it.
///
/// The AABBs of the upper nodes come from the joints, so rays reject most of the mesh before it is
/// skinned. Vertices skinned for one ray are reused by later rays. Hits equal those of [`MeshBvh`]
/// bit for bit. Vertices that are skinned anyway are read instead: [`LazyRayCast::reading`].
///
/// Dual-quaternion blending, morph targets, and palettes with values that are not finite or exceed
/// 1e37 are not supported lazily: the first ray then skins the whole mesh.
#[derive(Clone, Debug)]
pub struct LazyBvh {
    pub(super) bvh: MeshBvh,
    pub(super) topology: Arc<LazyTopology>,
    /// One per upper node.
    cache: Vec<CachedNode>,
    /// The frame in which each block was last loaded.
    loaded_frames: Vec<u64>,
    matrices: Vec<AffineColumns>,
    pub(super) state: FrameState,
}

/// The immutable part, built once per mesh and shared by its lazy BVHs.
#[derive(Clone, Debug)]
pub(crate) struct LazyTopology {
    bvh: Arc<BvhTopology>,
    pub(super) joint_aabbs: JointAabbs,
    bounds: Arc<JointBounds>,
}

impl LazyTopology {
    pub(crate) fn build(mesh: &Mesh, bounds: Arc<JointBounds>) -> Self {
        let bvh = Arc::new(BvhTopology::new(mesh.rest_positions(), mesh.triangles()));
        Self { joint_aabbs: JointAabbs::new(mesh, &bvh), bvh, bounds }
    }
}

/// The cached state of an upper node.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct CachedNode {
    aabbs: Aabb4,
    /// The frame of the AABBs.
    frame: u64,
    /// Whether each cluster has been loaded in that frame.
    loaded: [bool; WIDTH],
}

/// The state of the current frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameState {
    /// Frame counter; the first frame is 1.
    frame: u64,
    /// Margin added on each side of AABBs; `None` if the whole mesh must be skinned.
    margin: Option<[f32; 4]>,
    /// Smallest and largest factor on vertex positions.
    scale: [f32; 2],
    /// Rays cast in this frame.
    pub(super) rays: usize,
    /// Whether all vertices are loaded and all AABBs of the BVH are refitted.
    pub(super) complete: bool,
}

impl LazyBvh {
    /// Builds the BVH of a mesh, which takes much longer than a frame. Clones share the topology.
    #[must_use]
    pub fn build(mesh: &Mesh) -> Self {
        let topology = LazyTopology::build(mesh, Arc::new(JointBounds::build_linear(mesh)));
        Self::with_topology(mesh, Arc::new(topology))
    }

    /// Allocates a lazy BVH for a topology that was built before.
    pub(crate) fn with_topology(mesh: &Mesh, topology: Arc<LazyTopology>) -> Self {
        let nodes = topology.joint_aabbs.nodes.len();
        Self {
            bvh: MeshBvh::with_topology(mesh, &topology.bvh),
            cache: vec![CachedNode { aabbs: Aabb4::EMPTY, frame: 0, loaded: [false; WIDTH] }; nodes],
            loaded_frames: vec![0; mesh.blocks()],
            matrices: vec![AffineColumns::default(); mesh.skin_len()],
            topology,
            state: FrameState::default(),
        }
    }

    /// Begins a frame in which the palette poses the mesh. Costs little more than reading the
    /// palette. The options for normals and tangents are ignored.
    ///
    /// # Errors
    ///
    /// If the mesh differs in size from the one this BVH was built for, and as [`Mesh::skin`].
    pub fn begin<'a>(
        &'a mut self,
        mesh: &'a Mesh,
        palette: &'a Palette,
        options: &SkinOptions<'a>,
    ) -> Result<LazyRayCast<'a>, QueryError> {
        self.check(mesh, palette, options)?;
        let (margin, scale) = self.topology.bounds.margin(palette)?;
        let is_supported = matches!(options.blending, Blending::Linear) && options.morphed.is_none();
        self.state = FrameState {
            frame: self.state.frame + 1,
            margin: margin.filter(|_| is_supported).map(|[x, y, z]| [x, y, z, 0.0]),
            scale,
            rays: 0,
            complete: false,
        };
        for (columns, matrix) in self.matrices.iter_mut().zip(palette.matrices()) {
            *columns = AffineColumns::from_matrix(matrix);
        }
        Ok(LazyRayCast { lazy: self, mesh, vertices: VertexSource::Skin { palette, options: *options } })
    }

    /// Continues the last frame. Pass the same mesh, palette and options: vertices that are already
    /// skinned are reused even if the palette has changed since.
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn resume<'a>(
        &'a mut self,
        mesh: &'a Mesh,
        palette: &'a Palette,
        options: &SkinOptions<'a>,
    ) -> Result<LazyRayCast<'a>, QueryError> {
        if self.state.frame == 0 {
            return self.begin(mesh, palette, options);
        }
        self.check(mesh, palette, options)?;
        Ok(LazyRayCast { lazy: self, mesh, vertices: VertexSource::Skin { palette, options: *options } })
    }

    /// Checks all that skinning requires, by skinning zero blocks.
    fn check(&self, mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> Result<(), QueryError> {
        check_len("vertices of the BVH", self.bvh.positions.len(), mesh.padded_len())?;
        check_len("triangles of the BVH", self.bvh.len(), mesh.triangles().len())?;
        check_len("joints of the BVH", self.matrices.len(), mesh.skin_len())?;
        Ok(mesh.skin_into(palette, options, block_target(0..0, &mut []))?)
    }

    /// Whether joints give the AABBs of this frame.
    pub(super) fn is_lazy(&self) -> bool {
        self.state.margin.is_some()
    }

    /// The AABBs of an upper node, recomputed if they are from an older frame. `first_aabb` is the
    /// node's first joint AABB.
    #[inline]
    pub(super) fn node_aabbs(&mut self, index: usize, first_aabb: u32) -> &Aabb4 {
        let Self { cache, topology, matrices, state, .. } = self;
        let joint_aabbs = &topology.joint_aabbs;
        let cached = &mut cache[index];
        if cached.frame != state.frame {
            (cached.frame, cached.loaded) = (state.frame, [false; WIDTH]);
            let (node, mut start) = (&joint_aabbs.nodes[index], first_aabb as usize);
            for lane in 0..usize::from(node.used) {
                let end = node.aabb_ends[lane] as usize;
                cached.aabbs.set(lane, &state.expand(joint_aabbs.posed_aabb(start..end, matrices)));
                start = end;
            }
        }
        &cached.aabbs
    }

    /// Loads the vertices of a cluster unless that is done. The node's AABBs must be of this frame.
    #[inline]
    pub(super) fn load_cluster(
        &mut self,
        (index, lane): (usize, usize),
        node: &LazyNode,
        mesh: &Mesh,
        vertices: &VertexSource<'_>,
    ) {
        let now = self.state.frame;
        if std::mem::replace(&mut self.cache[index].loaded[lane], true) {
            return;
        }
        for &BlockRange { first, len } in self.topology.joint_aabbs.block_ranges(node, lane) {
            let blocks = first as usize..(first + len) as usize;
            let loaded = &mut self.loaded_frames[blocks.clone()];
            if loaded.iter().any(|&block| block != now) {
                loaded.fill(now);
                vertices.load(mesh, blocks, &mut self.bvh.positions);
            }
        }
    }

    /// Loads all vertices and refits the whole BVH.
    pub(super) fn complete(&mut self, mesh: &Mesh, vertices: &VertexSource<'_>) {
        if !self.state.complete {
            vertices.load(mesh, 0..self.loaded_frames.len(), &mut self.bvh.positions);
            self.bvh.refit_aabbs();
            self.state.complete = true;
        }
    }
}

impl FrameState {
    /// Expands an AABB for rounding errors and for weights that do not sum to one.
    #[inline]
    fn expand(&self, mut aabb: PaddedAabb) -> PaddedAabb {
        let margin = self.margin.unwrap_or_default();
        let [min_scale, max_scale] = self.scale;
        for (row, margin) in margin.into_iter().enumerate() {
            let (low, high) = (aabb.min[row], aabb.max[row]);
            aabb.min[row] = min(low * min_scale, low * max_scale) - margin;
            aabb.max[row] = max(high * min_scale, high * max_scale) + margin;
        }
        aabb
    }
}
