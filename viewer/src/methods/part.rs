//! The part of the vertices that one thread skins: the same range of every copy.

use sinew::skinning::NormalTransform;
use sinew_bench::methods::{Method, Output, Scratch, SkinInput, Skinner};

use crate::scene::{AnimatedCopy, Subject};
use crate::timing::time_call;

/// Skinners and memory of one thread.
pub(super) struct Part {
    /// One per mesh instance; empty if the GPU skins.
    skinners: Vec<Skinner>,
    /// For each copy, one output per mesh instance.
    outputs: Vec<Vec<Output>>,
    scratch: Scratch,
    seconds: f64,
}

impl Part {
    /// Divides the vertices of every mesh instance into `count` parts.
    pub(super) fn all(
        subject: &Subject,
        method: Option<Method>,
        (max_influences, copies): (usize, usize),
        count: usize,
    ) -> Result<Vec<Self>, String> {
        let mut skinners: Vec<Vec<Skinner>> = (0..count).map(|_| Vec::new()).collect();
        for mesh_instance in 0..method.map_or(0, |_| subject.mesh_instances()) {
            let Some(method) = method else { continue };
            let input = SkinInput {
                mesh: subject.mesh(mesh_instance),
                skin: subject.skin(mesh_instance),
                max_influences,
                normals: NormalTransform::BlendedMatrix,
            };
            let parts = Skinner::parts(&input, method, count)?;
            skinners.iter_mut().zip(parts).for_each(|(own, part)| own.push(part));
        }
        let part = |skinners: Vec<Skinner>| Self {
            outputs: (0..copies).map(|_| skinners.iter().map(Skinner::output).collect()).collect(),
            skinners,
            scratch: Scratch::default(),
            seconds: 0.0,
        };
        Ok(skinners.into_iter().map(part).collect())
    }

    /// Skins the part of every copy.
    pub(super) fn skin(&mut self, subject: &Subject, copies: &[AnimatedCopy]) {
        let Self { skinners, outputs, scratch, .. } = self;
        self.seconds = time_call(|| {
            for (copy, outputs) in copies.iter().zip(outputs) {
                for (mesh_instance, (skinner, output)) in skinners.iter().zip(outputs).enumerate() {
                    let palette = &copy.palettes[subject.skin_index(mesh_instance)];
                    skinner.skin(palette, copy.morphed[mesh_instance].as_ref(), scratch, output);
                }
            }
        });
    }

    /// The seconds that the last call of `skin` took.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The vertices of a mesh instance of a copy; `None` if the GPU skins.
    pub(super) fn output(&self, copy: usize, mesh_instance: usize) -> Option<&Output> {
        self.outputs.get(copy)?.get(mesh_instance)
    }
}
