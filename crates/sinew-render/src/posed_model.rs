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

/// Steps of the simulation of springs.
const STEPS_PER_SECOND: f64 = 60.0;

/// The maximum number of steps for one pose. Springs forget what was longer ago.
const MAX_STEPS: u64 = 1200;

/// An instance of a model with its skinned vertices.
pub(crate) struct PosedModel {
    pub(crate) instance: Instance,
    /// `None` if the pose is fixed.
    sampler: Option<ClipSampler>,
    /// The step of the simulation that the pose is of, if the model has springs.
    simulated: Option<u64>,
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
            .with_attributes(attributes(model))
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
        if let (Some(springs), Some(_)) = (model.springs(), &sampler) {
            let pushed = instance.modifiers_mut().push(springs.clone());
            pushed.map_err(|error| Error::Mesh(error.to_string()))?;
        }
        Ok(Self {
            instance,
            simulated: None,
            sampler,
            baked: BakedModel::new(model)?,
            facing: if needs_facing { mesh_facing(model)? } else { Vec::new() },
        })
    }

    /// Poses and skins the model at a time in the clip.
    pub(crate) fn pose(&mut self, seconds: f64) -> Result<(), Error> {
        if self.instance.modifiers().is_empty() {
            self.sample(seconds);
        } else {
            self.simulate(seconds);
        }
        Ok(self.baked.update(&mut self.instance)?)
    }

    /// Poses the instance at a time in the clip, without springs.
    fn sample(&mut self, seconds: f64) {
        if let Some(sampler) = &mut self.sampler {
            self.instance.sample_clip(sampler, seconds as f32).expect(BUILT_FOR_MODEL);
        }
    }

    /// Simulates springs from the last time on, or from the start if that was later.
    fn simulate(&mut self, seconds: f64) {
        // The cast saturates.
        let last = (seconds.max(0.0) * STEPS_PER_SECOND).round() as u64;
        let mut step = match self.simulated {
            Some(before) if before <= last && last - before <= MAX_STEPS => before,
            _ => {
                let first = last.saturating_sub(MAX_STEPS);
                self.instance.modifiers_mut().reset();
                self.sample(first as f64 / STEPS_PER_SECOND);
                self.instance.run_modifiers(0.0);
                first
            }
        };
        while step < last {
            step += 1;
            self.sample(step as f64 / STEPS_PER_SECOND);
            self.instance.run_modifiers((1.0 / STEPS_PER_SECOND) as f32);
        }
        self.simulated = Some(last);
    }

    /// The tangents of a mesh instance in the current pose, with the signs of the bitangents, in
    /// the order of its source; `None` if they are not needed or the mesh has none.
    pub(crate) fn tangents(&mut self, mesh_instance: usize) -> Option<Vec<[f32; 4]>> {
        let model = self.instance.model().clone();
        let mesh = &model.primitive(mesh_instance).mesh;
        let skinned = &self.instance.skin().mesh_instances()[mesh_instance];
        if skinned.attributes() < Attributes::Tangents {
            return None;
        }
        let mut directions = vec![[0.0; 3]; mesh.len()];
        skinned.tangents(mesh, &mut directions).ok()?;
        let mut tangents: Vec<[f32; 4]> = directions.iter().map(|&[x, y, z]| [x, y, z, 1.0]).collect();
        for (&vertex, sign) in mesh.inverse_remap().iter().zip(mesh.tangent_signs()) {
            if let Some(tangent) = tangents.get_mut(vertex as usize) {
                tangent[3] = sign;
            }
        }
        Some(tangents)
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

/// The attributes that are drawn: tangents only for normal textures.
fn attributes(model: &Model) -> Attributes {
    let any = model.materials().iter().any(|material| material.normal_texture.is_some());
    if any { Attributes::Tangents } else { Attributes::Normals }
}

/// Finds the edges of each mesh instance.
fn mesh_facing(model: &Model) -> Result<Vec<MeshFacing>, Error> {
    (0..model.mesh_instances().len())
        .map(|instance| MeshFacing::new(&model.primitive(instance).mesh))
        .collect::<Result<_, _>>()
        .map_err(|error| Error::Mesh(error.to_string()))
}
