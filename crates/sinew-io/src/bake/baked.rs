//! All parts of a model in one list of vertices and one of triangles.

use std::iter::repeat_n;
use std::ops::Range;
use std::sync::Arc;

use sinew::{Attributes, Instance, Model, Skinned, Surface};

use super::normals::{self, unit_or_up};
use super::numbers::finite;
use crate::Error;

/// All parts of a model one after another, in the model's order; within a part vertices and triangles in the order of
/// the source. All memory is taken once. Clones have positions and normals of their own and share all else.
#[derive(Clone, Debug)]
pub struct Baked {
    still: Arc<Still>,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    /// For normals that are made.
    sums: Vec<[f64; 3]>,
}

/// What no pose changes.
#[derive(Debug)]
struct Still {
    model: Model,
    parts: Vec<BakedPart>,
    texture_coordinates: Vec<[f32; 2]>,
    colours: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
}

/// Where a part is in the lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BakedPart {
    /// As the model has it; that of its surface where it has none.
    pub name: String,
    /// Its vertices.
    pub vertices: Range<usize>,
    /// Its triangles, which have no vertices but its own.
    pub triangles: Range<usize>,
    /// Which of the model's materials, if any.
    pub material: Option<usize>,
    /// Whether it has texture coordinates of its own; else all are zero.
    pub has_texture_coordinates: bool,
    /// Whether it has colours of its own; else all are white.
    pub has_colours: bool,
}

impl Baked {
    /// Memory for a model, at rest.
    ///
    /// # Errors
    ///
    /// When there are more vertices than triangles can count, or as [`take`](Self::take).
    pub fn new(model: &Model) -> Result<Self, Error> {
        let surfaces = || (0..model.parts().len()).map(|part| model.surface(part));
        let vertices: usize = surfaces().map(|surface| surface.mesh.len()).sum();
        if u32::try_from(vertices).is_err() {
            let found = vertices.to_string();
            return Err(Error::fault("vertices of all parts", format!("at most {}", u32::MAX), found));
        }
        let mut baked = Self {
            still: Arc::new(Still::of(model)),
            positions: vec![[0.0; 3]; vertices],
            normals: vec![[0.0; 3]; vertices],
            sums: vec![[0.0; 3]; surfaces().map(|surface| surface.mesh.len()).max().unwrap_or(0)],
        };
        baked.take(&mut model.instance())?;
        Ok(baked)
    }

    /// Takes all vertices where an instance's joints are now. Takes no memory. Normals have length one; where a surface
    /// has none, or they were not skinned, they are made from its triangles.
    ///
    /// # Errors
    ///
    /// When the instance is of a model with other parts, or a joint is so far away that a position is not finite.
    pub fn take(&mut self, instance: &mut Instance) -> Result<(), Error> {
        self.take_all(instance, Self::take_normals)
    }

    /// Takes positions alone, which is quicker; normals stay as they are. Takes no memory.
    ///
    /// # Errors
    ///
    /// As [`take`](Self::take).
    pub fn take_positions(&mut self, instance: &mut Instance) -> Result<(), Error> {
        self.take_all(instance, |_, _, _, _| Ok(()))
    }

    /// Takes the positions of each part, and then what else is asked for.
    fn take_all(
        &mut self,
        instance: &mut Instance,
        more: impl Fn(&mut Self, usize, &Skinned, &Surface) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let model = instance.model().clone();
        let skinned = instance.skin();
        if skinned.len() != self.parts().len() {
            let (expected, found) = (self.parts().len().to_string(), skinned.len().to_string());
            return Err(Error::fault("parts of the instance", expected, found));
        }
        for (part, skinned) in skinned.parts().iter().enumerate() {
            self.take_part(part, skinned, model.surface(part))?;
            more(self, part, skinned, model.surface(part))?;
        }
        Ok(())
    }

    fn take_part(&mut self, part: usize, skinned: &Skinned, surface: &Surface) -> Result<(), Error> {
        let still = &self.still;
        let positions = &mut self.positions[still.parts[part].vertices.clone()];
        skinned.positions(&surface.mesh, positions).map_err(|source| still.refused(part, source))?;
        // Without a way out in the middle this runs many times as fast as a search.
        if positions.as_flattened().iter().fold(true, |finite, x| finite & x.is_finite()) {
            return Ok(());
        }
        let odd = positions.iter().position(|position| position.iter().any(|x| !x.is_finite()));
        odd.map_or(Ok(()), |vertex| {
            let found = format!("{:?} at vertex {vertex}", positions[vertex]);
            Err(Error::fault(still.place(part), "positions that are finite", found))
        })
    }

