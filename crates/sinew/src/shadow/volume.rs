//! What a shadow volume is made of, and where it goes.

use std::ops::Range;

use crate::error::check_len;
use crate::{Edges, Error, Facing, Light, Points};

use super::triangles::VolumeTriangles;
use super::vertices::{extrude_from, extrude_to};

/// Which triangles cast the shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Casters {
    /// Those that face the light. Enough where the surface encloses space, faces outwards and has the light outside:
    /// what lies behind a back is behind a front too. The count of a point is then the number of fronts before it.
    #[default]
    Front,
    /// All, each from the side that the light sees: right for any surface. Costs caps of twice as many triangles and twice
    /// as many sides. The count of a point is the number of triangles before it.
    All,
}

/// What casts a shadow.
#[derive(Clone, Copy, Debug)]
pub struct ShadowCast<'a> {
    /// Where the vertices are, as many as the edges have places.
    pub points: Points<'a>,
    /// Where the light is, in the same space.
    pub light: Light,
    /// Which triangles face that light.
    pub facing: &'a Facing,
    /// Which triangles cast: [`EdgeReport::casters`](crate::EdgeReport::casters) says which must for a light outside.
    pub casters: Casters,
}

/// How much memory the largest volume takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowSize {
    /// Vertices of sixteen bytes.
    pub vertices: usize,
    /// Triangles of twelve bytes.
    pub triangles: usize,
}

/// Where to put a volume: memory of the caller's own, for the sizes of [`Edges::shadow_size`] or more. What is not part of
/// the volume stays as it was.
#[derive(Debug)]
pub struct ShadowBuffers<'a> {
    /// x, y, z, w; infinitely far away where w is 0.
    pub vertices: &'a mut [[f32; 4]],
    /// Three vertices each, counter-clockwise from outside the volume.
    pub triangles: &'a mut [[u32; 3]],
}

/// Which parts of the buffers hold a volume. Its triangles lie one after the other from the first on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShadowVolume {
    /// The number of vertices.
    pub vertices: usize,
    /// The triangles that cast, where they are, facing the light.
    pub front_cap: Range<usize>,
    /// What joins the caps: two triangles for each edge at which what casts ends, one where the light is a direction.
    pub sides: Range<usize>,
    /// The triangles that cast, infinitely far away, facing away from the light; none where the light is a direction,
    /// since there they would all lie in one point.
    pub back_cap: Range<usize>,
}

impl ShadowVolume {
    /// The number of triangles of all parts.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.back_cap.end
    }
}

impl Edges {
    /// How much memory the largest volume takes, whatever the frame.
    #[must_use]
    pub fn shadow_size(&self, casters: Casters) -> ShadowSize {
        let caps = self.triangles().len() - self.report().degenerate;
        ShadowSize {
            vertices: (2 * self.places()).max(self.places() + 1),
            triangles: 2 * (caps + self.most_sides(casters)),
        }
    }

    /// Makes the volume of all points that the light does not reach: closed, so that it can be counted behind what is
    /// seen (z-fail) as well as before it.
    ///
    /// Vertex `v` of the volume is place `v`, with w = 1. Of a light at a point `l`, vertex `places + v` is that place
    /// moved away from the light without end, `(p - l, 0)`; of a direction, vertex `places` is the one point where all of
    /// them end, minus the direction, with w = 0. Places that no triangle of the volume uses are written as well.
    ///
    /// Every edge is used as often in one direction as in the other, for any mesh and any facing bits whatever: an edge
    /// gets as many sides as more of its triangles cast along it than against it. So bits that rounding has wrong leave no
    /// gap; they only move the boundary by as little. Triangles with two corners in one place cast nothing.
    ///
    /// A light on a vertex leaves that vertex where it is, with w = 1, and its triangles cast nothing. A light within rounding of a
    /// surface may be taken to be on either side of it. A direction of length zero ends at (0, 0, 0, 0), and a rasteriser
    /// drops the sides. What is not a number at a vertex is not one in its two vertices of the volume, and in no other; a light
    /// that is not a number gives none in all that are far away. An empty mesh gives an empty volume.
    ///
    /// # Errors
    ///
    /// When there are not as many points as places or facing bits as triangles, or memory is shorter than
    /// [`shadow_size`](Self::shadow_size) says.
    pub fn cast_shadow(&self, cast: &ShadowCast<'_>, to: ShadowBuffers<'_>) -> Result<ShadowVolume, Error> {
        check_len("points", self.places(), cast.points.len())?;
        check_len("facing bits", self.triangles().len(), cast.facing.len())?;
        let size = self.shadow_size(cast.casters);
        check_least("vertices of a shadow volume", size.vertices, to.vertices.len())?;
        check_least("triangles of a shadow volume", size.triangles, to.triangles.len())?;
        let mut triangles = VolumeTriangles::new(to.triangles);
        triangles.push_cap(self, cast);
        let caps = triangles.len();
        let (vertices, sides) = match cast.light {
            Light::Point(light) => {
                extrude_from(light, &cast.points, to.vertices);
                triangles.push_sides(self, cast);
                let sides = triangles.len();
                triangles.push_back_cap(caps, self.places() as u32);
                (2 * self.places(), sides)
            }
            Light::Direction(towards) => {
                extrude_to(towards.map(|component| -component), &cast.points, to.vertices);
                triangles.push_ends(self, cast);
                (self.places() + 1, triangles.len())
            }
        };
        let (sides, back_cap) = (caps..sides, sides..triangles.len());
        Ok(ShadowVolume { vertices, front_cap: 0..caps, sides, back_cap })
    }
}

fn check_least(what: &'static str, least: usize, found: usize) -> Result<(), Error> {
    if found >= least { Ok(()) } else { Err(Error::TooShort { what, least, found }) }
}
