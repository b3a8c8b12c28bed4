//! The vertices of an instance.

use super::Instance;
use crate::model::Palettes;
use crate::{
    Aabb, Attributes, Blending, DirectionLength, Error, InstanceOptions, Matrix, Mesh, Model, Morphed,
    NormalTransform, Palette, SkinOptions, Skinned, Target,
};

/// What blends the joints of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JointBlend {
    /// Matrices: the fastest; what twists gets thinner.
    #[default]
    Linear,
    /// Dual quaternions: what twists keeps its volume.
    Duals,
}

/// Everything that skinning an instance needs.
#[derive(Clone, Debug)]
pub(super) struct Skinning {
    pub(super) moved: Moved,
    /// The vertices of each part.
    skinned: Vec<Skinned>,
}

/// What the vertices are made from.
#[derive(Clone, Debug)]
pub(super) struct Moved {
    pub(super) palettes: Palettes,
    /// Whether joints have moved since the palettes were made.
    pub(super) stale: bool,
    /// Grows each time that the palettes are made anew.
    pub(super) version: u64,
    /// Of each part whose surface has morph targets.
    morphed: Vec<Option<Morphed>>,
    directions: DirectionLength,
    normals: NormalTransform,
    max_influences: usize,
}

impl Skinning {
    pub(super) fn new(model: &Model, options: &InstanceOptions) -> Self {
        let meshes = || (0..model.parts().len()).map(|part| &model.surface(part).mesh);
        let moved = Moved {
            palettes: Palettes::new(model, options.joint_blend),
            stale: true,
            version: 0,
            morphed: meshes().map(|mesh| (mesh.morph_count() > 0).then(|| Morphed::new(mesh))).collect(),
            directions: options.directions,
            normals: options.normals,
            max_influences: options.max_influences,
        };
        let skinned = |mesh: &Mesh| {
            let attributes = options.attributes.min(Attributes::of(mesh));
            Skinned::new(mesh, attributes).expect("only what the mesh has is asked for")
        };
        Self { moved, skinned: meshes().map(skinned).collect() }
    }
}

impl Moved {
    fn update(&mut self, model: &Model, model_from_joint: &[Matrix]) {
        if self.stale {
            self.palettes.update(model, model_from_joint);
            self.stale = false;
            self.version += 1;
        }
    }

    pub(super) fn morph(&mut self, model: &Model, part: usize, morph_weights: &[f32]) {
        if let Some(morphed) = &mut self.morphed[part] {
            let weights = &morph_weights[model.parts()[part].morph_weights.clone()];
            // A weight that is not a number leaves the shape as it was.
            let _ = model.surface(part).mesh.morph(weights, morphed);
        }
    }

    /// How a part is skinned, and by which palette.
    pub(super) fn of_part(&self, model: &Model, part: usize) -> (&Palette, SkinOptions<'_>) {
        let skin = model.parts()[part].skin;
        let mesh = &model.surface(part).mesh;
        let options = SkinOptions {
            directions: self.directions,
            normals: self.normals,
            blending: Blending::Linear,
            morphed: self.morphed[part].as_ref(),
            max_influences: self.max_influences,
        };
        (&self.palettes.linear[skin], options.fitted(mesh, self.palettes.duals.get(skin)))
    }
}

/// The vertices of all parts of an instance, as they were skinned last.
#[derive(Clone, Copy, Debug)]
pub struct SkinnedModel<'a> {
    model: &'a Model,
    parts: &'a [Skinned],
}

impl Instance {
    /// Takes all vertices where the joints are now.
    pub fn skin(&mut self) -> SkinnedModel<'_> {
        for part in 0..self.model.parts().len() {
            self.skin_part(part);
        }
        SkinnedModel { model: &self.model, parts: &self.skinning.skinned }
    }

    fn skin_part(&mut self, part: usize) {
        self.prepare(part);
        let Self { model, skinning: Skinning { moved, skinned }, .. } = self;
        let (palette, options) = moved.of_part(model, part);
        let mesh = &model.surface(part).mesh;
        mesh.skin(palette, &options, &mut skinned[part]).expect("memory was made for the part");
    }

    /// Takes the vertices of one part where the joints are now, into memory of any form: see [`Target`].
    ///
    /// # Errors
    ///
    /// When there is no such part, or as [`Mesh::skin_into`].
    pub fn skin_into(&mut self, part: usize, target: Target<'_>) -> Result<(), Error> {
        let len = self.model.parts().len();
        if part >= len {
            return Err(Error::PartOutOfRange { part, len });
        }
        self.prepare(part);
        let (palette, options) = self.skinning.moved.of_part(&self.model, part);
        self.model.surface(part).mesh.skin_into(palette, &options, target)
    }

    /// Palettes where the joints are now.
    pub(super) fn update_palettes(&mut self) {
        self.refresh();
        self.skinning.moved.update(&self.model, &self.model_from_joint);
    }

    /// Palettes where the joints are now, and the part's shape as its morph weights make it.
    fn prepare(&mut self, part: usize) {
        self.update_palettes();
        let moved = &mut self.skinning.moved;
        moved.morph(&self.model, part, self.posed.pose.morph_weights());
    }
}

impl<'a> SkinnedModel<'a> {
    /// The number of parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is no part.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The vertices of each part, in blocks in run order.
    #[must_use]
    pub fn parts(&self) -> &'a [Skinned] {
        self.parts
    }

    /// Where a vertex of a part is, counted as in the file.
    ///
    /// # Panics
    ///
    /// When there is no such part or vertex.
    #[must_use]
    pub fn position(&self, part: usize, vertex: usize) -> [f32; 3] {
        self.parts[part].position(&self.model.surface(part).mesh, vertex)
    }

    /// The smallest box along the axes that holds all vertices.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.parts.iter().fold(Aabb::EMPTY, |all, part| all.union(&part.bounds()))
    }
}
