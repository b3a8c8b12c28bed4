//! From palettes to vertices: members, and windows of large meshes, on all threads.

use std::ops::Range;

use sinew_kernels::{VectorBlock, VertexLayout};

use super::frame::{Frame, MADE};
use super::parallel::join;
use super::skinned::{Placed, SkinnedMember};
use super::view::is_outside;
use crate::{
    Attributes, Blending, InstanceOptions, Matrix, Mesh, Model, Morphed, Palette, SkinOptions, Target,
};

/// Blocks of a mesh that are skinned at a time: enough that dividing them costs nothing, few enough that a large mesh is
/// divided among many threads.
const WINDOW: usize = 1024;

/// Memory to skin members one after the other.
#[derive(Clone, Debug)]
pub(super) struct Skinner {
    /// Of each part whose surface has morph targets.
    pub(super) morphed: Vec<Option<Morphed>>,
    /// Of one member that is not kept; none until it is needed.
    blocks: Vec<VectorBlock>,
}

impl Skinner {
    pub(super) fn new(model: &Model) -> Self {
        let meshes = (0..model.parts().len()).map(|part| &model.surface(part).mesh);
        let morphed = meshes.map(|mesh| (mesh.morph_count() > 0).then(|| Morphed::new(mesh))).collect();
        Self { morphed, blocks: Vec::new() }
    }
}

/// What is skinned, and how.
#[derive(Clone, Copy)]
pub(super) struct What<'a> {
    pub(super) model: &'a Model,
    pub(super) options: &'a InstanceOptions,
    pub(super) parts: &'a [Placed],
    /// Only those that may be seen.
    pub(super) view: Option<&'a [[f32; 4]; 6]>,
    /// Whether the memory is so large that it is written past the caches.
    pub(super) non_temporal: bool,
}

/// Takes one member after the other, on any thread.
pub(super) type Consumer<'a> = &'a (dyn Fn(SkinnedMember<'_>) + Sync);

/// Where vertices go.
pub(super) enum To<'a> {
    /// All blocks of one member after the other, and for each member from there to the world; `None` where it was not skinned.
    Kept(&'a mut [VectorBlock], &'a mut [Option<Matrix>]),
    /// Memory of a skinner, and from there to the caller.
    Consumer(Consumer<'a>),
}

/// Neighbours among the frames of a model, and memory for as many pieces as they are to be divided into.
pub(super) struct Skinning<'a> {
    pub(super) what: What<'a>,
    pub(super) frames: &'a [Frame],
    pub(super) to: To<'a>,
    pub(super) skinners: &'a mut [Skinner],
    /// How many members are one piece.
    pub(super) piece: usize,
}

impl Skinning<'_> {
    pub(super) fn run(self) {
        let Skinning { what, frames, to, skinners, piece } = self;
        let pieces = frames.len().div_ceil(piece);
        if pieces > 1 && skinners.len() > 1 {
            let half = pieces / 2;
            let (frames, others) = frames.split_at(half * piece);
            let (to, to_others) = to.split(frames.len(), Placed::len(what.parts));
            let (skinners, other_skinners) = skinners.split_at_mut(half);
            let one = Skinning { what, frames, to, skinners, piece };
            let other = Skinning { what, frames: others, to: to_others, skinners: other_skinners, piece };
            return join(|| one.run(), || other.run());
        }
        let [skinner, ..] = skinners else { return };
        match to {
            To::Kept(blocks, seen) => {
                let len = Placed::len(what.parts);
                for (place, (frame, seen)) in frames.iter().zip(seen).enumerate() {
                    let blocks = &mut blocks[place * len..][..len];
                    let skinned = what.skin(frame, &mut skinner.morphed, blocks);
                    *seen = skinned.then(|| *frame.world_from_skinned());
                }
            }
            To::Consumer(consumer) => {
                for frame in frames {
                    what.hand_over(frame, skinner, &mut |member| consumer(member));
                }
            }
        }
    }
}

