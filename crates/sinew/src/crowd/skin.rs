//! Skins members, and windows of large meshes, on all threads: from palettes to vertices.

use std::ops::Range;

use sinew_kernels::Matrix;
use sinew_kernels::VectorBlock;

use super::frame::{BUILT_FOR_MODEL, MemberFrame};
use super::frustum_culling::is_outside_frustum;
use super::parallel::join;
use super::skinned_member::{InstanceBlocks, SkinnedMember};
use crate::mesh::{Attributes, Mesh, Morphed};
use crate::model::{InstanceOptions, Model};
use crate::skinning::{Blending, Palette, SkinOptions, Target, VertexOutput};

/// The maximum number of blocks of a mesh per task: enough to make the cost of a split negligible,
/// and few enough to distribute a large mesh over many threads.
const WINDOW: usize = 1024;

/// Buffers for skinning members one after the other.
#[derive(Clone, Debug)]
pub(super) struct SkinScratch {
    /// One per mesh instance; `None` if its primitive has no morph targets.
    pub(super) morphed: Vec<Option<Morphed>>,
    /// The vertices of one member that is passed to a consumer. Empty until it is needed.
    blocks: Vec<VectorBlock>,
}

impl SkinScratch {
    pub(super) fn new(model: &Model) -> Self {
        let meshes =
            (0..model.mesh_instances().len()).map(|mesh_instance| &model.primitive(mesh_instance).mesh);
        let morphed = meshes.map(|mesh| (mesh.morph_count() > 0).then(|| Morphed::new(mesh))).collect();
        Self { morphed, blocks: Vec::new() }
    }
}

/// The members to skin, and how.
#[derive(Clone, Copy)]
pub(super) struct SkinJob<'a> {
    pub(super) model: &'a Model,
    pub(super) options: &'a InstanceOptions,
    pub(super) mesh_instances: &'a [InstanceBlocks],
    /// The view frustum. Members outside it are skipped.
    pub(super) view: Option<&'a [[f32; 4]; 6]>,
    /// Whether the output is so large that non-temporal stores are faster.
    pub(super) non_temporal: bool,
}

/// Receives the skinned members, on any thread.
pub(super) type Consumer<'a> = &'a (dyn Fn(SkinnedMember<'_>) + Sync);

/// Where vertices go.
pub(super) enum Sink<'a> {
    /// Stored vertices: the blocks of all members, one member after the other, and for each member
    /// the matrix from its vertices to world space, or `None` if it was not skinned.
    Stored(&'a mut [VectorBlock], &'a mut [Option<Matrix>]),
    /// A consumer, which is passed the scratch buffer.
    Consumer(Consumer<'a>),
}

/// A range of frames of a model, and one scratch buffer per piece that the range is divided into.
pub(super) struct SkinTask<'a> {
    pub(super) job: SkinJob<'a>,
    pub(super) frames: &'a [MemberFrame],
    pub(super) sink: Sink<'a>,
    pub(super) scratches: &'a mut [SkinScratch],
    /// The number of members per piece.
    pub(super) piece: usize,
}

impl SkinTask<'_> {
    pub(super) fn run(self) {
        let SkinTask { job, frames, sink, scratches, piece } = self;
        let pieces = frames.len().div_ceil(piece);
        if pieces > 1 && scratches.len() > 1 {
            let half = pieces / 2;
            let (frames, others) = frames.split_at(half * piece);
            let (sink, other_sink) = sink.split(frames.len(), InstanceBlocks::len(job.mesh_instances));
            let (scratches, other_scratches) = scratches.split_at_mut(half);
            let one = SkinTask { job, frames, sink, scratches, piece };
            let other = SkinTask { job, frames: others, sink: other_sink, scratches: other_scratches, piece };
            return join(|| one.run(), || other.run());
        }
        let [scratch, ..] = scratches else { return };
        match sink {
            Sink::Stored(blocks, worlds) => {
                let len = InstanceBlocks::len(job.mesh_instances);
                for (index, (frame, worlds)) in frames.iter().zip(worlds).enumerate() {
                    let blocks = &mut blocks[index * len..][..len];
                    let skinned = job.skin(frame, &mut scratch.morphed, blocks);
                    *worlds = skinned.then(|| *frame.world_from_skinned());
                }
            }
            Sink::Consumer(consumer) => {
                for frame in frames {
                    job.skin_for_consumer(frame, scratch, &mut |member| consumer(member));
                }
            }
        }
    }
}

