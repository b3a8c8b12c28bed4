//! Meshes of every layout, and a plain loop in `f64` that skins them from their sources' own numbers.

use std::collections::BTreeMap;

use sinew::{
    Attributes, Bone, Grouping, Influences, Kernels, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin,
    SkinOptions, Skinned, Transform, Weights,
};
use sinew_testkit::random::Random;

use crate::cloud::{self, Cloud, REACH};

/// Joints of every subject's skin.
pub(crate) const JOINTS: usize = 40;
/// The edge of the cube that holds the meshes.
pub(crate) const SIZE: f64 = 2.0 * REACH as f64;

/// A mesh before it is one.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// The form that it is to have; `None` where any will do.
    pub(crate) form: Option<Grouping>,
    pub(crate) cloud: Cloud,
    pub(crate) bitangents: Option<Vec<[f32; 3]>>,
    /// Beside the cloud's influences, where these are in joint space.
    pub(crate) vectors: Option<Vec<[f32; 3]>>,
    pub(crate) weights: Weights,
    pub(crate) skin: Skin,
}

/// What is left of a vertex's influences on one joint.
#[derive(Clone, Copy)]
pub(crate) struct Influence {
    pub(crate) joint: usize,
    pub(crate) weight: f64,
    /// The weighted sum of its vectors.
    pub(crate) weighted: [f64; 3],
}

/// Positions, normals and tangents, in source order.
pub(crate) type Moved<T> = [Vec<[T; 3]>; 3];

impl Subject {
    fn new(name: &'static str, form: Grouping, cloud: Cloud, kernels: &'static Kernels) -> Self {
        Self {
            name,
            form: Some(form),
            cloud,
            bitangents: None,
            vectors: None,
            weights: Weights::Normalised,
            skin: cloud::skin_on(kernels, JOINTS),
        }
    }

    /// Up to four influences, few sets.
    pub(crate) fn grouped(kernels: &'static Kernels, vertices: usize, random: &mut Random) -> Self {
        Self::new("grouped", Grouping::Runs, cloud_of(vertices, 4, random), kernels)
    }

    /// Up to six influences, a set for nearly every vertex.
    pub(crate) fn scattered(kernels: &'static Kernels, vertices: usize, random: &mut Random) -> Self {
        Self::new("scattered", Grouping::Counts, Cloud::scattered(vertices, 6, JOINTS, random), kernels)
    }

    /// Weights whose sums are not one.
    pub(crate) fn stored(kernels: &'static Kernels, vertices: usize, random: &mut Random) -> Self {
        let mut cloud = cloud_of(vertices, 4, random);
        scale_sums(&mut cloud, random);
        Self { weights: Weights::AsStored, ..Self::new("stored", Grouping::Counts, cloud, kernels) }
    }

    /// Vectors that do not agree, weights whose sums are not one, and binds other than the identity.
    pub(crate) fn joint_space(kernels: &'static Kernels, vertices: usize, random: &mut Random) -> Self {
        let mut cloud = cloud_of(vertices, 5, random);
        scale_sums(&mut cloud, random);
        let vectors = cloud.joints.iter().map(|_| random.vector(REACH)).collect();
        let bones = vec![Bone::new("", None, Transform::IDENTITY); JOINTS];
        let joints: Vec<usize> = (0..JOINTS).collect();
        let skeleton = Skeleton::new(&bones).expect("roots").with_kernels(kernels);
        let skin = Skin::with_inverse_binds(&skeleton, &joints, &cloud::rigid(JOINTS, random));
        Self {
            vectors: Some(vectors),
            weights: Weights::AsStored,
            skin: skin.expect("a sound skin"),
            ..Self::new("joint space", Grouping::Weighted, cloud, kernels)
        }
    }

    /// One of each layout; weights as stored and normalised ones.
    pub(crate) fn every(kernels: &'static Kernels, vertices: usize, random: &mut Random) -> [Self; 4] {
        [
            Self::grouped(kernels, vertices, random),
            Self::scattered(kernels, vertices, random),
            Self::stored(kernels, vertices, random),
            Self::joint_space(kernels, vertices, random),
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
        let of_vertex = |vertex: usize| starts[vertex]..starts[vertex + 1];
        let vectors = |vectors: &Vec<[f32; 3]>| {
            order.iter().flat_map(|&vertex| vectors[of_vertex(vertex)].to_vec()).collect()
        };
        Self {
            cloud: self.cloud.reordered(order),
            bitangents: None,
            vectors: self.vectors.as_ref().map(vectors),
            skin: self.skin.clone(),
            ..*self
        }
    }

    pub(crate) fn source(&self) -> MeshSource<'_> {
        let Cloud { counts, joints, weights, .. } = &self.cloud;
        let source = MeshSource {
            bitangents: self.bitangents.as_deref(),
            weights: self.weights,
            ..self.cloud.source()
        };
        match &self.vectors {
            None => source,
            Some(vectors) => {
                let influences = Influences::JointSpace { counts, joints, weights, vectors };
                MeshSource { positions: &[], influences, ..source }
            }
        }
    }

    pub(crate) fn mesh(&self, levels: &[usize]) -> Mesh {
        let mesh = Mesh::new(&MeshSource { levels, ..self.source() }, &self.skin).expect("a sound mesh");
        assert!(self.form.is_none_or(|form| form == mesh.layout().form), "{}", self.name);
        mesh
    }

