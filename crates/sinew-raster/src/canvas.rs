//! What a picture is made of: collected, cut, put on the grid and sorted into tiles, then drawn.

use std::sync::Mutex;
use std::thread::{Builder, scope};

use crate::bins::{Bins, TILE_HEIGHT};
use crate::clip::Polygon;
use crate::face::{Act, Face, NEARNESS, NUMBERS, Ordered, Paint};
use crate::screen::{CUT, ODD, Placed, SIDES, Screen, Spot};
use crate::srgb::Coder;
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
/// Surfaces come first, then the volumes that lay shadows on them, then marks. What has a number that is not finite is
/// left out.
#[derive(Clone, Debug)]
pub struct Canvas {
    size: Size,
    pub(crate) screen: Screen,
    background: u32,
    faces: Vec<Face>,
    paints: Vec<Paint>,
    bins: Bins,
    placed: Vec<Placed>,
    tiles: Vec<Tile>,
}

impl Canvas {
    /// A black canvas.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            size,
            screen: Screen::new(size),
            background: 0,
            faces: Vec::new(),
            paints: Vec::new(),
            bins: Bins::new(size),
            placed: Vec::new(),
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
        self.faces.clear();
        self.paints.clear();
        self.bins.clear();
    }

    /// Adds triangles.
    ///
    /// # Errors
    ///
    /// When a triangle has a vertex that is not there. Those before it are added.
    pub fn triangles(&mut self, add: &Triangles<'_>) -> Result<(), Error> {
        self.place(add.vertices.iter().map(|vertex| vertex.place), add.triangles.len());
        for (index, triangle) in add.triangles.iter().enumerate() {
            let corners = corners(index, triangle, add.vertices)?;
            self.surface(triangle, &corners, add);
        }
        Ok(())
    }

    /// Adds a volume whose inside is in the shadow.
    ///
    /// # Errors
    ///
    /// When a triangle has a corner that is not there. Those before it are added.
    pub fn volume(&mut self, add: &Volume<'_>) -> Result<(), Error> {
        self.place(add.places.iter().copied(), add.triangles.len());
        for (index, triangle) in add.triangles.iter().enumerate() {
            let places = corners(index, triangle, add.places)?;
            self.on_grid(triangle, places, |_, ordered, _| {
                Some(Act::Count(if ordered.is_front { -1 } else { 1 }))
            });
        }
        Ok(())
    }

    /// Works out where corners are, once for all triangles around them; not where that would be more work than each time.
    fn place(&mut self, places: impl ExactSizeIterator<Item = [f32; 4]>, triangles: usize) {
        self.placed.clear();
        if places.len() <= 3 * triangles {
            self.placed.extend(places.map(|place| self.screen.place(place)));
        }
    }

    fn surface(&mut self, triangle: &[u32; 3], corners: &[Vertex; 3], add: &Triangles<'_>) {
        self.on_grid(triangle, corners.map(|corner| corner.place), |canvas, ordered, shares| {
            if add.sides == Sides::Front && !ordered.is_front {
                return None;
            }
            let numbers = ordered.from.map(|corner| numbers(corners, &shares[corner]));
            let texture = add.texture.and_then(|texture| texture.try_into().ok());
            let paint = Paint::new(ordered, &numbers, texture);
            canvas.paints.push(paint);
            Some(Act::Paint((canvas.paints.len() - 1) as u32))
        });
    }

    /// Cuts a triangle and adds what is left of it, as `act` says: from the corners in order, and from how much each of
    /// them has of the whole triangle's.
    fn on_grid(
        &mut self,
        triangle: &[u32; 3],
        places: [[f32; 4]; 3],
        mut act: impl FnMut(&mut Self, &Ordered, &[[f64; 3]; 3]) -> Option<Act>,
    ) {
        let placed = |corner: usize| {
            let known = self.placed.get(triangle[corner] as usize);
            known.copied().unwrap_or_else(|| self.screen.place(places[corner]))
        };
        let placed = [placed(0), placed(1), placed(2)];
        let [a, b, c] = placed.map(|corner| corner.bits);
        if (a | b | c) & ODD != 0 || a & b & c & SIDES != 0 {
            return;
        }
        let screen = self.screen;
        let mut add = |spots: &[Spot; 3], shares: &[[f64; 3]; 3]| {
            if let Some(ordered) = Ordered::new(spots)
                && let Some(act) = act(self, &ordered, shares)
            {
                self.add(&ordered, act);
            }
        };
        if (a | b | c) & CUT == 0 {
            add(&placed.map(|corner| corner.spot), &WHOLE);
            return;
        }
        let mut polygon = Polygon::of(places);
        screen.guard.cut(&mut polygon);
        let corners = polygon.corners();
        for index in 2..corners.len() {
            let three = [corners[0], corners[index - 1], corners[index]];
            let [Some(a), Some(b), Some(c)] = three.map(|corner| screen.pixel(corner.place)) else {
                continue;
            };
            add(&[a, b, c].map(|pixel| screen.spot(pixel)), &three.map(|corner| corner.shares));
        }
    }

    /// Adds a triangle that is on the grid, if it is in the picture.
    fn add(&mut self, ordered: &Ordered, act: Act) {
        let pixels = [self.size.width() as i32, self.size.height() as i32];
        if let Some(face) = ordered.face(pixels, act) {
            self.bins.add(self.faces.len() as u32, &face);
            self.faces.push(face);
        }
    }

    /// Adds a flat triangle that is on the grid.
    pub(crate) fn add_flat(&mut self, spots: &[Spot; 3], act: Act) {
        if let Some(ordered) = Ordered::new(spots) {
            self.add(&ordered, act);
        }
    }

    /// Draws all of it, on so many threads: at least one, and not more than there is work for. The pixels do not depend on
    /// that.
    ///
    /// # Panics
    ///
    /// When the picture is of another size.
    pub fn draw(&mut self, textures: &[Texture], threads: usize, to: &mut Picture) {
        assert!(to.size() == self.size, "a canvas is drawn into a picture of its own size");
        let width = self.size.width();
        let mut rows: Vec<_> = to.pixels_mut().chunks_mut(width * TILE_HEIGHT).enumerate().collect();
        // The fullest are taken first, so that nobody is left with one when all others are done.
        rows.sort_by_key(|(row, _)| self.bins.row(*row).iter().map(Vec::len).sum::<usize>());
        let rows = Mutex::new(rows);
        let threads = threads.clamp(1, self.size.height().div_ceil(TILE_HEIGHT));
        self.tiles.resize_with(threads.max(self.tiles.len()), Tile::new);
        let Self { background, faces, paints, bins, tiles, .. } = self;
        let paints = Paints { faces, paints, textures };
        let work = |tile: &mut Tile| {
            loop {
                let next = rows.lock().ok().and_then(|mut rows| rows.pop());
                let Some((row, pixels)) = next else { break };
                for (column, list) in bins.row(row).iter().enumerate() {
                    tile.begin(column, row, *background);
                    tile.fill(list, &paints);
                    tile.resolve(pixels, width);
                }
            }
        };
        let work = &work;
        scope(|scope| {
            let Some((own, others)) = tiles[..threads].split_first_mut() else { return };
            for tile in others {
                // A thread that the system does not have is not missed: the others take its rows.
                let _ = Builder::new().spawn_scoped(scope, move || work(tile));
            }
            work(own);
        });
    }
}

/// How much each corner of a triangle that is not cut has of the whole triangle's.
const WHOLE: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The corners of a triangle.
fn corners<T: Copy>(index: usize, triangle: &[u32; 3], of: &[T]) -> Result<[T; 3], Error> {
    let corner = |vertex: u32| {
        of.get(vertex as usize).copied().ok_or(Error::Corner { triangle: index, vertex, len: of.len() })
    };
    let [a, b, c] = *triangle;
    Ok([corner(a)?, corner(b)?, corner(c)?])
}

/// The numbers of a corner that has so much of each whole corner.
fn numbers(corners: &[Vertex; 3], shares: &[f64; 3]) -> [f64; NUMBERS] {
    let mut numbers = [0.0; NUMBERS];
    for (corner, share) in corners.iter().zip(shares) {
        let own = corner.lit.iter().chain(&corner.shaded).chain(&corner.texture);
        for (to, &number) in numbers.iter_mut().zip(own) {
            *to += f64::from(number) * share;
        }
    }
    numbers[NEARNESS] = 1.0;
    numbers
}
