//! Ray casts: many rays at once.

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use sinew::Ray;
use sinew::geometry::Side;
use sinew::model::Hit;
use sinew::query::Faces;

use crate::arrays::{Dim, array, check_shape, floats};
use crate::errors::bad_value;
use crate::instance::Instance;

/// Rays between two looks for Ctrl-C.
const RAYS_AT_ONCE: usize = 4096;

/// The columns of all hits.
struct Columns {
    distance: Vec<f32>,
    point: Vec<f32>,
    normal: Vec<f32>,
    barycentrics: Vec<f32>,
    mesh: Vec<i32>,
    triangle: Vec<i64>,
    joint: Vec<i32>,
    front: Vec<bool>,
}

#[pymethods]
impl Instance {
    /// Casts rays against the posed surface: the nearest hit of each.
    ///
    /// Rays that miss have distance inf, indices -1 and NaN elsewhere. A ray with a number that is
    /// not finite, or without direction, misses. Directions need not have length one.
    ///
    /// Args:
    ///     origins: (n, 3), or (3,) for all rays.
    ///     directions: (n, 3), or (3,) for all rays.
    ///     max_distance: the farthest hit.
    ///     front_only: rays pass through the back of triangles.
    ///
    /// Returns:
    ///     Hits(distance, point, normal, barycentrics, mesh, triangle, joint, front), arrays of n
    ///     each.
    ///
    /// >>> import numpy
    /// >>> figure = sinew3d.load("@figure").instance()
    /// >>> hits = figure.cast(numpy.array([0, 1, 5.0]), numpy.array([[0, 0, -1.0], [0, 0, 1.0]]))
    /// >>> numpy.isfinite(hits.distance)
    /// array([ True, False])
    #[pyo3(signature = (origins, directions, *, max_distance=f32::INFINITY, front_only=false))]
    fn cast<'py>(
        &mut self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        max_distance: f32,
        front_only: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        if max_distance.is_nan() {
            return Err(bad_value("max_distance", "a number", max_distance));
        }
        let (origins, directions) = (floats(origins, "origins")?, floats(directions, "directions")?);
        let (one, others) = (vectors(&origins, "origins")?, vectors(&directions, "directions")?);
        let rays = match (one, others) {
            (Vectors::One(_), Vectors::One(_)) => 1,
            (Vectors::Many(all), Vectors::One(_)) | (Vectors::One(_), Vectors::Many(all)) => all.len(),
            (Vectors::Many(all), Vectors::Many(others)) if all.len() == others.len() => all.len(),
            (Vectors::Many(all), Vectors::Many(others)) => {
                return Err(bad_value("directions", format!("{} rays", all.len()), others.len()));
            }
        };
        let faces = if front_only { Faces::Front } else { Faces::Both };
        let mut columns = Columns::new(rays);
        let instance = &mut self.inner;
        for first in (0..rays).step_by(RAYS_AT_ONCE) {
            py.detach(|| {
                for ray in first..rays.min(first + RAYS_AT_ONCE) {
                    let (origin, direction) = (one.get(ray), others.get(ray));
                    let hit = instance.cast(&Ray { origin, direction, max_distance, faces });
                    columns.push(hit.as_ref());
                }
            });
            py.check_signals()?;
        }
        columns.into_hits(py, rays)
    }
}

#[derive(Clone, Copy)]
enum Vectors<'a> {
    One([f32; 3]),
    Many(&'a [[f32; 3]]),
}

impl Vectors<'_> {
    fn get(&self, ray: usize) -> [f32; 3] {
        match self {
            Self::One(vector) => *vector,
            Self::Many(all) => all[ray],
        }
    }
}

fn vectors<'a>(array: &'a numpy::PyReadonlyArrayDyn<'_, f32>, what: &str) -> PyResult<Vectors<'a>> {
    let shape = numpy::PyUntypedArrayMethods::shape(&**array);
    let (all, _) = array.as_slice()?.as_chunks();
    if shape == [3] {
        return Ok(Vectors::One(all[0]));
    }
    check_shape(shape, &[Dim::Any("n"), Dim::Is(3)], what)?;
    Ok(Vectors::Many(all))
}

impl Columns {
    fn new(rays: usize) -> Self {
        Self {
            distance: Vec::with_capacity(rays),
            point: Vec::with_capacity(3 * rays),
            normal: Vec::with_capacity(3 * rays),
            barycentrics: Vec::with_capacity(3 * rays),
            mesh: Vec::with_capacity(rays),
            triangle: Vec::with_capacity(rays),
            joint: Vec::with_capacity(rays),
            front: Vec::with_capacity(rays),
        }
    }

    fn push(&mut self, hit: Option<&Hit>) {
        const NONE: [f32; 3] = [f32::NAN; 3];
        self.distance.push(hit.map_or(f32::INFINITY, |hit| hit.distance));
        self.point.extend(hit.map_or(NONE, |hit| hit.point));
        self.normal.extend(hit.map_or(NONE, |hit| hit.normal));
        self.barycentrics.extend(hit.map_or(NONE, |hit| hit.barycentrics));
        self.mesh.push(hit.map_or(-1, |hit| hit.mesh_instance as i32));
        self.triangle.push(hit.map_or(-1, |hit| hit.triangle as i64));
        self.joint.push(hit.map_or(-1, |hit| hit.joint.index() as i32));
        self.front.push(hit.is_some_and(|hit| hit.side == Side::Front));
    }

    fn into_hits(self, py: Python<'_>, rays: usize) -> PyResult<Bound<'_, PyAny>> {
        let vectors = |values| -> PyResult<Bound<'_, PyArrayDyn<f32>>> { array(py, values, &[rays, 3]) };
        let fields = (
            array(py, self.distance, &[rays])?,
            vectors(self.point)?,
            vectors(self.normal)?,
            vectors(self.barycentrics)?,
            array(py, self.mesh, &[rays])?,
            array(py, self.triangle, &[rays])?,
            array(py, self.joint, &[rays])?,
            array(py, self.front, &[rays])?,
        );
        py.import("sinew3d._results")?.getattr("Hits")?.call1(fields)
    }
}
