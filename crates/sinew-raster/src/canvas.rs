//! The canvas: collects what a picture shows, bins it into tiles and renders it.

use std::slice;

use crate::binned::BinnedTriangles;
use crate::bins::{TILE_HEIGHT, TILE_WIDTH};
use crate::srgb::SrgbEncoder;
use crate::submit::SubmitQueue;
use crate::threads::run_jobs;
use crate::tile::{DrawData, Tile};
use crate::triangle_setup::Op;
use crate::viewport::{FixedVertex, Viewport};
use crate::{Error, Lighting, Picture, Size, Surface, Texture};

/// A vertex of triangles whose colors are given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Position in clip space; see [`ViewProjection`](crate::ViewProjection).
    pub position: [f32; 4],
    /// Linear RGB color where the vertex is lit.
    pub lit: [f32; 3],
    /// Linear RGB color where the vertex is in shadow.
    pub shadowed: [f32; 3],
}

impl Vertex {
    /// A vertex that has the same color in light and in shadow.
    #[must_use]
    pub fn with_color(position: [f32; 4], color: [f32; 3]) -> Self {
        Self { position, lit: color, shadowed: color }
    }
}

/// Which triangles are culled by their facing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CullMode {
    /// Back faces are culled. The front is the side on which vertices run counter-clockwise.
    Back,
    /// Front faces are culled.
    Front,
    /// Nothing is culled: both sides are visible.
    #[default]
    None,
}

impl CullMode {
    /// Whether triangles of this facing are culled.
    pub(crate) fn culls(self, is_front: bool) -> bool {
        self == if is_front { Self::Front } else { Self::Back }
    }
}

/// Triangles with a color at each vertex. Where two have the same depth, the one added first is
/// visible.
#[derive(Clone, Copy, Debug)]
pub struct Triangles<'a> {
    /// The vertices.
    pub vertices: &'a [Vertex],
    /// Three vertex indices per triangle.
    pub triangles: &'a [[u32; 3]],
    /// Which facing is culled.
    pub cull_mode: CullMode,
}

impl<'a> Triangles<'a> {
    /// An empty list of triangles over these vertices, without culling.
    #[must_use]
    pub fn new(vertices: &'a [Vertex]) -> Self {
        Self { vertices, triangles: &[], cull_mode: CullMode::None }
    }
}

/// A closed shadow volume: surfaces inside it are in shadow. The triangles' front faces point out.
///
/// Vertices may lie at infinity. Nothing is clipped at the far end, so the camera may be inside the
/// volume too.
#[derive(Clone, Copy, Debug)]
pub struct ShadowVolume<'a> {
    /// Vertex positions in clip space.
    pub positions: &'a [[f32; 4]],
    /// Three vertex indices per triangle.
    pub triangles: &'a [[u32; 3]],
}

/// Everything that a picture shows. Its memory is reused from picture to picture.
///
/// Add opaque triangles first, then the shadow volumes that darken them, then transparent surfaces,
/// which are neither darkened nor hide what comes after them. Lines and dots are drawn at last, in
/// whatever order they were added. Primitives with a non-finite coordinate are skipped.
#[derive(Clone, Debug)]
pub struct Canvas {
    size: Size,
    pub(crate) viewport: Viewport,
    background: u32,
    lighting: Lighting,
    queue: SubmitQueue,
    /// The queue's triangles after binning, one consecutive part per element.
    binned: Vec<BinnedTriangles>,
    /// Number of valid parts in `binned`; zero when something was added since the last binning.
    parts: usize,
    lines: BinnedTriangles,
    tiles: Vec<Tile>,
}

/// Number of triangles that justifies another thread for binning.
const TRIANGLES_PER_THREAD: usize = 1000;

