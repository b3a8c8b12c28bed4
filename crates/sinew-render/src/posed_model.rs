//! A model posed by a clip or a given pose, and skinned by one method.

use sinew::geometry::MeshFacing;
use sinew::mesh::Attributes;
use sinew::model::ClipSampler;
use sinew::{Instance, InstanceOptions, Model, Pose};
use sinew_io::BakedModel;

use crate::Error;
use crate::compared_method::ComparedMethod;
use crate::layer::Layer;

/// Why operations on the memory created for a model cannot fail.
pub(crate) const BUILT_FOR_MODEL: &str = "all buffers were created for this model";

/// Where the pose of a picture comes from.
#[derive(Clone, Copy)]
pub(crate) enum PoseSource<'a> {
    /// A clip, or the rest pose without one.
    Clip(Option<usize>),
    /// The same pose at any time.
    Fixed(&'a Pose),
}

impl PoseSource<'_> {
    /// The clip, if there is one.
    pub(crate) fn clip(self) -> Option<usize> {
        match self {
            Self::Clip(clip) => clip,
            Self::Fixed(_) => None,
        }
    }
}

/// An instance of a model with its skinned vertices.
pub(crate) struct PosedModel {
    pub(crate) instance: Instance,
    /// `None` if the pose is fixed.
    sampler: Option<ClipSampler>,
    baked: BakedModel,
    /// For the shadow and silhouette of each mesh instance; empty when no layer draws either.
    pub(crate) facing: Vec<MeshFacing>,
}

impl PosedModel {
    pub(crate) fn new(
        model: &Model,
        source: PoseSource<'_>,
        method: ComparedMethod,
        layers: &[Layer],
    ) -> Result<Self, Error> {
        let needs_facing = layers.iter().any(|layer| matches!(layer, Layer::Shadow | Layer::Silhouette));
        let options = InstanceOptions::default()
            .with_attributes(Attributes::Normals)
            .with_normals(model.normal_transform())
            .with_skin_method(method.skin_method())
            .with_max_influences(method.max_influences().unwrap_or(usize::MAX));
        let mut instance = model.instance_with(&options);
        let sampler = match source {
            PoseSource::Clip(clip) => {
                Some(ClipSampler::new(model, clip).map_err(|error| Error::Mesh(error.to_string()))?)
            }
            PoseSource::Fixed(pose) => {
                let copied = instance.pose_mut().copy_from(pose);
                copied.map_err(|error| Error::Mesh(error.to_string()))?;
                None
            }
        };
        Ok(Self {
            instance,
            sampler,
            baked: BakedModel::new(model)?,
            facing: if needs_facing { mesh_facing(model)? } else { Vec::new() },
        })
    }

    /// Poses and skins the model at a time in the clip.
    pub(crate) fn pose(&mut self, seconds: f64) -> Result<(), Error> {
        if let Some(sampler) = &mut self.sampler {
            self.instance.sample_clip(sampler, seconds as f32).expect(BUILT_FOR_MODEL);
        }
        Ok(self.baked.update(&mut self.instance)?)
    }

    /// The vertices of the current pose.
    pub(crate) fn baked(&self) -> &BakedModel {
        &self.baked
    }

    /// The position of each joint in the current pose, in model space.
    pub(crate) fn joints(&mut self) -> impl Iterator<Item = [f32; 3]> {
        self.instance.model_matrices().iter().map(|matrix| matrix.translation())
    }
}

/// Finds the edges of each mesh instance.
fn mesh_facing(model: &Model) -> Result<Vec<MeshFacing>, Error> {
    (0..model.mesh_instances().len())
        .map(|instance| MeshFacing::new(&model.primitive(instance).mesh))
        .collect::<Result<_, _>>()
        .map_err(|error| Error::Mesh(error.to_string()))
}
