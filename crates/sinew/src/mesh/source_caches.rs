//! What skinning in source order needs. Each part is built the first time that it is needed, and
//! costs nothing before: many programs skin in run order only.

use std::sync::OnceLock;

use sinew_kernels::{BLOCK, ScalarBlock, Segments, VectorBlock};

use super::Mesh;
use super::base_vectors::BaseVectors;
use super::influences::VertexInfluences;
use super::layout::{Groups, SourceCosts, UniquePositions, build_source_groups, build_source_order};
use super::morph::{Morphs, SlotMap};
use super::morph_source::{Deltas, MorphSource};
use crate::mesh::{Attributes, Influences, MeshSource};

/// A level of detail by its index; `None` for all influences.
pub(crate) type LevelIndex = Option<usize>;

/// Lazily built data for source order.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceCaches {
    /// The base vectors in blocks of source order.
    base: OnceLock<Vec<VectorBlock>>,
    /// Groups over those blocks: with all influences, then one for each level.
    groups: Vec<OnceLock<Groups>>,
    /// The segments: with all influences, then of each level.
    segments: Vec<OnceLock<Segments>>,
    /// The positions for skinning nothing else, likewise; `None` where they do not pay.
    positions: Vec<OnceLock<Option<UniquePositions>>>,
    signs: OnceLock<Vec<ScalarBlock>>,
    morphs: OnceLock<Morphs>,
}

impl SourceCaches {
    pub(crate) fn new(levels: usize) -> Self {
        Self {
            groups: vec![OnceLock::new(); levels + 1],
            segments: vec![OnceLock::new(); levels + 1],
            positions: vec![OnceLock::new(); levels + 1],
            ..Self::default()
        }
    }

    /// Drops the segments, also of positions alone, which are for another runtime.
    pub(crate) fn drop_segments(&mut self) {
        self.segments.fill(OnceLock::new());
        self.positions.fill(OnceLock::new());
    }
}

impl Mesh {
    /// The base vectors in blocks of source order. The last vertex is repeated to fill its block.
    pub(crate) fn source_base(&self) -> &[VectorBlock] {
        if self.layout.is_in_source_order() {
            return &self.base;
        }
        self.source_caches.base.get_or_init(|| {
            let (vectors, len) = (self.base_vectors, self.len());
            let mut base = vec![VectorBlock::default(); len.div_ceil(BLOCK) * vectors];
            for place in 0..len.next_multiple_of(BLOCK) {
                let slot = self.remap()[place.min(len - 1)] as usize;
                for vector in 0..vectors {
                    let from = self.base[slot / BLOCK * vectors + vector].vector(slot % BLOCK);
                    base[place / BLOCK * vectors + vector].set_vector(place % BLOCK, from);
                }
            }
            base
        })
    }

    /// Groups over the blocks of source order. Not for joint-space influences.
    pub(crate) fn source_groups(&self, level: LevelIndex) -> &Groups {
        if self.layout.is_in_source_order() {
            return self.layout.groups(level);
        }
        let cache = &self.source_caches.groups[level.map_or(0, |level| level + 1)];
        cache.get_or_init(|| build_source_groups(&self.layout.influences, self.max_influences_of(level)))
    }

    /// The vertices in source order, the last one repeated to fill its block; `None` for
    /// joint-space influences.
    #[inline(always)]
    pub(crate) fn source_segments(&self, level: LevelIndex) -> Option<&Segments> {
        if self.has_joint_space_influences() {
            return None;
        }
        let cache = &self.source_caches.segments[level.map_or(0, |level| level + 1)];
        Some(cache.get().unwrap_or_else(|| self.init_segments(cache, level)))
    }

