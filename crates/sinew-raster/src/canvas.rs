//! What a picture is made of: collected, cut, put on the grid and sorted into tiles, then drawn.

use std::slice;

use crate::bins::{TILE_HEIGHT, TILE_WIDTH};
use crate::collected::Collected;
use crate::face::Act;
use crate::screen::{Screen, Spot};
use crate::sorted::Sorted;
use crate::srgb::Coder;
use crate::threads::share_out;
use crate::tile::{Paints, Tile};
use crate::{Error, Picture, Size, Texture};

/// A corner of triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Where it is in clip space; see [`View`](crate::View).
    pub place: [f32; 4],
    /// Its colour where light falls on it: red, green and blue, linear.
    pub lit: [f32; 3],
    /// Its colour in the shadow.
    pub shaded: [f32; 3],
    /// Where it is in the texture: from 0 at the left and the top to 1.
    pub texture: [f32; 2],
}

impl Vertex {
    /// Of one colour, lit or not.
    #[must_use]
    pub fn coloured(place: [f32; 4], colour: [f32; 3]) -> Self {
        Self { place, lit: colour, shaded: colour, texture: [0.0; 2] }
    }
}

/// Which sides of triangles are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// The front, whose corners run counter-clockwise.
    Front,
    /// Both.
    #[default]
    Both,
}

/// Triangles of a surface. Of two at the same depth the one that was there first is seen.
#[derive(Clone, Copy, Debug)]
pub struct Triangles<'a> {
    /// The corners.
    pub vertices: &'a [Vertex],
    /// Three vertices each.
    pub triangles: &'a [[u32; 3]],
    /// Which sides are seen.
    pub sides: Sides,
    /// Which of the textures given to [`Canvas::draw`] the colours are multiplied with; one that is not there is white.
    pub texture: Option<usize>,
}

impl<'a> Triangles<'a> {
    /// No triangles yet, seen from both sides, without texture.
    #[must_use]
    pub fn of(vertices: &'a [Vertex]) -> Self {
        Self { vertices, triangles: &[], sides: Sides::Both, texture: None }
    }
}

/// A closed volume: what lies in it is in the shadow. Its triangles show their fronts to the outside.
///
/// Points infinitely far away are welcome: nothing is cut off at the far end, so the eye may be inside too.
#[derive(Clone, Copy, Debug)]
pub struct Volume<'a> {
    /// The corners in clip space.
    pub places: &'a [[f32; 4]],
    /// Three corners each.
    pub triangles: &'a [[u32; 3]],
}

/// What a picture is made of. Its memory is kept from picture to picture.
///
/// Surfaces come first, then the volumes that lay shadows on them. Marks come after all of these, whenever they are added.
/// What has a number that is not finite is left out.
#[derive(Clone, Debug)]
pub struct Canvas {
    size: Size,
    pub(crate) screen: Screen,
    background: u32,
    collected: Collected,
    /// What was collected, a part each, in order.
    sorted: Vec<Sorted>,
    /// How many of these are up to date; none when something was added since.
    parts: usize,
    marks: Sorted,
    tiles: Vec<Tile>,
}

/// Triangles that are worth a thread of their own.
const MANY: usize = 1000;

impl Canvas {
    /// A black canvas.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            size,
            screen: Screen::new(size),
            background: 0,
            collected: Collected::default(),
            sorted: Vec::new(),
            parts: 0,
            marks: Sorted::new(size),
            tiles: Vec::new(),
        }
    }

    /// How large it is.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Takes everything away and leaves a background of one colour, linear.
    pub fn clear(&mut self, background: [f32; 3]) {
        self.background = Coder::new().word(background);
        self.collected.clear();
        self.parts = 0;
        self.marks.clear();
    }

    /// Adds triangles.
    ///
    /// # Errors
    ///
    /// When a triangle has a vertex that is not there. Those before it are added.
    pub fn triangles(&mut self, add: &Triangles<'_>) -> Result<(), Error> {
        self.parts = 0;
        self.collected.surface(&self.screen, add)
    }

    /// Adds a volume whose inside is in the shadow.
    ///
    /// # Errors
    ///
    /// When a triangle has a corner that is not there. Those before it are added.
    pub fn volume(&mut self, add: &Volume<'_>) -> Result<(), Error> {
        self.parts = 0;
        self.collected.volume(&self.screen, add)
    }

    /// Adds a flat triangle that is on the grid.
    pub(crate) fn mark(&mut self, spots: &[Spot; 3], act: Act) {
        self.marks.flat(spots, act);
    }

    /// Draws all of it, on so many threads: at least one, and not more than there is work for. The pixels do not depend on
    /// that.
    ///
    /// # Panics
    ///
    /// When the picture is of another size.
    pub fn draw(&mut self, textures: &[Texture], threads: usize, to: &mut Picture) {
        assert!(to.size() == self.size, "a canvas is drawn into a picture of its own size");
        let threads = threads.clamp(1, self.size.height().div_ceil(TILE_HEIGHT));
        self.sort(threads);
        self.tiles.resize_with(threads.max(self.tiles.len()), Tile::new);
        let Self { background, sorted, parts, marks, tiles, .. } = self;
        let all = || sorted[..*parts].iter().chain(slice::from_ref(&*marks));
        let width = self.size.width();
        let mut rows: Vec<_> = to.pixels_mut().chunks_mut(width * TILE_HEIGHT).enumerate().collect();
        // The fullest are taken first, so that nobody is left with one when all others are done.
        rows.sort_by_cached_key(|(row, _)| {
            all().flat_map(|part| part.bins.row(*row)).map(Vec::len).sum::<usize>()
        });
        share_out(rows, &mut tiles[..threads], |tile, (row, pixels)| {
            for column in 0..width.div_ceil(TILE_WIDTH) {
                tile.begin(column, row, *background);
                for part in all() {
                    let paints = Paints { faces: &part.faces, paints: &part.paints, textures };
                    tile.fill(&part.bins.row(row)[column], &paints);
                }
                tile.resolve(pixels, width);
            }
        });
    }

    /// Cuts and sorts all that was collected, if something was added since the last time; in parts, up to one for each thread.
    fn sort(&mut self, threads: usize) {
        if self.parts > 0 {
            return;
        }
        let triangles = self.collected.len();
        self.parts = (triangles / MANY).clamp(1, threads);
        self.sorted.resize_with(self.parts.max(self.sorted.len()), || Sorted::new(self.size));
        let Self { screen, collected, sorted, parts, .. } = self;
        let each = triangles.div_ceil(*parts);
        let things = sorted[..*parts].iter_mut().enumerate().collect();
        share_out(things, &mut vec![(); *parts], |(), (part, to)| {
            collected.sort(screen, &(part * each..((part + 1) * each).min(triangles)), to);
        });
    }
}
