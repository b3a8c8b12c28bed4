//! What is shown, in any number of copies.

use sinew::{Aabb, Mesh, Model, Skin, Up};
use sinew_figures::methods::Demands;

use crate::draw::Columns;

/// A model, and whether it moves by rule.
#[derive(Clone, Debug)]
pub struct Subject {
    /// For headings.
    pub name: String,
    /// What is shown.
    pub model: Model,
    /// Whether it is Davies' cylinder, whose motions are made anew for each frame.
    pub is_cylinder: bool,
    /// What each part demands of methods.
    pub demands: Vec<Demands>,
}

impl Subject {
    /// Takes a model.
    #[must_use]
    pub fn new(name: &str, model: Model, is_cylinder: bool) -> Self {
        let demands = (0..model.parts().len()).map(|part| Demands::of(&model.surface(part).mesh));
        Self { name: name.to_owned(), demands: demands.collect(), model, is_cylinder }
    }

    /// The most influences of a vertex.
    #[must_use]
    pub fn most_influences(&self) -> usize {
        self.demands.iter().map(|demands| demands.influences).max().unwrap_or(0)
    }

    /// How many parts it has.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.model.parts().len()
    }

    /// The mesh of a part.
    #[must_use]
    pub fn mesh(&self, part: usize) -> &Mesh {
        &self.model.surface(part).mesh
    }

    /// Which skin a part hangs on.
    #[must_use]
    pub fn skin_of(&self, part: usize) -> usize {
        self.model.parts()[part].skin
    }

    /// The skin a part hangs on.
    #[must_use]
    pub fn skin(&self, part: usize) -> &Skin {
        &self.model.skins()[self.skin_of(part)]
    }

    /// Vertices of one copy.
    #[must_use]
    pub fn vertices(&self) -> usize {
        (0..self.parts()).map(|part| self.mesh(part).len()).sum()
    }

    /// Triangles of one copy.
    #[must_use]
    pub fn triangles(&self) -> usize {
        (0..self.parts()).map(|part| self.mesh(part).triangles().len()).sum()
    }

    /// From the model's space to that of the scene, which has +Y up.
    #[must_use]
    pub fn world_from_model(&self) -> Columns {
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| self.upright(axis));
        let column = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
        [column(x), column(y), column(z), [0.0, 0.0, 0.0, 1.0]]
    }

    /// A vector of the model in the scene.
    #[must_use]
    pub fn upright(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self.model.up() {
            Up::Y => [x, y, z],
            Up::Z => [y, z, x],
        }
    }

    /// A vector of the scene in the model.
    #[must_use]
    pub fn as_modelled(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self.model.up() {
            Up::Y => [x, y, z],
            Up::Z => [z, x, y],
        }
    }

    /// A box of the model in the scene.
    #[must_use]
    pub fn upright_bounds(&self, bounds: &Aabb) -> Aabb {
        Aabb { min: self.upright(bounds.min), max: self.upright(bounds.max) }
    }
}
