//! Times blending and local-to-model on poses from files, and on the same skeletons with random
//! poses.
//!
//! `cargo bench -p sinew-bench --bench file_poses -- fox.glb knight.glb`; without arguments, these two
//! models from `SINEW_DATA`. Prints nanoseconds per joint and the ratio of the two. Values so small
//! that their products are subnormal would make the ratio two or three. `@figure` and a chain with
//! such keys are always included.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::path::Path;
use std::time::Duration;

use sinew::animation::{Interpolation, Keys, Layer, Track};
use sinew::model::ModelSource;
use sinew::{Bone, Clip, Matrix, Model, Pose, Skeleton, Transform};
use sinew_bench::timer::{AlternatingTimer, Length};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

const FULL: Length = Length { rounds: 101, sample: Duration::from_micros(300) };
/// The number of poses per clip.
const FRAMES: usize = 16;
const FITS: &str = "poses of this skeleton";

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let length = if env::args().any(|argument| argument == "--bench") { FULL } else { Length::SMOKE };
    let mut files: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if let (true, Some(data)) = (files.is_empty(), env::var_os("SINEW_DATA")) {
        let model = |name: &str| Path::new(&data).join(name).display().to_string();
        files.push(model("khronos-sample-assets/Fox/glTF-Binary/Fox.glb"));
        files.push(model("kaykit-adventurers/Knight.glb"));
    }
    measure("@figure", &sinew_figures::scene("@figure")?.model()?, length)?;
    measure("a chain with tiny keys", &tiny_keys()?, length)?;
    for file in files {
        let name =
            Path::new(&file).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
        measure(&name, &sinew_io::load(&file)?.model, length)?;
    }
    Ok(())
}

/// A chain of 64 joints, with keys that are nearly zero, as exporters write them.
fn tiny_keys() -> Result<Model, sinew::Error> {
    let bone = |joint: usize| {
        Bone::new(
            "",
            joint.checked_sub(1),
            Transform { translation: [0.0, 1.0, 1e-25], ..Transform::IDENTITY },
        )
    };
    let skeleton = Skeleton::new(&(0..64).map(bone).collect::<Vec<_>>())?;
    let rotations = [[1e-25, -3e-34, 1e-20, 1.0], [0.1, 1e-30, -1e-25, 0.994_987_4]];
    let tracks: Vec<Track<'_>> = skeleton
        .joints()
        .map(|joint| Track {
            times: &[0.0, 1.0],
            interpolation: Interpolation::Linear,
            keys: Keys::Rotations { joint, values: &rotations },
        })
        .collect();
    let clips = ["a", "b"].map(|name| Clip::new(name, &skeleton, &tracks));
    let mut source = ModelSource::new(skeleton);
    for clip in clips {
        source.clips.push(clip?);
    }
    Ok(Model::new(source)?)
}

/// Pairs of poses, and memory for the results.
struct Poses {
    skeleton: Skeleton,
    pairs: Vec<[Pose; 2]>,
    blended: Vec<Pose>,
    model_from_joint: Vec<Matrix>,
}

impl Poses {
    fn new(skeleton: Skeleton, pairs: Vec<[Pose; 2]>) -> Self {
        let model_from_joint = skeleton.identity_matrices();
        let blended = vec![skeleton.rest_pose(); pairs.len()];
        let mut poses = Self { skeleton, pairs, blended, model_from_joint };
        poses.blend();
        poses
    }

    /// Poses of the model's first and last clip.
    fn from_model(model: &Model) -> Result<Self, Box<dyn Error>> {
        let (Some(first), Some(last)) = (model.clips().first(), model.clips().last()) else {
            return Err("expected a model with a clip, found none".into());
        };
        let mut pairs = Vec::new();
        for frame in 0..FRAMES {
            let mut pair = [model.skeleton().rest_pose(), model.skeleton().rest_pose()];
            for (clip, pose) in [first, last].into_iter().zip(&mut pair) {
                clip.sample(clip.end() * frame as f32 / FRAMES as f32, &mut clip.cursor(), pose)?;
            }
            pairs.push(pair);
        }
        Ok(Self::new(model.skeleton().clone(), pairs))
    }

    /// The same skeleton and channels with random values.
    fn random(&self) -> Result<Self, sinew::Error> {
        let random = &mut Random::new(1);
        let parents = self.skeleton.parents().iter().enumerate();
        let bones: Vec<Bone> = parents
            .map(|(joint, &parent)| {
                let parent = (parent as usize).min(joint);
                Bone::new("", (parent < joint).then_some(parent), Transform::IDENTITY)
            })
            .collect();
        let skeleton = Skeleton::new(&bones)?.with_runtime(self.skeleton.runtime());
        let mut pose = |like: &Pose| {
            let mut pose = skeleton.rest_pose();
            for (id, joint) in skeleton.joints().zip(rigs::joints(like.len(), random)) {
                pose.set_rotation(id, joint.rotation);
                pose.set_translation(id, joint.translation);
                if like.has_scales() {
                    // Near one, so that chains of 25 joints neither vanish nor explode.
                    pose.set_scale(id, [1.01, 0.99, 1.02]);
                }
            }
            pose
        };
        let pairs = self.pairs.iter().map(|[a, b]| [pose(a), pose(b)]).collect();
        Ok(Self::new(skeleton, pairs))
    }

    fn blend(&mut self) {
        for ([first, second], to) in self.pairs.iter().zip(&mut self.blended) {
            let layers = [Layer::new(first, 0.7), Layer::new(second, 0.3)];
            to.blend(self.skeleton.rest(), &layers).expect(FITS);
        }
    }

    fn local_to_model(&mut self) {
        for pose in &self.blended {
            self.skeleton.to_model(pose, .., &mut self.model_from_joint).expect(FITS);
            black_box(&self.model_from_joint);
        }
    }
}

fn measure(name: &str, model: &Model, length: Length) -> Result<(), Box<dyn Error>> {
    let given = Poses::from_model(model)?;
    let joints = given.skeleton.len() * FRAMES;
    let scaled = if given.blended[0].has_scales() { "with" } else { "without" };
    print_line(&format!("{name}: {} joints, {scaled} scales", given.skeleton.len()));
    for (stage, act) in [("blend", Poses::blend as fn(&mut Poses)), ("local to model", Poses::local_to_model)]
    {
        let (mut given, mut random) = (Poses::from_model(model)?, given.random()?);
        let mut timer = AlternatingTimer::new();
        timer.add("random", || act(&mut random));
        timer.add("given", || act(&mut given));
        let timings = timer.run(length);
        let [random, given] = [0, 1].map(|i| timings[i].seconds * 1e9 / joints as f64);
        let ratio = 1.0 / timings[1].speed;
        print_line(&format!(
            "    {stage:<16} {given:6.2} ns a joint, random numbers {random:6.2}, ratio {ratio:.2}"
        ));
    }
    Ok(())
}

fn print_line(line: &str) {
    // There is nothing left to do when the output is closed.
    let _ = writeln!(stdout(), "{line}");
}
