//! A posed model as one list of vertices and one list of triangles.

use std::iter::repeat_n;
use std::ops::Range;
use std::sync::Arc;

use sinew::mesh::Attributes;
use sinew::model::Primitive;
use sinew::skinning::Skinned;
use sinew::{Instance, Model};

use super::normals::{self, unit_or_up};
use super::sanitize::finite_or_zero;
use crate::Error;

/// The posed geometry of a model: the vertices and triangles of all mesh instances, one after
/// another. Mesh instances have the model's order; vertices and triangles of a mesh instance have
/// the order of its source.
///
/// All memory is allocated in [`new`](Self::new). Clones have their own positions and normals and
/// share the rest.
#[derive(Clone, Debug)]
pub struct BakedModel {
    static_geometry: Arc<StaticGeometry>,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    /// Scratch memory for computed normals.
    sums: Vec<[f64; 3]>,
}

/// The data that does not depend on the pose.
#[derive(Debug)]
struct StaticGeometry {
    model: Model,
    mesh_instances: Vec<BakedMeshInstance>,
    texture_coordinates: Vec<[f32; 2]>,
    colors: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
}

/// The range of a mesh instance in the lists of a [`BakedModel`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BakedMeshInstance {
    /// The name of the mesh instance; the name of its primitive if it has none.
    pub name: String,
    /// Its vertices.
    pub vertices: Range<usize>,
    /// Its triangles, which use only its own vertices.
    pub triangles: Range<usize>,
    /// The index of its material in the model, if any.
    pub material: Option<usize>,
    /// Whether it has texture coordinates of its own; otherwise they are all zero.
    pub has_texture_coordinates: bool,
    /// Whether it has vertex colors of its own; otherwise they are all white.
    pub has_colors: bool,
}

impl BakedModel {
    /// Bakes a model in its rest pose, and allocates all memory.
    ///
    /// # Errors
    ///
    /// When there are more vertices than a `u32` can index, or as [`update`](Self::update).
    pub fn new(model: &Model) -> Result<Self, Error> {
        let primitives =
            || (0..model.mesh_instances().len()).map(|mesh_instance| model.primitive(mesh_instance));
        let vertices: usize = primitives().map(|primitive| primitive.mesh.len()).sum();
        if u32::try_from(vertices).is_err() {
            let found = vertices.to_string();
            return Err(Error::invalid(
                "vertices of all mesh instances",
                format!("at most {}", u32::MAX),
                found,
            ));
        }
        let mut baked = Self {
            static_geometry: Arc::new(StaticGeometry::new(model)),
            positions: vec![[0.0; 3]; vertices],
            normals: vec![[0.0; 3]; vertices],
            sums: vec![[0.0; 3]; primitives().map(|primitive| primitive.mesh.len()).max().unwrap_or(0)],
        };
        baked.update(&mut model.instance())?;
        Ok(baked)
    }

    /// Skins an instance in its current pose and copies all vertices. Allocates nothing. Normals
    /// are unit vectors; for mesh instances whose normals are missing or were not skinned, they are
    /// computed from the triangles.
    ///
    /// # Errors
    ///
    /// When the instance belongs to a model with other mesh instances, or when a joint is so far
    /// away that a position is not finite.
    pub fn update(&mut self, instance: &mut Instance) -> Result<(), Error> {
        self.update_each(instance, Self::update_normals_of)
    }

    /// Like [`update`](Self::update), but only for positions, which is faster. Normals keep their
    /// values.
    ///
    /// # Errors
    ///
    /// As [`update`](Self::update).
    pub fn update_positions(&mut self, instance: &mut Instance) -> Result<(), Error> {
        self.update_each(instance, |_, _, _, _| Ok(()))
    }

    /// Copies the positions of each mesh instance and then calls `more` for it.
    fn update_each(
        &mut self,
        instance: &mut Instance,
        more: impl Fn(&mut Self, usize, &Skinned, &Primitive) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let model = instance.model().clone();
        let skinned = instance.skin();
        if skinned.len() != self.mesh_instances().len() {
            let (expected, found) = (self.mesh_instances().len().to_string(), skinned.len().to_string());
            return Err(Error::invalid("mesh instances of the instance", expected, found));
        }
        for (mesh_instance, skinned) in skinned.mesh_instances().iter().enumerate() {
            self.update_positions_of(mesh_instance, skinned, model.primitive(mesh_instance))?;
            more(self, mesh_instance, skinned, model.primitive(mesh_instance))?;
        }
        Ok(())
    }

    fn update_positions_of(
        &mut self,
        mesh_instance: usize,
        skinned: &Skinned,
        primitive: &Primitive,
    ) -> Result<(), Error> {
        let static_geometry = &self.static_geometry;
        let positions = &mut self.positions[static_geometry.mesh_instances[mesh_instance].vertices.clone()];
        skinned
            .positions(&primitive.mesh, positions)
            .map_err(|source| static_geometry.model_error(mesh_instance, source))?;
        // Without an early exit, this loop is many times as fast as a search.
        if positions.as_flattened().iter().fold(true, |finite, x| finite & x.is_finite()) {
            return Ok(());
        }
        let bad_vertex = positions.iter().position(|position| position.iter().any(|x| !x.is_finite()));
        bad_vertex.map_or(Ok(()), |vertex| {
            let found = format!("{:?} at vertex {vertex}", positions[vertex]);
            Err(Error::invalid(static_geometry.location(mesh_instance), "finite positions", found))
        })
    }

