//! Skins a window of a mesh into a target: chooses the way that fits layout, order and options.

use std::ops::Range;

use sinew_kernels::{
    Aabb, BLOCK, BitangentSource, BlockBounds, DirectionLength, LayoutOutput, MAX_UNIQUE_POSITIONS,
    NON_TEMPORAL_STORES, NormalTransform, PositionBounds, RunGroup, Segments, SkinIntoLayout, SkinSource,
    StoreOutput, StoreVertices, VectorBlock, VertexWriter,
};

use super::skin_groups::SkinContext;
use crate::mesh::layout::{Groups, SharedJointsGroup, UniquePositions, runs_in_window};
use crate::mesh::{LevelIndex, Mesh, VertexOrder};
use crate::skinning::target::{Target, slice_output, whole_output};
use crate::skinning::{SkinOptions, VertexOutput};

/// The number of blocks per tile that is skinned before it is stored in another layout, or before
/// its bounds are taken. A tile of three vectors and its output fit into the L1 cache.
const TILE: usize = 64;
/// The number of blocks per tile for non-temporal stores, where every tile ends with a store fence.
const LARGE_TILE: usize = 256;
/// The number of blocks that are stored in vertex buffers before their positions are read again for
/// bounds. Positions alone are skinned in windows of this length, and smaller parts are more calls.
const BOUNDED_PART: usize = MAX_UNIQUE_POSITIONS / BLOCK;
/// The most groups of runs that are stored directly: one for each number of joints.
const MAX_GROUPS: usize = 16;

/// What is skinned directly into vertex buffers.
#[derive(Clone, Copy)]
enum DirectSource<'a> {
    Positions(&'a UniquePositions),
    Segments(&'a Segments),
    Runs,
}

/// A window of a mesh, and how it is skinned.
///
/// What small meshes need is inlined up to the kernel, and what is not takes a copy: behind a
/// reference the job would be in memory, and loads that join what was just stored in pieces wait
/// for the stores, 40 cycles of the 130 that eight vertices take.
#[derive(Clone)]
pub(super) struct SkinJob<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) level: LevelIndex,
    pub(super) context: SkinContext<'a>,
    pub(super) options: &'a SkinOptions<'a>,
    pub(super) window: Range<usize>,
}

impl<'a> SkinJob<'a> {
    #[inline(always)]
    pub(super) fn run(self, target: &mut Target<'_>) {
        if let Some(positions) = self.unique_positions(target) {
            return self.skin_unique_positions(positions, target);
        }
        let in_run_order = target.order == VertexOrder::Run;
        // Asking for the segments of a level may build them.
        let wanted = !in_run_order || self.is_direct_in_source_order(target);
        let segments = if wanted { self.segments() } else { None };
        match segments.filter(|segments| self.segments_pay(segments)) {
            Some(segments) => self.skin_segments(segments, target),
            _ if in_run_order => self.skin_runs(target),
            _ if self.can_skin_source_groups() => self.skin_source_groups(target),
            _ => self.scatter(target),
        }
    }

