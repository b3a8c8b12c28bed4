//! The class `BodyModel`.

use numpy::PyArrayDyn;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::forward::{Batch, Body};
use super::influences::{Influences, parent_indices};
use super::kinematics::{PosedJoints, Rotations};
use crate::arrays::{Dim, Floats, ShapeText, array, output, writable};
use crate::errors::bad_value;

/// A body for batched linear blend skinning, in the layout of SMPL and its relatives: built once,
/// posed as often as needed.
///
/// Args:
///     vertices: (vertices, 3) at rest.
///     weights: one of
///         - a dense array (vertices, joints); zeros cost nothing;
///         - a tuple (indices, weights) of arrays (vertices, influences);
///         - a tuple (indptr, indices, data), or any matrix with `tocsr()`: compressed rows.
///         They are used as given, not normalized; none may be negative, and every vertex needs
///         one.
///     parents: (joints,) indices, -1 for a root; parents come before their children.
///     rest: (joints, 3) positions of the joints at rest.
///
/// Inputs may be of any numeric dtype and any strides; arithmetic is float32, joints in float64.
///
/// >>> import numpy
/// >>> rest = [[0, 0, 0], [0, 0.5, 0]]
/// >>> body = sinew3d.BodyModel([[0, 0, 0], [0, 1, 0]], numpy.eye(2), [-1, 0], rest)
/// >>> poses = numpy.zeros((4, 2, 3))  # Four poses of two joints, as rotation vectors.
/// >>> poses[:, 1, 2] = [0, 0.5, 1, numpy.pi / 2]
/// >>> body.lbs(poses)[3].round(3)
/// array([[ 0. ,  0. ,  0. ],
///        [-0.5,  0.5,  0. ]], dtype=float32)
#[pyclass(frozen, module = "sinew3d")]
pub(crate) struct BodyModel {
    body: Body,
}

/// The arguments of a batch, kept while it is computed.
struct BatchArguments<'py> {
    poses: Floats<'py>,
    as_matrices: bool,
    len: usize,
    offsets: Option<Floats<'py>>,
    rest: Option<Floats<'py>>,
    translations: Option<Floats<'py>>,
}

impl<'py> BatchArguments<'py> {
    fn new(
        body: &Body,
        poses: &Bound<'py, PyAny>,
        offsets: Option<&Bound<'py, PyAny>>,
        rest: Option<&Bound<'py, PyAny>>,
        translations: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let (joints, vertices) = (body.parents.len(), body.vertices.len());
        let poses = Floats::new(poses, "poses")?;
        let (len, as_matrices) = match *poses.shape() {
            [len, found, 3] if found == joints => (len, false),
            [len, found] if found == 3 * joints => (len, false),
            [len, found, 3, 3] if found == joints => (len, true),
            _ => {
                let expected = format!(
                    "shape (batch, {joints}, 3) or (batch, {}) of rotation vectors, or (batch, {joints}, 3, 3) \
                     of matrices",
                    3 * joints
                );
                return Err(bad_value("poses", expected, ShapeText(poses.shape())));
            }
        };
        let per_pose = |value: Option<&Bound<'py, PyAny>>, of: usize, what: &str| {
            let Some(value) = value else { return Ok(None) };
            let found = Floats::new(value, what)?;
            match *found.shape() {
                [count, 3] if count == of => Ok(Some(found)),
                [batch, count, 3] if batch == len && count == of => Ok(Some(found)),
                _ => {
                    let expected = format!("shape ({of}, 3) or ({len}, {of}, 3)");
                    Err(bad_value(what, expected, ShapeText(found.shape())))
                }
            }
        };
        let translation_each = [Dim::Is(len), Dim::Is(3)];
        Ok(Self {
            as_matrices,
            len,
            offsets: per_pose(offsets, vertices, "shape_offsets")?,
            rest: per_pose(rest, joints, "rest")?,
            translations: translations
                .map(|value| Floats::with_shape(value, &translation_each, "translations"))
                .transpose()?,
            poses,
        })
    }

    fn batch<'a>(&'a self, body: &'a Body) -> PyResult<Batch<'a>> {
        let values = self.poses.values()?;
        Ok(Batch {
            len: self.len,
            rotations: if self.as_matrices {
                Rotations::Matrices(values)
            } else {
                Rotations::Vectors(values)
            },
            offsets: self.offsets.as_ref().map(Floats::vectors).transpose()?,
            rest: self.rest.as_ref().map_or(Ok(&body.rest[..]), Floats::vectors)?,
            translations: self.translations.as_ref().map(Floats::vectors).transpose()?,
        })
    }
}

