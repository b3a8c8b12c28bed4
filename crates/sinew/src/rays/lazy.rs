//! A tree whose boxes and vertices are made only where a ray comes by.

use std::sync::Arc;

use sinew_kernels::{BLOCK, VectorBlock, VertexLayout};

use super::boxes::{Boxes, Span, WIDTH};
use super::claims::{Claims, Fork, Window};
use super::columns::Columns;
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
    /// Of each fork.
    made: Vec<Made>,
    /// The frame that each block was skinned in.
    skinned: Vec<u64>,
    joints: Vec<Columns>,
    pub(super) state: State,
}

/// What was made of a fork.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Made {
    boxes: Boxes,
    /// The frame that the boxes were made in.
    frame: u64,
    /// Whether each cluster has been skinned in that frame.
    ready: [bool; WIDTH],
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

impl LazyTree {
    /// Memory for a mesh. The first one for a mesh takes much longer than a frame, and is kept with the mesh.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        let claims = Arc::clone(mesh.claims());
        Self {
            tree: Tree::new(mesh),
            made: vec![Made { boxes: Boxes::EMPTY, frame: 0, ready: [false; WIDTH] }; claims.forks.len()],
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

    /// The boxes of a fork, whose claims begin there, made where they are of an older frame.
    #[inline]
    pub(super) fn boxes_of(&mut self, place: usize, first_claim: u32) -> &Boxes {
        let Self { made, claims, joints, state, .. } = self;
        let made = &mut made[place];
        if made.frame != state.frame {
            (made.frame, made.ready) = (state.frame, [false; WIDTH]);
            let (fork, mut start) = (&claims.forks[place], first_claim as usize);
            for lane in 0..usize::from(fork.used) {
                let end = fork.claim_ends[lane] as usize;
                made.boxes.set(lane, &state.outward(claims.span(start..end, joints)));
                start = end;
            }
        }
        &made.boxes
    }

    /// Sees to it that the vertices of a cluster are skinned: a box of a fork whose boxes are of this frame.
    #[inline]
    pub(super) fn skin_cluster(&mut self, (place, lane): (usize, usize), fork: &Fork, frame: &Skinner<'_>) {
        let now = self.state.frame;
        if std::mem::replace(&mut self.made[place].ready[lane], true) {
            return;
        }
        for &Window { first, len } in self.claims.windows(fork, lane) {
            let blocks = first as usize..(first + len) as usize;
            let skinned = &mut self.skinned[blocks.clone()];
            if skinned.iter().any(|&block| block != now) {
                skinned.fill(now);
                frame.skin(blocks, &mut self.tree.points);
            }
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

impl State {
    /// Larger by what rounding may take from it, and by weights that do not sum to one.
    #[inline]
    fn outward(&self, mut span: Span) -> Span {
        let margin = self.margin.unwrap_or_default();
        let [least, most] = self.scale;
        for (row, margin) in margin.into_iter().enumerate() {
            let (low, high) = (span.low[row], span.high[row]);
            span.low[row] = lower(low * least, low * most) - margin;
            span.high[row] = higher(high * least, high * most) + margin;
        }
        span
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
        form: VertexLayout::Blocks(to),
        bounds: None,
        window: Some(blocks),
    }
}
