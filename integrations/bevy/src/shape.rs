//! Meshes of Bevy as sinew's: converted once per mesh asset, shared by all entities that have it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use bevy_asset::AssetId;
use bevy_mesh::morph::MorphAttributes;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use sinew::bounds::JointBounds;
use sinew::mesh::{Deltas, MorphSource, Weights};
use sinew::query::LazyBvh;
use sinew::{Bone, Influences, JointId, MeshSource, Skeleton, Skin, Transform};

use crate::Problem;

/// What a shape is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShapeKey {
    pub(crate) mesh: AssetId<Mesh>,
    /// The number of joints of the skin; `None` for a mesh that its own transform moves.
    pub(crate) joints: Option<usize>,
    pub(crate) vertices: Vertices,
}

/// Which attributes of vertices a shape has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Vertices {
    /// Positions, for ray casts and bounds.
    Positions,
    /// Positions, and those of normals and tangents that the mesh has.
    All,
}

/// A mesh in sinew's form, with what is built from it on first use.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) mesh: sinew::Mesh,
    bvh: OnceLock<LazyBvh>,
    bounds: OnceLock<JointBounds>,
}

impl Shape {
    /// A BVH for one entity. All share their topology.
    pub(crate) fn lazy_bvh(&self) -> LazyBvh {
        self.bvh.get_or_init(|| LazyBvh::build(&self.mesh)).clone()
    }

    pub(crate) fn joint_bounds(&self) -> &JointBounds {
        self.bounds.get_or_init(|| JointBounds::build(&self.mesh))
    }
}

/// All shapes that are in use, and why others could not be built.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    shapes: HashMap<ShapeKey, Result<Arc<Shape>, Problem>>,
}

impl Shapes {
    /// The shape of a mesh, built on first use.
    pub(crate) fn get(&mut self, key: ShapeKey, mesh: &Mesh) -> Result<Arc<Shape>, Problem> {
        self.shapes.entry(key).or_insert_with(|| build(key, mesh).map(Arc::new)).clone()
    }

    /// Forgets a mesh that has changed or was removed.
    pub(crate) fn forget(&mut self, mesh: AssetId<Mesh>) {
        self.shapes.retain(|key, _| key.mesh != mesh);
    }

    /// The number of shapes that were built.
    pub(crate) fn len(&self) -> usize {
        self.shapes.values().filter(|shape| shape.is_ok()).count()
    }
}

fn build(key: ShapeKey, mesh: &Mesh) -> Result<Shape, Problem> {
    let unsupported = |error: &dyn std::fmt::Display| Problem::UnsupportedMesh(error.to_string().into());
    let Ok(positions) = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION) else {
        return Err(Problem::MeshNotReadable);
    };
    let Some(positions) = positions.as_float3() else {
        return Err(unsupported(&"its positions are not three floats each"));
    };
    let triangles = triangles(mesh, positions.len())?;
    let skin = skin(key.joints.unwrap_or(1)).map_err(|error| unsupported(&error))?;
    let (joints, weights) = influences(key, mesh, positions.len())?;
    let directions = Directions::read(key, mesh, positions.len());
    let morphs = MorphDeltas::read(mesh, positions.len(), &directions)?;
    let influences = match key.joints {
        Some(_) => Influences::Four { joints, weights },
        None => Influences::Variable {
            counts: &vec![1; positions.len()],
            joints: &vec![0; positions.len()],
            weights: &vec![1.0; positions.len()],
        },
    };
    let source = MeshSource {
        normals: directions.normals,
        tangents: directions.tangents,
        // As Bevy's shaders, which do not normalize weights either.
        weights: Weights::AsStored,
        triangles: &triangles,
        morphs: &morphs.sources(),
        ..MeshSource::new(positions, influences)
    };
    let mesh = sinew::Mesh::new(&source, &skin).map_err(|error| unsupported(&error))?;
    Ok(Shape { mesh, bvh: OnceLock::new(), bounds: OnceLock::new() })
}

/// A skin with so many joints. The matrices of joints come from Bevy.
fn skin(joints: usize) -> Result<Skin, sinew::Error> {
    let bone = Bone::new("", None, Transform::IDENTITY);
    let skeleton = Skeleton::new(&vec![bone; joints])?;
    let joints: Vec<JointId> = (0..joints).map(JointId::new).collect();
    Ok(Skin::new(&skeleton, &joints)?)
}

