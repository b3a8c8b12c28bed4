//! The palettes of all skins of a model.

use crate::bounds::about;
use crate::{Aabb, Blending, BoundsOptions, DualPalette, JointBlend, Matrix, Mesh, Model, Palette, Sphere};

/// A palette for each skin of a model.
#[derive(Clone, Debug)]
pub(crate) struct Palettes {
    /// Of each skin.
    pub(crate) linear: Vec<Palette>,
    /// Beside them, where they are asked for.
    pub(crate) duals: Vec<DualPalette>,
}

/// A posed model: what holds its vertices without skinning them.
pub(crate) struct PosedParts<'a> {
    pub(crate) model: &'a Model,
    pub(crate) palettes: &'a Palettes,
    /// Of the whole pose.
    pub(crate) morph_weights: &'a [f32],
}

const MADE: &str = "palettes, matrices and morph weights are those of the model";

impl Palettes {
    pub(crate) fn new(model: &Model, joint_blend: JointBlend) -> Self {
        let duals = match joint_blend {
            JointBlend::Linear => Vec::new(),
            JointBlend::Duals => model.skins().iter().map(DualPalette::new).collect(),
        };
        Self { linear: model.skins().iter().map(Palette::new).collect(), duals }
    }

    /// Follows the joints.
    pub(crate) fn update(&mut self, model: &Model, model_from_joint: &[Matrix]) {
        for (palette, skin) in self.linear.iter_mut().zip(model.skins()) {
            palette.update(model_from_joint, skin).expect(MADE);
        }
        self.update_duals();
    }

    /// Follows the linear palettes.
    pub(crate) fn update_duals(&mut self) {
        for (duals, palette) in self.duals.iter_mut().zip(&self.linear) {
            duals.update(palette).expect(MADE);
        }
    }
}

impl PosedParts<'_> {
    /// A box that holds all vertices: see [`Mesh::bounds`].
    pub(crate) fn bounds(&self) -> Aabb {
        let mut all = Aabb::EMPTY;
        self.each(|mesh, palette, options| {
            all = all.union(&mesh.bounds(palette, options).expect(MADE));
        });
        all
    }

    /// A sphere that holds all vertices, about the middle of the box.
    pub(crate) fn sphere(&self) -> Sphere {
        let mut all = about(&self.bounds());
        self.each(|mesh, palette, options| {
            all.radius = all.radius.max(mesh.radius(all.centre, palette, options).expect(MADE));
        });
        all
    }

    fn each(&self, mut act: impl FnMut(&Mesh, &Palette, &BoundsOptions<'_>)) {
        let Palettes { linear, duals } = self.palettes;
        for (index, part) in self.model.parts().iter().enumerate() {
            let mesh = &self.model.surface(index).mesh;
            let options = BoundsOptions {
                blending: Blending::fitting(mesh, duals.get(part.skin)),
                morph_weights: &self.morph_weights[part.morph_weights.clone()],
            };
            act(mesh, &linear[part.skin], &options);
        }
    }
}
