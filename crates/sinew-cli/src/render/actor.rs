//! A model at a time of a clip, moved by one method.

use sinew::{Attributes, Cursor, Instance, InstanceOptions, Model, NormalTransform};
use sinew_io::Baked;

use super::arguments::Layer;
use super::compare::Method;
use super::facing::Faced;
use crate::Failure;
use crate::bake::scales_unevenly;
use crate::words::MADE;

/// A model that plays a clip.
pub(super) struct Actor {
    pub(super) instance: Instance,
    playing: Option<(usize, Cursor)>,
    baked: Baked,
    /// Where something is drawn that depends on which triangles face what.
    pub(super) faced: Option<Faced>,
}

impl Actor {
    pub(super) fn new(
        model: &Model,
        clip: Option<usize>,
        method: Method,
        layers: &[Layer],
    ) -> Result<Self, Failure> {
        let faces = layers.iter().any(|layer| matches!(layer, Layer::Shadow | Layer::Silhouette));
        let options = InstanceOptions {
            attributes: Attributes::Normals,
            normals: if scales_unevenly(model) {
                NormalTransform::Cofactor
            } else {
                NormalTransform::BlendedMatrix
            },
            joint_blend: method.joint_blend(),
            max_influences: method.max_influences().unwrap_or(usize::MAX),
            ..InstanceOptions::default()
        };
        Ok(Self {
            instance: model.instance_with(&options),
            playing: clip.map(|clip| (clip, model.clips()[clip].cursor())),
            baked: Baked::new(model)?,
            faced: faces.then(|| Faced::new(model)).transpose()?,
        })
    }

    /// Goes to so many seconds of the clip.
    pub(super) fn pose(&mut self, seconds: f64) -> Result<(), Failure> {
        let model = self.instance.model().clone();
        let pose = self.instance.pose_mut();
        pose.copy_from(model.skeleton().rest()).expect(MADE);
        if let Some((clip, cursor)) = &mut self.playing {
            model.clips()[*clip].sample(seconds as f32, cursor, pose).expect(MADE);
        }
        Ok(self.baked.take(&mut self.instance)?)
    }

    /// Its vertices, as they were posed last.
    pub(super) fn baked(&self) -> &Baked {
        &self.baked
    }

    /// Where each joint is, as they were posed last.
    pub(super) fn joints(&mut self) -> impl Iterator<Item = [f32; 3]> {
        self.instance.model_matrices().iter().map(|matrix| matrix.translation())
    }
}
