//! How far what was written is from the model: both are skinned, and every vertex is compared.

use std::collections::BTreeMap;

use sinew::{Attributes, Error as Refused, Instance, InstanceOptions, Model, ModelSource, Pose, Surface};

use super::surface::Written;
use crate::Error;

/// The largest distance between a vertex of a model and the same vertex of what was written of it, over the rest pose and
/// all keys of all clips (of a clip with more than 3600 times of keys, over so many of them), in the model's unit of length; and
/// where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// The distance. Rounding alone gives about a ten-millionth of the model's size.
    pub largest: f32,
    /// The clip, or `None` at rest.
    pub clip: Option<usize>,
    /// Seconds into the clip.
    pub seconds: f32,
    /// The part of the model.
    pub part: usize,
    /// The vertex of the part.
    pub vertex: usize,
}

/// The most poses of a clip that are compared: a minute at sixty keys a second.
const MOST_POSES: usize = 3600;

/// Compares a model with its surfaces as they were written.
pub(super) fn deviation(model: &Model, surfaces: &BTreeMap<usize, Written>) -> Result<Deviation, Error> {
    let found = written_model(model, surfaces).and_then(|written| {
        let mut compared = Compared::new(model, &written);
        compared.all(model)?;
        Ok(compared.found)
    });
    let found = found.map_err(|source| Error::model("what was written", source))?;
    if !found.largest.is_finite() {
        let place = format!("vertex {} of part {}", found.vertex, found.part);
        return Err(Error::fault(place, "a finite position in every pose", "one that is not"));
    }
    Ok(found)
}

/// The model as a reader of the file has it, without clips.
fn written_model(model: &Model, surfaces: &BTreeMap<usize, Written>) -> Result<Model, Refused> {
    let mut skins = vec![None; model.surfaces().len()];
    for part in model.parts() {
        skins[part.surface].get_or_insert(part.skin);
    }
    let mut all = Vec::with_capacity(model.surfaces().len());
    for (index, surface) in model.surfaces().iter().enumerate() {
        let mesh = match (surfaces.get(&index), skins[index]) {
            (Some(written), Some(skin)) => written.mesh(&model.skins()[skin])?,
            _ => surface.mesh.clone(),
        };
        all.push(Surface {
            name: String::new(),
            mesh,
            texture_coordinates: Vec::new(),
            colours: Vec::new(),
            material: None,
        });
    }
    Model::new(ModelSource {
        skins: model.skins().to_vec(),
        surfaces: all,
        parts: model.parts().to_vec(),
        ..ModelSource::new(model.skeleton().clone())
    })
}

/// Both models, and the largest distance so far.
struct Compared {
    /// The model and what was written.
    both: [Instance; 2],
    /// The vertices of one part of each.
    vertices: [Vec<[f32; 3]>; 2],
    found: Deviation,
}

impl Compared {
    fn new(model: &Model, written: &Model) -> Self {
        let options = InstanceOptions { attributes: Attributes::Positions, ..InstanceOptions::default() };
        let both = [model, written].map(|model| model.instance_with(&options));
        Self { both, vertices: [Vec::new(), Vec::new()], found: Deviation::default() }
    }

    fn all(&mut self, model: &Model) -> Result<(), Refused> {
        self.compare(model.skeleton().rest(), None, 0.0)?;
        for (index, clip) in model.clips().iter().enumerate() {
            let mut seconds: Vec<f32> = clip.tracks().flat_map(|track| track.times).collect();
            seconds.sort_by(f32::total_cmp);
            seconds.dedup();
            let (mut pose, mut cursor) = (model.skeleton().rest_pose(), clip.cursor());
            // Very many keys are looked at in even steps.
            for &time in seconds.iter().step_by(seconds.len().div_ceil(MOST_POSES).max(1)) {
                clip.sample(time, &mut cursor, &mut pose)?;
                self.compare(&pose, Some(index), time)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, pose: &Pose, clip: Option<usize>, seconds: f32) -> Result<(), Refused> {
        let [ours, theirs] = &mut self.both;
        let models = [ours.model().clone(), theirs.model().clone()];
        ours.pose_mut().copy_from(pose)?;
        theirs.pose_mut().copy_from(pose)?;
        let skinned = [ours.skin(), theirs.skin()];
        for part in 0..skinned[0].len() {
            for ((skinned, model), to) in skinned.iter().zip(&models).zip(&mut self.vertices) {
                let mesh = &model.surface(part).mesh;
                to.resize(mesh.len(), [0.0; 3]);
                skinned.parts()[part].positions(mesh, to)?;
            }
            let [a, b] = &self.vertices;
            for (vertex, (a, b)) in a.iter().zip(b).enumerate() {
                let largest = distance(a, b);
                // What is not a number is the largest of all.
                if largest > self.found.largest || (largest.is_nan() && !self.found.largest.is_nan()) {
                    self.found = Deviation { largest, clip, seconds, part, vertex };
                }
            }
        }
        Ok(())
    }
}

fn distance(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    let along = |axis: usize| f64::from(a[axis]) - f64::from(b[axis]);
    (0..3).map(|axis| along(axis) * along(axis)).sum::<f64>().sqrt() as f32
}
