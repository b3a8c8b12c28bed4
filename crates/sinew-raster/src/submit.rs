//! The queue of submitted triangles. They are kept until rendering, so that threads can share the
//! work of clipping and binning them.

use std::ops::Range;

use crate::binned::{BinnedTriangles, ClipVertex};
use crate::canvas::{ShadowVolume, Triangles};
use crate::material::{Material, SURFACE_VARYINGS, Surface};
use crate::shade::COLOR_VARYINGS;
use crate::viewport::{NON_FINITE, OUTCODE, ProjectedVertex, Viewport};
use crate::{CullMode, Error};

/// What a batch of triangles is drawn as.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Colored(CullMode),
    Surface { cull_mode: CullMode, material: u32 },
    ShadowVolume,
}

/// Triangles submitted in one call.
#[derive(Clone, Copy, Debug)]
struct Batch {
    kind: Kind,
    /// Index of the batch's first vertex; the batch's triangles count from there.
    first_vertex: usize,
    /// Index of the batch's first element in `colors` or `attributes`.
    first_attribute: usize,
    /// End of the batch's triangles.
    triangles_end: usize,
}

/// Submitted triangles, in order of submission.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubmitQueue {
    vertices: Vec<ClipVertex>,
    /// For each vertex with colors: RGB lit and RGB in shadow.
    colors: Vec<[f32; COLOR_VARYINGS - 1]>,
    /// For each vertex of a surface: what is interpolated.
    attributes: Vec<[f32; SURFACE_VARYINGS - 1]>,
    pub(crate) materials: Vec<Material>,
    triangles: Vec<[u32; 3]>,
    batches: Vec<Batch>,
}

impl SubmitQueue {
    /// Removes everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.vertices.clear();
        self.colors.clear();
        self.attributes.clear();
        self.materials.clear();
        self.triangles.clear();
        self.batches.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.triangles.len()
    }

    pub(crate) fn add_colored(&mut self, viewport: &Viewport, colored: &Triangles<'_>) -> Result<(), Error> {
        let kind = Kind::Colored(colored.cull_mode);
        self.add(kind, colored.triangles, colored.vertices, |queue, vertex| {
            let position = vertex.position;
            queue.vertices.push(ClipVertex { projected: viewport.project(position), position });
            let ([a, b, c], [d, e, f]) = (vertex.lit, vertex.shadowed);
            queue.colors.push([a, b, c, d, e, f]);
        })
    }

    pub(crate) fn add_surface(&mut self, viewport: &Viewport, surface: &Surface<'_>) -> Result<(), Error> {
        let kind = Kind::Surface { cull_mode: surface.cull_mode, material: self.materials.len() as u32 };
        self.materials.push(surface.material);
        self.add(kind, surface.triangles, surface.vertices, |queue, vertex| {
            let position = vertex.position;
            queue.vertices.push(ClipVertex { projected: viewport.project(position), position });
            queue.attributes.push(vertex.attributes());
        })
    }

    pub(crate) fn add_shadow_volume(
        &mut self,
        viewport: &Viewport,
        volume: &ShadowVolume<'_>,
    ) -> Result<(), Error> {
        self.add(Kind::ShadowVolume, volume.triangles, volume.positions, |queue, &position| {
            queue.vertices.push(ClipVertex { projected: viewport.project(position), position });
        })
    }

    /// Adds the triangles before the first that has a vertex index out of range.
    fn add<T>(
        &mut self,
        kind: Kind,
        triangles: &[[u32; 3]],
        vertices: &[T],
        push_vertex: impl Fn(&mut Self, &T),
    ) -> Result<(), Error> {
        let out_of_range = |&vertex: &u32| vertex as usize >= vertices.len();
        let invalid = triangles.iter().position(|triangle| triangle.iter().any(out_of_range));
        let valid = &triangles[..invalid.unwrap_or(triangles.len())];
        let first_vertex = self.vertices.len();
        let first_attribute = match kind {
            Kind::Colored(_) => self.colors.len(),
            Kind::Surface { .. } => self.attributes.len(),
            Kind::ShadowVolume => 0,
        };
        if vertices.len() <= 3 * valid.len() {
            vertices.iter().for_each(|vertex| push_vertex(self, vertex));
            self.triangles.extend_from_slice(valid);
        } else {
            // Most vertices are unused here: add only those of the triangles.
            valid.as_flattened().iter().for_each(|&vertex| push_vertex(self, &vertices[vertex as usize]));
            self.triangles.extend((0..valid.len() as u32).map(|index| [0, 1, 2].map(|k| 3 * index + k)));
        }
        let triangles_end = self.triangles.len();
        self.batches.push(Batch { kind, first_vertex, first_attribute, triangles_end });
        match invalid.map(|triangle| (triangle, triangles[triangle].into_iter().find(out_of_range))) {
            Some((triangle, Some(vertex))) => {
                Err(Error::VertexIndex { triangle, vertex, len: vertices.len() })
            }
            _ => Ok(()),
        }
    }

    /// Clips and bins the triangles of a range.
    pub(crate) fn bin(&self, viewport: &Viewport, range: &Range<usize>, to: &mut BinnedTriangles) {
        to.clear();
        let mut start = 0;
        for batch in &self.batches {
            let part = start.max(range.start)..batch.triangles_end.min(range.end);
            start = batch.triangles_end;
            for triangle in self.triangles.get(part).unwrap_or_default() {
                let vertex = |k: usize| &self.vertices[batch.first_vertex + triangle[k] as usize];
                let vertices = [vertex(0), vertex(1), vertex(2)];
                if is_invisible(vertices.map(|vertex| &vertex.projected)) {
                    continue;
                }
                let attribute = |k: usize| batch.first_attribute + triangle[k] as usize;
                match batch.kind {
                    Kind::ShadowVolume => to.add_shadow_volume(viewport, vertices),
                    Kind::Colored(cull_mode) => {
                        let colors = [0, 1, 2].map(|k| &self.colors[attribute(k)][..]);
                        to.add_colored(viewport, vertices, colors, cull_mode);
                    }
                    Kind::Surface { cull_mode, material } => {
                        let attributes = [0, 1, 2].map(|k| &self.attributes[attribute(k)][..]);
                        to.add_surface(viewport, vertices, attributes, cull_mode, material);
                    }
                }
            }
        }
    }
}

/// Whether a triangle has a non-finite vertex or lies entirely beyond one frustum plane.
fn is_invisible(vertices: [&ProjectedVertex; 3]) -> bool {
    let [a, b, c] = vertices.map(|vertex| vertex.flags);
    (a | b | c) & NON_FINITE != 0 || a & b & c & OUTCODE != 0
}
