//! A model of the caller's own arrays.

use pyo3::prelude::*;
use sinew::mesh::Weights;
use sinew::model::{Material, MeshInstance, ModelSource, Primitive};
use sinew::{Bone, FloatMode, JointId, MeshSource, Runtime, Skeleton, Skin, Transform};

use crate::arrays::{Dim, Floats, ShapeText, check_shape, integers};
use crate::body::{Influences, parent_indices};
use crate::errors::{bad_value, refused};
use crate::model::{Model, Source};

/// Makes a model of arrays: a mesh, and optionally a skeleton that moves it.
///
/// Args:
///     vertices: (vertices, 3) positions at rest.
///     triangles: (triangles, 3) indices of vertices, counter-clockwise seen from the front.
///     weights: (vertices, joints), or a sparse form: see `BodyModel`. Without weights, one joint
///         moves all vertices.
///     parents: (joints,) indices, -1 for a root; parents come before their children.
///     rest: (joints, 3) positions of the joints at rest.
///     names: of the joints.
///     normals: (vertices, 3).
///     uv: (vertices, 2), with the origin at the upper left.
///     reproducible: as of `load`.
///
/// >>> import numpy
/// >>> quad = numpy.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]])
/// >>> model = sinew3d.model_from_arrays(quad, [[0, 1, 2], [0, 2, 3]])
/// >>> model.vertex_count
/// 4
#[pyfunction]
#[pyo3(signature = (vertices, triangles, *, weights=None, parents=None, rest=None, names=None, normals=None,
                    uv=None, reproducible=false))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn model_from_arrays<'py>(
    vertices: &Bound<'py, PyAny>,
    triangles: &Bound<'py, PyAny>,
    weights: Option<&Bound<'py, PyAny>>,
    parents: Option<&Bound<'py, PyAny>>,
    rest: Option<&Bound<'py, PyAny>>,
    names: Option<Vec<String>>,
    normals: Option<&Bound<'py, PyAny>>,
    uv: Option<&Bound<'py, PyAny>>,
    reproducible: bool,
) -> PyResult<Model> {
    let vertices = Floats::with_shape(vertices, &[Dim::Any("vertices"), Dim::Is(3)], "vertices")?;
    let len = vertices.vectors()?.len();
    let triangles = triangle_indices(triangles)?;
    let vector_each = [Dim::Is(len), Dim::Is(3)];
    let normals = normals.map(|value| Floats::with_shape(value, &vector_each, "normals")).transpose()?;
    let pair_each = [Dim::Is(len), Dim::Is(2)];
    let uv = uv.map(|value| Floats::with_shape(value, &pair_each, "uv")).transpose()?;

    let bones = bones(parents, rest, names)?;
    let float_mode = if reproducible { FloatMode::Reproducible } else { FloatMode::Fast };
    let runtime = Runtime::new(float_mode).map_err(refused)?;
    let skeleton = Skeleton::new(&bones).map_err(refused)?.with_runtime(runtime);
    let joints: Vec<_> = skeleton.joints().collect();
    let skin = Skin::new(&skeleton, &joints).map_err(refused)?;
    let influences = match weights {
        Some(weights) => Influences::new(weights, len, joints.len())?,
        None => Influences::rigid(len),
    };
    let source = MeshSource {
        normals: normals.as_ref().map(Floats::vectors).transpose()?,
        triangles: &triangles,
        weights: Weights::Normalized,
        ..MeshSource::new(vertices.vectors()?, influences.source())
    };
    let mesh = sinew::Mesh::new(&source, &skin).map_err(refused)?;
    let texture_coordinates = match &uv {
        Some(uv) => vec![uv.values()?.as_chunks().0.to_vec()],
        None => Vec::new(),
    };
    let model = sinew::Model::new(ModelSource {
        skins: vec![skin],
        primitives: vec![Primitive {
            texture_coordinates,
            material: Some(0),
            ..Primitive::new("mesh", mesh)
        }],
        mesh_instances: vec![MeshInstance::new("mesh", JointId::new(0))],
        materials: vec![Material { name: "material".to_owned(), ..Material::default() }],
        ..ModelSource::new(skeleton)
    });
    Ok(Model::new(model.map_err(refused)?, Source::Memory))
}

fn triangle_indices(triangles: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    let indices = integers(triangles, "triangles")?;
    let shape = numpy::PyUntypedArrayMethods::shape(&*indices).to_vec();
    // An empty list has no second dimension.
    if shape != [0] {
        check_shape(&shape, &[Dim::Any("triangles"), Dim::Is(3)], "triangles")?;
    }
    let corner =
        |&index: &i64| u32::try_from(index).map_err(|_| bad_value("triangles", "indices of vertices", index));
    let corners = indices.as_slice()?.iter().map(corner).collect::<PyResult<Vec<_>>>()?;
    Ok(corners.as_chunks().0.to_vec())
}

fn bones(
    parents: Option<&Bound<'_, PyAny>>,
    rest: Option<&Bound<'_, PyAny>>,
    names: Option<Vec<String>>,
) -> PyResult<Vec<Bone>> {
    let parents = match parents {
        Some(parents) => parent_indices(parents)?,
        None => vec![None],
    };
    let rest = match rest {
        Some(rest) => {
            let rest = Floats::with_shape(rest, &[Dim::Is(parents.len()), Dim::Is(3)], "rest")?;
            rest.vectors()?.to_vec()
        }
        None => vec![[0.0; 3]; parents.len()],
    };
    let names = names.unwrap_or_else(|| (0..parents.len()).map(|joint| format!("joint_{joint}")).collect());
    if names.len() != parents.len() {
        return Err(bad_value("names", parents.len(), ShapeText(&[names.len()])));
    }
    let bone = |(joint, name): (usize, &String)| {
        let from = parents[joint].map_or([0.0; 3], |parent| rest[parent]);
        let translation = std::array::from_fn(|axis| rest[joint][axis] - from[axis]);
        Bone::new(name, parents[joint], Transform { translation, ..Transform::IDENTITY })
    };
    Ok(names.iter().enumerate().map(bone).collect())
}
