//! Measures how far an exported model differs from the original: both are skinned, and all vertices
//! are compared.

use std::collections::BTreeMap;

use sinew::mesh::Attributes;
use sinew::model::{ModelSource, Primitive};
use sinew::{Error as ModelError, Instance, InstanceOptions, Model, Pose};

use super::export_mesh::ExportMesh;
use crate::error::BoxedError as Error;

/// The largest distance between a vertex of a model and the same vertex of the exported model, in
/// model units, and where it occurs.
///
/// The rest pose and all key times of all clips are compared; of a clip with more than 3600 key
/// times, 3600 of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// The distance. Rounding alone causes about 1e-7 of the model's size.
    pub largest: f32,
    /// The clip, or `None` for the rest pose.
    pub clip: Option<usize>,
    /// The time in the clip, in seconds.
    pub seconds: f32,
    /// The mesh instance of the model.
    pub mesh_instance: usize,
    /// The vertex of the mesh instance.
    pub vertex: usize,
}

/// The most poses that are compared per clip: a minute at sixty keys per second.
const MAX_POSES: usize = 3600;

/// Compares a model with its exported meshes.
pub(super) fn deviation(model: &Model, meshes: &BTreeMap<usize, ExportMesh>) -> Result<Deviation, Error> {
    let found = written_model(model, meshes).and_then(|written| {
        let mut compared = Comparison::new(model, &written);
        compared.all(model)?;
        Ok(compared.found)
    });
    let found = found.map_err(|source| Error::model("what was written", source))?;
    if !found.largest.is_finite() {
        let location = format!("vertex {} of mesh instance {}", found.vertex, found.mesh_instance);
        return Err(Error::invalid(location, "a finite position in every pose", "a position that is not"));
    }
    Ok(found)
}

/// The model that an importer gets from the file, without clips.
fn written_model(model: &Model, meshes: &BTreeMap<usize, ExportMesh>) -> Result<Model, ModelError> {
    let mut skins = vec![None; model.primitives().len()];
    for mesh_instance in model.mesh_instances() {
        skins[mesh_instance.primitive].get_or_insert(mesh_instance.skin);
    }
    let mut all = Vec::with_capacity(model.primitives().len());
    for (index, primitive) in model.primitives().iter().enumerate() {
        let mesh = match (meshes.get(&index), skins[index]) {
            (Some(written), Some(skin)) => written.mesh(&model.skins()[skin])?,
            _ => primitive.mesh.clone(),
        };
        all.push(Primitive::new("", mesh));
    }
    let source = ModelSource {
        skins: model.skins().to_vec(),
        primitives: all,
        mesh_instances: model.mesh_instances().to_vec(),
        ..ModelSource::new(model.skeleton().clone())
    };
    Ok(Model::new(source)?)
}

/// Both models, and the largest distance so far.
struct Comparison {
    /// The original and the exported model.
    both: [Instance; 2],
    /// The vertices of one mesh instance of each.
    vertices: [Vec<[f32; 3]>; 2],
    found: Deviation,
}

impl Comparison {
    fn new(model: &Model, written: &Model) -> Self {
        let options = InstanceOptions::default().with_attributes(Attributes::Positions);
        let both = [model, written].map(|model| model.instance_with(&options));
        Self { both, vertices: [Vec::new(), Vec::new()], found: Deviation::default() }
    }

    fn all(&mut self, model: &Model) -> Result<(), ModelError> {
        self.compare(model.skeleton().rest(), None, 0.0)?;
        for (index, clip) in model.clips().iter().enumerate() {
            let mut seconds: Vec<f32> = clip.tracks().flat_map(|track| track.times).collect();
            seconds.sort_unstable_by(f32::total_cmp);
            seconds.dedup();
            let (mut pose, mut cursor) = (model.skeleton().rest_pose(), clip.cursor());
            // Very many keys are compared in even steps.
            for &time in seconds.iter().step_by(seconds.len().div_ceil(MAX_POSES).max(1)) {
                clip.sample(time, &mut cursor, &mut pose)?;
                self.compare(&pose, Some(index), time)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, pose: &Pose, clip: Option<usize>, seconds: f32) -> Result<(), ModelError> {
        let [ours, theirs] = &mut self.both;
        let models = [ours.model().clone(), theirs.model().clone()];
        ours.pose_mut().copy_from(pose)?;
        theirs.pose_mut().copy_from(pose)?;
        let skinned = [ours.skin(), theirs.skin()];
        for mesh_instance in 0..skinned[0].len() {
            for ((skinned, model), to) in skinned.iter().zip(&models).zip(&mut self.vertices) {
                let mesh = &model.primitive(mesh_instance).mesh;
                to.resize(mesh.len(), [0.0; 3]);
                skinned.mesh_instances()[mesh_instance].positions(mesh, to)?;
            }
            let [a, b] = &self.vertices;
            for (vertex, (a, b)) in a.iter().zip(b).enumerate() {
                let largest = distance(a, b);
                // NaN counts as the largest distance.
                if largest > self.found.largest || (largest.is_nan() && !self.found.largest.is_nan()) {
                    self.found = Deviation { largest, clip, seconds, mesh_instance, vertex };
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
