//! A mesh that can be skinned: checked once, with its vertices in the order that kernels need.

use std::mem::size_of_val;
use std::ops::Range;

use sinew_kernels::{BLOCK, ScalarBlock, Segments, VectorBlock};

use crate::length::check_len;
use crate::mesh::base_vectors::BaseVectors;
use crate::mesh::influences::VertexInfluences;
use crate::mesh::layout::{Groups, Layout, SourceCosts, UniquePositions};
use crate::mesh::morph::{Morphs, SlotMap};
use crate::mesh::source_caches::SourceCaches;
use crate::mesh::{LayoutReport, MeshError, MeshSource, TriangleRange};
use crate::runtime::Runtime;
use crate::skeleton::Skin;

/// A mesh in *run order*: vertices that are influenced by the same joints form a run, in blocks of
/// eight slots.
///
/// If a run does not fill its last block, its last vertex is repeated there. Such slots are pads;
/// no triangle uses them. If a mesh has too many different joint sets for runs to be worthwhile,
/// vertices stay in source order, and only the last block is padded.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(crate) layout: Layout,
    /// The vectors of each block: position, then normal, tangent and bitangent if the mesh has
    /// them.
    pub(crate) base: Vec<VectorBlock>,
    pub(crate) base_vectors: usize,
    /// The sign of the bitangent of each slot.
    pub(crate) signs: Vec<ScalarBlock>,
    /// Indices are slots.
    triangles: Vec<[u32; 3]>,
    ranges: Vec<(Range<usize>, Box<str>)>,
    pub(crate) morphs: Morphs,
    pub(crate) skin_len: usize,
    pub(crate) runtime: Runtime,
    pub(crate) source_caches: SourceCaches,
}

impl Mesh {
    /// Checks a mesh source and arranges its vertices in run order. The mesh uses the skin's
    /// runtime.
    ///
    /// # Errors
    ///
    /// The first error found, with its vertex or triangle:
    /// - arrays of different lengths, tangents without normals, or bitangents without tangents;
    /// - a number that is not finite, a negative weight, a vertex without weights, or a joint that
    ///   is not in the skin;
    /// - a triangle or a range of triangles out of range, or a level of detail without influences;
    /// - a morph target with a number that is not finite, the wrong number of deltas, a vertex that
    ///   is out of range or listed twice, or deltas of normals or tangents that the mesh does not
    ///   have;
    /// - joint-space influences together with positions or morph targets, or with a singular
    ///   inverse bind matrix;
    /// - 2^29 vertices or more, or 2^32 influences or triangles or more, which 32-bit indices
    ///   cannot address.
    pub fn new(source: &MeshSource<'_>, skin: &Skin) -> Result<Self, MeshError> {
        source.check()?;
        let influences = VertexInfluences::new(source.influences, source.weights, source.vertices(), skin)?;
        let layout = Layout::new(influences, source.levels);
        let triangles = triangles_in_run_order(source.triangles, &layout.remap)?;
        let rest = layout.influences.positions();
        let rest = MeshSource { positions: rest.as_deref().unwrap_or(source.positions), ..*source };
        if layout.influences.is_joint_space() {
            rest.check_positions()?;
        }
        let base_vectors = BaseVectors::new(&rest);
        let (slots, _) = layout.inverse_remap.as_chunks::<BLOCK>();
        let (base, signs) = base_vectors.blocks(slots.iter().copied());
        let slot_map = SlotMap { inverse_remap: &layout.inverse_remap, remap: &layout.remap };
        let morphs = Morphs::new(source.morphs, slot_map);
        let owned = |range: &TriangleRange<'_>| (range.triangles.clone(), range.material.into());
        Ok(Self {
            layout,
            base,
            base_vectors: base_vectors.len(),
            signs,
            triangles,
            ranges: source.ranges.iter().map(owned).collect(),
            morphs,
            skin_len: skin.len(),
            runtime: skin.runtime(),
            source_caches: SourceCaches::new(source.levels.len()),
        })
    }

    /// The same mesh on another runtime, for programs that compare backends. Others give the
    /// runtime once, to the skeleton.
    #[must_use]
    pub fn with_runtime(mut self, runtime: Runtime) -> Self {
        if SourceCosts::for_runtime(self.runtime) != SourceCosts::for_runtime(runtime) {
            self.source_caches.drop_segments();
        }
        self.runtime = runtime;
        self
    }

    /// The backend and float mode that it runs on: those of its skin.
    #[must_use]
    pub fn runtime(&self) -> Runtime {
        self.runtime
    }

    /// The number of joints in the skin, and of matrices in a palette for this mesh.
    #[must_use]
    pub fn skin_len(&self) -> usize {
        self.skin_len
    }

