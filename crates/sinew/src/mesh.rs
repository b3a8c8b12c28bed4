//! A mesh that can be skinned: checked once, its vertices in the order that kernels take.

use std::mem::size_of_val;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use sinew_kernels::{BLOCK, Kernels, ScalarBlock, VectorBlock};

use crate::bounds::{JointBoxes, Partners};
use crate::error::check_len;
use crate::hanging::Hanging;
use crate::layout::{Groups, Layout};
use crate::morph::{Morphs, Places};
use crate::rays::{Claims, TreeShape};
use crate::{Error, LayoutReport, MeshSource, Skin, TriangleRange, flush};

/// A mesh in *run order*: vertices that hang on the same joints lie together, in blocks of eight.
///
/// A run that does not fill its last block repeats its last vertex there: a pad, which no triangle uses. A mesh with too
/// many different sets of joints for runs to pay is grouped by number of influences instead, in the same way.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(crate) layout: Layout,
    /// Vectors of each block: position, then normal, tangent and bitangent where there are any.
    pub(crate) base: Vec<VectorBlock>,
    pub(crate) base_vectors: usize,
    /// The sign of each place's bitangent, block by block.
    pub(crate) signs: Vec<ScalarBlock>,
    /// In run order.
    triangles: Vec<[u32; 3]>,
    ranges: Vec<(Range<usize>, Box<str>)>,
    pub(crate) morphs: Morphs,
    pub(crate) skin_len: usize,
    pub(crate) kernels: &'static Kernels,
    /// Made when bounds are first asked for.
    joint_boxes: OnceLock<JointBoxes>,
    /// Made when bounds with dual quaternions are first asked for.
    partners: OnceLock<Partners>,
    /// Made when a tree is first asked for.
    tree_shape: OnceLock<Arc<TreeShape>>,
    /// Made when a lazy tree is first asked for.
    claims: OnceLock<Arc<Claims>>,
}

impl Mesh {
    /// Checks the source and groups its vertices. The kernels are the skin's.
    ///
    /// # Errors
    ///
    /// The first fault, with its vertex or triangle: arrays of different length, tangents without normals or bitangents
    /// without tangents, a number that is not finite, a joint that is not in the skin, a weight that is negative or not
    /// finite, a vertex without weight, a triangle with a vertex that is not there, a range of triangles that are not
    /// there, a level without influences; a morph target with such a number, with another number of deltas than of
    /// vertices, with a vertex that is not there or is named twice, or of normals or tangents that the mesh does not
    /// have; with influences in joint space, positions or morph targets beside them or an inverse bind that has no
    /// inverse. Also when there are 2^29 vertices or 2^32 triangles, or more: all of them are numbered by 32 bits.
    pub fn new(source: &MeshSource<'_>, skin: &Skin) -> Result<Self, Error> {
        source.check()?;
        let hanging = Hanging::new(source.influences, source.weights, source.vertices(), skin)?;
        let layout = Layout::new(&hanging, source.levels);
        let triangles = triangles_in_run_order(source.triangles, &layout.place_of_vertex)?;
        let signs = source.tangents.map_or_else(Vec::new, |tangents| {
            let (blocks, _) = layout.vertex_of_place.as_chunks::<BLOCK>();
            blocks.iter().map(|block| ScalarBlock(block.map(|vertex| tangents[vertex as usize][3]))).collect()
        });
        let (base, base_vectors) = match hanging.positions() {
            Some(positions) => {
                let source = MeshSource { positions: &positions, ..*source };
                source.check_positions()?;
                base_of(&source, &layout.vertex_of_place)
            }
            None => base_of(source, &layout.vertex_of_place),
        };
        let places =
            Places { vertex_of_place: &layout.vertex_of_place, place_of_vertex: &layout.place_of_vertex };
        let morphs = Morphs::new(source.morphs, places);
        let owned = |range: &TriangleRange<'_>| (range.triangles.clone(), range.material.into());
        Ok(Self {
            layout,
            base,
            base_vectors,
            signs,
            triangles,
            ranges: source.ranges.iter().map(owned).collect(),
            morphs,
            skin_len: skin.len(),
            kernels: skin.kernels(),
            joint_boxes: OnceLock::new(),
            partners: OnceLock::new(),
            tree_shape: OnceLock::new(),
            claims: OnceLock::new(),
        })
    }

    /// The same mesh on other kernels.
    #[must_use]
    pub fn with_kernels(self, kernels: &'static Kernels) -> Self {
        Self { kernels, ..self }
    }

    /// The kernels that it runs on: those of its skin, unless it was given others.
    #[must_use]
    pub fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    pub(crate) fn joint_boxes(&self) -> &JointBoxes {
        self.joint_boxes.get_or_init(|| JointBoxes::new(self))
    }

