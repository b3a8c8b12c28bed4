//! A tree whose boxes and vertices are made only where a ray comes by.

use std::sync::Arc;

use sinew_kernels::{BLOCK, Form, Matrix, VectorBlock};

use super::boxes::{Boxes, Span, WIDTH};
use super::claims::{Claims, Window};
use super::lazy_cast::LazyCast;
use super::tree::{Tree, copy_block};
use crate::bounds::{higher, lower};
use crate::error::check_len;
use crate::{Attributes, Blending, Error, Mesh, Order, Palette, SkinOptions, Target};

/// Blocks that are skinned at a time: few enough for the nearest cache.
const TILE: usize = 16;

/// The triangles of a mesh for few rays in a frame: a ray skins the vertices near it, and no others.
///
/// Boxes around triangles come from the joints that move them, so that most of the mesh is ruled out before it is skinned. What
/// one ray has skinned the next finds ready. Hits are those of [`Tree`], bit for bit.
///
/// Blending by dual quaternions, morph targets, and palettes with numbers beyond 1e37 or that are not finite are not served
/// that way: then the first ray skins the whole mesh.
#[derive(Clone, Debug)]
pub struct LazyTree {
    pub(super) tree: Tree,
    pub(super) claims: Arc<Claims>,
    /// Of the nodes of the upper part.
    pub(super) boxes: Vec<Boxes>,
    /// The frame that each node's boxes were made in.
    boxed: Vec<u64>,
    /// The frame that each cluster was skinned in, box by box.
    ready: Vec<u64>,
    /// The frame that each block was skinned in.
    skinned: Vec<u64>,
    joints: Vec<Columns>,
    pub(super) state: State,
}

/// Where a frame stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// Counts frames, from one.
    frame: u64,
    /// What is added on each side of boxes; `None` where all is skinned at once.
    margin: Option<[f32; 4]>,
    /// What vertices are multiplied by, at least and at most.
    scale: [f32; 2],
    /// How many rays there were.
    pub(super) rays: usize,
    /// Whether the whole tree is where the vertices are.
    pub(super) whole: bool,
}

/// A matrix by its columns, and their magnitudes.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    own: [[f32; 4]; 4],
    magnitudes: [[f32; 4]; 3],
}