#[pymethods]
impl BodyModel {
    #[new]
    fn new(
        vertices: &Bound<'_, PyAny>,
        weights: &Bound<'_, PyAny>,
        parents: &Bound<'_, PyAny>,
        rest: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let vertices = Floats::with_shape(vertices, &[Dim::Any("vertices"), Dim::Is(3)], "vertices")?;
        let parents = parent_indices(parents)?;
        let rest = Floats::with_shape(rest, &[Dim::Is(parents.len()), Dim::Is(3)], "rest")?;
        let influences = Influences::new(weights, vertices.vectors()?.len(), parents.len())?;
        Ok(Self { body: Body::new(vertices.vectors()?, influences, parents, rest.vectors()?)? })
    }

    /// Skins a batch of poses.
    ///
    /// Args:
    ///     poses: rotations of the joints relative to their parents: (batch, joints, 3) or (batch,
    ///         joints * 3) rotation vectors, or (batch, joints, 3, 3) matrices.
    ///     shape_offsets: added to the vertices before skinning, (vertices, 3) or (batch, vertices,
    ///         3).
    ///     rest: other rest positions of the joints, (joints, 3) or (batch, joints, 3).
    ///     translations: (batch, 3), added to all vertices of a pose.
    ///     out: an array (batch, vertices, 3) of float32 to write to.
    ///     threads: one per core by default. Results do not depend on it.
    ///
    /// Returns:
    ///     (batch, vertices, 3) of float32.
    #[pyo3(signature = (poses, shape_offsets=None, *, rest=None, translations=None, out=None, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn lbs<'py>(
        &self,
        py: Python<'py>,
        poses: &Bound<'py, PyAny>,
        shape_offsets: Option<&Bound<'py, PyAny>>,
        rest: Option<&Bound<'py, PyAny>>,
        translations: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let arguments = BatchArguments::new(&self.body, poses, shape_offsets, rest, translations)?;
        let out = output(py, out, &[arguments.len, self.body.vertices.len(), 3])?;
        let mut to = writable(&out)?;
        self.body.lbs(py, &arguments.batch(&self.body)?, threads, to.as_slice_mut()?)?;
        drop(to);
        Ok(out)
    }

    /// The gradient of `lbs`: from the derivatives of a loss by the posed vertices, those by
    /// everything that they depend on.
    ///
    /// Args:
    ///     poses, shape_offsets, rest, translations: as given to `lbs`.
    ///     grad_output: (batch, vertices, 3), the derivatives by the result of `lbs`.
    ///
    /// Returns:
    ///     LbsGradient(vertices, weights, poses, rest, shape_offsets, translations), each of the
    ///     shape of the argument; sums over the batch where one argument serves all poses. weights
    ///     has the layout of the constructor's: dense (vertices, joints) with the derivatives of
    ///     zeros, too, or one number per stored weight. None for shape_offsets and translations
    ///     that were not given.
    ///
    /// >>> import numpy
    /// >>> rest = [[0, 0, 0], [0, 0.5, 0]]
    /// >>> body = sinew3d.BodyModel([[0, 0, 0], [0, 1, 0]], numpy.eye(2), [-1, 0], rest)
    /// >>> poses = numpy.zeros((1, 2, 3))
    /// >>> by = body.lbs_grad(poses, numpy.ones((1, 2, 3)))
    /// >>> by.poses.shape
    /// (1, 2, 3)
    #[pyo3(signature = (poses, grad_output, shape_offsets=None, *, rest=None, translations=None, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn lbs_grad<'py>(
        &self,
        py: Python<'py>,
        poses: &Bound<'py, PyAny>,
        grad_output: &Bound<'py, PyAny>,
        shape_offsets: Option<&Bound<'py, PyAny>>,
        rest: Option<&Bound<'py, PyAny>>,
        translations: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let body = &self.body;
        let arguments = BatchArguments::new(body, poses, shape_offsets, rest, translations)?;
        let (len, vertices, joints) = (arguments.len, body.vertices.len(), body.parents.len());
        let shape = [Dim::Is(len), Dim::Is(vertices), Dim::Is(3)];
        let grad_output = Floats::with_shape(grad_output, &shape, "grad_output")?;
        let batch = arguments.batch(body)?;
        let gradient = body.gradient(py, &batch, grad_output.values()?, threads)?;
        // One argument for all poses gets the sum of theirs.
        let summed = |values: Vec<f32>, of: usize, each: bool| {
            if each {
                return array(py, values, &[len, of, 3]);
            }
            let mut sum = vec![0.0_f64; 3 * of];
            for of_pose in values.chunks_exact((3 * of).max(1)) {
                sum.iter_mut().zip(of_pose).for_each(|(sum, &value)| *sum += f64::from(value));
            }
            array(py, sum.into_iter().map(|value| value as f32).collect(), &[of, 3])
        };
        let is_each = |floats: &Option<Floats<'_>>| floats.as_ref().is_some_and(|of| of.shape().len() == 3);
        let by_offsets = match &arguments.offsets {
            Some(_) => Some(summed(gradient.offsets, vertices, is_each(&arguments.offsets))?),
            None => None,
        };
        let by_translations = match &arguments.translations {
            Some(_) => Some(array(py, gradient.translations, &[len, 3])?),
            None => None,
        };
        let fields = (
            array(py, gradient.vertices, &[vertices, 3])?,
            array(py, gradient.weights, &body.influences.shape)?,
            array(py, gradient.poses, arguments.poses.shape())?,
            summed(gradient.rest, joints, is_each(&arguments.rest))?,
            by_offsets,
            by_translations,
        );
        py.import("sinew3d._results")?.getattr("LbsGradient")?.call1(fields)
    }

    /// The matrix of each joint in model space, (batch, joints, 4, 4) of float32. Arguments as of
    /// `lbs`.
    #[pyo3(signature = (poses, *, rest=None, translations=None))]
    fn joint_matrices<'py>(
        &self,
        py: Python<'py>,
        poses: &Bound<'py, PyAny>,
        rest: Option<&Bound<'py, PyAny>>,
        translations: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let body = &self.body;
        let arguments = BatchArguments::new(body, poses, None, rest, translations)?;
        let (batch, joints) = (arguments.batch(body)?, body.parents.len());
        let mut matrices = Vec::with_capacity(16 * joints * batch.len);
        let mut posed = PosedJoints::default();
        for pose in 0..batch.len {
            let rest = batch.rest_of(pose, joints);
            body.skeleton(rest).pose(batch.pose(pose, joints), &mut posed);
            let moved = batch.translation_of(pose);
            for (rotation, position) in posed.rotations.iter().zip(&posed.positions) {
                for row in 0..3 {
                    matrices.extend(rotation[row].map(|value| value as f32));
                    matrices.push((position[row] + moved[row]) as f32);
                }
                matrices.extend([0.0, 0.0, 0.0, 1.0]);
            }
        }
        array(py, matrices, &[batch.len, joints, 4, 4])
    }

    /// The number of vertices.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.body.vertices.len()
    }

    /// The number of joints.
    #[getter]
    fn joint_count(&self) -> usize {
        self.body.parents.len()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a body model cannot be pickled; pickle its arrays and build another"))
    }

    fn __repr__(&self) -> String {
        format!(
            "<sinew3d.BodyModel of {} vertices and {} joints>",
            self.body.vertices.len(),
            self.body.parents.len()
        )
    }
}