    fn update_normals_of(
        &mut self,
        mesh_instance: usize,
        skinned: &Skinned,
        primitive: &Primitive,
    ) -> Result<(), Error> {
        let static_geometry = &self.static_geometry;
        let BakedMeshInstance { vertices, triangles, .. } = &static_geometry.mesh_instances[mesh_instance];
        let normals = &mut self.normals[vertices.clone()];
        if skinned.attributes() >= Attributes::Normals {
            skinned
                .normals(&primitive.mesh, normals)
                .map_err(|source| static_geometry.model_error(mesh_instance, source))?;
            for normal in normals {
                *normal = unit_or_up(normal.map(f64::from));
            }
        } else {
            let positions = &self.positions[vertices.clone()];
            let triangles = &static_geometry.triangles[triangles.clone()];
            let sums = &mut self.sums[..positions.len()];
            normals::area_weighted_normals(positions, triangles, vertices.start as u32, sums, normals);
        }
        Ok(())
    }

    /// The model that was given to [`new`](Self::new).
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.static_geometry.model
    }

    /// The range of each mesh instance in the lists.
    #[must_use]
    pub fn mesh_instances(&self) -> &[BakedMeshInstance] {
        &self.static_geometry.mesh_instances
    }

    /// The position of each vertex, in model space.
    #[must_use]
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// The unit normal of each vertex.
    #[must_use]
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.normals
    }

    /// The texture coordinates of each vertex: finite, with the origin at the upper left; empty if
    /// no mesh instance has any. They are the set that the texture of the mesh instance's material
    /// uses, or the first set.
    #[must_use]
    pub fn texture_coordinates(&self) -> &[[f32; 2]] {
        &self.static_geometry.texture_coordinates
    }

    /// The linear RGBA color of each vertex; empty if no mesh instance has any.
    #[must_use]
    pub fn colors(&self) -> &[[f32; 4]] {
        &self.static_geometry.colors
    }

    /// The vertices of each triangle, counter-clockwise seen from the front.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.static_geometry.triangles
    }
}

impl StaticGeometry {
    fn new(model: &Model) -> Self {
        let primitives =
            || (0..model.mesh_instances().len()).map(|mesh_instance| model.primitive(mesh_instance));
        let mut static_geometry = Self {
            model: model.clone(),
            mesh_instances: Vec::with_capacity(model.mesh_instances().len()),
            texture_coordinates: Vec::new(),
            colors: Vec::new(),
            triangles: Vec::with_capacity(
                primitives().map(|primitive| primitive.mesh.triangles().len()).sum(),
            ),
        };
        let coordinates = primitives().any(|primitive| coordinates_of(model, primitive).is_some());
        let colors = primitives().any(|primitive| colors_of(primitive).is_some());
        for (index, mesh_instance) in model.mesh_instances().iter().enumerate() {
            let primitive = model.primitive(index);
            let name = if mesh_instance.name.is_empty() { &primitive.name } else { &mesh_instance.name };
            static_geometry.push(name.clone(), primitive);
            if coordinates {
                static_geometry.push_coordinates(primitive);
            }
            if colors {
                static_geometry.push_colors(primitive);
            }
        }
        static_geometry
    }

    fn push(&mut self, name: String, primitive: &Primitive) {
        let mesh = &primitive.mesh;
        let (first_vertex, first_triangle) = (
            self.mesh_instances.last().map_or(0, |mesh_instance| mesh_instance.vertices.end),
            self.triangles.len(),
        );
        self.mesh_instances.push(BakedMeshInstance {
            name,
            vertices: first_vertex..first_vertex + mesh.len(),
            triangles: first_triangle..first_triangle + mesh.triangles().len(),
            material: primitive.material,
            has_texture_coordinates: coordinates_of(&self.model, primitive).is_some(),
            has_colors: colors_of(primitive).is_some(),
        });
        let vertex = |slot: u32| first_vertex as u32 + mesh.inverse_remap()[slot as usize];
        self.triangles.extend(mesh.triangles().iter().map(|triangle| triangle.map(vertex)));
    }

    fn push_coordinates(&mut self, primitive: &Primitive) {
        match coordinates_of(&self.model, primitive) {
            Some(own) => self.texture_coordinates.extend(own.iter().map(|&pair| finite_or_zero(pair))),
            None => self.texture_coordinates.extend(repeat_n([0.0; 2], primitive.mesh.len())),
        }
    }

    fn push_colors(&mut self, primitive: &Primitive) {
        match colors_of(primitive) {
            Some(own) => self.colors.extend(own),
            None => self.colors.extend(repeat_n([1.0; 4], primitive.mesh.len())),
        }
    }

    /// The location for error messages.
    fn location(&self, mesh_instance: usize) -> String {
        format!("mesh instance {mesh_instance} {:?}", self.mesh_instances[mesh_instance].name)
    }

    fn model_error(&self, mesh_instance: usize, source: impl Into<sinew::Error>) -> Error {
        Error::model(self.location(mesh_instance), source)
    }
}

fn coordinates_of<'a>(model: &Model, primitive: &'a Primitive) -> Option<&'a [[f32; 2]]> {
    let texture = primitive.material.and_then(|material| model.materials()[material].base_texture);
    let set = primitive.texture_coordinates.get(texture.map_or(0, |texture| texture.set))?;
    (!set.is_empty()).then_some(set)
}

fn colors_of(primitive: &Primitive) -> Option<&[[f32; 4]]> {
    let set = primitive.colors.first()?;
    (!set.is_empty()).then_some(set)
}