impl LazyTree {
    /// Memory for a mesh. The first one for a mesh takes much longer than a frame, and is kept with the mesh.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        let claims = Arc::clone(mesh.claims());
        let nodes = claims.nodes.len();
        Self {
            tree: Tree::new(mesh),
            boxes: vec![Boxes::EMPTY; nodes],
            boxed: vec![0; nodes],
            ready: vec![0; WIDTH * nodes],
            skinned: vec![0; mesh.blocks()],
            joints: vec![Columns::default(); mesh.skin_len()],
            claims,
            state: State::default(),
        }
    }

    /// Begins a frame: the mesh is where the palette takes it. Costs little more than reading the palette. Of the options,
    /// those for directions count for nothing.
    ///
    /// # Errors
    ///
    /// When the mesh is not of the size of the one that this was made for, or as [`Mesh::skin`].
    pub fn begin<'a>(
        &'a mut self,
        mesh: &'a Mesh,
        palette: &'a Palette,
        options: &SkinOptions<'a>,
    ) -> Result<LazyCast<'a>, Error> {
        self.check(mesh, palette, options)?;
        let (margin, scale) = mesh.bounds_margin(palette)?;
        let plain = matches!(options.blending, Blending::Linear) && options.morphed.is_none();
        self.state = State {
            frame: self.state.frame + 1,
            margin: margin.filter(|_| plain).map(|[x, y, z]| [x, y, z, 0.0]),
            scale,
            rays: 0,
            whole: false,
        };
        for (columns, matrix) in self.joints.iter_mut().zip(palette.matrices()) {
            *columns = Columns::of(matrix);
        }
        Ok(LazyCast { lazy: self, skinner: Skinner { mesh, palette, options: *options } })
    }

    /// Goes on with the frame that was begun last, with the same mesh, palette and options: what was skinned then is used,
    /// whatever the palette holds now.
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn resume<'a>(
        &'a mut self,
        mesh: &'a Mesh,
        palette: &'a Palette,
        options: &SkinOptions<'a>,
    ) -> Result<LazyCast<'a>, Error> {
        if self.state.frame == 0 {
            return self.begin(mesh, palette, options);
        }
        self.check(mesh, palette, options)?;
        Ok(LazyCast { lazy: self, skinner: Skinner { mesh, palette, options: *options } })
    }

    /// Demands what skinning will need, by skinning nothing.
    fn check(&self, mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> Result<(), Error> {
        check_len("points of the tree", self.tree.points.len(), mesh.padded_len())?;
        check_len("triangles of the tree", self.tree.len(), mesh.triangles().len())?;
        check_len("joints of the tree", self.joints.len(), mesh.skin_len())?;
        mesh.skin_into(palette, options, window(0..0, &mut []))
    }

    /// Whether boxes can be made from joints in this frame.
    pub(super) fn is_lazy(&self) -> bool {
        self.state.margin.is_some()
    }

    /// The boxes of a node, made where they are of an older frame.
    #[inline]
    pub(super) fn boxes_of(&mut self, node: usize) -> &Boxes {
        if self.boxed[node] != self.state.frame {
            self.boxed[node] = self.state.frame;
            for lane in 0..self.claims.nodes[node].used as usize {
                let span = self.span_of(node, lane);
                self.boxes[node].set(lane, &span);
            }
        }
        &self.boxes[node]
    }

    /// A box that holds what is in one of a node's boxes, wherever its joints take it: the smallest around the claims' boxes,
    /// since a vertex is a mean of where its joints have it.
    fn span_of(&self, node: usize, lane: usize) -> Span {
        let mut span = Span::EMPTY;
        for claim in self.claims.of(node, lane) {
            let Columns { own: [x, y, z, t], magnitudes: [ax, ay, az] } = &self.joints[claim.joint as usize];
            let ([mx, my, mz], [hx, hy, hz]) = (claim.middle, claim.half);
            for row in 0..4 {
                let middle = x[row] * mx + y[row] * my + z[row] * mz + t[row];
                let half = ax[row] * hx + ay[row] * hy + az[row] * hz;
                span.low[row] = lower(middle - half, span.low[row]);
                span.high[row] = higher(middle + half, span.high[row]);
            }
        }
        let margin = self.state.margin.unwrap_or_default();
        let [least, most] = self.state.scale;
        for (row, margin) in margin.into_iter().enumerate() {
            let (low, high) = (span.low[row], span.high[row]);
            span.low[row] = lower(low * least, low * most) - margin;
            span.high[row] = higher(high * least, high * most) + margin;
        }
        span
    }

    /// Sees to it that the vertices of a cluster are skinned.
    #[inline]
    pub(super) fn skin_cluster(&mut self, cluster: (usize, usize), frame: &Skinner<'_>) {
        let (node, lane) = cluster;
        let ready = &mut self.ready[WIDTH * node + lane];
        if *ready == self.state.frame {
            return;
        }
        *ready = self.state.frame;
        for &Window { first, len } in self.claims.windows(node, lane) {
            let blocks = first as usize..(first + len) as usize;
            let known = |block: &u64| *block == self.state.frame;
            if self.skinned[blocks.clone()].iter().all(known) {
                continue;
            }
            self.skinned[blocks.clone()].fill(self.state.frame);
            frame.skin(blocks, &mut self.tree.points);
        }
    }

    /// Skins all, and makes the whole tree follow.
    pub(super) fn complete(&mut self, frame: &Skinner<'_>) {
        if !self.state.whole {
            frame.skin(0..self.skinned.len(), &mut self.tree.points);
            self.tree.fit();
            self.state.whole = true;
        }
    }
}

/// What skins windows of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skinner<'a> {
    mesh: &'a Mesh,
    palette: &'a Palette,
    options: SkinOptions<'a>,
}

impl Skinner<'_> {
    fn skin(&self, blocks: std::ops::Range<usize>, points: &mut [[f32; 4]]) {
        let mut tile = [VectorBlock::default(); TILE];
        let (points, _) = points.as_chunks_mut::<BLOCK>();
        let mut start = blocks.start;
        while start < blocks.end {
            let part = start..blocks.end.min(start + TILE);
            let tile = &mut tile[..part.len()];
            let skinned = self.mesh.skin_into(self.palette, &self.options, window(part.clone(), tile));
            skinned.expect("the mesh and the palette were checked as the frame began");
            for (block, to) in tile.iter().zip(&mut points[part.clone()]) {
                copy_block(block, to);
            }
            start = part.end;
        }
    }
}

fn window(blocks: std::ops::Range<usize>, to: &mut [VectorBlock]) -> Target<'_> {
    Target {
        attributes: Attributes::Positions,
        order: Order::Run,
        form: Form::Blocks(to),
        bounds: None,
        window: Some(blocks),
    }
}

impl Columns {
    fn of(matrix: &Matrix) -> Self {
        let [x, y, z] = matrix.rows;
        let own = std::array::from_fn(|c| [x[c], y[c], z[c], 0.0]);
        Self { own, magnitudes: [0, 1, 2].map(|c: usize| own[c].map(f32::abs)) }
    }
}
