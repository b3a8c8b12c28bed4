//! Shadow volumes: inputs, buffers and construction.

use std::ops::Range;

use super::triangles::VolumeTriangles;
use super::vertices::{extrude_from_point, extrude_to_direction};
use crate::geometry::{Edges, Facing, GeometryError, Light, PositionView};
use crate::length::check_len;

/// The triangles that cast the shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Casters {
    /// Front-facing triangles. Enough if the surface encloses a volume, faces outward and has the
    /// light outside, because whatever is behind a back face is also behind a front face. The
    /// stencil count of a point is the number of front faces between it and the light.
    #[default]
    Front,
    /// All triangles, each from the side that the light sees. Correct for any surface, but the caps
    /// have twice as many triangles and there are twice as many sides. The stencil count of a point
    /// is the number of triangles between it and the light.
    All,
}

/// The inputs of a shadow volume.
#[derive(Clone, Copy, Debug)]
pub struct ShadowCast<'a> {
    /// Vertex positions, as many as [`Edges::vertex_count`].
    pub positions: PositionView<'a>,
    /// The light, in the same space.
    pub light: Light,
    /// The facing bits for that light.
    pub facing: &'a Facing,
    /// The triangles that cast. [`EdgeReport::casters`](crate::geometry::EdgeReport::casters) gives
    /// the right choice for a light outside.
    pub casters: Casters,
}

/// The buffer sizes for the largest possible shadow volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowSize {
    /// Vertices, 16 bytes each.
    pub vertices: usize,
    /// Triangles, 12 bytes each.
    pub triangles: usize,
}

/// The output buffers of a shadow volume, at least of the sizes that [`Edges::shadow_size`]
/// returns. Elements that are not part of the volume are unchanged.
#[derive(Debug)]
pub struct ShadowBuffers<'a> {
    /// x, y, z, w; at infinity if w is 0.
    pub vertices: &'a mut [[f32; 4]],
    /// Vertex indices, counter-clockwise as seen from outside the volume.
    pub triangles: &'a mut [[u32; 3]],
}

/// The parts of the buffers that hold a shadow volume. Its triangles are contiguous from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShadowVolume {
    /// The number of vertices.
    pub vertices: usize,
    /// The casters in place, facing the light.
    pub front_cap: Range<usize>,
    /// The triangles that connect the caps: two per outline edge of the casters, or one if the
    /// light is directional.
    pub sides: Range<usize>,
    /// The casters at infinity, facing away from the light. Empty if the light is directional,
    /// because all would collapse into one point.
    pub back_cap: Range<usize>,
}

impl ShadowVolume {
    /// The number of triangles in all parts.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.back_cap.end
    }
}

impl Edges {
    /// The buffer sizes that suffice in every frame.
    #[must_use]
    pub fn shadow_size(&self, casters: Casters) -> ShadowSize {
        let caps = self.triangles().len() - self.report().degenerate;
        ShadowSize {
            vertices: (2 * self.vertex_count()).max(self.vertex_count() + 1),
            triangles: 2 * (caps + self.max_silhouette_edges(casters)),
        }
    }

    /// Builds the shadow volume: all points that the light does not reach. The volume is closed, so
    /// it works with z-fail as well as z-pass stencil counting.
    ///
    /// Vertex `v` of the volume is mesh vertex `v` with w = 1. For a point light at `l`, vertex
    /// `vertex_count + v` is that vertex extruded to infinity, `(p - l, 0)`. For a directional
    /// light, vertex `vertex_count` is the common point at infinity, with w = 0: minus the
    /// direction. Vertices that no triangle of the volume uses are written too.
    ///
    /// Every edge of the volume has as many half-edges in one direction as in the other, for any
    /// mesh and any facing bits: the number of sides at an edge is the number of casters along it
    /// minus the number against it. So wrong facing bits caused by rounding leave no gap; they only
    /// move the outline by as little. Degenerate triangles cast nothing.
    ///
    /// A light on a vertex leaves that vertex in place, with w = 1, and its triangles cast nothing.
    /// A light within rounding of a surface may count as on either side. For a direction of length
    /// zero, the point at infinity is (0, 0, 0, 0), and a rasterizer discards the sides. A NaN in a
    /// vertex affects only its two vertices in the volume; a NaN in the light affects all vertices
    /// at infinity. An empty mesh gives an empty volume.
    ///
    /// # Errors
    ///
    /// If the number of positions differs from [`vertex_count`](Self::vertex_count), if the number
    /// of facing bits differs from the number of triangles, or if a buffer is shorter than
    /// [`shadow_size`](Self::shadow_size) requires.
    pub fn cast_shadow(
        &self,
        cast: &ShadowCast<'_>,
        to: ShadowBuffers<'_>,
    ) -> Result<ShadowVolume, GeometryError> {
        check_len("positions", self.vertex_count(), cast.positions.len())?;
        check_len("facing bits", self.triangles().len(), cast.facing.len())?;
        let size = self.shadow_size(cast.casters);
        check_least("vertices of a shadow volume", size.vertices, to.vertices.len())?;
        check_least("triangles of a shadow volume", size.triangles, to.triangles.len())?;
        let mut triangles = VolumeTriangles::new(to.triangles);
        triangles.push_cap(self, cast);
        let caps = triangles.len();
        let (vertices, sides) = match cast.light {
            Light::Point(light) => {
                extrude_from_point(light, &cast.positions, to.vertices);
                triangles.push_sides(self, cast);
                let sides = triangles.len();
                triangles.push_back_cap(caps, self.vertex_count() as u32);
                (2 * self.vertex_count(), sides)
            }
            Light::Direction(towards) => {
                extrude_to_direction(towards.map(|component| -component), &cast.positions, to.vertices);
                triangles.push_side_fan(self, cast);
                (self.vertex_count() + 1, triangles.len())
            }
        };
        let (sides, back_cap) = (caps..sides, sides..triangles.len());
        Ok(ShadowVolume { vertices, front_cap: 0..caps, sides, back_cap })
    }
}

fn check_least(what: &'static str, least: usize, found: usize) -> Result<(), GeometryError> {
    if found >= least { Ok(()) } else { Err(GeometryError::TooShort { what, least, found }) }
}
