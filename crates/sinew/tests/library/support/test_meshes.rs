//! Meshes of every layout, and a reference in `f64` that skins them from their source arrays.

use std::collections::BTreeMap;

use sinew::mesh::{Attributes, Grouping, Weights};
use sinew::skinning::Skinned;
use sinew::{
    Bone, Influences, Matrix, Mesh, MeshSource, Palette, Runtime, Skeleton, Skin, SkinOptions, Transform,
};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use super::joints::first_joints;
use super::matrices::{add_weighted, transform};
use super::vertex_cloud::{MAX_COORDINATE, VertexCloud, identity_skin_on};

/// The number of joints of every skin.
pub(crate) const JOINTS: usize = 40;

/// The source of a mesh, with its skin.
pub(crate) struct TestMesh {
    pub(crate) name: &'static str,
    /// The layout that building must choose; `None` for any.
    pub(crate) grouping: Option<Grouping>,
    pub(crate) cloud: VertexCloud,
    pub(crate) bitangents: Option<Vec<[f32; 3]>>,
    /// A vector for each influence of the cloud, for influences in joint space.
    pub(crate) joint_space_vectors: Option<Vec<[f32; 3]>>,
    pub(crate) weights: Weights,
    pub(crate) skin: Skin,
}

/// The sum of all influences of one joint on a vertex.
#[derive(Clone, Copy)]
pub(crate) struct Influence {
    pub(crate) joint: usize,
    pub(crate) weight: f64,
    /// The weighted sum of the position or of the joint-space vectors.
    pub(crate) weighted: [f64; 3],
}

/// Positions, normals and tangents, in source order.
pub(crate) type SkinnedVectors<T> = [Vec<[T; 3]>; 3];

impl TestMesh {
    fn new(name: &'static str, grouping: Grouping, cloud: VertexCloud, runtime: Runtime) -> Self {
        Self {
            name,
            grouping: Some(grouping),
            cloud,
            bitangents: None,
            joint_space_vectors: None,
            weights: Weights::Normalized,
            skin: identity_skin_on(runtime, JOINTS),
        }
    }

    /// Up to four influences, few joint sets.
    pub(crate) fn shared_joints(runtime: Runtime, vertices: usize, random: &mut Random) -> Self {
        Self::new(
            "shared joints",
            Grouping::SharedJoints,
            cloud_with_repeated_joints(vertices, 4, random),
            runtime,
        )
    }

    /// Up to six influences, a joint set for nearly every vertex.
    pub(crate) fn per_vertex_joints(runtime: Runtime, vertices: usize, random: &mut Random) -> Self {
        Self::new(
            "per-vertex joints",
            Grouping::PerVertexJoints,
            VertexCloud::scattered(vertices, 6, JOINTS, random),
            runtime,
        )
    }

    /// Weights that are kept as stored and do not sum to one.
    pub(crate) fn stored_weights(runtime: Runtime, vertices: usize, random: &mut Random) -> Self {
        let mut cloud = cloud_with_repeated_joints(vertices, 4, random);
        randomize_weight_sums(&mut cloud, random);
        Self {
            weights: Weights::AsStored,
            ..Self::new("stored weights", Grouping::PerVertexJoints, cloud, runtime)
        }
    }

    /// Joint-space vectors that disagree about the rest position, weights that do not sum to one,
    /// and inverse binds other than the identity.
    pub(crate) fn joint_space(runtime: Runtime, vertices: usize, random: &mut Random) -> Self {
        let mut cloud = cloud_with_repeated_joints(vertices, 5, random);
        randomize_weight_sums(&mut cloud, random);
        let vectors = cloud.joints.iter().map(|_| random.vector(MAX_COORDINATE)).collect();
        let bones = vec![Bone::new("", None, Transform::IDENTITY); JOINTS];
        let joints = first_joints(JOINTS);
        let skeleton = Skeleton::new(&bones).expect("roots").with_runtime(runtime);
        let skin = Skin::with_inverse_binds(&skeleton, &joints, &rigs::rigid_matrices(JOINTS, random));
        Self {
            joint_space_vectors: Some(vectors),
            weights: Weights::AsStored,
            skin: skin.expect("a valid skin"),
            ..Self::new("joint space", Grouping::PreWeighted, cloud, runtime)
        }
    }