    /// Whether the influences are in joint space, each with its own vector. Such a mesh only
    /// supports linear blending.
    #[must_use]
    pub fn has_joint_space_influences(&self) -> bool {
        matches!(self.layout.full, Groups::PreWeighted(_))
    }

    /// The number of vertices in the source.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.remap.len()
    }

    /// Whether the mesh has no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of slots in run order, including pads: a multiple of eight.
    #[must_use]
    pub fn padded_len(&self) -> usize {
        self.layout.inverse_remap.len()
    }

    /// The number of blocks of eight slots.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.padded_len() / BLOCK
    }

    /// The first block of each run, in ascending order. Allocates.
    #[must_use]
    pub fn run_starts(&self) -> Vec<usize> {
        self.layout.full.run_starts()
    }

    /// The number of runs, or if vertices have joints of their own, of ranges of blocks with the
    /// same number of influences.
    #[must_use]
    pub fn run_count(&self) -> usize {
        self.layout.full.runs()
    }

    /// The layout of the vertices and its estimated cost. Builds the segments of source order if
    /// nothing was skinned in that order yet.
    #[must_use]
    pub fn layout(&self) -> LayoutReport {
        let report = self.layout.report();
        match self.source_segments(None) {
            None => report,
            Some(segments) => LayoutReport {
                source_segments: segments.len(),
                source_columns: segments.column_blocks() as f64 / segments.blocks().max(1) as f64,
                ..report
            },
        }
    }

    /// The number of bytes that skinning all attributes with all influences in run order reads, and
    /// those of both remap tables. Joint-space influences are not included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let groups = match &self.layout.full {
            Groups::PreWeighted(_) => 0,
            groups => groups.bytes(),
        };
        let base = size_of_val(&self.base[..]) + size_of_val(&self.signs[..]);
        base + groups + self.layout.remap_bytes()
    }

    /// The number of bytes that skinning all attributes in source order reads, which are built by
    /// the first skinning in that order or by this call. Zero for joint-space influences. Skinning
    /// nothing but positions reads [`source_positions_bytes`](Self::source_positions_bytes).
    #[must_use]
    pub fn source_order_bytes(&self) -> usize {
        let bytes = |segments| Segments::bytes(segments) + size_of_val(self.source_signs());
        self.source_segments(None).map_or(0, bytes)
    }

    /// The number of bytes that skinning nothing but positions in source order reads: copies of
    /// them without repeated ones, which are built by the first such skinning or by this call. Zero
    /// if it reads what skinning all attributes does, and for joint-space influences.
    #[must_use]
    pub fn source_positions_bytes(&self) -> usize {
        self.unique_positions(None).map_or(0, UniquePositions::bytes)
    }

    /// The number of bytes of joint-space influences: weighted vectors, joints and runs. Zero for
    /// other meshes.
    #[must_use]
    pub fn joint_space_bytes(&self) -> usize {
        match &self.layout.full {
            Groups::PreWeighted(_) => self.layout.full.bytes(),
            _ => 0,
        }
    }

    /// The number of bytes of all levels of detail.
    #[must_use]
    pub fn level_bytes(&self) -> usize {
        self.layout.levels.iter().map(|level| level.groups.bytes()).sum()
    }

    /// The triangles in source order. Their indices are slots in run order.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The materials of ranges of triangles, as in the source.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = TriangleRange<'_>> {
        self.ranges
            .iter()
            .map(|(triangles, material)| TriangleRange { triangles: triangles.clone(), material })
    }

    /// The sign of the bitangent of each slot, which skinning does not change. Empty if the mesh
    /// has no tangents. Allocates.
    #[must_use]
    pub fn tangent_signs(&self) -> Vec<f32> {
        self.signs.iter().flat_map(|row| row.0).collect()
    }

    /// The slot of each source vertex.
    #[must_use]
    pub fn remap(&self) -> &[u32] {
        &self.layout.remap
    }

    /// The source vertex of each slot. A pad has the last vertex of its run.
    #[must_use]
    pub fn inverse_remap(&self) -> &[u32] {
        &self.layout.inverse_remap
    }

    /// Copies an array with one element per vertex, such as texture coordinates or colors, to run
    /// order, including pads.
    ///
    /// # Errors
    ///
    /// If the array does not have one element per vertex.
    pub fn to_run_order<T: Copy>(&self, by_vertex: &[T]) -> Result<Vec<T>, MeshError> {
        check_len("elements by vertex", self.len(), by_vertex.len())?;
        Ok(self.inverse_remap().iter().map(|&vertex| by_vertex[vertex as usize]).collect())
    }

    /// Copies an array with one element per slot to source order: the inverse of
    /// [`to_run_order`](Self::to_run_order).
    ///
    /// # Errors
    ///
    /// If the array does not have one element per slot.
    pub fn to_source_order<T: Copy>(&self, by_slot: &[T]) -> Result<Vec<T>, MeshError> {
        check_len("elements by slot", self.padded_len(), by_slot.len())?;
        Ok(self.remap().iter().map(|&slot| by_slot[slot as usize]).collect())
    }
}

