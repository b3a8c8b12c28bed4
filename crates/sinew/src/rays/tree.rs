//! A tree of boxes around the triangles of a mesh, refitted when its vertices have moved.

use std::sync::Arc;

use sinew_kernels::{BLOCK, VectorBlock};

use super::boxes::{Boxes, Span};
use super::build::Shape;
use crate::error::check_len;
use crate::{Error, Mesh, Points};

/// The triangles of a mesh where its vertices are, in a tree of boxes: for rays and other questions about the surface.
///
/// It is built once, for the mesh at rest, which takes much longer than a frame, and kept with the mesh: other trees of the
/// same mesh share it. [`refit`](Self::refit) makes a tree follow its vertices. No answer depends on how it was built.
///
/// A triangle with a corner that is not finite is not there for any question until a refit brings it back. A
/// triangle without area is hit by rays only where rounding says so, but is there for all else.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) shape: Arc<Shape>,
    /// Of each node.
    pub(super) boxes: Vec<Boxes>,
    /// Where the vertices are; one with a coordinate that is not finite has nothing but NaN.
    pub(super) points: Vec<[f32; 4]>,
}

impl Tree {
    /// For a mesh, at rest.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        Self::built(mesh.rest_points(), Arc::clone(mesh.tree_shape()))
    }

    /// For any triangles, whose corners are counted as the points are.
    ///
    /// # Errors
    ///
    /// When a triangle has a corner that is not among the points, or there are 2^32 triangles or more.
    pub fn of_triangles(points: Points<'_>, triangles: &[[u32; 3]]) -> Result<Self, Error> {
        let len = points.len();
        if u32::try_from(triangles.len()).is_err() {
            return Err(Error::TooManyTriangles { limit: u32::MAX as usize, found: triangles.len() });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&corner| corner as usize >= len) {
                return Err(Error::TriangleOutOfRange { triangle, vertex, len });
            }
        }
        Ok(Self::built(points, Arc::new(Shape::new(points, triangles))))
    }

    fn built(points: Points<'_>, shape: Arc<Shape>) -> Self {
        let mut copied = vec![[0.0; 4]; points.len()];
        copy(points, &mut copied);
        let mut tree = Self { boxes: vec![Boxes::EMPTY; shape.nodes.len()], shape, points: copied };
        tree.fit();
        tree
    }

    /// The number of triangles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.order.len()
    }

    /// Whether there is no triangle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Follows the vertices: counted as they were when the tree was built, in run order for a mesh's.
    ///
    /// # Errors
    ///
    /// When there are not as many.
    pub fn refit(&mut self, points: Points<'_>) -> Result<(), Error> {
        check_len("points of the tree", self.points.len(), points.len())?;
        copy(points, &mut self.points);
        self.fit();
        Ok(())
    }

    /// Boxes around where the points are.
    pub(super) fn fit(&mut self) {
        // Children come after their parents.
        for node in (0..self.boxes.len()).rev() {
            self.boxes[node] = self.fitted(node);
        }
    }

    fn fitted(&self, node: usize) -> Boxes {
        let own = &self.shape.nodes[node];
        let mut boxes = Boxes::EMPTY;
        for lane in 0..own.used as usize {
            let (first, len) = (own.first[lane] as usize, own.len[lane] as usize);
            let span = if len == 0 { self.boxes[first].span() } else { self.span_of(first, len) };
            boxes.set(lane, &span);
        }
        boxes
    }

    fn span_of(&self, first: usize, len: usize) -> Span {
        let mut span = Span::EMPTY;
        for corners in &self.shape.corners[first..first + len] {
            for &corner in corners {
                span.add(&self.points[corner as usize]);
            }
        }
        span
    }

    /// The corners of a triangle, in the order of leaves.
    #[inline]
    pub(super) fn triangle(&self, place: usize) -> [[f32; 3]; 3] {
        self.shape.corners[place].map(|corner| {
            let [x, y, z, _] = self.points[corner as usize];
            [x, y, z]
        })
    }
}

/// Copies points of any form; one that is not finite becomes NaN as a whole.
fn copy(points: Points<'_>, to: &mut [[f32; 4]]) {
    match points {
        Points::Blocks { blocks, vectors } => {
            for (to, block) in
                to.as_chunks_mut::<BLOCK>().0.iter_mut().zip(blocks.iter().step_by(vectors.max(1)))
            {
                copy_block(block, to);
            }
        }
        Points::Packed(points) => {
            for (to, &[x, y, z]) in to.iter_mut().zip(points) {
                *to = marked(x, y, z);
            }
        }
        Points::Padded(points) => {
            for (to, &[x, y, z, _]) in to.iter_mut().zip(points) {
                *to = marked(x, y, z);
            }
        }
    }
}

/// Copies eight points.
#[inline]
pub(super) fn copy_block(block: &VectorBlock, to: &mut [[f32; 4]; BLOCK]) {
    let [x, y, z] = &block.rows;
    for lane in 0..BLOCK {
        to[lane] = marked(x[lane], y[lane], z[lane]);
    }
}

/// Zero times a finite number is zero, and else not a number.
#[inline]
fn marked(x: f32, y: f32, z: f32) -> [f32; 4] {
    let mark = 0.0 * x + 0.0 * y + 0.0 * z;
    [x + mark, y + mark, z + mark, mark]
}
