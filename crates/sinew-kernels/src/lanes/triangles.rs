//! Triangle lists, and access to the corners of triangles without a bounds check per index.
//!
//! `unsafe` indexes vertices by such a list. It relies on one fact: every index of a [`Triangles`]
//! is below its `required_vertices`, which is computed when the list is built and never changes.
//! With a 32-bit `usize` the index 2^32 - 1 is an exception, but no memory holds that many points.

use std::ops::Range;

use super::strided_positions::StridedPositions;

/// Triangles as vertex indices, counter-clockwise seen from the front.
///
/// Built once per mesh: it computes how many vertices the triangles need, so that the kernels need
/// not check every index.
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

/// For up to 2^16 vertices.
impl From<Vec<[u16; 3]>> for Triangles {
    fn from(triangles: Vec<[u16; 3]>) -> Self {
        Self { required_vertices: required_vertices(&triangles), indices: Indices::U16(triangles) }
    }
}

/// For up to 2^32 vertices, as far as memory allows.
impl From<Vec<[u32; 3]>> for Triangles {
    fn from(triangles: Vec<[u32; 3]>) -> Self {
        Self { required_vertices: required_vertices(&triangles), indices: Indices::U32(triangles) }
    }
}

/// One more than the largest index. Saturates with a 32-bit `usize`, where no memory holds that
/// many vertices.
fn required_vertices<I: Index>(triangles: &[[I; 3]]) -> usize {
    triangles.as_flattened().iter().map(|index| index.widen().saturating_add(1)).max().unwrap_or(0)
}

impl Triangles {
    /// Copies a list, with 16-bit indices if all fit.
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

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of vertices that the triangles need: one more than the largest index.
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

    /// The triangles, if indices have 16 bits.
    #[must_use]
    pub fn as_u16(&self) -> Option<&[[u16; 3]]> {
        u16::list(self)
    }

    /// The triangles, if indices have 32 bits.
    #[must_use]
    pub fn as_u32(&self) -> Option<&[[u32; 3]]> {
        u32::list(self)
    }

    /// All triangles, in order.
    pub fn iter(&self) -> impl Iterator<Item = [u32; 3]> {
        let (narrow, wide) = match &self.indices {
            Indices::U16(triangles) => (&triangles[..], &[][..]),
            Indices::U32(triangles) => (&[][..], &triangles[..]),
        };
        narrow.iter().map(|vertices| vertices.map(u32::from)).chain(wide.iter().copied())
    }
}

/// A vertex index.
pub(crate) trait Index: Copy + 'static {
    fn widen(self) -> usize;
    /// The triangles, if they have indices of this type.
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

/// Points of vertices.
pub(crate) trait Points<'a>: Copy {
    /// The point of a vertex.
    type Point: 'a;
    fn len(self) -> usize;
    /// # Safety
    ///
    /// `vertex` must be below the length.
    unsafe fn get_unchecked(self, vertex: usize) -> &'a Self::Point;
}

impl<'a, P> Points<'a> for &'a [P] {
    type Point = P;

    #[inline(always)]
    fn len(self) -> usize {
        self.len()
    }

    #[inline(always)]
    unsafe fn get_unchecked(self, vertex: usize) -> &'a P {
        // SAFETY: the caller promises that the vertex is below the length.
        unsafe { self.get_unchecked(vertex) }
    }
}

impl<'a> Points<'a> for StridedPositions<'a> {
    type Point = [f32; 3];

    #[inline(always)]
    fn len(self) -> usize {
        StridedPositions::len(&self)
    }

    #[inline(always)]
    unsafe fn get_unchecked(self, vertex: usize) -> &'a [f32; 3] {
        // SAFETY: the caller promises that the vertex is below the length.
        unsafe { self.get_unchecked(vertex) }
    }
}

/// Triangles, and points for all their vertices.
#[derive(Clone, Copy)]
pub(crate) struct TriangleCorners<'a, P, I> {
    /// At least as many as the list requires.
    points: P,
    /// A range of the list.
    triangles: &'a [[I; 3]],
}

impl<'a, P: Points<'a>, I: Index> TriangleCorners<'a, P, I> {
    /// A range of a list; `None` if its indices have another type.
    #[inline(always)]
    pub(crate) fn new(points: P, triangles: &'a Triangles, range: Range<usize>) -> Option<Self> {
        assert!(triangles.required_vertices <= points.len(), "a point for every vertex of the triangles");
        Some(Self { points, triangles: I::list(triangles)?.get(range)? })
    }

    /// The next triangles, if as many are left. Where the number is known to the compiler, their
    /// corners need no check of their own.
    #[inline(always)]
    pub(crate) fn next_triangles(&mut self, len: usize) -> Option<Self> {
        let (next, rest) = self.triangles.split_at_checked(len)?;
        self.triangles = rest;
        Some(Self { points: self.points, triangles: next })
    }

    /// `len` triangles from one on, if there are as many.
    #[inline(always)]
    pub(crate) fn part(&self, start: usize, len: usize) -> Option<Self> {
        Some(Self { points: self.points, triangles: self.triangles.get(start..)?.get(..len)? })
    }

    /// A corner of a triangle; `otherwise` past the end.
    #[inline(always)]
    pub(crate) fn point(&self, triangle: usize, corner: usize, otherwise: &'a P::Point) -> &'a P::Point {
        let Some(triangle) = self.triangles.get(triangle) else { return otherwise };
        let index = triangle[corner].widen();
        debug_assert!(index < self.points.len());
        // SAFETY: the index is below the list's `required_vertices`, and `new` checked the number
        // of points.
        unsafe { self.points.get_unchecked(index) }
    }
}
