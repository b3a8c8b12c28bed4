//! The data of *Deriving Triangle Plane Equations*: vertices with their normals, and triangles checked once.
//!
//! `unsafe` finds the vertices of triangles that were checked when the list was made.

/// A vertex of 32 bytes, 16-byte aligned: a power of two, as the paper wants it.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LitPoint {
    /// x, y, z, and one number that counts for nothing.
    pub position: [f32; 4],
    /// The same; planes are derived without it.
    pub normal: [f32; 4],
}

/// Triangles of vertices that are there.
///
/// The paper's loop trusts its input. This check is what makes that safe; it is made once for a mesh, outside the loop.
#[derive(Clone, Debug)]
pub struct TriangleList<'a> {
    triangles: &'a [[u32; 3]],
    /// How many vertices the triangles reach.
    vertices: usize,
}

impl<'a> TriangleList<'a> {
    /// Finds the last vertex.
    #[must_use]
    pub fn new(triangles: &'a [[u32; 3]]) -> Self {
        let last = triangles.as_flattened().iter().max();
        Self { triangles, vertices: last.map_or(0, |&last| last as usize + 1) }
    }

    /// The triangles.
    #[inline(always)]
    pub(super) fn triangles(&self) -> &'a [[u32; 3]] {
        self.triangles
    }

    /// Vertices for these triangles.
    #[inline(always)]
    pub(super) fn corners<'v>(&self, vertices: &'v [LitPoint]) -> Corners<'v> {
        assert!(self.vertices <= vertices.len(), "vertices for every triangle");
        Corners(vertices)
    }
}

/// Vertices for all triangles of a list.
#[derive(Clone, Copy)]
pub(super) struct Corners<'a>(&'a [LitPoint]);

impl<'a> Corners<'a> {
    /// # Safety
    ///
    /// An index from the list that gave the corners.
    #[inline(always)]
    pub(super) unsafe fn position(&self, index: u32) -> &'a [f32; 4] {
        // SAFETY: `TriangleList::corners` saw that there is one for each of its indices.
        unsafe { &self.0.get_unchecked(index as usize).position }
    }
}
