//! Corners of triangles, found without a check for each: the list of triangles knows the last vertex that it needs.
//!
//! `unsafe` takes vertices by indices of such a list. It rests on one fact: no index of a [`Triangles`] is as large as its
//! `reach`, which is found when the list is made and never changed. Where a `usize` has 32 bits, the index 2^32 - 1 is, but no memory
//! holds as many points.

use std::ops::Range;

use crate::BLOCK;

/// Triangles by the indices of their vertices, counter-clockwise seen from the front.
///
/// Made once for a mesh: it finds how many vertices the triangles need, so that the kernels need not check every index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangles {
    indices: Indices,
    required_vertices: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Indices {
    U16(Vec<[u16; 3]>),
    U32(Vec<[u32; 3]>),
}

/// Of up to 2^16 vertices.
impl From<Vec<[u16; 3]>> for Triangles {
    fn from(triangles: Vec<[u16; 3]>) -> Self {
        Self { required_vertices: required_vertices(&triangles), indices: Indices::U16(triangles) }
    }
}

/// Of up to 2^32 vertices, as far as there is memory for them.
impl From<Vec<[u32; 3]>> for Triangles {
    fn from(triangles: Vec<[u32; 3]>) -> Self {
        Self { required_vertices: required_vertices(&triangles), indices: Indices::U32(triangles) }
    }
}

/// One more than the largest index. The largest of 32 bits, where a `usize` has no more, is too many anyway.
fn required_vertices<I: Index>(triangles: &[[I; 3]]) -> usize {
    triangles.as_flattened().iter().map(|index| index.widen().saturating_add(1)).max().unwrap_or(0)
}

impl Triangles {
    /// From a copy, in 16 bits where all indices fit.
    #[must_use]
    pub fn narrowest(triangles: &[[u32; 3]]) -> Self {
        if required_vertices(triangles) > 1 << 16 {
            return Self::from(triangles.to_vec());
        }
        Self::from(triangles.iter().map(|triangle| triangle.map(|index| index as u16)).collect::<Vec<_>>())
    }

    /// The number of triangles.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.indices {
            Indices::U16(triangles) => triangles.len(),
            Indices::U32(triangles) => triangles.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of vertices that there must be: one more than the largest index.
    #[must_use]
    pub fn required_vertices(&self) -> usize {
        self.required_vertices
    }

    /// The vertices of a triangle.
    #[must_use]
    pub fn get(&self, triangle: usize) -> Option<[u32; 3]> {
        match &self.indices {
            Indices::U16(triangles) => triangles.get(triangle).map(|vertices| vertices.map(u32::from)),
            Indices::U32(triangles) => triangles.get(triangle).copied(),
        }
    }

    /// All of them, where they are in 16 bits.
    #[must_use]
    pub fn as_u16(&self) -> Option<&[[u16; 3]]> {
        u16::list(self)
    }

    /// All of them, where they are in 32 bits.
    #[must_use]
    pub fn as_u32(&self) -> Option<&[[u32; 3]]> {
        u32::list(self)
    }

    /// All of them, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = [u32; 3]> {
        let (narrow, wide) = match &self.indices {
            Indices::U16(triangles) => (&triangles[..], &[][..]),
            Indices::U32(triangles) => (&[][..], &triangles[..]),
        };
        narrow.iter().map(|vertices| vertices.map(u32::from)).chain(wide.iter().copied())
    }
}

/// The number of a vertex.
pub(crate) trait Index: Copy + 'static {
    fn widen(self) -> usize;
    /// The list, where it has indices of this kind.
    fn list(triangles: &Triangles) -> Option<&[[Self; 3]]>;
}

impl Index for u16 {
    #[inline(always)]
    fn widen(self) -> usize {
        usize::from(self)
    }

    #[inline(always)]
    fn list(triangles: &Triangles) -> Option<&[[Self; 3]]> {
        if let Indices::U16(list) = &triangles.indices { Some(list) } else { None }
    }
}

impl Index for u32 {
    #[inline(always)]
    fn widen(self) -> usize {
        self as usize
    }

    #[inline(always)]
    fn list(triangles: &Triangles) -> Option<&[[Self; 3]]> {
        if let Indices::U32(list) = &triangles.indices { Some(list) } else { None }
    }
}

/// Triangles and vertices that fit each other.
pub(crate) struct TriangleCorners<'a, P, I> {
    /// As many as the list reaches, or more.
    points: &'a [P],
    /// Of the list.
    triangles: &'a [[I; 3]],
}

impl<'a, P, I: Index> TriangleCorners<'a, P, I> {
    /// A range of a list, where that has indices of this kind.
    #[inline(always)]
    pub(crate) fn new(points: &'a [P], triangles: &'a Triangles, range: Range<usize>) -> Option<Self> {
        assert!(triangles.required_vertices <= points.len(), "a point for every vertex of the triangles");
        Some(Self { points, triangles: I::list(triangles)?.get(range)? })
    }

    /// The next eight triangles, where there are so many.
    #[inline(always)]
    pub(crate) fn next_block(&mut self) -> Option<Self> {
        let (block, rest) = self.triangles.split_first_chunk::<BLOCK>()?;
        self.triangles = rest;
        Some(Self { points: self.points, triangles: block })
    }

    /// A corner of a triangle; `otherwise` past the end.
    #[inline(always)]
    pub(crate) fn point(&self, triangle: usize, corner: usize, otherwise: &'a P) -> &'a P {
        let Some(triangle) = self.triangles.get(triangle) else { return otherwise };
        let index = triangle[corner].widen();
        debug_assert!(index < self.points.len());
        // SAFETY: the index is below the list's reach (see `Triangles`), and `new` saw as many points.
        unsafe { self.points.get_unchecked(index) }
    }
}