    /// The groups of run order.
    #[inline(always)]
    fn groups(&self) -> &'a Groups {
        self.mesh.layout.groups(self.level)
    }

    /// Whether the output is in run order, which is source order, at rest and with all influences,
    /// and segments are stored in it directly. Blocks take as long by joints of each vertex, and on
    /// SSE2 less.
    #[inline(always)]
    fn is_direct_in_source_order(&self, target: &Target<'_>) -> bool {
        let direct = match &target.output {
            VertexOutput::Buffers(writer) => self.stores_directly(writer, target.bounds.is_some()),
            _ => false,
        };
        let at_rest = self.level.is_none() && self.options.morphed.is_none();
        direct && at_rest && self.mesh.layout.is_in_source_order() && self.is_plain(target)
    }

    /// Whether vertices are stored straight from registers, if they need nothing after blending.
    /// Not where bounds are wanted of positions that are stored as smaller numbers.
    #[inline(always)]
    fn stores_directly(&self, writer: &VertexWriter<'_>, bounded: bool) -> bool {
        self.context.kernels.stores_directly(writer) && !(bounded && writer.positions().is_none())
    }

    /// Whether segments take less time than groups that need not be built first. With thousands of
    /// joints, converting matrices to columns takes longer than all the rest.
    #[inline(always)]
    fn segments_pay(&self, segments: &Segments) -> bool {
        let converted = segments.column_matrices();
        !self.mesh.layout.is_in_source_order() || converted <= BLOCK * segments.column_blocks()
    }

    /// Whether bitangents are computed from normals and tangents.
    #[inline(always)]
    fn bitangents(&self, target: &Target<'_>) -> BitangentSource {
        if target.attributes().vectors() > self.context.vectors {
            BitangentSource::FromSigns(self.context.directions)
        } else {
            BitangentSource::AsSkinned
        }
    }

    /// Whether vertices need nothing after blending. Bounds are taken from what was stored.
    #[inline(always)]
    fn is_plain(&self, target: &Target<'_>) -> bool {
        let SkinContext { directions, normals, vectors, .. } = self.context;
        let unmodified =
            directions == DirectionLength::AsBlended && normals == NormalTransform::BlendedMatrix;
        (unmodified || vectors == 1)
            && self.context.dual_quaternions.is_none()
            && self.bitangents(target) == BitangentSource::AsSkinned
    }

    /// The mesh in source order, if it can be skinned from there: by linear blending without
    /// normals by cofactors, at rest, or with all influences morphed in source order.
    #[inline(always)]
    fn segments(&self) -> Option<&'a Segments> {
        let SkinContext { normals, vectors, .. } = self.context;
        let blended = vectors == 1 || normals == NormalTransform::BlendedMatrix;
        let linear = self.context.dual_quaternions.is_none();
        if !(blended && linear && vectors <= 3) {
            return None;
        }
        match (self.options.morphed, self.level) {
            (None, level) => self.mesh.source_segments(level),
            (Some(morphed), None) => morphed.segments(),
            (Some(_), Some(_)) => None,
        }
    }

    /// Whether source order has groups for it: not of joint-space influences, not for vertices that
    /// were morphed in run order, and not for dual quaternions. Those take longer by joints of each
    /// vertex than the scatter does: 27 against 22 cycles for a vertex on AVX2, 40 against 31 on
    /// SSE2.
    #[inline(always)]
    fn can_skin_source_groups(&self) -> bool {
        let morphed_in_runs = self.options.morphed.is_some_and(|morphed| morphed.order() == VertexOrder::Run);
        let by_dual_quaternions = self.context.dual_quaternions.is_some();
        !self.mesh.has_joint_space_influences() && !morphed_in_runs && !by_dual_quaternions
    }

    /// The positions to skin instead of segments, if nothing else goes into source order and they
    /// cost less.
    #[inline(always)]
    fn unique_positions(&self, target: &Target<'_>) -> Option<&'a UniquePositions> {
        let VertexOutput::Buffers(writer) = &target.output else { return None };
        let wanted = self.context.vectors == 1
            && target.order == VertexOrder::Source
            && self.options.morphed.is_none()
            && self.is_plain(target)
            && self.stores_directly(writer, target.bounds.is_some());
        if wanted { self.mesh.unique_positions(self.level) } else { None }
    }

    /// Skins positions that are not repeated into source order.
    #[inline(never)]
    fn skin_unique_positions(self, positions: &UniquePositions, target: &mut Target<'_>) {
        let SkinContext { kernels, palette, .. } = self.context;
        let VertexOutput::Buffers(writer) = &mut target.output else { return };
        match &mut target.bounds {
            None => positions.skin(kernels, palette, &self.window, writer.reborrow()),
            Some(bounds) => self.skin_bounded_parts(DirectSource::Positions(positions), writer, bounds),
        }
    }

    /// Skins segments in source order.
    #[inline(always)]
    fn skin_segments(self, segments: &Segments, target: &mut Target<'_>) {
        let plain = self.is_plain(target);
        let Target { output, bounds, .. } = target;
        match output {
            VertexOutput::Buffers(writer) if plain && self.stores_directly(writer, bounds.is_some()) => {
                match bounds {
                    None => {
                        let output = LayoutOutput::Buffers(writer.reborrow());
                        self.skin_segments_into(segments, &self.window, output);
                    }
                    Some(bounds) => {
                        self.skin_bounded_parts(DirectSource::Segments(segments), writer, bounds);
                    }
                }
            }
            _ => self.skin_segments_in_tiles(segments, target),
        }
    }

    /// Skins part after part directly into vertex buffers, and extends bounds to contain the
    /// positions, read again from a near cache.
    #[inline(never)]
    fn skin_bounded_parts(&self, source: DirectSource<'_>, writer: &mut VertexWriter<'_>, bounds: &mut Aabb) {
        let SkinContext { kernels, palette, .. } = self.context;
        let Range { mut start, end } = self.window;
        while start < end {
            let window = start..end.min((start / BOUNDED_PART + 1) * BOUNDED_PART);
            start = window.end;
            let slots = |block: usize| BLOCK * (block - self.window.start);
            let mut part = writer.slice(slots(window.start)..slots(window.end));
            let output = part.reborrow();
            match source {
                DirectSource::Positions(positions) => positions.skin(kernels, palette, &window, output),
                DirectSource::Segments(segments) => {
                    self.skin_segments_into(segments, &window, LayoutOutput::Buffers(output));
                }
                DirectSource::Runs => {
                    Self { window, ..self.clone() }.skin_runs_into(LayoutOutput::Buffers(output));
                }
            }
            if let Some(positions) = part.positions() {
                kernels.position_bounds(PositionBounds { positions, bounds });
            }
        }
    }

    /// Skins segments directly into the output.
    #[inline(always)]
    fn skin_segments_into(&self, segments: &Segments, window: &Range<usize>, output: LayoutOutput<'_>) {
        self.context.kernels.skin_into_layout(SkinIntoLayout {
            palette: self.context.palette,
            source: SkinSource::Segments(segments),
            window: window.clone(),
            vectors: self.context.vectors,
            signs: self.mesh.source_signs(),
            output,
        });
    }

    /// Skins segments into tiles, and stores each tile. Like all that has a tile on the stack, not
    /// inlined: a large stack frame is touched page by page, also where the tile is not used.
    #[inline(never)]
    fn skin_segments_in_tiles(self, segments: &Segments, target: &mut Target<'_>) {
        let mut tile = [VectorBlock::default(); 3 * TILE];
        let mut to = TileStore::new(target, self.bitangents(target));
        for tile_window in tiles(&self.window, TILE) {
            let skinned = &mut tile[..tile_window.len() * self.context.vectors];
            self.skin_segments_into(segments, &tile_window, LayoutOutput::Blocks(skinned));
            self.store(skinned, &tile_window, &mut to, Stored::Segments);
        }
    }

    /// Skins groups over the blocks of source order.
    #[inline(never)]
    fn skin_source_groups(self, target: &mut Target<'_>) {
        let mut context = self.context;
        if self.options.morphed.is_none() {
            context.base = self.mesh.source_base();
        }
        let groups = self.mesh.source_groups(self.level);
        let mut tile = [VectorBlock::default(); 3 * TILE];
        let mut to = TileStore::new(target, self.bitangents(target));
        for tile_window in tiles(&self.window, 3 * TILE / context.vectors) {
            let skinned = &mut tile[..tile_window.len() * context.vectors];
            groups.skin(&context, &tile_window, skinned);
            self.store(skinned, &tile_window, &mut to, Stored::SourceGroups);
        }
    }

    /// Skins runs in run order.
    #[inline(always)]
    fn skin_runs(self, target: &mut Target<'_>) {
        let plain = self.is_plain(target);
        let bitangents = self.bitangents(target);
        match (&mut target.output, &mut target.bounds) {
            (VertexOutput::Blocks(output), None) if bitangents == BitangentSource::AsSkinned => {
                // Copies, as above.
                let (context, window) = (self.context, self.window);
                return self.mesh.layout.groups(self.level).skin(&context, &window, output);
            }
            (VertexOutput::Blocks(output), Some(bounds)) if bitangents == BitangentSource::AsSkinned => {
                return self.skin_bounded_blocks(output, bounds);
            }
            // The runs of a level are not in the order of their blocks, as vectors that touch the
            // next vertex need them.
            (VertexOutput::Buffers(writer), bounds)
                if plain
                    && self.shares_joints()
                    && self.stores_directly(writer, bounds.is_some())
                    && (self.level.is_none()
                        || writer.is_packed() && self.context.kernels.packs_in_any_order()
                        || writer.is_direct_format()) =>
            {
                return match bounds {
                    None => self.skin_runs_into(LayoutOutput::Buffers(writer.reborrow())),
                    Some(bounds) => self.skin_bounded_parts(DirectSource::Runs, writer, bounds),
                };
            }
            (VertexOutput::NonTemporalBlocks(blocks), None)
                if NON_TEMPORAL_STORES && plain && self.shares_joints() =>
            {
                return self.skin_runs_into(LayoutOutput::NonTemporalBlocks(blocks));
            }
            _ => {}
        }
        match target.output {
            VertexOutput::NonTemporalBlocks(_) if NON_TEMPORAL_STORES && self.window.len() > LARGE_TILE => {
                self.skin_in_tiles::<{ 3 * LARGE_TILE }>(target);
            }
            _ => self.skin_in_tiles::<{ 3 * TILE }>(target),
        }
    }

    /// Skins runs into blocks, and extends bounds to contain them.
    #[inline(never)]
    fn skin_bounded_blocks(self, output: &mut [VectorBlock], bounds: &mut Aabb) {
        let vectors = self.context.vectors;
        // The positions are read again from a near cache. Small tiles would be many calls.
        for tile_window in tiles(&self.window, LARGE_TILE) {
            let first = tile_window.start - self.window.start;
            let blocks = &mut output[first * vectors..(first + tile_window.len()) * vectors];
            self.groups().skin(&self.context, &tile_window, blocks);
            self.context.kernels.block_bounds(BlockBounds { blocks, vectors, bounds });
        }
    }

    /// Whether runs can be skinned directly into the output.
    #[inline(always)]
    fn shares_joints(&self) -> bool {
        let Groups::SharedJoints(groups) = self.groups() else { return false };
        groups.len() <= MAX_GROUPS && self.context.vectors <= 3
    }

    /// Skins runs that share joints directly into the output.
    #[inline(never)]
    fn skin_runs_into(&self, output: LayoutOutput<'_>) {
        match self.groups() {
            // Fewer to initialize, which tiny meshes notice. Static ones have one.
            Groups::SharedJoints(groups) if groups.len() == 1 => self.skin_run_groups::<1>(groups, output),
            Groups::SharedJoints(groups) if groups.len() <= 4 => self.skin_run_groups::<4>(groups, output),
            Groups::SharedJoints(groups) => self.skin_run_groups::<MAX_GROUPS>(groups, output),
            _ => {}
        }
    }

    /// Skins at most `N` groups.
    #[inline(always)]
    fn skin_run_groups<const N: usize>(&self, groups: &[SharedJointsGroup], output: LayoutOutput<'_>) {
        let mut run_groups = [RunGroup::default(); N];
        let Some(run_groups) = run_groups.get_mut(..groups.len()) else { return };
        for (group, to) in groups.iter().zip(run_groups.iter_mut()) {
            let range = if self.window == (0..self.mesh.blocks()) {
                0..group.runs.len()
            } else {
                runs_in_window(&group.runs, &self.window)
            };
            *to = RunGroup {
                influences: group.influences,
                joints: &group.joints[group.influences * range.start..group.influences * range.end],
                runs: &group.runs[range],
                weights: &group.weights,
            };
        }
        let SkinContext { base, base_vectors, .. } = self.context;
        self.context.kernels.skin_into_layout(SkinIntoLayout {
            palette: self.context.palette,
            source: SkinSource::Runs { groups: run_groups, base, base_vectors },
            window: self.window.clone(),
            vectors: self.context.vectors,
            signs: &self.mesh.signs,
            output,
        });
    }

    /// Skins a few blocks at a time into a tile of `N` vectors, and stores each tile.
    #[inline(never)]
    fn skin_in_tiles<const N: usize>(self, target: &mut Target<'_>) {
        let mut tile = [VectorBlock::default(); N];
        let mut to = TileStore::new(target, self.bitangents(target));
        for tile_window in tiles(&self.window, N / self.context.vectors) {
            let skinned = &mut tile[..tile_window.len() * self.context.vectors];
            self.groups().skin(&self.context, &tile_window, skinned);
            self.store(skinned, &tile_window, &mut to, Stored::Runs);
        }
    }

    /// Skins all runs and stores the vertices that are in the window, one by one, in source order.
    #[inline(never)]
    fn scatter(self, target: &mut Target<'_>) {
        let mut tile = [VectorBlock::default(); 3 * TILE];
        let mut bounds = target.bounds.take();
        let mut to = TileStore::new(target, self.bitangents(target));
        for tile_window in tiles(&(0..self.mesh.blocks()), 3 * TILE / self.context.vectors) {
            let skinned = &mut tile[..tile_window.len() * self.context.vectors];
            self.groups().skin(&self.context, &tile_window, skinned);
            self.store(skinned, &tile_window, &mut to, Stored::Scattered);
            if let Some(bounds) = &mut bounds {
                self.add_bounds(skinned, &tile_window, bounds);
            }
        }
    }

    /// Extends bounds to contain the vertices of a tile of run order that are in the window.
    fn add_bounds(&self, blocks: &[VectorBlock], tile: &Range<usize>, bounds: &mut Aabb) {
        let window = BLOCK * self.window.start..BLOCK * self.window.end;
        let vertices = &self.mesh.inverse_remap()[BLOCK * tile.start..BLOCK * tile.end];
        for (slot, &vertex) in vertices.iter().enumerate() {
            if window.contains(&(vertex as usize)) {
                let position = blocks[slot / BLOCK * self.context.vectors].vector(slot % BLOCK);
                *bounds = bounds.union(&Aabb::from_points(&[position.map(|x| x + 0.0)]));
            }
        }
    }

    /// Stores a tile of skinned blocks.
    fn store(&self, blocks: &[VectorBlock], tile: &Range<usize>, to: &mut TileStore<'_>, stored: Stored) {
        let signs = match stored {
            Stored::Segments | Stored::SourceGroups => self.mesh.source_signs(),
            Stored::Runs | Stored::Scattered => &self.mesh.signs,
        };
        let mut store = StoreVertices {
            blocks,
            vectors: self.context.vectors,
            signs: signs.get(tile.clone()).unwrap_or_default(),
            directions: match stored {
                Stored::Segments => self.context.directions,
                Stored::SourceGroups | Stored::Runs | Stored::Scattered => DirectionLength::AsBlended,
            },
            bitangents: to.bitangents,
            layout: StoreOutput::Blocks(&mut []),
            remap: None,
            bounds: to.bounds.as_deref_mut(),
        };
        let slots = BLOCK * tile.start..BLOCK * tile.end;
        match (stored, &to.output) {
            (Stored::Scattered, _) => {
                let vertices = self.mesh.inverse_remap()[slots].iter().copied();
                self.store_remapped(store, whole_output(&mut to.output), vertices);
            }
            // Streams in order have whole blocks, which source order has not.
            (Stored::Segments | Stored::SourceGroups, StoreOutput::Streams(_)) => {
                let vertices = slots.map(|vertex| vertex as u32);
                self.store_remapped(store, whole_output(&mut to.output), vertices);
            }
            _ => {
                let first = tile.start - self.window.start;
                store.layout = slice_output(&mut to.output, first..first + tile.len(), to.vectors);
                self.context.kernels.store_vertices(store);
            }
        }
    }

    /// Stores a tile whose vertices have these places in the output, counted from the mesh's first.
    fn store_remapped<'b>(
        &self,
        store: StoreVertices<'b>,
        layout: StoreOutput<'b>,
        vertices: impl Iterator<Item = u32>,
    ) {
        let first = (BLOCK * self.window.start) as u32;
        let mut remap = [0; 3 * TILE * BLOCK];
        let mut len = 0;
        // Vertices out of the window come out past the end of the output, which skips them.
        for (to, vertex) in remap.iter_mut().zip(vertices) {
            *to = vertex.wrapping_sub(first);
            len += 1;
        }
        let remap = Some(&remap[..len]);
        self.context.kernels.store_vertices(StoreVertices { layout, remap, ..store });
    }
}

/// Where tiles are stored.
struct TileStore<'a> {
    output: StoreOutput<'a>,
    /// The number of vectors of the output.
    vectors: usize,
    bitangents: BitangentSource,
    bounds: Option<&'a mut Aabb>,
}

impl<'a> TileStore<'a> {
    fn new(target: &'a mut Target<'_>, bitangents: BitangentSource) -> Self {
        let vectors = target.attributes().vectors();
        let bounds = target.bounds.take();
        // The bounds live longer than the borrow of the target.
        let bounds = bounds.map(|bounds| &mut *bounds);
        Self { output: target.store_output(), vectors, bitangents, bounds }
    }
}

/// What a tile holds.
#[derive(Clone, Copy)]
enum Stored {
    /// Blocks in source order, with directions as blended.
    Segments,
    /// Blocks in source order.
    SourceGroups,
    /// Blocks in run order.
    Runs,
    /// Blocks in run order, to be stored in source order.
    Scattered,
}

/// Cuts a window into tiles of at most `len` blocks.
fn tiles(window: &Range<usize>, len: usize) -> impl Iterator<Item = Range<usize>> {
    let end = window.end;
    window.clone().step_by(len).map(move |start| start..end.min(start + len))
}
