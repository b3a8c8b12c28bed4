//! The data of *Deriving Triangle Plane Equations*: padded vertices, and a checked triangle list.
//!
//! `unsafe` looks up vertices of triangles that were checked when the list was built.

/// A vertex of 32 bytes, 16-byte aligned: a power of two, as in the paper.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PaddedVertex {
    /// x, y, z, and padding.
    pub position: [f32; 4],
    /// x, y, z, and padding. Not read.
    pub normal: [f32; 4],
}

/// Triangles whose largest index is known.
///
/// The paper's loop does not check its input. The check here makes it safe; it runs once per mesh,
/// outside the loop.
#[derive(Clone, Debug)]
pub struct TriangleList<'a> {
    triangles: &'a [[u32; 3]],
    /// One more than the largest index.
    vertices: usize,
}

impl<'a> TriangleList<'a> {
    /// Finds the largest index.
    #[must_use]
    pub fn new(triangles: &'a [[u32; 3]]) -> Self {
        let last = triangles.as_flattened().iter().max();
        Self { triangles, vertices: last.map_or(0, |&last| last as usize + 1) }
    }

    /// The triangles.
    #[inline(always)]
    pub(crate) fn triangles(&self) -> &'a [[u32; 3]] {
        self.triangles
    }

    /// Checks that there is a vertex for every index.
    #[inline(always)]
    pub(crate) fn corners<'v>(&self, vertices: &'v [PaddedVertex]) -> Corners<'v> {
        assert!(self.vertices <= vertices.len(), "vertices for every triangle");
        Corners(vertices)
    }
}

/// Vertices that are enough for the indices of a list.
#[derive(Clone, Copy)]
pub(crate) struct Corners<'a>(&'a [PaddedVertex]);

impl<'a> Corners<'a> {
    /// # Safety
    ///
    /// `index` is in the list that built these corners.
    #[inline(always)]
    pub(crate) unsafe fn position(&self, index: u32) -> &'a [f32; 4] {
        // SAFETY: `TriangleList::corners` checked that there is one for each of its indices.
        unsafe { &self.0.get_unchecked(index as usize).position }
    }
}
