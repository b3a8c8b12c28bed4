//! A model at a time of a clip.

use sinew::{
    Attributes, Cursor, Instance, InstanceOptions, JointBlend, KeyData, Model, NormalTransform, Palette,
    Transform,
};
use sinew_io::{Baked, Error};

use super::arguments::{Bake, Space};
use super::space::above_roots;
use crate::words::MADE;

/// Scales that differ by less, as a share, are even: files round them.
const EVEN: f32 = 1e-4;

/// How a model is posed and skinned.
pub(super) struct How {
    options: InstanceOptions,
    /// Joints that are not to move anything.
    still: Vec<usize>,
}

impl How {
    pub(super) fn new(model: &Model, arguments: &Bake) -> Self {
        let options = InstanceOptions {
            normals: if scales_unevenly(model) {
                NormalTransform::Cofactor
            } else {
                NormalTransform::BlendedMatrix
            },
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

/// Whether a joint is ever scaled by factors that differ.
pub(crate) fn scales_unevenly(model: &Model) -> bool {
    let uneven = |[x, y, z]: [f32; 3]| (x - y).abs().max((x - z).abs()) > EVEN * x.abs();
    let rest = model.skeleton().rest();
    let in_clips = || model.clips().iter().flat_map(|clip| clip.tracks());
    (0..rest.len()).any(|joint| uneven(rest.transform(joint).scale))
        || in_clips().any(|track| match track.keys {
            KeyData::Scales { values, .. } => values.into_iter().any(uneven),
            _ => false,
        })
}

/// Poses a model, with memory of its own.
pub(super) struct Poser {
    instance: Instance,
    playing: Option<(usize, Cursor)>,
    still: Vec<usize>,
    /// Of each skin, where displacements are asked for.
    palettes: Vec<Palette>,
    max_influences: usize,
}

impl Poser {
    /// For a clip or the rest pose, and for no more of a vertex than these.
    pub(super) fn new(model: &Model, clip: Option<usize>, attributes: Attributes, how: &How) -> Self {
        let max_influences = how.options.max_influences;
        let fewer = max_influences < usize::MAX;
        let palettes = if fewer { model.skins().iter().map(Palette::new).collect() } else { Vec::new() };
        Self {
            instance: model.instance_with(&InstanceOptions { attributes, ..how.options }),
            playing: clip.map(|clip| (clip, model.clips()[clip].cursor())),
            still: how.still.clone(),
            palettes,
            max_influences,
        }
    }

    /// Takes these of all vertices where the clip has them at so many seconds. Gives how far fewer influences have displaced one
    /// at the most.
    pub(super) fn pose(
        &mut self,
        seconds: f64,
        attributes: Attributes,
        baked: &mut Baked,
    ) -> Result<f32, Error> {
        let model = self.instance.model().clone();
        let pose = self.instance.pose_mut();
        pose.copy_from(model.skeleton().rest()).expect(MADE);
        if let Some((clip, cursor)) = &mut self.playing {
            model.clips()[*clip].sample(seconds as f32, cursor, pose).expect(MADE);
        }
        for &joint in &self.still {
            pose.set_transform(joint, &Transform::IDENTITY);
        }
        match attributes {
            Attributes::Positions => baked.take_positions(&mut self.instance)?,
            _ => baked.take(&mut self.instance)?,
        }
        Ok(self.displacement(&model))
    }

    fn displacement(&mut self, model: &Model) -> f32 {
        let model_from_joint = self.instance.model_matrices();
        for (palette, skin) in self.palettes.iter_mut().zip(model.skins()) {
            palette.update(model_from_joint, skin).expect(MADE);
        }
        let of_part = |part: usize| {
            let palette = self.palettes.get(model.parts()[part].skin)?;
            Some(model.surface(part).mesh.displacement(palette, self.max_influences).expect(MADE))
        };
        (0..model.parts().len()).filter_map(of_part).fold(0.0, f32::max)
    }
}