    pub(crate) fn partners(&self) -> &Partners {
        self.partners.get_or_init(|| Partners::new(self, self.joint_boxes()))
    }

    pub(crate) fn tree_shape(&self) -> &Arc<TreeShape> {
        self.tree_shape.get_or_init(|| Arc::new(TreeShape::new(self.rest_points(), &self.triangles)))
    }

    pub(crate) fn claims(&self) -> &Arc<Claims> {
        self.claims.get_or_init(|| Arc::new(Claims::new(self)))
    }

    /// The number of joints of its skin: as many matrices must a palette have.
    #[must_use]
    pub fn skin_len(&self) -> usize {
        self.skin_len
    }

    /// Whether its influences are in joint space, each with a vector of its own: such a mesh is blended linearly only.
    #[must_use]
    pub fn in_joint_space(&self) -> bool {
        matches!(self.layout.full, Groups::Weighted(_))
    }

    /// The number of vertices of the source.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.place_of_vertex.len()
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of places in run order, pads included: a multiple of eight.
    #[must_use]
    pub fn padded_len(&self) -> usize {
        self.layout.vertex_of_place.len()
    }

    /// The number of blocks of eight places.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.padded_len() / BLOCK
    }

    /// The block that each run begins with, in the order of blocks. Allocates.
    #[must_use]
    pub fn run_starts(&self) -> Vec<usize> {
        self.layout.full.run_starts()
    }

    /// The number of runs, or of groups where vertices are grouped by number of influences.
    #[must_use]
    pub fn run_count(&self) -> usize {
        self.layout.full.runs()
    }

    /// How the vertices are laid out, and what that costs.
    #[must_use]
    pub fn layout(&self) -> LayoutReport {
        self.layout.report()
    }

    /// The bytes that a frame reads with all influences and attributes, and those of both permutations. What
    /// influences in joint space take is not counted here.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let groups = match &self.layout.full {
            Groups::Weighted(_) => 0,
            groups => groups.bytes(),
        };
        let base = size_of_val(&self.base[..]) + size_of_val(&self.signs[..]);
        base + groups + self.layout.bytes_of_permutations()
    }

    /// The bytes of influences in joint space: weighted vectors, their joints and runs; zero for other meshes.
    #[must_use]
    pub fn joint_space_bytes(&self) -> usize {
        match &self.layout.full {
            Groups::Weighted(_) => self.layout.full.bytes(),
            _ => 0,
        }
    }

    /// The bytes of all levels of detail.
    #[must_use]
    pub fn level_bytes(&self) -> usize {
        self.layout.levels.iter().map(|level| level.groups.bytes()).sum()
    }

    /// The triangles, in the source's order, with places in run order for vertices.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Which triangles have which material, as the source had it.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = TriangleRange<'_>> {
        self.ranges
            .iter()
            .map(|(triangles, material)| TriangleRange { triangles: triangles.clone(), material })
    }

    /// The sign of each place's bitangent, which no frame changes; empty where the mesh has no tangents.
    #[must_use]
    pub fn tangent_signs(&self) -> Vec<f32> {
        self.signs.iter().flat_map(|row| row.0).collect()
    }

    /// For each vertex of the source its place in run order.
    #[must_use]
    pub fn place_of_vertex(&self) -> &[u32] {
        &self.layout.place_of_vertex
    }

    /// For each place in run order its vertex of the source; a pad has that of its run's last vertex.
    #[must_use]
    pub fn vertex_of_place(&self) -> &[u32] {
        &self.layout.vertex_of_place
    }

    /// Any array with an element for each vertex, in run order, pads included: texture coordinates, colours.
    ///
    /// # Errors
    ///
    /// When there are not as many elements as vertices.
    pub fn to_run_order<T: Copy>(&self, by_vertex: &[T]) -> Result<Vec<T>, Error> {
        check_len("elements by vertex", self.len(), by_vertex.len())?;
        Ok(self.vertex_of_place().iter().map(|&vertex| by_vertex[vertex as usize]).collect())
    }

    /// The way back from [`to_run_order`](Self::to_run_order): pads are left out.
    ///
    /// # Errors
    ///
    /// When there are not as many elements as places.
    pub fn to_source_order<T: Copy>(&self, by_place: &[T]) -> Result<Vec<T>, Error> {
        check_len("elements by place", self.padded_len(), by_place.len())?;
        Ok(self.place_of_vertex().iter().map(|&place| by_place[place as usize]).collect())
    }
}

