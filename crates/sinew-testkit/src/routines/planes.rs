//! The planes of triangles.

use std::hint::black_box;

#[cfg(not(target_arch = "x86_64"))]
use sinew_kernels::papers::plain as sse2;
#[cfg(target_arch = "x86_64")]
use sinew_kernels::papers::sse2;
use sinew_kernels::papers::{LitPoint, TriangleList, plain};
use sinew_kernels::{Plane, PlaneNormals, ToPlanes, TrianglePoints, Triangles, reference};

use super::{Method, Routine, Worst};
use crate::random::Random;

/// `DeriveTrianglePlanes`: a strip of triangles with corners anywhere.
#[derive(Clone, Debug)]
pub struct Planes {
    strip: Vec<[u32; 3]>,
    triangles: Triangles,
    /// As sinew has them.
    points: Vec<[f32; 4]>,
    /// As the paper has them.
    lit: Vec<LitPoint>,
}

impl Planes {
    /// Of so many triangles.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let random = &mut Random::new(5);
        let strip: Vec<[u32; 3]> = (0..len as u32).map(|i| [i, i + 1, i + 2]).collect();
        let point = |_| {
            let [x, y, z] = random.vector(1.0);
            [x, y, z, 0.0]
        };
        let points: Vec<[f32; 4]> = (0..len + 2).map(point).collect();
        let lit = points.iter().map(|&position| LitPoint { position, normal: [0.0; 4] }).collect();
        Self { triangles: Triangles::narrowest(&strip), strip, points, lit }
    }

    fn run(&self, method: Method, checked: &TriangleList<'_>, planes: &mut [Plane]) {
        match method.kernels() {
            Some(kernels) => kernels.planes(ToPlanes {
                points: TrianglePoints::Padded(&self.points),
                triangles: &self.triangles,
                range: 0..planes.len(),
                normals: PlaneNormals::Unit,
                planes,
            }),
            None if matches!(method, Method::Plain) => plain::triangle_planes(checked, &self.lit, planes),
            None => sse2::triangle_planes(checked, &self.lit, planes),
        }
    }
}

impl Routine for Planes {
    fn elements(&self) -> usize {
        self.strip.len()
    }

    fn contender(&self, method: Method) -> Box<dyn FnMut() + '_> {
        // What the paper's loop needs to know is checked once, outside the time.
        let checked = TriangleList::new(&self.strip);
        let (own, mut planes) = (self.clone(), vec![Plane::NONE; self.strip.len()]);
        Box::new(move || black_box(&own).run(method, &checked, &mut planes))
    }

    fn error(&self, method: Method) -> f64 {
        let mut planes = vec![Plane::NONE; self.strip.len()];
        self.run(method, &TriangleList::new(&self.strip), &mut planes);
        // The paper's planes face the other way.
        let sign = if method.is_of_papers() { -1.0 } else { 1.0 };
        let mut worst = Worst::default();
        for (triangle, plane) in self.strip.iter().zip(&planes) {
            let corners = triangle.map(|vertex| {
                let [x, y, z, _] = self.points[vertex as usize].map(f64::from);
                [x, y, z]
            });
            let (normal, distance) = reference::unit_plane(corners).unwrap_or_default();
            worst.compare_all(normal.map(|component| component * sign), plane.normal);
            worst.compare(distance * sign, plane.distance);
        }
        worst.share()
    }
}
