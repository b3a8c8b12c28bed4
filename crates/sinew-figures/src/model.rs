//! A scene as a model, its motions as clips.

use sinew::{
    Clip, Interpolation, Keys, Material, Mesh, MeshSource, Model, ModelSource, Part, Pose, Skin, Surface,
    Track,
};

use crate::{Motion, Scene};

/// How many keys a clip has for each second.
const KEYS_PER_SECOND: f32 = 30.0;
/// How long a clip is of a motion that never repeats.
const SECONDS_OF_ENDLESS: f32 = 10.0;

impl Scene {
    /// The scene as a model, with a clip for each of its motions: thirty keys for each second, and the last of them the
    /// first again where the motion repeats.
    ///
    /// # Errors
    ///
    /// None but those of the library, which a scene by rule does not meet.
    pub fn model(&self) -> Result<Model, sinew::Error> {
        self.model_with_levels(&[])
    }

    /// The same, with levels of detail: each the most influences of a vertex.
    ///
    /// # Errors
    ///
    /// When a level has no influences.
    pub fn model_with_levels(&self, levels: &[usize]) -> Result<Model, sinew::Error> {
        let skin = Skin::new(&self.skeleton, &self.skin_joints)?;
        let mesh = Mesh::new(&MeshSource { levels, ..self.shape.source() }, &skin)?;
        let clips = self.motions.iter().map(|&motion| self.clip(motion)).collect::<Result<_, _>>()?;
        let surface = Surface {
            name: "skin".to_owned(),
            mesh,
            texture_coordinates: vec![self.shape.texture_coordinates.clone()],
            colours: if self.shape.colours.is_empty() {
                Vec::new()
            } else {
                vec![self.shape.colours.clone()]
            },
            material: Some(0),
        };
        let part = Part { name: "body".to_owned(), joint: 0, surface: 0, skin: 0, morph_weights: 0..0 };
        Model::new(ModelSource {
            skins: vec![skin],
            surfaces: vec![surface],
            parts: vec![part],
            clips,
            materials: vec![Material { name: "skin".to_owned(), ..Material::default() }],
            ..ModelSource::new(self.skeleton.clone())
        })
    }

    /// Keys of every joint that the motion moves.
    fn clip(&self, motion: Motion) -> Result<Clip, sinew::Error> {
        let seconds = motion.seconds().unwrap_or(SECONDS_OF_ENDLESS);
        let steps = (seconds * KEYS_PER_SECOND).round().max(1.0) as usize;
        let times: Vec<f32> = (0..=steps).map(|key| key as f32 / steps as f32 * seconds).collect();
        let poses = times.iter().map(|&time| self.pose_at(motion, time)).collect::<Result<Vec<_>, _>>()?;
        let of_joint = |joint: usize| {
            let rotations: Vec<_> = poses.iter().map(|pose| pose.joints()[joint].rotation).collect();
            let translations: Vec<_> = poses.iter().map(|pose| pose.joints()[joint].translation).collect();
            (rotations, translations)
        };
        let keys: Vec<_> = (0..self.skeleton.len()).map(of_joint).collect();
        let mut tracks = Vec::new();
        for (joint, (rotations, translations)) in keys.iter().enumerate() {
            let rest = &self.skeleton.rest().joints()[joint];
            if rotations.iter().any(|&rotation| rotation != rest.rotation) {
                tracks.push(track(&times, Keys::Rotations { joint, values: rotations }));
            }
            if translations.iter().any(|&translation| translation != rest.translation) {
                tracks.push(track(&times, Keys::Translations { joint, values: translations }));
            }
        }
        Clip::new(motion.name(), &self.skeleton, &tracks)
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