fn triangles_in_run_order(triangles: &[[u32; 3]], remap: &[u32]) -> Result<Vec<[u32; 3]>, MeshError> {
    // The largest is found with SIMD instructions.
    let largest = triangles.as_flattened().iter().fold(0, |largest, &vertex| largest.max(vertex));
    if (largest as usize) < remap.len() {
        let slots = |[a, b, c]: &[u32; 3]| [remap[*a as usize], remap[*b as usize], remap[*c as usize]];
        return Ok(triangles.iter().map(slots).collect());
    }
    let slot = |triangle: usize, vertex: u32| {
        let slot = remap.get(vertex as usize).copied();
        slot.ok_or(MeshError::TriangleOutOfRange { triangle, vertex, len: remap.len() })
    };
    // `collect` would not know the length.
    let mut in_run_order = Vec::with_capacity(triangles.len());
    for (i, &[a, b, c]) in triangles.iter().enumerate() {
        in_run_order.push([slot(i, a)?, slot(i, b)?, slot(i, c)?]);
    }
    Ok(in_run_order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Influences;
    use crate::skeleton::{Bone, JointId, Skeleton, Transform};
    use sinew_kernels::Matrix;

    /// Two joints; the bind pose of the second is one meter along x.
    fn skin() -> Skin {
        let bone = Bone::new("", None, Transform::IDENTITY);
        let skeleton = Skeleton::new(&[bone.clone(), bone]).expect("roots");
        let mut moved = Matrix::IDENTITY;
        moved.rows[0][3] = -1.0;
        Skin::with_inverse_binds(&skeleton, &[0, 1].map(JointId::new), &[Matrix::IDENTITY, moved])
            .expect("a sound skin")
    }

    #[test]
    fn bitangents_are_the_fourth_vectors() {
        let directions = [[[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [[2.0; 3], [3.0; 3]]];
        let influences = Influences::Variable { counts: &[1, 1], joints: &[0, 1], weights: &[1.0, 1.0] };
        let source = MeshSource {
            normals: Some(&directions[0]),
            tangents: Some(&[[4.0, 5.0, 6.0, 1.0], [7.0, 8.0, 9.0, -1.0]]),
            bitangents: Some(&directions[1]),
            ..MeshSource::new(&[[1.0; 3]; 2], influences)
        };
        let mesh = Mesh::new(&source, &skin()).expect("a sound mesh");
        assert_eq!(mesh.base_vectors, 4);
        for (vertex, &slot) in mesh.remap().iter().enumerate() {
            let vector =
                |index: usize| mesh.base[slot as usize / BLOCK * 4 + index].vector(slot as usize % BLOCK);
            let tangent = [[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]][vertex];
            assert_eq!(
                [vector(0), vector(1), vector(2), vector(3)],
                [[1.0; 3], directions[0][vertex], tangent, directions[1][vertex]]
            );
            assert_eq!(mesh.signs[slot as usize / BLOCK].0[slot as usize % BLOCK], [1.0, -1.0][vertex]);
        }
    }

    #[test]
    fn vectors_in_joint_space_sum_to_the_position_at_rest() {
        // The weights sum to less than one on purpose: they are not normalized.
        let influences = Influences::JointSpace {
            counts: &[2],
            joints: &[0, 1],
            weights: &[0.5, 0.25],
            vectors: &[[1.0, 2.0, 3.0], [4.0, 0.0, -2.0]],
        };
        let mesh = Mesh::new(&MeshSource::new(&[], influences), &skin()).expect("a sound mesh");
        assert_eq!(mesh.base[0].vector(0), [0.5 + 0.25 * 5.0, 1.0, 1.5 - 0.5]);
        let Groups::PreWeighted(groups) = &mesh.layout.full else { panic!("other than weighted") };
        assert_eq!(groups[0].joints, [0, 1]);
        let lane = |block: usize| groups[0].blocks[block].rows.map(|row| row[0]);
        assert_eq!([lane(0), lane(1)], [[0.5, 1.0, 1.5, 0.5], [1.25, 0.0, -0.5, 0.25]]);
    }
}
