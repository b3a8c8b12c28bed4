//! Random meshes for the tests: vertices anywhere, each on some of the skin's joints.

use sinew::{Bone, Influences, Kernels, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin, Transform};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

/// How far from the origin a coordinate may be, of a vertex or of a palette's translation.
pub(crate) const REACH: f32 = 2.0;

/// The arrays of a mesh.
#[derive(Clone, Default)]
pub(crate) struct Cloud {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) tangents: Vec<[f32; 4]>,
    pub(crate) counts: Vec<u32>,
    pub(crate) joints: Vec<u32>,
    pub(crate) weights: Vec<f32>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Cloud {
    /// As many vertices on `most` joints at most; some name a joint twice, some weights are zero.
    pub(crate) fn new(vertices: usize, most: usize, skin_len: usize, random: &mut Random) -> Self {
        // Few sets, so that most runs are long.
        Self::on_sets(vertices, 1 + vertices / 40, most, skin_len, random)
    }

    /// The same with a set for nearly every vertex, so that runs do not pay.
    pub(crate) fn scattered(vertices: usize, most: usize, skin_len: usize, random: &mut Random) -> Self {
        Self::on_sets(vertices, 1 + 10 * vertices, most, skin_len, random)
    }

    fn on_sets(vertices: usize, sets: usize, most: usize, skin_len: usize, random: &mut Random) -> Self {
        let mut cloud = Self::default();
        // Joints, and whether their weights are zero.
        let influence =
            |i: usize, random: &mut Random| (random.below(skin_len) as u32, i > 0 && random.once_in(10));
        let sets: Vec<Vec<(u32, bool)>> =
            (0..sets).map(|_| (0..=random.below(most)).map(|i| influence(i, random)).collect()).collect();
        for _ in 0..vertices {
            cloud.positions.push(random.vector(REACH));
            cloud.normals.push(direction(random));
            let [x, y, z] = direction(random);
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
            Influences::Listed { counts: &self.counts, joints: &self.joints, weights: &self.weights };
        MeshSource {
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            triangles: &self.triangles,
            ..MeshSource::new(&self.positions, influences)
        }
    }

    pub(crate) fn mesh(&self, skin: &Skin) -> Mesh {
        Mesh::new(&self.source(), skin).expect("a sound mesh")
    }

    /// Joint and weight of each influence of each vertex, as they were listed.
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

/// A direction of length one.
fn direction(random: &mut Random) -> [f32; 3] {
    loop {
        let vector = random.vector(1.0).map(f64::from);
        let length = vector.iter().map(|c| c * c).sum::<f64>().sqrt();
        if (0.1..=1.0).contains(&length) {
            return vector.map(|c| (c / length) as f32);
        }
    }
}

/// A skin whose inverse binds change nothing, so that a palette is what the model matrices are.
pub(crate) fn skin(len: usize) -> Skin {
    let bones = vec![Bone::new("", None, Transform::IDENTITY); len];
    let skeleton = Skeleton::new(&bones).expect("roots");
    let joints: Vec<usize> = (0..len).collect();
    Skin::with_inverse_binds(&skeleton, &joints, &vec![Matrix::IDENTITY; len]).expect("a sound skin")
}

/// The same on some kernels.
pub(crate) fn skin_on(kernels: &'static Kernels, len: usize) -> Skin {
    skin(len).with_kernels(kernels)
}

/// A palette of these matrices.
pub(crate) fn palette(skin: &Skin, matrices: &[Matrix]) -> Palette {
    let mut palette = Palette::new(skin);
    palette.update(matrices, skin).expect("a matrix for each joint");
    assert_eq!(palette.matrices(), matrices);
    palette
}

/// Random rotations and translations within the reach.
pub(crate) fn rigid(len: usize, random: &mut Random) -> Vec<Matrix> {
    rigs::rigid_matrices(len, random)
}
