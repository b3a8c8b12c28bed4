//! Conversion of a scene to a model, with its motions as clips.

use sinew::animation::{Interpolation, Keys, Track};
use sinew::model::{Material, MeshInstance, ModelSource, Primitive};
use sinew::{Clip, JointId, Mesh, MeshSource, Model, Pose, Skin};

use crate::{Motion, Scene};

/// Key frames of a clip per second.
const KEYS_PER_SECOND: f32 = 30.0;
/// The length of a clip whose motion never repeats.
const APERIODIC_SECONDS: f32 = 10.0;

impl Scene {
    /// Converts the scene to a model with one clip per motion. Clips have thirty key frames per
    /// second; where the motion repeats, the last key frame equals the first.
    ///
    /// # Errors
    ///
    /// Passes on the library's errors, none of which occurs for a procedural scene.
    pub fn model(&self) -> Result<Model, sinew::Error> {
        self.model_with_levels(&[])
    }

    /// Converts the scene to a model with levels of detail. Each level is a maximum number of
    /// influences per vertex.
    ///
    /// # Errors
    ///
    /// When a level is zero.
    pub fn model_with_levels(&self, levels: &[usize]) -> Result<Model, sinew::Error> {
        let skin = Skin::new(&self.skeleton, &self.skin_joints)?;
        let mesh = Mesh::new(&MeshSource { levels, ..self.mesh.source() }, &skin)?;
        let clips = self.motions.iter().map(|&motion| self.clip(motion)).collect::<Result<_, _>>()?;
        let primitive = Primitive {
            texture_coordinates: vec![self.mesh.texture_coordinates.clone()],
            colors: if self.mesh.colors.is_empty() { Vec::new() } else { vec![self.mesh.colors.clone()] },
            material: Some(0),
            ..Primitive::new("skin", mesh)
        };
        Ok(Model::new(ModelSource {
            skins: vec![skin],
            primitives: vec![primitive],
            mesh_instances: vec![MeshInstance::new("body", JointId::new(0))],
            clips,
            springs: self.springs.clone(),
            materials: vec![Material { name: "skin".to_owned(), ..Material::default() }],
            ..ModelSource::new(self.skeleton.clone())
        })?)
    }

    /// A clip with tracks for every joint that the motion moves.
    fn clip(&self, motion: Motion) -> Result<Clip, sinew::Error> {
        let seconds = motion.seconds().unwrap_or(APERIODIC_SECONDS);
        let steps = (seconds * KEYS_PER_SECOND).round().max(1.0) as usize;
        let times: Vec<f32> = (0..=steps).map(|key| key as f32 / steps as f32 * seconds).collect();
        let poses = times.iter().map(|&time| self.pose_at(motion, time)).collect::<Result<Vec<_>, _>>()?;
        let joint_keys = |joint: JointId| {
            let rotations: Vec<_> = poses.iter().map(|pose| pose.rotation(joint)).collect();
            let translations: Vec<_> = poses.iter().map(|pose| pose.translation(joint)).collect();
            (rotations, translations)
        };
        let keys: Vec<_> = self.skeleton.joints().map(joint_keys).collect();
        let mut tracks = Vec::new();
        for (joint, (rotations, translations)) in self.skeleton.joints().zip(&keys) {
            let rest = self.skeleton.rest().transform(joint);
            if rotations.iter().any(|&rotation| rotation != rest.rotation) {
                tracks.push(track(&times, Keys::Rotations { joint, values: rotations }));
            }
            if translations.iter().any(|&translation| translation != rest.translation) {
                tracks.push(track(&times, Keys::Translations { joint, values: translations }));
            }
        }
        Ok(Clip::new(motion.name(), &self.skeleton, &tracks)?)
    }

    fn pose_at(&self, motion: Motion, seconds: f32) -> Result<Pose, sinew::Error> {
        let mut pose = self.skeleton.rest_pose();
        motion.pose(&self.skeleton, seconds, &mut pose)?;
        Ok(pose)
    }
}

fn track<'a>(times: &'a [f32], keys: Keys<'a>) -> Track<'a> {
    Track { times, keys, interpolation: Interpolation::Linear }
}
