//! Triangles as they were added, before they are cut and sorted: kept, so that threads can share that out.

use std::ops::Range;

use crate::canvas::{Triangles, Volume};
use crate::screen::{ODD, Placed, SIDES, Screen};
use crate::sorted::{Corner, Paintable, Sorted};
use crate::{Error, Sides};

/// What triangles are.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Surface { sides: Sides, texture: Option<u32> },
    Volume,
}

/// Triangles that were added together.
#[derive(Clone, Copy, Debug)]
struct Batch {
    kind: Kind,
    /// Where its corners begin; triangles count from there.
    corners: usize,
    /// Where its colours begin.
    colours: usize,
    /// Where its triangles end.
    end: usize,
}

/// Triangles in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collected {
    corners: Vec<Corner>,
    /// For each corner of a surface red, green and blue where it is lit, the same in the shadow, and where in the texture
    /// it is.
    colours: Vec<[f32; 8]>,
    triangles: Vec<[u32; 3]>,
    batches: Vec<Batch>,
}

impl Collected {
    /// Takes everything away, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.corners.clear();
        self.colours.clear();
        self.triangles.clear();
        self.batches.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.triangles.len()
    }

    pub(crate) fn surface(&mut self, screen: &Screen, add: &Triangles<'_>) -> Result<(), Error> {
        let texture = add.texture.and_then(|texture| texture.try_into().ok());
        let kind = Kind::Surface { sides: add.sides, texture };
        self.add(kind, add.triangles, add.vertices, |to, vertex| {
            to.corners.push(Corner { placed: screen.place(vertex.place), place: vertex.place });
            let ([a, b, c], [d, e, f], [g, h]) = (vertex.lit, vertex.shaded, vertex.texture);
            to.colours.push([a, b, c, d, e, f, g, h]);
        })
    }

    pub(crate) fn volume(&mut self, screen: &Screen, add: &Volume<'_>) -> Result<(), Error> {
        self.add(Kind::Volume, add.triangles, add.places, |to, &place| {
            to.corners.push(Corner { placed: screen.place(place), place });
        })
    }

    /// Adds the triangles up to the first that has a corner that is not there.
    fn add<T>(
        &mut self,
        kind: Kind,
        triangles: &[[u32; 3]],
        of: &[T],
        put: impl Fn(&mut Self, &T),
    ) -> Result<(), Error> {
        let absent = |&vertex: &u32| vertex as usize >= of.len();
        let broken = triangles.iter().position(|triangle| triangle.iter().any(absent));
        let sound = &triangles[..broken.unwrap_or(triangles.len())];
        let (corners, colours) = (self.corners.len(), self.colours.len());
        if of.len() <= 3 * sound.len() {
            of.iter().for_each(|corner| put(self, corner));
            self.triangles.extend_from_slice(sound);
        } else {
            // Most are corners of nothing here, and left out.
            sound.as_flattened().iter().for_each(|&corner| put(self, &of[corner as usize]));
            self.triangles.extend((0..sound.len() as u32).map(|index| [0, 1, 2].map(|k| 3 * index + k)));
        }
        self.batches.push(Batch { kind, corners, colours, end: self.triangles.len() });
        match broken.map(|triangle| (triangle, triangles[triangle].into_iter().find(absent))) {
            Some((triangle, Some(vertex))) => Err(Error::Corner { triangle, vertex, len: of.len() }),
            _ => Ok(()),
        }
    }

    /// Cuts and sorts the triangles of a range.
    pub(crate) fn sort(&self, screen: &Screen, range: &Range<usize>, to: &mut Sorted) {
        to.clear();
        let mut start = 0;
        for batch in &self.batches {
            let part = start.max(range.start)..batch.end.min(range.end);
            start = batch.end;
            for triangle in self.triangles.get(part).unwrap_or_default() {
                let corner = |k: usize| &self.corners[batch.corners + triangle[k] as usize];
                let corners = [corner(0), corner(1), corner(2)];
                if is_out(corners.map(|corner| &corner.placed)) {
                    continue;
                }
                match batch.kind {
                    Kind::Volume => to.volume(screen, corners),
                    Kind::Surface { sides, texture } => {
                        let colours = |k: usize| &self.colours[batch.colours + triangle[k] as usize];
                        let colours = [colours(0), colours(1), colours(2)];
                        to.surface(screen, corners, &Paintable { colours, sides, texture });
                    }
                }
            }
        }
    }
}

/// Whether a triangle is nowhere, or beyond one side of the picture.
fn is_out(corners: [&Placed; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| corner.bits);
    (a | b | c) & ODD != 0 || a & b & c & SIDES != 0
}