    fn take_normals(&mut self, part: usize, skinned: &Skinned, surface: &Surface) -> Result<(), Error> {
        let still = &self.still;
        let BakedPart { vertices, triangles, .. } = &still.parts[part];
        let normals = &mut self.normals[vertices.clone()];
        if skinned.attributes() >= Attributes::Normals {
            skinned.normals(&surface.mesh, normals).map_err(|source| still.refused(part, source))?;
            for normal in normals {
                *normal = unit_or_up(normal.map(f64::from));
            }
        } else {
            let positions = &self.positions[vertices.clone()];
            let triangles = &still.triangles[triangles.clone()];
            let sums = &mut self.sums[..positions.len()];
            normals::of_triangles(positions, triangles, vertices.start as u32, sums, normals);
        }
        Ok(())
    }

    /// Gives for each vertex the sum of its triangles' normals, as positions are now: each triangle's is as long as twice
    /// its area. The sum has no length where a vertex has no triangle or they cancel; whatever the positions, it is finite.
    /// `sums` becomes as long as there are vertices, and takes memory only to grow.
    pub fn triangle_normals(&self, sums: &mut Vec<[f64; 3]>) {
        sums.resize(self.positions.len(), [0.0; 3]);
        normals::sum_of_triangles(&self.positions, &self.still.triangles, 0, sums);
    }

    /// What it was made for.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.still.model
    }

    /// Where each part is in the lists.
    #[must_use]
    pub fn parts(&self) -> &[BakedPart] {
        &self.still.parts
    }

    /// Where each vertex is, in model space.
    #[must_use]
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// The normal of each vertex, of length one.
    #[must_use]
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.normals
    }

    /// The texture coordinates of each vertex, finite, from the upper left; empty where no part has any. They are those of the
    /// set that the picture of the part's material has, or of the first.
    #[must_use]
    pub fn texture_coordinates(&self) -> &[[f32; 2]] {
        &self.still.texture_coordinates
    }

    /// The colour of each vertex: red, green, blue and alpha, linear; empty where no part has any.
    #[must_use]
    pub fn colours(&self) -> &[[f32; 4]] {
        &self.still.colours
    }

    /// The vertices of each triangle, counter-clockwise seen from the front.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.still.triangles
    }
}

impl Still {
    fn of(model: &Model) -> Self {
        let surfaces = || (0..model.parts().len()).map(|part| model.surface(part));
        let mut still = Self {
            model: model.clone(),
            parts: Vec::with_capacity(model.parts().len()),
            texture_coordinates: Vec::new(),
            colours: Vec::new(),
            triangles: Vec::with_capacity(surfaces().map(|surface| surface.mesh.triangles().len()).sum()),
        };
        let coordinates = surfaces().any(|surface| coordinates_of(model, surface).is_some());
        let colours = surfaces().any(|surface| colours_of(surface).is_some());
        for (index, part) in model.parts().iter().enumerate() {
            let surface = model.surface(index);
            let name = if part.name.is_empty() { &surface.name } else { &part.name };
            still.push(name.clone(), surface);
            if coordinates {
                still.push_coordinates(surface);
            }
            if colours {
                still.push_colours(surface);
            }
        }
        still
    }

    fn push(&mut self, name: String, surface: &Surface) {
        let mesh = &surface.mesh;
        let (first_vertex, first_triangle) =
            (self.parts.last().map_or(0, |part| part.vertices.end), self.triangles.len());
        self.parts.push(BakedPart {
            name,
            vertices: first_vertex..first_vertex + mesh.len(),
            triangles: first_triangle..first_triangle + mesh.triangles().len(),
            material: surface.material,
            has_texture_coordinates: coordinates_of(&self.model, surface).is_some(),
            has_colours: colours_of(surface).is_some(),
        });
        let vertex = |place: u32| first_vertex as u32 + mesh.vertex_of_place()[place as usize];
        self.triangles.extend(mesh.triangles().iter().map(|triangle| triangle.map(vertex)));
    }

    fn push_coordinates(&mut self, surface: &Surface) {
        match coordinates_of(&self.model, surface) {
            Some(own) => self.texture_coordinates.extend(own.iter().map(|&pair| finite(pair))),
            None => self.texture_coordinates.extend(repeat_n([0.0; 2], surface.mesh.len())),
        }
    }

    fn push_colours(&mut self, surface: &Surface) {
        match colours_of(surface) {
            Some(own) => self.colours.extend(own),
            None => self.colours.extend(repeat_n([1.0; 4], surface.mesh.len())),
        }
    }

    /// For messages.
    fn place(&self, part: usize) -> String {
        format!("part {part} {:?}", self.parts[part].name)
    }

    fn refused(&self, part: usize, source: sinew::Error) -> Error {
        Error::model(self.place(part), source)
    }
}

fn coordinates_of<'a>(model: &Model, surface: &'a Surface) -> Option<&'a [[f32; 2]]> {
    let texture = surface.material.and_then(|material| model.materials()[material].base_texture);
    let set = surface.texture_coordinates.get(texture.map_or(0, |texture| texture.set))?;
    (!set.is_empty()).then_some(set)
}

fn colours_of(surface: &Surface) -> Option<&[[f32; 4]]> {
    let set = surface.colours.first()?;
    (!set.is_empty()).then_some(set)
}