impl<'a> To<'a> {
    /// The first members, and the others; so many blocks for each.
    fn split(self, members: usize, blocks_of_each: usize) -> (Self, Self) {
        match self {
            To::Kept(blocks, seen) => {
                let (blocks, other_blocks) = blocks.split_at_mut(members * blocks_of_each);
                let (seen, others_seen) = seen.split_at_mut(members);
                (To::Kept(blocks, seen), To::Kept(other_blocks, others_seen))
            }
            To::Consumer(consumer) => (To::Consumer(consumer), To::Consumer(consumer)),
        }
    }
}

impl<'a> What<'a> {
    /// Skins a member and hands it over, if it may be seen.
    pub(super) fn hand_over(
        &self,
        frame: &Frame,
        skinner: &mut Skinner,
        consumer: &mut dyn FnMut(SkinnedMember<'_>),
    ) {
        let Skinner { morphed, blocks } = skinner;
        // Takes memory the first time only.
        blocks.resize(Placed::len(self.parts), VectorBlock::default());
        if self.skin(frame, morphed, blocks) {
            let (id, world) = (frame.id, frame.world_from_skinned());
            consumer(SkinnedMember { id, model: self.model, world, parts: self.parts, blocks });
        }
    }

    /// Whether the member may be seen; then all its blocks are written.
    fn skin(&self, frame: &Frame, morphed: &mut [Option<Morphed>], blocks: &mut [VectorBlock]) -> bool {
        if self.view.is_some_and(|planes| is_outside(&frame.bounds(self.model), planes)) {
            return false;
        }
        frame.fetch();
        for (part, (placed, morphed)) in self.parts.iter().zip(morphed).enumerate() {
            let (palette, options) = self.of_part(frame, part, morphed);
            let mesh = &self.model.surface(part).mesh;
            let attributes = placed.attributes;
            let work = Work { mesh, palette, options, attributes, non_temporal: self.non_temporal };
            work.run(0..mesh.blocks(), &mut blocks[placed.blocks.clone()]);
        }
        true
    }

    /// How a part is skinned, and by which palette.
    pub(super) fn of_part<'b>(
        &self,
        frame: &'b Frame,
        part: usize,
        morphed: &'b mut Option<Morphed>,
    ) -> (&'b Palette, SkinOptions<'b>) {
        let (of_part, mesh) = (&self.model.parts()[part], &self.model.surface(part).mesh);
        let weights = &frame.morph_weights[of_part.morph_weights.clone()];
        // A weight that is not a number leaves the shape as it is without weights.
        let morphed = morphed.as_mut().and_then(|to| mesh.morph(weights, to).is_ok().then_some(&*to));
        let options = SkinOptions {
            directions: self.options.directions,
            normals: self.options.normals,
            blending: Blending::Linear,
            morphed,
            max_influences: frame.max_influences,
        };
        (&frame.palettes.linear[of_part.skin], options.fitted(mesh, frame.palettes.duals.get(of_part.skin)))
    }
}

/// A part of a member, to be skinned in windows.
struct Work<'a> {
    mesh: &'a Mesh,
    palette: &'a Palette,
    options: SkinOptions<'a>,
    attributes: Attributes,
    non_temporal: bool,
}

impl Work<'_> {
    fn run(&self, window: Range<usize>, blocks: &mut [VectorBlock]) {
        if window.len() > WINDOW {
            let half = window.len() / 2;
            let (one, other) = blocks.split_at_mut(half * self.attributes.vectors());
            let middle = window.start + half;
            return join(|| self.run(window.start..middle, one), || self.run(middle..window.end, other));
        }
        let form = if self.non_temporal {
            VertexLayout::NonTemporalBlocks(blocks)
        } else {
            VertexLayout::Blocks(blocks)
        };
        let target = Target { window: Some(window), ..Target::new(self.attributes, form) };
        self.mesh.skin_into(self.palette, &self.options, target).expect(MADE);
    }
}
