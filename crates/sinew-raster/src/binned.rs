//! Triangles after clipping, conversion to fixed point and binning into tiles.

use crate::bins::Bins;
use crate::clip::Polygon;
use crate::material::SURFACE_VARYINGS;
use crate::shade::COLOR_VARYINGS;
use crate::surface_shader::SurfaceTriangle;
use crate::triangle_setup::{Op, OrderedTriangle, RasterTriangle, Varyings};
use crate::viewport::{FixedVertex, NEEDS_CLIPPING, ProjectedVertex, Viewport};
use crate::{CullMode, Size};

/// A vertex in clip space, with its projection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipVertex {
    pub(crate) projected: ProjectedVertex,
    /// Position in clip space.
    pub(crate) position: [f32; 4],
}

/// Triangles ready for rasterization, and the bins that list them per tile.
#[derive(Clone, Debug)]
pub(crate) struct BinnedTriangles {
    size: Size,
    pub(crate) triangles: Vec<RasterTriangle>,
    pub(crate) colored: Vec<Varyings<COLOR_VARYINGS>>,
    pub(crate) surfaces: Vec<SurfaceTriangle>,
    pub(crate) bins: Bins,
}

impl BinnedTriangles {
    pub(crate) fn new(size: Size) -> Self {
        let bins = Bins::new(size);
        Self { size, triangles: Vec::new(), colored: Vec::new(), surfaces: Vec::new(), bins }
    }

    /// Removes everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.triangles.clear();
        self.colored.clear();
        self.surfaces.clear();
        self.bins.clear();
    }

    /// Adds a triangle with the attributes of its vertices.
    pub(crate) fn add_colored(
        &mut self,
        viewport: &Viewport,
        vertices: [&ClipVertex; 3],
        attributes: [&[f32]; 3],
        cull_mode: CullMode,
    ) {
        self.clip_and_add(viewport, vertices, |binned, ordered, barycentrics| {
            if cull_mode.culls(ordered.is_front) {
                return None;
            }
            binned.colored.push(varyings(ordered, attributes, barycentrics));
            Some(Op::Shade((binned.colored.len() - 1) as u32))
        });
    }

    /// Adds a triangle of a surface with the attributes of its vertices.
    pub(crate) fn add_surface(
        &mut self,
        viewport: &Viewport,
        vertices: [&ClipVertex; 3],
        attributes: [&[f32]; 3],
        cull_mode: CullMode,
        material: u32,
    ) {
        self.clip_and_add(viewport, vertices, |binned, ordered, barycentrics| {
            if cull_mode.culls(ordered.is_front) {
                return None;
            }
            let varyings: Varyings<SURFACE_VARYINGS> = varyings(ordered, attributes, barycentrics);
            binned.surfaces.push(SurfaceTriangle { varyings, material, is_front: ordered.is_front });
            Some(Op::Surface((binned.surfaces.len() - 1) as u32))
        });
    }

    pub(crate) fn add_shadow_volume(&mut self, viewport: &Viewport, vertices: [&ClipVertex; 3]) {
        self.clip_and_add(viewport, vertices, |_, ordered, _| {
            Some(Op::Stencil(if ordered.is_front { -1 } else { 1 }))
        });
    }

    /// Clips a triangle and adds the remaining triangles. `choose_op` gets each of them, with the
    /// barycentric coordinates of its vertices in the original triangle, and returns its operation,
    /// or `None` to drop it.
    fn clip_and_add(
        &mut self,
        viewport: &Viewport,
        vertices: [&ClipVertex; 3],
        mut choose_op: impl FnMut(&mut Self, &OrderedTriangle, &[[f64; 3]; 3]) -> Option<Op>,
    ) {
        let mut add = |vertices: &[FixedVertex; 3], barycentrics: &[[f64; 3]; 3]| {
            if let Some(ordered) = OrderedTriangle::new(vertices)
                && let Some(op) = choose_op(self, &ordered, barycentrics)
            {
                self.add(&ordered, op);
            }
        };
        if vertices.iter().all(|vertex| vertex.projected.flags & NEEDS_CLIPPING == 0) {
            add(&vertices.map(|vertex| vertex.projected.fixed), &UNCLIPPED);
            return;
        }
        let mut polygon = Polygon::from_triangle(vertices.map(|vertex| vertex.position));
        viewport.guard_band.clip(&mut polygon);
        let vertices = polygon.vertices();
        for index in 2..vertices.len() {
            let three = [vertices[0], vertices[index - 1], vertices[index]];
            let [Some(a), Some(b), Some(c)] = three.map(|vertex| viewport.pixel_position(vertex.position))
            else {
                continue;
            };
            add(
                &[a, b, c].map(|pixel| viewport.round_to_fixed(pixel)),
                &three.map(|vertex| vertex.barycentric),
            );
        }
    }

    /// Adds a triangle without varyings.
    pub(crate) fn add_flat(&mut self, vertices: &[FixedVertex; 3], op: Op) {
        if let Some(ordered) = OrderedTriangle::new(vertices) {
            self.add(&ordered, op);
        }
    }

    /// Adds a triangle if it overlaps the picture.
    fn add(&mut self, ordered: &OrderedTriangle, op: Op) {
        let pixels = [self.size.width() as i32, self.size.height() as i32];
        if let Some(triangle) = ordered.set_up(pixels, op) {
            self.bins.add(self.triangles.len() as u32, &triangle);
            self.triangles.push(triangle);
        }
    }
}

/// Barycentric coordinates of the vertices of a triangle that was not clipped.
const UNCLIPPED: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The varyings of a triangle from the attributes of the vertices before clipping. The last of `N`
/// is 1 / w.
fn varyings<const N: usize>(
    ordered: &OrderedTriangle,
    attributes: [&[f32]; 3],
    barycentrics: &[[f64; 3]; 3],
) -> Varyings<N> {
    let values = ordered.from.map(|vertex| {
        let mut values = [0.0; N];
        for (attribute, weight) in attributes.iter().zip(barycentrics[vertex]) {
            for (to, &value) in values.iter_mut().zip(*attribute) {
                *to += f64::from(value) * weight;
            }
        }
        values[N - 1] = 1.0;
        values
    });
    Varyings::new(ordered, &values)
}