    pub(crate) fn palette(&self, models: &[Matrix]) -> Palette {
        let mut palette = Palette::new(&self.skin);
        palette.update(models, &self.skin).expect("a matrix for each joint");
        palette
    }

    /// Each vertex's influences, at most so many of the strongest, of equal ones those of the lower joints. They have
    /// the weight of all.
    pub(crate) fn strongest(&self, most: usize) -> Vec<Vec<Influence>> {
        let mut next = 0;
        let own = |(vertex, influences): (usize, Vec<(u32, f32)>)| {
            let mut by_joint = BTreeMap::new();
            for (joint, weight) in influences {
                let vector = match &self.vectors {
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
            if self.weights == Weights::Normalised {
                own = own.iter().map(|influence| influence.times(1.0 / sum)).collect();
                sum = 1.0;
            }
            own.sort_by(|a, b| (b.weight as f32).total_cmp(&(a.weight as f32)));
            own.truncate(most);
            let kept: f64 = own.iter().map(|influence| influence.weight).sum();
            own.iter().map(|influence| influence.times(sum / kept)).collect()
        };
        self.cloud.influences().into_iter().enumerate().map(own).collect()
    }

    /// Where the strongest influences take every vertex, directions as they are blended.
    pub(crate) fn expected(&self, models: &[Matrix], most: usize) -> Moved<f64> {
        let palette = self.palette(models);
        let mut moved = [const { Vec::new() }; 3];
        for (vertex, influences) in self.strongest(most).iter().enumerate() {
            let mut position = [0.0; 3];
            let mut blended = [[0.0; 4]; 3];
            for Influence { joint, weight, weighted } in influences {
                // Vectors in joint space go through model matrices, positions through the palette.
                let matrices = if self.vectors.is_some() { models } else { palette.matrices() };
                for (sum, row) in position.iter_mut().zip(matrices[*joint].rows) {
                    let row = row.map(f64::from);
                    *sum += row[3] * weight;
                    *sum += row.iter().zip(weighted).map(|(a, b)| a * b).sum::<f64>();
                }
                add(&mut blended, &palette.matrices()[*joint], *weight);
            }
            let [x, y, z, _] = self.cloud.tangents[vertex];
            moved[0].push(position);
            moved[1].push(turned(&blended, self.cloud.normals[vertex]));
            moved[2].push(turned(&blended, [x, y, z]));
        }
        moved
    }
}

impl Influence {
    fn times(&self, factor: f64) -> Self {
        let weighted = self.weighted.map(|component| component * factor);
        Self { joint: self.joint, weight: self.weight * factor, weighted }
    }
}

/// A cloud of few sets, one of which has this many different joints; any where there are few vertices. Every seventh
/// vertex names its first joint twice.
pub(crate) fn cloud_of(vertices: usize, most: usize, random: &mut Random) -> Cloud {
    loop {
        let mut cloud = Cloud::new(vertices, most, JOINTS, random);
        let mut first = 0;
        for (vertex, &count) in cloud.counts.iter().enumerate() {
            if vertex % 7 == 0 && count > 1 {
                cloud.joints[first + 1] = cloud.joints[first];
            }
            first += count as usize;
        }
        let reaches = |influences: &Vec<(u32, f32)>| {
            let mut joints: Vec<u32> = influences.iter().filter(|(_, w)| *w > 0.0).map(|&(j, _)| j).collect();
            joints.sort_unstable();
            joints.dedup();
            joints.len() == most
        };
        if vertices < 8 || cloud.influences().iter().any(reaches) {
            return cloud;
        }
    }
}

/// Brings the weights of each vertex to some sum from 0.6 to 1.4.
fn scale_sums(cloud: &mut Cloud, random: &mut Random) {
    let mut first = 0;
    for &count in &cloud.counts {
        let own = &mut cloud.weights[first..first + count as usize];
        let factor = random.between(0.6, 1.4) / own.iter().sum::<f32>();
        own.iter_mut().for_each(|weight| *weight *= factor);
        first += count as usize;
    }
}

pub(crate) fn add(sum: &mut [[f64; 4]; 3], matrix: &Matrix, weight: f64) {
    let elements = matrix.rows.as_flattened();
    for (sum, &element) in sum.as_flattened_mut().iter_mut().zip(elements) {
        *sum += weight * f64::from(element);
    }
}

pub(crate) fn turned(matrix: &[[f64; 4]; 3], vector: [f32; 3]) -> [f64; 3] {
    let [x, y, z] = vector.map(f64::from);
    matrix.map(|row| row[0] * x + row[1] * y + row[2] * z)
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn length(vector: [f64; 3]) -> f64 {
    dot(vector, vector).sqrt()
}

/// Positions, normals and tangents as they are skinned.
pub(crate) fn moved(mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> Moved<f32> {
    let mut skinned = Skinned::new(mesh, Attributes::Tangents).expect("tangents");
    mesh.skin(palette, options, &mut skinned).expect("what fits");
    let mut moved = [0; 3].map(|_| vec![[f32::NAN; 3]; mesh.len()]);
    skinned.positions(mesh, &mut moved[0]).expect("positions");
    skinned.normals(mesh, &mut moved[1]).expect("normals");
    skinned.tangents(mesh, &mut moved[2]).expect("tangents");
    moved
}
