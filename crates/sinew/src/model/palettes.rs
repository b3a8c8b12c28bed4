//! The palettes of all skins of a model.

use sinew_kernels::{Aabb, Matrix};

use crate::bounds::{BoundsOptions, JointBounds, Sphere};
use crate::model::Model;
use crate::skinning::{Blending, DualQuaternionPalette, Palette, SkinMethod};

/// One palette per skin of a model.
#[derive(Clone, Debug)]
pub(crate) struct Palettes {
    /// One per skin.
    pub(crate) linear: Vec<Palette>,
    /// One per skin with dual-quaternion skinning; empty otherwise.
    pub(crate) dual_quaternions: Vec<DualQuaternionPalette>,
}

/// A posed model, for bounds without skinning.
pub(crate) struct PosedMeshes<'a> {
    pub(crate) model: &'a Model,
    pub(crate) palettes: &'a Palettes,
    /// All morph weights of the pose.
    pub(crate) morph_weights: &'a [f32],
}

const BUILT_FOR_MODEL: &str = "palettes, matrices and morph weights are those of the model";

impl Palettes {
    pub(crate) fn new(model: &Model, skin_method: SkinMethod) -> Self {
        let dual_quaternions = match skin_method {
            SkinMethod::Linear => Vec::new(),
            SkinMethod::DualQuaternion => model.skins().iter().map(DualQuaternionPalette::new).collect(),
        };
        Self { linear: model.skins().iter().map(Palette::new).collect(), dual_quaternions }
    }

    /// Updates all palettes from joint matrices.
    pub(crate) fn update(&mut self, model: &Model, model_from_joint: &[Matrix]) {
        for (palette, skin) in self.linear.iter_mut().zip(model.skins()) {
            palette.update(model_from_joint, skin).expect(BUILT_FOR_MODEL);
        }
        self.update_dual_quaternions();
    }

    /// Updates the dual-quaternion palettes from the linear ones.
    pub(crate) fn update_dual_quaternions(&mut self) {
        for (dual_quaternions, palette) in self.dual_quaternions.iter_mut().zip(&self.linear) {
            dual_quaternions.update(palette).expect(BUILT_FOR_MODEL);
        }
    }
}

impl PosedMeshes<'_> {
    /// An AABB of all vertices. See [`JointBounds::aabb`].
    pub(crate) fn bounds(&self) -> Aabb {
        let mut all = Aabb::EMPTY;
        self.for_each_mesh(|bounds, palette, options| {
            all = all.union(&bounds.aabb(palette, options).expect(BUILT_FOR_MODEL));
        });
        all
    }

    /// A bounding sphere of all vertices, centered on the AABB.
    pub(crate) fn sphere(&self) -> Sphere {
        let mut all = Sphere::empty_at_center(&self.bounds());
        self.for_each_mesh(|bounds, palette, options| {
            all.radius = all.radius.max(bounds.radius(all.center, palette, options).expect(BUILT_FOR_MODEL));
        });
        all
    }

    fn for_each_mesh(&self, mut visit: impl FnMut(&JointBounds, &Palette, &BoundsOptions<'_>)) {
        let Palettes { linear, dual_quaternions } = self.palettes;
        for (index, mesh_instance) in self.model.mesh_instances().iter().enumerate() {
            let mesh = &self.model.primitive(index).mesh;
            let options = BoundsOptions {
                blending: Blending::for_mesh(mesh, dual_quaternions.get(mesh_instance.skin)),
                morph_weights: &self.morph_weights[mesh_instance.morph_weights.clone()],
            };
            let bounds = self.model.joint_bounds_for(index, options.blending);
            visit(bounds, &linear[mesh_instance.skin], &options);
        }
    }
}
