//! The vertices of an instance.

use super::Instance;
use crate::{
    Attributes, Blending, Bounds, Directions, DualPalette, InstanceOptions, Mesh, Model, Morphed, Normals,
    Palette, Skin, SkinOptions, Skinned,
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

/// Everything that skinning an instance needs: a palette for each skin, vertices for each part.
#[derive(Clone, Debug)]
pub(super) struct Skinning {
    palettes: Vec<Palette>,
    /// Beside the palettes, where they are asked for.
    duals: Vec<DualPalette>,
    parts: Vec<SkinnedPart>,
    directions: Directions,
    normals: Normals,
}

/// One part's vertices.
#[derive(Clone, Debug)]
struct SkinnedPart {
    skinned: Skinned,
    /// Where the surface has morph targets.
    morphed: Option<Morphed>,
}

impl Skinning {
    pub(super) fn new(model: &Model, options: &InstanceOptions) -> Self {
        let skins = model.skins();
        let duals = match options.joint_blend {
            JointBlend::Linear => Vec::new(),
            JointBlend::Duals => skins.iter().map(DualPalette::new).collect(),
        };
        let part = |part: usize| SkinnedPart::new(&model.surface(part).mesh, options.attributes);
        Self {
            palettes: skins.iter().map(Palette::new).collect(),
            duals,
            parts: (0..model.parts().len()).map(part).collect(),
            directions: options.directions,
            normals: options.normals,
        }
    }
}

impl SkinnedPart {
    fn new(mesh: &Mesh, most: Attributes) -> Self {
        let attributes = most.min(Attributes::of(mesh));
        let skinned = Skinned::new(mesh, attributes).expect("only what the mesh has is asked for");
        let morphed = (mesh.morph_count() > 0).then(|| Morphed::new(mesh));
        Self { skinned, morphed }
    }
}

/// The vertices of all parts of an instance, as they are now.
#[derive(Clone, Copy, Debug)]
pub struct SkinnedModel<'a> {
    model: &'a Model,
    skinning: &'a Skinning,
}

impl Instance {
    /// Takes all vertices where the joints are now.
    pub fn skin(&mut self) -> SkinnedModel<'_> {
        self.refresh();
        let Self { model, model_from_joint, pose, skinning, .. } = self;
        skinning.update(model.skins(), model_from_joint);
        for part in 0..model.parts().len() {
            skinning.skin(model, part, pose.morph_weights());
        }
        SkinnedModel { model: &self.model, skinning: &self.skinning }
    }
}

impl Skinning {
    fn update(&mut self, skins: &[Skin], model_from_joint: &[crate::Matrix]) {
        for (palette, skin) in self.palettes.iter_mut().zip(skins) {
            palette.update(model_from_joint, skin).expect("matrices and palettes were made for the model");
        }
        for (duals, palette) in self.duals.iter_mut().zip(&self.palettes) {
            duals.update(palette).expect("both are of one skin");
        }
    }

    fn skin(&mut self, model: &Model, part: usize, morph_weights: &[f32]) {
        let SkinnedPart { skinned, morphed } = &mut self.parts[part];
        let (mesh, part) = (&model.surface(part).mesh, &model.parts()[part]);
        if let Some(morphed) = morphed {
            // A weight that is not a number leaves the shape as it was.
            let _ = mesh.morph(&morph_weights[part.morph_weights.clone()], morphed);
        }
        let blending = match self.duals.get(part.skin) {
            Some(duals) if !mesh.in_joint_space() => Blending::Duals(duals),
            _ => Blending::Linear,
        };
        let options = SkinOptions {
            directions: self.directions,
            normals: self.normals,
            blending,
            morphed: morphed.as_ref(),
            ..SkinOptions::default()
        };
        mesh.skin(&self.palettes[part.skin], &options, skinned).expect("memory was made for the part");
    }
}

impl<'a> SkinnedModel<'a> {
    /// The number of parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.skinning.parts.len()
    }

    /// Whether there is no part.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The vertices of a part, in blocks in run order.
    ///
    /// # Panics
    ///
    /// When there is no such part.
    #[must_use]
    pub fn part(&self, part: usize) -> &'a Skinned {
        &self.skinning.parts[part].skinned
    }

    /// Where a vertex of a part is, counted as in the file.
    ///
    /// # Panics
    ///
    /// When there is no such part or vertex.
    #[must_use]
    pub fn position(&self, part: usize, vertex: usize) -> [f32; 3] {
        self.part(part).position(&self.model.surface(part).mesh, vertex)
    }

    /// The smallest box along the axes that holds all vertices.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let parts = 0..self.len();
        let bounds = parts.map(|part| self.part(part).bounds(&self.model.surface(part).mesh));
        bounds.fold(Bounds::EMPTY, |all, part| all.union(&part))
    }
}
