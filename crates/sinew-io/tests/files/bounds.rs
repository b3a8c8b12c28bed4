//! Bounds of real and generated models contain all vertices in all poses. The models come from
//! `SINEW_DATA`.
//!
//! Large models, long clips and all but the first clip of an MD5 model are left out, unless
//! `SINEW_EVERY_FRAME` is set: `SINEW_EVERY_FRAME=1 cargo test --release -p sinew-io --test files
//! bounds -- --nocapture`.

use std::path::Path;

use crate::support::data::{data_folder, files_below};

use sinew::mesh::Attributes;
use sinew::model::SkinnedModel;
use sinew::skinning::SkinMethod;
use sinew::{Aabb, Instance, InstanceOptions, Model};
use sinew_io::{ClipFile, ImportOptions};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

/// Frames per second of a clip.
const RATE: f32 = if cfg!(debug_assertions) { 2.0 } else { 60.0 };
/// The most frames of a clip with `SINEW_EVERY_FRAME`: an hour. A hostile clip lasts longer than
/// the universe.
const HOUR: f32 = 3600.0 * RATE;
/// The most frames of a clip otherwise: some last for minutes.
const FRAMES: f32 = if cfg!(debug_assertions) { 3.0 } else { 300.0 };
/// The number of random poses, for all models together.
const POSES: usize = if cfg!(debug_assertions) { 100 } else { 10_000 };
/// The largest model, in bytes: larger ones would take too long.
const BYTES: u64 = if cfg!(debug_assertions) { 200_000 } else { 4_000_000 };

/// Whether nothing is left out.
fn every_frame() -> bool {
    std::env::var_os("SINEW_EVERY_FRAME").is_some()
}

/// All models that can be imported, each with the clips in its folder.
fn models() -> Vec<(String, Model)> {
    let generated = |name: &str| {
        let scene = sinew_figures::scene(name).expect("a generated scene");
        (name.to_owned(), scene.model().expect("a generated scene"))
    };
    let mut models: Vec<(String, Model)> = ["@figure:1000", "@cylinder:varying"].map(generated).into();
    let Some(data) = data_folder() else { return models };
    for path in files_below(&data, &["glb", "gltf", "md5mesh"]) {
        if let Some(model) = import(&path) {
            models.push((path.display().to_string(), model));
        }
    }
    models.sort_by(|a, b| a.0.cmp(&b.0));
    models
}

/// A model with mesh instances; `None` for all other files.
fn import(path: &Path) -> Option<Model> {
    let extension = path.extension()?.to_str()?;
    if !every_frame() && std::fs::metadata(path).ok()?.len() >= BYTES {
        return None;
    }
    let mut options = ImportOptions::default();
    if extension == "md5mesh" {
        let entries = std::fs::read_dir(path.parent()?).ok()?.flatten().map(|entry| entry.path());
        let mut clips: Vec<_> =
            entries.filter(|path| path.extension().is_some_and(|e| e == "md5anim")).collect();
        clips.sort();
        let most = if every_frame() { usize::MAX } else { 1 };
        options.clips.extend(clips.into_iter().take(most).map(ClipFile::Path));
    }
    let model = sinew_io::load_with(path, &options).ok()?.model;
    (!model.mesh_instances().is_empty()).then_some(model)
}

/// An instance for each skinning method.
fn instances(model: &Model) -> [Instance; 2] {
    [SkinMethod::Linear, SkinMethod::DualQuaternion].map(|skin_method| {
        let options = InstanceOptions::default().with_attributes(Attributes::Positions);
        model.instance_with(&options.with_skin_method(skin_method))
    })
}

/// Checks that the bounds contain all vertices. Returns the volume of the box relative to the
/// smallest box, if that has a volume.
fn check_bounds(instance: &mut Instance, what: &str) -> Option<f64> {
    let (found, sphere) = (instance.bounds(), instance.sphere());
    let skinned: SkinnedModel<'_> = instance.skin();
    let exact = skinned.bounds();
    for axis in 0..3 {
        let inside = found.min[axis] <= exact.min[axis] && exact.max[axis] <= found.max[axis];
        assert!(inside || exact.is_empty(), "{what}: {exact:?} outside of {found:?}");
    }
    for mesh_instance in skinned.mesh_instances() {
        for slot in 0..mesh_instance.position_view().len() {
            let point = mesh_instance.position_view().position(slot);
            let offset: [f64; 3] = std::array::from_fn(|c| f64::from(point[c]) - f64::from(sphere.center[c]));
            let distance = offset.iter().map(|c| c * c).sum::<f64>().sqrt();
            assert!(
                distance.is_nan() || distance <= f64::from(sphere.radius),
                "{what}: {point:?}, {sphere:?}"
            );
        }
    }
    let volume = |bounds: &Aabb| (0..3).map(|c| f64::from(bounds.max[c] - bounds.min[c])).product::<f64>();
    let ratio = volume(&found) / volume(&exact);
    ratio.is_finite().then_some(ratio)
}

#[test]
fn bounds_contain_every_vertex_of_every_clip() {
    let (mut frames, mut ratios) = (0, Vec::new());
    for (name, model) in models() {
        let mut own = Vec::new();
        for (blend, mut instance) in instances(&model).into_iter().enumerate() {
            check_bounds(&mut instance, &name);
            for clip in 0..model.clips().len() {
                instance.stop();
                instance.start(clip);
                let most = if every_frame() { HOUR } else { FRAMES };
                for _ in 0..(model.clips()[clip].end() * RATE).ceil().min(most) as u32 {
                    instance.step(1.0 / RATE);
                    let ratio = check_bounds(&mut instance, &name);
                    own.extend(ratio.filter(|_| blend == 0));
                    frames += 1;
                }
            }
        }
        if !own.is_empty() {
            let mean = own.iter().sum::<f64>() / own.len() as f64;
            assert!(!name.starts_with("@figure") || mean <= 2.5, "{name}: {mean}");
            ratios.push((mean, name));
        }
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (median, most) = (&ratios[ratios.len() / 2], &ratios[ratios.len() - 1]);
    eprintln!(
        "{} models, {frames} frames; mean volume over the smallest box: median {:.2}, most {:.2} ({})",
        ratios.len(),
        median.0,
        most.0,
        most.1
    );
}

#[test]
fn bounds_contain_every_vertex_of_random_poses() {
    let random = &mut Random::new(660);
    let models = models();
    let moving: Vec<_> = models.iter().filter(|(_, model)| model.skeleton().len() > 1).collect();
    for (name, model) in &moving {
        let mut instances = instances(model);
        for _ in 0..POSES.div_ceil(moving.len()) {
            let rest = model.skeleton().rest();
            let wild = random.between(0.0, 1.0);
            for instance in &mut instances {
                let pose = instance.pose_mut();
                pose.copy_from(rest).unwrap();
                for joint in model.skeleton().joints() {
                    if random.between(0.0, 1.0) < wild {
                        pose.set_rotation(joint, rigs::rotation(random));
                    }
                }
                pose.morph_weights_mut().fill_with(|| random.between(-0.5, 1.5));
                check_bounds(instance, name);
            }
        }
    }
    eprintln!("{} models, {} poses of each", moving.len(), POSES.div_ceil(moving.len()));
}