impl<'a> Sink<'a> {
    /// Splits the sink after this number of members.
    fn split(self, members: usize, blocks_of_each: usize) -> (Self, Self) {
        match self {
            Sink::Stored(blocks, worlds) => {
                let (blocks, other_blocks) = blocks.split_at_mut(members * blocks_of_each);
                let (worlds, other_worlds) = worlds.split_at_mut(members);
                (Sink::Stored(blocks, worlds), Sink::Stored(other_blocks, other_worlds))
            }
            Sink::Consumer(consumer) => (Sink::Consumer(consumer), Sink::Consumer(consumer)),
        }
    }
}

impl<'a> SkinJob<'a> {
    /// Skins a member and passes it to the consumer, unless it is outside the frustum.
    pub(super) fn skin_for_consumer(
        &self,
        frame: &MemberFrame,
        scratch: &mut SkinScratch,
        consumer: &mut dyn FnMut(SkinnedMember<'_>),
    ) {
        let SkinScratch { morphed, blocks } = scratch;
        // Allocates only the first time.
        blocks.resize(InstanceBlocks::len(self.mesh_instances), VectorBlock::default());
        if self.skin(frame, morphed, blocks) {
            let (id, world) = (frame.id, frame.world_from_skinned());
            consumer(SkinnedMember {
                id,
                model: self.model,
                world,
                mesh_instances: self.mesh_instances,
                blocks,
            });
        }
    }

    /// Skins a member into `blocks`, unless it is outside the frustum. Returns whether it was
    /// skinned.
    fn skin(&self, frame: &MemberFrame, morphed: &mut [Option<Morphed>], blocks: &mut [VectorBlock]) -> bool {
        if self.view.is_some_and(|planes| is_outside_frustum(&frame.bounds(self.model), planes)) {
            return false;
        }
        frame.prefetch();
        for (mesh_instance, (blocks_of_instance, morphed)) in
            self.mesh_instances.iter().zip(morphed).enumerate()
        {
            let (palette, options) = self.skin_inputs(frame, mesh_instance, morphed);
            let mesh = &self.model.primitive(mesh_instance).mesh;
            let attributes = blocks_of_instance.attributes;
            let mesh_job = MeshJob { mesh, palette, options, attributes, non_temporal: self.non_temporal };
            mesh_job.run(0..mesh.blocks(), &mut blocks[blocks_of_instance.blocks.clone()]);
        }
        true
    }

    /// The palette and the options that skin a mesh instance.
    pub(super) fn skin_inputs<'b>(
        &self,
        frame: &'b MemberFrame,
        mesh_instance: usize,
        morphed: &'b mut Option<Morphed>,
    ) -> (&'b Palette, SkinOptions<'b>) {
        let (instance, mesh) =
            (&self.model.mesh_instances()[mesh_instance], &self.model.primitive(mesh_instance).mesh);
        let weights = &frame.morph_weights[instance.morph_weights.clone()];
        // With a weight that is not finite, the mesh is skinned without morph targets.
        let morphed = morphed.as_mut().and_then(|to| mesh.morph(weights, to).is_ok().then_some(&*to));
        let options = SkinOptions {
            directions: self.options.directions,
            normals: self.options.normals,
            blending: Blending::Linear,
            morphed,
            max_influences: frame.max_influences,
        };
        (
            &frame.palettes.linear[instance.skin],
            options.adapted_to(mesh, frame.palettes.dual_quaternions.get(instance.skin)),
        )
    }
}

/// A mesh instance of a member, skinned in windows.
struct MeshJob<'a> {
    mesh: &'a Mesh,
    palette: &'a Palette,
    options: SkinOptions<'a>,
    attributes: Attributes,
    non_temporal: bool,
}

impl MeshJob<'_> {
    fn run(&self, window: Range<usize>, blocks: &mut [VectorBlock]) {
        if window.len() > WINDOW {
            let half = window.len() / 2;
            let (one, other) = blocks.split_at_mut(half * self.attributes.vectors());
            let middle = window.start + half;
            return join(|| self.run(window.start..middle, one), || self.run(middle..window.end, other));
        }
        let form = if self.non_temporal {
            VertexOutput::NonTemporalBlocks(blocks)
        } else {
            VertexOutput::Blocks(blocks)
        };
        let target = Target { window: Some(window), ..Target::new(self.attributes, form) };
        self.mesh.skin_into(self.palette, &self.options, target).expect(BUILT_FOR_MODEL);
    }
}
