//! All parts of a model in one list of vertices and one of triangles.

use std::ops::Range;

use sinew::{Attributes, Instance, Model, Skinned, Surface};

use super::normals::{self, unit_or_up};
use super::numbers::finite;
use crate::Error;

/// All parts of a model one after another, in the model's order; within a part vertices and triangles in the order of
/// the source. All memory is taken once.
#[derive(Clone, Debug)]
pub struct Baked {
    model: Model,
    parts: Vec<BakedPart>,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texture_coordinates: Vec<[f32; 2]>,
    colours: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
    /// For normals that are made.
    sums: Vec<[f64; 3]>,
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
        let parts = model.parts().iter().enumerate();
        let surfaces = || (0..model.parts().len()).map(|part| model.surface(part));
        let vertices: usize = surfaces().map(|surface| surface.mesh.len()).sum();
        if u32::try_from(vertices).is_err() {
            let found = vertices.to_string();
            return Err(Error::fault("vertices of all parts", format!("at most {}", u32::MAX), found));
        }
        let mut baked = Self {
            model: model.clone(),
            parts: Vec::with_capacity(parts.len()),
            positions: vec![[0.0; 3]; vertices],
            normals: vec![[0.0; 3]; vertices],
            texture_coordinates: Vec::new(),
            colours: Vec::new(),
            triangles: Vec::with_capacity(surfaces().map(|surface| surface.mesh.triangles().len()).sum()),
            sums: vec![[0.0; 3]; surfaces().map(|surface| surface.mesh.len()).max().unwrap_or(0)],
        };
        let coordinates = surfaces().any(|surface| coordinates_of(model, surface).is_some());
        let colours = surfaces().any(|surface| colours_of(surface).is_some());
        for (index, part) in parts {
            let surface = model.surface(index);
            let name = if part.name.is_empty() { &surface.name } else { &part.name };
            baked.push(name.clone(), surface, coordinates, colours);
        }
        baked.take(&mut model.instance())?;
        Ok(baked)
    }

    fn push(&mut self, name: String, surface: &Surface, coordinates: bool, colours: bool) {
        let mesh = &surface.mesh;
        let (first_vertex, first_triangle) =
            (self.parts.last().map_or(0, |part| part.vertices.end), self.triangles.len());
        let own_coordinates = coordinates_of(&self.model, surface);
        let own_colours = colours_of(surface);
        self.parts.push(BakedPart {
            name,
            vertices: first_vertex..first_vertex + mesh.len(),
            triangles: first_triangle..first_triangle + mesh.triangles().len(),
            material: surface.material,
            has_texture_coordinates: own_coordinates.is_some(),
            has_colours: own_colours.is_some(),
        });
        let vertex = |place: u32| first_vertex as u32 + mesh.vertex_of_place()[place as usize];
        self.triangles.extend(mesh.triangles().iter().map(|triangle| triangle.map(vertex)));
        if coordinates {
            let zeros = || vec![[0.0; 2]; mesh.len()];
            let own = own_coordinates.map(|own| own.iter().map(|&pair| finite(pair)).collect());
            self.texture_coordinates.extend(own.unwrap_or_else(zeros));
        }
        if colours {
            let white = || vec![[1.0; 4]; mesh.len()];
            self.colours.extend(own_colours.map_or_else(white, <[_]>::to_vec));
        }
    }

    /// Takes all vertices where an instance's joints are now. Takes no memory. Normals have length one; where a surface
    /// has none, or they were not skinned, they are made from its triangles.
    ///
    /// # Errors
    ///
    /// When the instance is of a model with other parts, or a joint is so far away that a position is not finite.
    pub fn take(&mut self, instance: &mut Instance) -> Result<(), Error> {
        let model = instance.model().clone();
        let skinned = instance.skin();
        if skinned.len() != self.parts.len() {
            let (expected, found) = (self.parts.len().to_string(), skinned.len().to_string());
            return Err(Error::fault("parts of the instance", expected, found));
        }
        for (part, skinned) in skinned.parts().iter().enumerate() {
            self.take_part(part, skinned, model.surface(part))?;
        }
        Ok(())
    }

    fn take_part(&mut self, part: usize, skinned: &Skinned, surface: &Surface) -> Result<(), Error> {
        let BakedPart { vertices, triangles, name, .. } = &self.parts[part];
        let place = || format!("part {part} {name:?}");
        let refused = |source| Error::model(place(), source);
        let positions = &mut self.positions[vertices.clone()];
        let normals = &mut self.normals[vertices.clone()];
        skinned.positions(&surface.mesh, positions).map_err(refused)?;
        if let Some(vertex) = positions.iter().position(|position| position.iter().any(|x| !x.is_finite())) {
            let found = format!("{:?} at vertex {vertex}", positions[vertex]);
            return Err(Error::fault(place(), "positions that are finite", found));
        }
        if skinned.attributes() >= Attributes::Normals {
            skinned.normals(&surface.mesh, normals).map_err(refused)?;
            for normal in normals {
                *normal = unit_or_up(normal.map(f64::from));
            }
        } else {
            let triangles = &self.triangles[triangles.clone()];
            let sums = &mut self.sums[..positions.len()];
            normals::of_triangles(positions, triangles, vertices.start as u32, sums, normals);
        }
        Ok(())
    }

    /// What it was made for.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where each part is in the lists.
    #[must_use]
    pub fn parts(&self) -> &[BakedPart] {
        &self.parts
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
        &self.texture_coordinates
    }

    /// The colour of each vertex: red, green, blue and alpha, linear; empty where no part has any.
    #[must_use]
    pub fn colours(&self) -> &[[f32; 4]] {
        &self.colours
    }

    /// The vertices of each triangle, counter-clockwise seen from the front.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
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