impl Canvas {
    /// A black canvas.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            size,
            viewport: Viewport::new(size),
            background: 0,
            lighting: Lighting::default(),
            queue: SubmitQueue::default(),
            binned: Vec::new(),
            parts: 0,
            lines: BinnedTriangles::new(size),
            tiles: Vec::new(),
        }
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Removes everything and sets the background, a linear RGB color.
    pub fn clear(&mut self, background: [f32; 3]) {
        self.background = SrgbEncoder::new().encode_rgb(background);
        self.queue.clear();
        self.parts = 0;
        self.lines.clear();
    }

    /// Sets the light on all surfaces, also on those that were already added.
    pub fn set_lighting(&mut self, lighting: &Lighting) {
        self.lighting = *lighting;
    }

    /// Adds triangles whose colors are given.
    ///
    /// # Errors
    ///
    /// When a triangle has a vertex index out of range. The triangles before it are added.
    pub fn add_triangles(&mut self, triangles: &Triangles<'_>) -> Result<(), Error> {
        self.parts = 0;
        self.queue.add_colored(&self.viewport, triangles)
    }

    /// Adds triangles that are lit per pixel.
    ///
    /// # Errors
    ///
    /// When a triangle has a vertex index out of range. The triangles before it are added.
    pub fn add_surface(&mut self, surface: &Surface<'_>) -> Result<(), Error> {
        self.parts = 0;
        self.queue.add_surface(&self.viewport, surface)
    }

    /// Adds a shadow volume.
    ///
    /// # Errors
    ///
    /// When a triangle has a vertex index out of range. The triangles before it are added.
    pub fn add_shadow_volume(&mut self, volume: &ShadowVolume<'_>) -> Result<(), Error> {
        self.parts = 0;
        self.queue.add_shadow_volume(&self.viewport, volume)
    }

    /// Adds a triangle of a line or dot, already in fixed point.
    pub(crate) fn add_line_triangle(&mut self, vertices: &[FixedVertex; 3], op: Op) {
        self.lines.add_flat(vertices, op);
    }

    /// Renders everything into a picture. `threads` is clamped to at least one and at most the
    /// number of tile rows. The pixels do not depend on it.
    ///
    /// # Panics
    ///
    /// When the picture's size differs from the canvas's.
    pub fn render(&mut self, textures: &[Texture], threads: usize, to: &mut Picture) {
        assert!(to.size() == self.size, "the picture and the canvas must have the same size");
        let threads = threads.clamp(1, self.size.height().div_ceil(TILE_HEIGHT));
        self.bin(threads);
        self.tiles.resize_with(threads.max(self.tiles.len()), Tile::new);
        let Self { background, lighting, queue, binned, parts, lines, tiles, .. } = self;
        let all = || binned[..*parts].iter().chain(slice::from_ref(&*lines));
        let width = self.size.width();
        let mut rows: Vec<_> = to.pixels_mut().chunks_mut(width * TILE_HEIGHT).enumerate().collect();
        // Jobs are taken from the end, so the fullest rows start first and no thread is left alone
        // with a long one.
        rows.sort_by_cached_key(|(row, _)| {
            all().flat_map(|part| part.bins.row(*row)).map(Vec::len).sum::<usize>()
        });
        run_jobs(rows, &mut tiles[..threads], |tile, (row, pixels)| {
            for column in 0..width.div_ceil(TILE_WIDTH) {
                tile.begin(column, row, *background);
                for part in all() {
                    let data = DrawData { part, materials: &queue.materials, lighting, textures };
                    tile.draw(&part.bins.row(row)[column], &data);
                }
                tile.resolve(pixels, width);
            }
        });
    }

    /// Clips and bins the queue in up to `threads` parts, unless the binned triangles are current.
    fn bin(&mut self, threads: usize) {
        if self.parts > 0 {
            return;
        }
        let triangles = self.queue.len();
        self.parts = (triangles / TRIANGLES_PER_THREAD).clamp(1, threads);
        self.binned.resize_with(self.parts.max(self.binned.len()), || BinnedTriangles::new(self.size));
        let Self { viewport, queue, binned, parts, .. } = self;
        let per_part = triangles.div_ceil(*parts);
        let jobs = binned[..*parts].iter_mut().enumerate().collect();
        run_jobs(jobs, &mut vec![(); *parts], |(), (part, to)| {
            queue.bin(viewport, &(part * per_part..((part + 1) * per_part).min(triangles)), to);
        });
    }
}
