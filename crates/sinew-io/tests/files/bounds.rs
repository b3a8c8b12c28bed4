//! Bounds of real models, and of those by rule: no vertex of any pose is outside. The models lie where `SINEW_DATA` points.
//!
//! Large models, long clips and all but the first clip beside an MD5 mesh are left out, unless `SINEW_EVERY_FRAME` is set:
//! `SINEW_EVERY_FRAME=1 cargo test --release -p sinew-io --test files bounds -- --nocapture`.

use std::path::{Path, PathBuf};

use sinew::{Aabb, Attributes, Instance, InstanceOptions, JointBlend, Model, SkinnedModel};
use sinew_io::{ClipFile, Options};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

/// Frames of a clip in a second.
const RATE: f32 = if cfg!(debug_assertions) { 2.0 } else { 60.0 };
/// The most frames of a clip, if not all of it: an hour. A hostile one lasts for longer than the universe has.
const HOUR: f32 = 3600.0 * RATE;
/// The most frames of a clip: some last for minutes.
const FRAMES: f32 = if cfg!(debug_assertions) { 3.0 } else { 300.0 };
/// Random poses of all models together.
const POSES: usize = if cfg!(debug_assertions) { 100 } else { 10_000 };
/// Larger models would take all of the time.
const BYTES: u64 = if cfg!(debug_assertions) { 200_000 } else { 4_000_000 };

/// Whether nothing is left out.
fn every() -> bool {
    std::env::var_os("SINEW_EVERY_FRAME").is_some()
}

/// All models that can be read, each with the clips that lie beside it.
fn models() -> Vec<(String, Model)> {
    let by_rule = |name: &str| {
        let scene = sinew_figures::scene(name).expect("a scene by rule");
        (name.to_owned(), scene.model().expect("a scene by rule"))
    };
    let mut models: Vec<(String, Model)> = ["@figure:1000", "@cylinder:varying"].map(by_rule).into();
    let Some(data) = std::env::var_os("SINEW_DATA").map(PathBuf::from) else {
        eprintln!("skipped: SINEW_DATA does not say where the models are");
        return models;
    };
    let mut folders = vec![data];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(model) = read(&path) {
                models.push((path.display().to_string(), model));
            }
        }
    }
    models.sort_by(|a, b| a.0.cmp(&b.0));
    models
}

/// A model whose parts are worth a look; `None` for all other files.
fn read(path: &Path) -> Option<Model> {
    let extension = path.extension()?.to_str()?;
    let small = every() || std::fs::metadata(path).ok()?.len() < BYTES;
    if !small || !["glb", "gltf", "md5mesh"].contains(&extension) {
        return None;
    }
    let mut options = Options::default();
    if extension == "md5mesh" {
        let beside = std::fs::read_dir(path.parent()?).ok()?.flatten().map(|entry| entry.path());
        let mut clips: Vec<_> =
            beside.filter(|path| path.extension().is_some_and(|e| e == "md5anim")).collect();
        clips.sort();
        let most = if every() { usize::MAX } else { 1 };
        options.clips.extend(clips.into_iter().take(most).map(ClipFile::Path));
    }
    let model = sinew_io::read_with(path, &options).ok()?.model;
    (!model.parts().is_empty()).then_some(model)
}

/// An instance with either blend.
fn instances(model: &Model) -> [Instance; 2] {
    [JointBlend::Linear, JointBlend::Duals].map(|joint_blend| {
        let attributes = Attributes::Positions;
        model.instance_with(&InstanceOptions { attributes, joint_blend, ..InstanceOptions::default() })
    })
}

/// How much larger the box is than the smallest, if that has a volume.
fn held(instance: &mut Instance, what: &str) -> Option<f64> {
    let (found, sphere) = (instance.bounds(), instance.sphere());
    let skinned: SkinnedModel<'_> = instance.skin();
    let exact = skinned.bounds();
    for axis in 0..3 {
        let inside = found.min[axis] <= exact.min[axis] && exact.max[axis] <= found.max[axis];
        assert!(inside || exact.is_empty(), "{what}: {exact:?} outside of {found:?}");
    }
    for part in skinned.parts() {
        for place in 0..part.points().len() {
            let point = part.points().point(place);
            let offset: [f64; 3] = std::array::from_fn(|c| f64::from(point[c]) - f64::from(sphere.centre[c]));
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
fn bounds_hold_every_vertex_of_every_clip() {
    let (mut frames, mut ratios) = (0, Vec::new());
    for (name, model) in models() {
        let mut own = Vec::new();
        for (blend, mut instance) in instances(&model).into_iter().enumerate() {
            held(&mut instance, &name);
            for clip in 0..model.clips().len() {
                instance.stop();
                instance.start(clip);
                let most = if every() { HOUR } else { FRAMES };
                for _ in 0..(model.clips()[clip].end() * RATE).ceil().min(most) as u32 {
                    instance.step(1.0 / RATE);
                    let ratio = held(&mut instance, &name);
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
fn bounds_hold_every_vertex_of_random_poses() {
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
                for joint in pose.joints_mut() {
                    if random.between(0.0, 1.0) < wild {
                        joint.rotation = rigs::rotation(random);
                    }
                }
                pose.morph_weights_mut().fill_with(|| random.between(-0.5, 1.5));
                held(instance, name);
            }
        }
    }
    eprintln!("{} models, {} poses of each", moving.len(), POSES.div_ceil(moving.len()));
}
