//! A model posed by a clip and skinned by one method.

use sinew::mesh::Attributes;
use sinew::{Instance, InstanceOptions, Model};
use sinew_io::BakedModel;

use super::arguments::Layer;
use super::compared_method::ComparedMethod;
use super::facing::ModelFacing;
use crate::CliError;
use crate::clip_sampler::{ClipSampler, normal_transform};

/// An instance of a model with its skinned vertices.
pub(super) struct PosedModel {
    pub(super) instance: Instance,
    sampler: ClipSampler,
    baked: BakedModel,
    /// For shadows and silhouettes; `None` when no layer draws either.
    pub(super) facing: Option<ModelFacing>,
}

impl PosedModel {
    pub(super) fn new(
        model: &Model,
        clip: Option<usize>,
        method: ComparedMethod,
        layers: &[Layer],
    ) -> Result<Self, CliError> {
        let needs_facing = layers.iter().any(|layer| matches!(layer, Layer::Shadow | Layer::Silhouette));
        let options = InstanceOptions::default()
            .with_attributes(Attributes::Normals)
            .with_normals(normal_transform(model))
            .with_skin_method(method.skin_method())
            .with_max_influences(method.max_influences().unwrap_or(usize::MAX));
        Ok(Self {
            instance: model.instance_with(&options),
            sampler: ClipSampler::new(model, clip),
            baked: BakedModel::new(model)?,
            facing: needs_facing.then(|| ModelFacing::new(model)).transpose()?,
        })
    }

    /// Poses and skins the model at a time in the clip.
    pub(super) fn pose(&mut self, seconds: f64) -> Result<(), CliError> {
        self.sampler.sample(seconds, &mut self.instance);
        Ok(self.baked.update(&mut self.instance)?)
    }

    /// The vertices of the current pose.
    pub(super) fn baked(&self) -> &BakedModel {
        &self.baked
    }

    /// The position of each joint in the current pose, in model space.
    pub(super) fn joints(&mut self) -> impl Iterator<Item = [f32; 3]> {
        self.instance.model_matrices().iter().map(|matrix| matrix.translation())
    }
}
