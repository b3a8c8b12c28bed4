//! The model that is shown, in any number of copies.

use sinew::{Aabb, Mesh, Model, Skin};
use sinew_bench::methods::Requirements;

use crate::draw::Mat4;

/// A model, and what the viewer knows about it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Name for headings.
    pub name: String,
    /// The model.
    pub model: Model,
    /// Whether it is Davies' cylinder, whose motion is computed for each frame instead of played.
    pub is_cylinder: bool,
    /// What each mesh instance requires of a method.
    pub demands: Vec<Requirements>,
    /// What the user should know about it: pictures that are not drawn.
    pub note: Option<String>,
}

impl Subject {
    /// Wraps a model.
    #[must_use]
    pub fn new(name: &str, model: Model, is_cylinder: bool) -> Self {
        let demands = (0..model.mesh_instances().len())
            .map(|mesh_instance| Requirements::new(&model.primitive(mesh_instance).mesh));
        Self { name: name.to_owned(), demands: demands.collect(), model, is_cylinder, note: None }
    }

    /// Maximum number of influences of a vertex.
    #[must_use]
    pub fn max_influences(&self) -> usize {
        self.demands.iter().map(|demands| demands.influences).max().unwrap_or(0)
    }

    /// Number of mesh instances.
    #[must_use]
    pub fn mesh_instances(&self) -> usize {
        self.model.mesh_instances().len()
    }

    /// The mesh of a mesh instance.
    #[must_use]
    pub fn mesh(&self, mesh_instance: usize) -> &Mesh {
        &self.model.primitive(mesh_instance).mesh
    }

    /// Index of the skin that moves a mesh instance.
    #[must_use]
    pub fn skin_index(&self, mesh_instance: usize) -> usize {
        self.model.mesh_instances()[mesh_instance].skin
    }

    /// The skin that moves a mesh instance.
    #[must_use]
    pub fn skin(&self, mesh_instance: usize) -> &Skin {
        &self.model.skins()[self.skin_index(mesh_instance)]
    }

    /// Number of vertices of one copy.
    #[must_use]
    pub fn vertices(&self) -> usize {
        (0..self.mesh_instances()).map(|mesh_instance| self.mesh(mesh_instance).len()).sum()
    }

    /// Number of triangles of one copy.
    #[must_use]
    pub fn triangles(&self) -> usize {
        (0..self.mesh_instances()).map(|mesh_instance| self.mesh(mesh_instance).triangles().len()).sum()
    }

    /// Transform from model space to the scene, which has +Y up.
    #[must_use]
    pub fn world_from_model(&self) -> Mat4 {
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| self.to_scene(axis));
        let column = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
        [column(x), column(y), column(z), [0.0, 0.0, 0.0, 1.0]]
    }

    /// Rotates a vector from model space to the scene.
    #[must_use]
    pub fn to_scene(&self, vector: [f32; 3]) -> [f32; 3] {
        self.model.up_axis().y_up_from_model(vector)
    }

    /// Rotates a vector from the scene to model space.
    #[must_use]
    pub fn to_model(&self, vector: [f32; 3]) -> [f32; 3] {
        self.model.up_axis().model_from_y_up(vector)
    }

    /// Aabb in the scene, from bounds in model space.
    #[must_use]
    pub fn bounds_in_scene(&self, bounds: &Aabb) -> Aabb {
        Aabb { min: self.to_scene(bounds.min), max: self.to_scene(bounds.max) }
    }
}