    /// One mesh of each layout, with normalized and with stored weights.
    pub(crate) fn every_layout(runtime: Runtime, vertices: usize, random: &mut Random) -> [Self; 4] {
        [
            Self::shared_joints(runtime, vertices, random),
            Self::per_vertex_joints(runtime, vertices, random),
            Self::stored_weights(runtime, vertices, random),
            Self::joint_space(runtime, vertices, random),
        ]
    }

    pub(crate) fn with_bitangents(self, name: &'static str, random: &mut Random) -> Self {
        let bitangents = self.cloud.normals.iter().map(|_| random.vector(1.0)).collect();
        Self { name, bitangents: Some(bitangents), ..self }
    }

    /// The vertices in another order: the new vertex `i` is the old vertex `order[i]`.
    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        let mut starts = vec![0];
        for &count in &self.cloud.counts {
            starts.push(starts[starts.len() - 1] + count as usize);
        }
        let influences_of = |vertex: usize| starts[vertex]..starts[vertex + 1];
        let vectors = |vectors: &Vec<[f32; 3]>| {
            order.iter().flat_map(|&vertex| vectors[influences_of(vertex)].to_vec()).collect()
        };
        Self {
            cloud: self.cloud.reordered(order),
            bitangents: None,
            joint_space_vectors: self.joint_space_vectors.as_ref().map(vectors),
            skin: self.skin.clone(),
            ..*self
        }
    }

    pub(crate) fn source(&self) -> MeshSource<'_> {
        let VertexCloud { counts, joints, weights, .. } = &self.cloud;
        let source = MeshSource {
            bitangents: self.bitangents.as_deref(),
            weights: self.weights,
            ..self.cloud.source()
        };
        match &self.joint_space_vectors {
            None => source,
            Some(vectors) => {
                let influences = Influences::JointSpace { counts, joints, weights, vectors };
                MeshSource { positions: &[], influences, ..source }
            }
        }
    }

    pub(crate) fn mesh(&self, levels: &[usize]) -> Mesh {
        let mesh = Mesh::new(&MeshSource { levels, ..self.source() }, &self.skin).expect("a valid mesh");
        assert!(self.grouping.is_none_or(|grouping| grouping == mesh.layout().grouping), "{}", self.name);
        mesh
    }

    pub(crate) fn palette(&self, model_matrices: &[Matrix]) -> Palette {
        let mut palette = Palette::new(&self.skin);
        palette.update(model_matrices, &self.skin).expect("a matrix for each joint");
        palette
    }

    /// The strongest influences of each vertex; lower joints win ties. They are scaled to the
    /// weight sum of all influences.
    pub(crate) fn strongest_influences(&self, max_influences: usize) -> Vec<Vec<Influence>> {
        let mut next = 0;
        let own = |(vertex, influences): (usize, Vec<(u32, f32)>)| {
            let mut by_joint = BTreeMap::new();
            for (joint, weight) in influences {
                let vector = match &self.joint_space_vectors {
                    Some(vectors) => vectors[next],
                    None => self.cloud.positions[vertex],
                };
                next += 1;
                if weight > 0.0 {
                    let (sum, weighted) = by_joint.entry(joint as usize).or_insert((0.0, [0.0; 3]));
                    *sum += f64::from(weight);
                    for (sum, component) in weighted.iter_mut().zip(vector) {
                        *sum += f64::from(weight) * f64::from(component);
                    }
                }
            }
            let mut sum: f64 = by_joint.values().map(|(weight, _)| weight).sum();
            let mut own: Vec<Influence> = by_joint
                .into_iter()
                .map(|(joint, (weight, weighted))| Influence { joint, weight, weighted })
                .collect();
            if self.weights == Weights::Normalized {
                own = own.iter().map(|influence| influence.scaled(1.0 / sum)).collect();
                sum = 1.0;
            }
            own.sort_by(|a, b| (b.weight as f32).total_cmp(&(a.weight as f32)));
            own.truncate(max_influences);
            let kept: f64 = own.iter().map(|influence| influence.weight).sum();
            own.iter().map(|influence| influence.scaled(sum / kept)).collect()
        };
        self.cloud.influences().into_iter().enumerate().map(own).collect()
    }

    /// Skins with the strongest influences; directions are not renormalized.
    pub(crate) fn skin_reference(
        &self,
        model_matrices: &[Matrix],
        max_influences: usize,
    ) -> SkinnedVectors<f64> {
        let palette = self.palette(model_matrices);
        let mut skinned = [const { Vec::new() }; 3];
        for (vertex, influences) in self.strongest_influences(max_influences).iter().enumerate() {
            let mut position = [0.0; 3];
            let mut blended = [[0.0; 4]; 3];
            for Influence { joint, weight, weighted } in influences {
                // Joint-space vectors are transformed by model matrices, positions by the palette.
                let matrices =
                    if self.joint_space_vectors.is_some() { model_matrices } else { palette.matrices() };
                for (sum, row) in position.iter_mut().zip(matrices[*joint].rows) {
                    let row = row.map(f64::from);
                    *sum += row[3] * weight;
                    *sum += row.iter().zip(weighted).map(|(a, b)| a * b).sum::<f64>();
                }
                add_weighted(&mut blended, &palette.matrices()[*joint], *weight);
            }
            let [x, y, z, _] = self.cloud.tangents[vertex];
            skinned[0].push(position);
            skinned[1].push(transform(&blended, self.cloud.normals[vertex], 0.0));
            skinned[2].push(transform(&blended, [x, y, z], 0.0));
        }
        skinned
    }
}