fn triangles_in_run_order(triangles: &[[u32; 3]], places: &[u32]) -> Result<Vec<[u32; 3]>, Error> {
    let place = |triangle: usize, vertex: u32| {
        let place = places.get(vertex as usize).copied();
        place.ok_or(Error::TriangleOutOfRange { triangle, vertex, len: places.len() })
    };
    let turned = triangles.iter().enumerate();
    turned.map(|(i, &[a, b, c])| Ok([place(i, a)?, place(i, b)?, place(i, c)?])).collect()
}

/// The blocks of base vectors, and how many vectors each has. What is too small to matter becomes
/// zero.
fn base_of(source: &MeshSource<'_>, vertex_of_place: &[u32]) -> (Vec<VectorBlock>, usize) {
    let &MeshSource { positions, normals, tangents, bitangents, .. } = source;
    let directions = [normals.is_some(), tangents.is_some(), bitangents.is_some()];
    let vectors = 1 + directions.into_iter().filter(|&there| there).count();
    let mut base = vec![VectorBlock::default(); vertex_of_place.len() / BLOCK * vectors];
    for (block, vertices) in base.chunks_mut(vectors).zip(vertex_of_place.chunks(BLOCK)) {
        for (lane, &vertex) in vertices.iter().enumerate() {
            let vertex = vertex as usize;
            block[0].set_vector(lane, flush::vector(positions[vertex]));
            if let Some(normals) = normals {
                block[1].set_vector(lane, flush::vector(normals[vertex]));
            }
            if let Some(tangents) = tangents {
                let [x, y, z, _] = tangents[vertex];
                block[2].set_vector(lane, flush::vector([x, y, z]));
            }
            if let Some(bitangents) = bitangents {
                block[3].set_vector(lane, flush::vector(bitangents[vertex]));
            }
        }
    }
    (base, vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bone, Influences, Matrix, Skeleton, Transform};

    /// Two joints, the second bound one metre along x.
    fn skin() -> Skin {
        let bone = Bone::new("", None, Transform::IDENTITY);
        let skeleton = Skeleton::new(&[bone.clone(), bone]).expect("roots");
        let mut moved = Matrix::IDENTITY;
        moved.rows[0][3] = -1.0;
        Skin::with_inverse_binds(&skeleton, &[0, 1], &[Matrix::IDENTITY, moved]).expect("a sound skin")
    }

    #[test]
    fn bitangents_are_the_fourth_vectors() {
        let directions = [[[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [[2.0; 3], [3.0; 3]]];
        let influences = Influences::Listed { counts: &[1, 1], joints: &[0, 1], weights: &[1.0, 1.0] };
        let source = MeshSource {
            normals: Some(&directions[0]),
            tangents: Some(&[[4.0, 5.0, 6.0, 1.0], [7.0, 8.0, 9.0, -1.0]]),
            bitangents: Some(&directions[1]),
            ..MeshSource::new(&[[1.0; 3]; 2], influences)
        };
        let mesh = Mesh::new(&source, &skin()).expect("a sound mesh");
        assert_eq!(mesh.base_vectors, 4);
        for (vertex, &place) in mesh.place_of_vertex().iter().enumerate() {
            let of =
                |vector: usize| mesh.base[place as usize / BLOCK * 4 + vector].vector(place as usize % BLOCK);
            let tangent = [[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]][vertex];
            assert_eq!(
                [of(0), of(1), of(2), of(3)],
                [[1.0; 3], directions[0][vertex], tangent, directions[1][vertex]]
            );
            assert_eq!(mesh.signs[place as usize / BLOCK].0[place as usize % BLOCK], [1.0, -1.0][vertex]);
        }
    }

    #[test]
    fn vectors_in_joint_space_sum_to_the_position_at_rest() {
        // The second weight is too small on purpose: nothing is divided by the sum.
        let influences = Influences::JointSpace {
            counts: &[2],
            joints: &[0, 1],
            weights: &[0.5, 0.25],
            vectors: &[[1.0, 2.0, 3.0], [4.0, 0.0, -2.0]],
        };
        let mesh = Mesh::new(&MeshSource::new(&[], influences), &skin()).expect("a sound mesh");
        assert_eq!(mesh.base[0].vector(0), [0.5 + 0.25 * 5.0, 1.0, 1.5 - 0.5]);
        let Groups::Weighted(groups) = &mesh.layout.full else { panic!("other than weighted") };
        assert_eq!(groups[0].joints, [0, 1]);
        let lane = |block: usize| groups[0].blocks[block].rows.map(|row| row[0]);
        assert_eq!([lane(0), lane(1)], [[0.5, 1.0, 1.5, 0.5], [1.25, 0.0, -0.5, 0.25]]);
    }
}
