//! Random vertices with influences: a mesh without shape, and skins and palettes for it.

use sinew::{Bone, Influences, Matrix, Mesh, MeshSource, Palette, Runtime, Skeleton, Skin, Transform};
use sinew_testkit::random::Random;

use super::joints::first_joints;

/// The largest absolute coordinate of a vertex, and of the translations of rigid matrices.
pub(crate) const MAX_COORDINATE: f32 = 2.0;
/// The edge of the cube that contains the vertices.
pub(crate) const MESH_SIZE: f64 = 2.0 * MAX_COORDINATE as f64;

/// The arrays of a mesh.
#[derive(Clone, Default)]
pub(crate) struct VertexCloud {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) tangents: Vec<[f32; 4]>,
    pub(crate) counts: Vec<u32>,
    pub(crate) joints: Vec<u32>,
    pub(crate) weights: Vec<f32>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl VertexCloud {
    /// Vertices with up to `max_influences` influences, from few joint sets, so that most runs are
    /// long. Some sets repeat a joint, and some weights are zero.
    pub(crate) fn new(vertices: usize, max_influences: usize, skin_len: usize, random: &mut Random) -> Self {
        Self::with_joint_sets(vertices, 1 + vertices / 40, max_influences, skin_len, random)
    }

    /// The same with a joint set for nearly every vertex, so that runs cost more than they save.
    pub(crate) fn scattered(
        vertices: usize,
        max_influences: usize,
        skin_len: usize,
        random: &mut Random,
    ) -> Self {
        Self::with_joint_sets(vertices, 1 + 10 * vertices, max_influences, skin_len, random)
    }

    fn with_joint_sets(
        vertices: usize,
        sets: usize,
        max_influences: usize,
        skin_len: usize,
        random: &mut Random,
    ) -> Self {
        let mut cloud = Self::default();
        // The joint of an influence, and whether its weight is zero.
        let influence =
            |i: usize, random: &mut Random| (random.below(skin_len) as u32, i > 0 && random.once_in(10));
        let sets: Vec<Vec<(u32, bool)>> = (0..sets)
            .map(|_| (0..=random.below(max_influences)).map(|i| influence(i, random)).collect())
            .collect();
        for _ in 0..vertices {
            cloud.positions.push(random.vector(MAX_COORDINATE));
            cloud.normals.push(random_direction(random));
            let [x, y, z] = random_direction(random);
            cloud.tangents.push([x, y, z, if random.once_in(2) { 1.0 } else { -1.0 }]);
            let set = &sets[random.below(sets.len())];
            cloud.counts.push(set.len() as u32);
            for &(joint, zero) in set {
                cloud.joints.push(joint);
                cloud.weights.push(if zero { 0.0 } else { random.between(0.05, 3.0) });
            }
        }
        if vertices > 0 {
            cloud.triangles = (0..vertices).map(|_| [0; 3].map(|_| random.below(vertices) as u32)).collect();
        }
        cloud
    }

    pub(crate) fn source(&self) -> MeshSource<'_> {
        let influences =
            Influences::Variable { counts: &self.counts, joints: &self.joints, weights: &self.weights };
        MeshSource {
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            triangles: &self.triangles,
            ..MeshSource::new(&self.positions, influences)
        }
    }

    pub(crate) fn mesh(&self, skin: &Skin) -> Mesh {
        Mesh::new(&self.source(), skin).expect("a valid mesh")
    }

    /// The joint and weight of each influence of each vertex, in source order.
    pub(crate) fn influences(&self) -> Vec<Vec<(u32, f32)>> {
        let mut pairs = self.joints.iter().copied().zip(self.weights.iter().copied());
        self.counts.iter().map(|&count| pairs.by_ref().take(count as usize).collect()).collect()
    }

    /// The vertices in another order: the new vertex `i` is the old vertex `order[i]`.
    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        let influences = self.influences();
        let pairs = order.iter().flat_map(|&vertex| &influences[vertex]);
        Self {
            positions: order.iter().map(|&vertex| self.positions[vertex]).collect(),
            normals: order.iter().map(|&vertex| self.normals[vertex]).collect(),
            tangents: order.iter().map(|&vertex| self.tangents[vertex]).collect(),
            counts: order.iter().map(|&vertex| self.counts[vertex]).collect(),
            joints: pairs.clone().map(|&(joint, _)| joint).collect(),
            weights: pairs.map(|&(_, weight)| weight).collect(),
            triangles: Vec::new(),
        }
    }
}

/// A random direction of length one.
fn random_direction(random: &mut Random) -> [f32; 3] {
    loop {
        let vector = random.vector(1.0).map(f64::from);
        let length = vector.iter().map(|c| c * c).sum::<f64>().sqrt();
        if (0.1..=1.0).contains(&length) {
            return vector.map(|c| (c / length) as f32);
        }
    }
}

/// A skin whose inverse binds are the identity, so that a palette equals the model matrices.
pub(crate) fn identity_skin(len: usize) -> Skin {
    let bones = vec![Bone::new("", None, Transform::IDENTITY); len];
    let skeleton = Skeleton::new(&bones).expect("roots");
    let joints = first_joints(len);
    Skin::with_inverse_binds(&skeleton, &joints, &vec![Matrix::IDENTITY; len]).expect("a valid skin")
}

/// The same skin on the runtime of a backend.
pub(crate) fn identity_skin_on(runtime: Runtime, len: usize) -> Skin {
    identity_skin(len).with_runtime(runtime)
}

/// A palette of the given matrices, for an identity skin.
pub(crate) fn build_palette(skin: &Skin, matrices: &[Matrix]) -> Palette {
    let mut palette = Palette::new(skin);
    palette.update(matrices, skin).expect("a matrix for each joint");
    assert_eq!(palette.matrices(), matrices);
    palette
}