/// The triangles of a list or strip. Indices at the end that make no whole triangle are dropped.
fn triangles(mesh: &Mesh, vertices: usize) -> Result<Vec<[u32; 3]>, Problem> {
    let indices: Vec<u32> = match mesh.try_indices_option() {
        Err(_) => return Err(Problem::MeshNotReadable),
        Ok(Some(Indices::U16(indices))) => indices.iter().map(|&index| u32::from(index)).collect(),
        Ok(Some(Indices::U32(indices))) => indices.clone(),
        Ok(None) => (0..u32::try_from(vertices).unwrap_or(u32::MAX)).collect(),
    };
    match mesh.primitive_topology() {
        PrimitiveTopology::TriangleList => Ok(indices.as_chunks().0.to_vec()),
        PrimitiveTopology::TriangleStrip => {
            let corners = |(index, corners): (usize, &[u32])| match (index % 2, corners) {
                (0, &[a, b, c]) => [a, b, c],
                // Every other triangle of a strip is turned.
                (_, &[a, b, c]) => [b, a, c],
                _ => unreachable!("windows of three"),
            };
            Ok(indices.windows(3).enumerate().map(corners).collect())
        }
        topology => Err(Problem::UnsupportedMesh(format!("its topology is {topology:?}").into())),
    }
}

fn influences(key: ShapeKey, mesh: &Mesh, vertices: usize) -> Result<(&[[u16; 4]], &[[f32; 4]]), Problem> {
    if key.joints.is_none() {
        return Ok((&[], &[]));
    }
    let attribute = |attribute| mesh.try_attribute_option(attribute).ok().flatten();
    let joints = match attribute(Mesh::ATTRIBUTE_JOINT_INDEX) {
        Some(VertexAttributeValues::Uint16x4(joints)) => joints.as_slice(),
        _ => return Err(Problem::UnsupportedMesh("it has no joint indices, four of 16 bits each".into())),
    };
    let weights = match attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT) {
        Some(VertexAttributeValues::Float32x4(weights)) => weights.as_slice(),
        _ => return Err(Problem::UnsupportedMesh("it has no joint weights, four floats each".into())),
    };
    if joints.len() != vertices || weights.len() != vertices {
        let found = format!(
            "it has {vertices} positions, {} joint indices and {} joint weights",
            joints.len(),
            weights.len()
        );
        return Err(Problem::UnsupportedMesh(found.into()));
    }
    Ok((joints, weights))
}

/// Normals and tangents, as far as they are asked for, complete and finite.
struct Directions<'a> {
    normals: Option<&'a [[f32; 3]]>,
    tangents: Option<&'a [[f32; 4]]>,
}

impl<'a> Directions<'a> {
    fn read(key: ShapeKey, mesh: &'a Mesh, vertices: usize) -> Self {
        if key.vertices == Vertices::Positions {
            return Self { normals: None, tangents: None };
        }
        let attribute = |attribute| mesh.try_attribute_option(attribute).ok().flatten();
        let normals = match attribute(Mesh::ATTRIBUTE_NORMAL) {
            Some(VertexAttributeValues::Float32x3(normals)) => complete(normals, vertices),
            _ => None,
        };
        let tangents = match attribute(Mesh::ATTRIBUTE_TANGENT) {
            Some(VertexAttributeValues::Float32x4(tangents)) if normals.is_some() => {
                complete(tangents, vertices)
            }
            _ => None,
        };
        Self { normals, tangents }
    }
}

fn complete<const N: usize>(values: &[[f32; N]], vertices: usize) -> Option<&[[f32; N]]> {
    let is_complete = values.len() == vertices && values.as_flattened().iter().all(|value| value.is_finite());
    is_complete.then_some(values)
}

/// The deltas of all morph targets, attribute by attribute.
#[derive(Default)]
struct MorphDeltas {
    /// Positions, normals and tangents of each target; the last two are empty if not needed.
    targets: Vec<[Vec<[f32; 3]>; 3]>,
}

impl MorphDeltas {
    fn read(mesh: &Mesh, vertices: usize, directions: &Directions<'_>) -> Result<Self, Problem> {
        let Ok(deltas) = mesh.try_morph_targets() else { return Ok(Self::default()) };
        if vertices == 0 || deltas.len() % vertices != 0 {
            let found = format!("it has {} morph deltas for {vertices} vertices", deltas.len());
            return Err(Problem::UnsupportedMesh(found.into()));
        }
        let column = |target: &[MorphAttributes], is_needed: bool, part: fn(&MorphAttributes) -> [f32; 3]| {
            if is_needed { target.iter().map(part).collect() } else { Vec::new() }
        };
        let targets = deltas.chunks(vertices).map(|target| {
            [
                column(target, true, |delta| delta.position.to_array()),
                column(target, directions.normals.is_some(), |delta| delta.normal.to_array()),
                column(target, directions.tangents.is_some(), |delta| delta.tangent.to_array()),
            ]
        });
        Ok(Self { targets: targets.collect() })
    }

    fn sources(&self) -> Vec<MorphSource<'_>> {
        self.targets
            .iter()
            .map(|target| {
                let [positions, normals, tangents] = target;
                MorphSource {
                    name: "",
                    positions: dense(positions),
                    normals: dense(normals),
                    tangents: dense(tangents),
                }
            })
            .collect()
    }
}

fn dense(deltas: &[[f32; 3]]) -> Deltas<'_> {
    if deltas.is_empty() { Deltas::None } else { Deltas::Dense(deltas) }
}
