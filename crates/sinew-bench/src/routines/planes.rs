//! Plane equations of triangles.

use std::hint::black_box;

use sinew_kernels::{Plane, PlaneNormals, ToPlanes, TrianglePoints, Triangles, reference};
#[cfg(not(target_arch = "x86_64"))]
use sinew_papers::plain as sse2;
#[cfg(target_arch = "x86_64")]
use sinew_papers::sse2;
use sinew_papers::{PaddedVertex, TriangleList, plain};

use super::{Implementation, MaxError, Routine};
use crate::workload::Random;

/// `DeriveTrianglePlanes` on a strip of triangles with random corners.
#[derive(Clone, Debug)]
pub struct Planes {
    strip: Vec<[u32; 3]>,
    triangles: Triangles,
    /// The vertices in sinew's layout.
    points: Vec<[f32; 4]>,
    /// The vertices in the paper's layout.
    padded: Vec<PaddedVertex>,
}

impl Planes {
    /// The routine on `len` triangles.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let random = &mut Random::new(5);
        let strip: Vec<[u32; 3]> = (0..len as u32).map(|i| [i, i + 1, i + 2]).collect();
        let point = |_| {
            let [x, y, z] = random.vector(1.0);
            [x, y, z, 0.0]
        };
        let points: Vec<[f32; 4]> = (0..len + 2).map(point).collect();
        let padded = points.iter().map(|&position| PaddedVertex { position, normal: [0.0; 4] }).collect();
        Self { triangles: Triangles::narrowest(&strip), strip, points, padded }
    }

    fn run(&self, implementation: Implementation, checked: &TriangleList<'_>, planes: &mut [Plane]) {
        match implementation.kernels() {
            Some(kernels) => kernels.planes(ToPlanes {
                points: TrianglePoints::Padded(&self.points),
                triangles: &self.triangles,
                range: 0..planes.len(),
                normals: PlaneNormals::Unit,
                planes,
            }),
            None if matches!(implementation, Implementation::Plain) => {
                plain::triangle_planes(checked, &self.padded, planes)
            }
            None => sse2::triangle_planes(checked, &self.padded, planes),
        }
    }
}

impl Routine for Planes {
    fn elements(&self) -> usize {
        self.strip.len()
    }

    fn runner(&self, implementation: Implementation) -> Box<dyn FnMut() + '_> {
        // The check that the paper's loop needs: made once and not timed.
        let checked = TriangleList::new(&self.strip);
        let (own, mut planes) = (self.clone(), vec![Plane::NONE; self.strip.len()]);
        Box::new(move || black_box(&own).run(implementation, &checked, &mut planes))
    }

    fn error(&self, implementation: Implementation) -> f64 {
        let mut planes = vec![Plane::NONE; self.strip.len()];
        self.run(implementation, &TriangleList::new(&self.strip), &mut planes);
        // The paper's planes have the opposite sign.
        let sign = if implementation.is_published() { -1.0 } else { 1.0 };
        let mut error = MaxError::default();
        for (triangle, plane) in self.strip.iter().zip(&planes) {
            let corners = triangle.map(|vertex| {
                let [x, y, z, _] = self.points[vertex as usize].map(f64::from);
                [x, y, z]
            });
            let (normal, distance) = reference::unit_plane(corners).unwrap_or_default();
            error.compare_all(normal.map(|component| component * sign), plane.normal);
            error.compare(distance * sign, plane.distance);
        }
        error.relative()
    }
}
