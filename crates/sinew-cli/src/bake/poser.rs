//! Poses and skins a model for each baked frame.

use sinew::mesh::Attributes;
use sinew::model::ClipSampler;
use sinew::skinning::SkinMethod;
use sinew::{Instance, InstanceOptions, JointId, Model, Palette, Transform};
use sinew_io::{BakedModel, Error};

use super::arguments::{Bake, Space};
use super::skeleton_ancestors::skeleton_ancestors;
use crate::text::{BUILT_FOR_MODEL, CLIP_OF_MODEL};

/// How a model is posed and skinned.
pub(super) struct PoseOptions {
    instance: InstanceOptions,
    /// Joints whose local transform is replaced by the identity.
    identity_joints: Vec<JointId>,
}

impl PoseOptions {
    pub(super) fn new(model: &Model, arguments: &Bake) -> Self {
        let skin_method =
            if arguments.dual_quaternion { SkinMethod::DualQuaternion } else { SkinMethod::Linear };
        let instance = InstanceOptions::default()
            .with_normals(model.normal_transform())
            .with_skin_method(skin_method)
            .with_max_influences(arguments.max_influences.map_or(usize::MAX, |max| max.get()));
        let identity_joints = match arguments.space {
            Space::World => Vec::new(),
            Space::Model => skeleton_ancestors(model),
        };
        Self { instance, identity_joints }
    }
}

/// An instance of a model, posed by one clip.
pub(super) struct Poser {
    instance: Instance,
    sampler: ClipSampler,
    identity_joints: Vec<JointId>,
    /// One for each skin, to measure displacements; empty when all influences are used.
    palettes: Vec<Palette>,
    max_influences: usize,
}

impl Poser {
    /// For a clip or the rest pose. At most these attributes of a vertex are skinned.
    pub(super) fn new(
        model: &Model,
        clip: Option<usize>,
        attributes: Attributes,
        options: &PoseOptions,
    ) -> Self {
        let max_influences = options.instance.max_influences;
        let is_limited = max_influences < usize::MAX;
        let palettes = if is_limited { model.skins().iter().map(Palette::new).collect() } else { Vec::new() };
        Self {
            instance: model.instance_with(&options.instance.with_attributes(attributes)),
            sampler: ClipSampler::new(model, clip).expect(CLIP_OF_MODEL),
            identity_joints: options.identity_joints.clone(),
            palettes,
            max_influences,
        }
    }

    /// Skins these attributes of all vertices at a time in the clip. Returns the largest distance
    /// that the limit on influences displaces a vertex.
    pub(super) fn pose(
        &mut self,
        seconds: f64,
        attributes: Attributes,
        baked: &mut BakedModel,
    ) -> Result<f32, Error> {
        self.instance.sample_clip(&mut self.sampler, seconds as f32).expect(BUILT_FOR_MODEL);
        let pose = self.instance.pose_mut();
        for &joint in &self.identity_joints {
            pose.set_transform(joint, &Transform::IDENTITY);
        }
        match attributes {
            Attributes::Positions => baked.update_positions(&mut self.instance)?,
            _ => baked.update(&mut self.instance)?,
        }
        Ok(self.displacement())
    }

    fn displacement(&mut self) -> f32 {
        let model = self.instance.model().clone();
        let model_from_joint = self.instance.model_matrices();
        for (palette, skin) in self.palettes.iter_mut().zip(model.skins()) {
            palette.update(model_from_joint, skin).expect(BUILT_FOR_MODEL);
        }
        let displacement = |instance: usize| {
            let palette = self.palettes.get(model.mesh_instances()[instance].skin)?;
            let mesh = &model.primitive(instance).mesh;
            Some(mesh.displacement(palette, self.max_influences).expect(BUILT_FOR_MODEL))
        };
        (0..model.mesh_instances().len()).filter_map(displacement).fold(0.0, f32::max)
    }
}