    #[cold]
    #[inline(never)]
    fn init_segments<'a>(&self, cache: &'a OnceLock<Segments>, level: LevelIndex) -> &'a Segments {
        cache.get_or_init(|| match level {
            None => self.build_segments(&self.layout.influences),
            Some(_) => self.build_segments(&self.layout.influences.limited_to(self.max_influences_of(level))),
        })
    }

    /// The positions for skinning nothing else into source order; `None` where segments cost no
    /// more.
    #[inline(always)]
    pub(crate) fn unique_positions(&self, level: LevelIndex) -> Option<&UniquePositions> {
        if self.has_joint_space_influences() {
            return None;
        }
        let cache = &self.source_caches.positions[level.map_or(0, |level| level + 1)];
        cache.get().unwrap_or_else(|| self.init_positions(cache, level)).as_ref()
    }

    #[cold]
    #[inline(never)]
    fn init_positions<'a>(
        &self,
        cache: &'a OnceLock<Option<UniquePositions>>,
        level: LevelIndex,
    ) -> &'a Option<UniquePositions> {
        let build = |influences: &VertexInfluences| {
            let costs = SourceCosts::of_positions(self.runtime);
            UniquePositions::new(influences, &self.rest_in_source_order(), costs)
        };
        cache.get_or_init(|| match level {
            None => build(&self.layout.influences),
            Some(_) => build(&self.layout.influences.limited_to(self.max_influences_of(level))),
        })
    }

    fn build_segments(&self, influences: &VertexInfluences) -> Segments {
        let rest = |attributes| self.rest(attributes);
        let positions = self.rest_in_source_order();
        let (normals, bitangents) = (rest(Attributes::Normals), rest(Attributes::Bitangents));
        let signed = |tangents: Vec<[f32; 3]>| {
            let signed =
                tangents.iter().zip(self.remap()).map(|(&[x, y, z], &slot)| [x, y, z, self.sign(slot)]);
            signed.collect::<Vec<_>>()
        };
        let tangents = rest(Attributes::Tangents).map(signed);
        let none = Influences::Variable { counts: &[], joints: &[], weights: &[] };
        let base = BaseVectors::new(&MeshSource {
            normals: normals.as_deref(),
            tangents: tangents.as_deref(),
            bitangents: bitangents.as_deref(),
            ..MeshSource::new(&positions, none)
        });
        build_source_order(influences, base, SourceCosts::for_runtime(self.runtime))
    }

    /// The sign of the bitangent of each vertex in blocks of source order, the last one repeated to
    /// fill its block. Empty if the mesh has no tangents.
    pub(crate) fn source_signs(&self) -> &[ScalarBlock] {
        if self.signs.is_empty() {
            return &[];
        }
        self.source_caches.signs.get_or_init(|| {
            let blocks = self.remap().chunks(BLOCK);
            let sign = |slots: &[u32], lane: usize| self.sign(slots[lane.min(slots.len() - 1)]);
            blocks.map(|slots| ScalarBlock(std::array::from_fn(|lane| sign(slots, lane)))).collect()
        })
    }

    fn sign(&self, slot: u32) -> f32 {
        self.signs[slot as usize / BLOCK].0[slot as usize % BLOCK]
    }

    /// The morph targets over the blocks of source order.
    pub(crate) fn source_morphs(&self) -> &Morphs {
        self.source_caches.morphs.get_or_init(|| {
            let data: Vec<_> = (0..self.morph_count()).map(|target| self.morph_deltas(target)).collect();
            let sources: Vec<MorphSource<'_>> = data
                .iter()
                .zip(self.morph_names())
                .map(|(data, name)| MorphSource {
                    name,
                    positions: Deltas::Dense(&data.positions),
                    normals: data.normals.as_deref().map_or(Deltas::None, Deltas::Dense),
                    tangents: data.tangents.as_deref().map_or(Deltas::None, Deltas::Dense),
                })
                .collect();
            let last = self.len().saturating_sub(1);
            let inverse_remap: Vec<u32> =
                (0..self.len().next_multiple_of(BLOCK)).map(|place| place.min(last) as u32).collect();
            let remap = &inverse_remap[..self.len()];
            Morphs::new(&sources, SlotMap { inverse_remap: &inverse_remap, remap })
        })
    }

    fn max_influences_of(&self, level: LevelIndex) -> usize {
        level.map_or(usize::MAX, |level| self.layout.levels[level].max_influences)
    }
}
