//! A model at a time of a clip.

use sinew::{Attributes, Cursor, Instance, InstanceOptions, JointBlend, Model, Transform};
use sinew_io::{Baked, Error};

use super::arguments::{Bake, Space};
use super::space::above_roots;

/// How a model is posed and skinned.
pub(super) struct How {
    options: InstanceOptions,
    /// Joints that are not to move anything.
    still: Vec<usize>,
}

impl How {
    pub(super) fn new(model: &Model, arguments: &Bake) -> Self {
        let options = InstanceOptions {
            attributes: Attributes::Normals,
            joint_blend: if arguments.dual_quaternion { JointBlend::Duals } else { JointBlend::Linear },
            max_influences: arguments.max_influences.map_or(usize::MAX, |most| most.get()),
            ..InstanceOptions::default()
        };
        let still = match arguments.space {
            Space::World => Vec::new(),
            Space::Model => above_roots(model),
        };
        Self { options, still }
    }
}

/// Poses a model, with memory of its own.
pub(super) struct Poser {
    instance: Instance,
    playing: Option<(usize, Cursor)>,
    still: Vec<usize>,
}

impl Poser {
    pub(super) fn new(model: &Model, clip: Option<usize>, how: &How) -> Self {
        Self {
            instance: model.instance_with(&how.options),
            playing: clip.map(|clip| (clip, model.clips()[clip].cursor())),
            still: how.still.clone(),
        }
    }

    /// Takes all vertices where the clip has them at so many seconds.
    pub(super) fn pose(&mut self, seconds: f64, baked: &mut Baked) -> Result<(), Error> {
        const MADE: &str = "pose and cursor were made for the model";
        let model = self.instance.model().clone();
        let pose = self.instance.pose_mut();
        pose.copy_from(model.skeleton().rest()).expect(MADE);
        if let Some((clip, cursor)) = &mut self.playing {
            model.clips()[*clip].sample(seconds as f32, cursor, pose).expect(MADE);
        }
        for &joint in &self.still {
            pose.set_transform(joint, &Transform::IDENTITY);
        }
        baked.take(&mut self.instance)
    }
}