impl Influence {
    fn scaled(&self, factor: f64) -> Self {
        let weighted = self.weighted.map(|component| component * factor);
        Self { joint: self.joint, weight: self.weight * factor, weighted }
    }
}

/// A cloud of few joint sets, in which every seventh vertex repeats its first joint. From eight
/// vertices on, one vertex has exactly `max_influences` different joints.
pub(crate) fn cloud_with_repeated_joints(
    vertices: usize,
    max_influences: usize,
    random: &mut Random,
) -> VertexCloud {
    loop {
        let mut cloud = VertexCloud::new(vertices, max_influences, JOINTS, random);
        let mut first = 0;
        for (vertex, &count) in cloud.counts.iter().enumerate() {
            if vertex % 7 == 0 && count > 1 {
                cloud.joints[first + 1] = cloud.joints[first];
            }
            first += count as usize;
        }
        let has_max_influences = |influences: &Vec<(u32, f32)>| {
            let mut joints: Vec<u32> = influences.iter().filter(|(_, w)| *w > 0.0).map(|&(j, _)| j).collect();
            joints.sort_unstable();
            joints.dedup();
            joints.len() == max_influences
        };
        if vertices < 8 || cloud.influences().iter().any(has_max_influences) {
            return cloud;
        }
    }
}

/// Scales the weights of each vertex to a random sum from 0.6 to 1.4.
fn randomize_weight_sums(cloud: &mut VertexCloud, random: &mut Random) {
    let mut first = 0;
    for &count in &cloud.counts {
        let own = &mut cloud.weights[first..first + count as usize];
        let factor = random.between(0.6, 1.4) / own.iter().sum::<f32>();
        own.iter_mut().for_each(|weight| *weight *= factor);
        first += count as usize;
    }
}

/// Skins positions, normals and tangents.
pub(crate) fn skin_vectors(mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> SkinnedVectors<f32> {
    let mut skinned = Skinned::new(mesh, Attributes::Tangents).expect("tangents");
    mesh.skin(palette, options, &mut skinned).expect("matching sizes");
    let mut vectors = [0; 3].map(|_| vec![[f32::NAN; 3]; mesh.len()]);
    skinned.positions(mesh, &mut vectors[0]).expect("positions");
    skinned.normals(mesh, &mut vectors[1]).expect("normals");
    skinned.tangents(mesh, &mut vectors[2]).expect("tangents");
    vectors
}
