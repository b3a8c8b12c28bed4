//! A tree of boxes around the triangles of a mesh, refitted when its vertices have moved.

use std::sync::Arc;

use sinew_kernels::{BLOCK, VectorBlock};

use super::boxes::{Boxes, Span};
use super::build::Shape;
use crate::error::{check_len, check_triangle_count};
use crate::{Error, Mesh, Points};

/// The triangles of a mesh where its vertices are, in a tree of boxes: for rays and other questions about the surface.
///
/// It is built once, for the mesh at rest, which takes much longer than a frame, and kept with the mesh: other trees of the
/// same mesh share it. [`refit`](Self::refit) makes a tree follow its vertices. No answer depends on how it was built. Rays take
/// a little longer after a refit than in a tree that is built anew, by a third or so where a mesh is twisted out of all shape;
/// [`of_triangles`](Self::of_triangles) builds one for it.
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
        check_triangle_count(triangles.len())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    const RINGS: u32 = 100;
    const SIDES: u32 = 40;

    /// A tube along x, of length two.
    fn tube() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let place = |ring: u32, side: u32| ring * SIDES + side % SIDES;
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for (ring, side) in (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
            let (sine, cosine) = (side as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
            points.push([2.0 * ring as f32 / RINGS as f32, 0.1 * cosine, 0.1 * sine]);
            if ring > 0 {
                let [a, b] = [side, side + 1].map(|side| place(ring - 1, side));
                let [c, d] = [side, side + 1].map(|side| place(ring, side));
                triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        (points, triangles)
    }

    /// How many boxes and triangles a ray through the whole meets on the mean, by the surfaces of boxes.
    fn cost(tree: &Tree) -> f64 {
        let surface = |low: [f32; 4], high: [f32; 4]| {
            let [x, y, z] = [0, 1, 2].map(|axis| f64::from(high[axis]) - f64::from(low[axis]));
            x * y + y * z + z * x
        };
        let mut sum = 0.0;
        for (node, boxes) in tree.shape.nodes.iter().zip(&tree.boxes) {
            for lane in 0..node.used as usize {
                let side = |which: usize| {
                    std::array::from_fn(|axis| boxes.sides.get(axis).map_or(0.0, |sides| sides[which][lane]))
                };
                sum += surface(side(0), side(1)) * f64::from(node.len[lane].max(1));
            }
        }
        let whole = tree.boxes[0].span();
        sum / surface(whole.low, whole.high)
    }

    #[test]
    fn a_tree_that_has_turned_is_nearly_as_good_as_one_built_anew() {
        let (points, triangles) = tube();
        let mut tree = Tree::of_triangles(Points::Packed(&points), &triangles).expect("sound triangles");
        let (s, c) = 0.7_f32.sin_cos();
        let about_z = |[x, y, z]: [f32; 3]| [c * x - s * y, s * x + c * y, z];
        let about_y = |[x, y, z]: [f32; 3]| [c * x + s * z, y, c * z - s * x];
        let turned: Vec<[f32; 3]> = points.iter().map(|&point| about_y(about_z(point))).collect();
        tree.refit(Points::Packed(&turned)).expect("as many points");
        let anew = Tree::of_triangles(Points::Packed(&turned), &triangles).expect("sound triangles");
        let (turned, anew) = (cost(&tree), cost(&anew));
        assert!(turned < 1.6 * anew, "{turned} boxes and triangles where {anew} would do");
    }
}
