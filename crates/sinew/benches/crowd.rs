//! A crowd of a thousand figures: animated, skinned one by one, kept, and on two threads.
//!
//! `cargo bench -p sinew --features parallel --bench crowd`, with a part of a name to time only some. Without the feature
//! what needs threads is left out.
//!
//! - `animation`: two clips sampled, blended and taken to palettes, on one thread; nanoseconds per joint, and cycles where the
//!   system tells its clock. Beside it one clip alone.
//! - `one by one`: a figure skinned again and again, and a thousand of them into the same memory; the ratio is the cost of
//!   a figure among many to that of one alone.
//! - `all kept`: the vertices of all, 180 MB, beside the two things that limit it: as many bytes written past the caches, and
//!   a figure skinned again and again. The share is the time of the slower of the two by the time of this.
//! - `threads`: one by one, and animation, on two threads to one.
//! - `both at once`: small figures that play five clips, which takes about as long as their skin, one after the other on one
//!   thread, and at the same time on two.

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::Duration;

use sinew::kernels::{BLOCK, BitangentSource, StoreVertices};
use sinew::{
    Clip, Crowd, CrowdOptions, FloatMode, InstanceOptions, Interpolation, Keys, Model, ModelSource,
    SkinnedMember, Track, VectorBlock, VertexLayout, backend,
};
use sinew_testkit::timer::{Length, Race, Timing};

const FRAME: f32 = 1.0 / 60.0;
const FULL: Length = Length { rounds: 21, sample: Duration::from_millis(20) };

type Outcome = Result<(), Box<dyn std::error::Error>>;
type Measure = fn(Size) -> Outcome;

/// How much is measured.
#[derive(Clone, Copy)]
struct Size {
    figures: usize,
    vertices: usize,
    length: Length,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo bench` says so; `cargo test` only wants to see it run.
    let measured = arguments.iter().any(|argument| argument == "--bench");
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    let size = if measured {
        Size { figures: 1000, vertices: 5000, length: FULL }
    } else {
        Size { figures: 9, vertices: 100, length: Length::SMOKE }
    };
    let measures: [(&str, Measure); 5] = [
        ("animation", animation),
        ("one by one", one_by_one),
        ("all kept", all_kept),
        ("threads", threads),
        ("both at once", both_at_once),
    ];
    for (name, measure) in measures.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        say(name);
        if let Err(error) = measure(size) {
            say(&format!("    failed: {error}"));
        }
    }
}

/// A figure whose clips turn every joint, and move its root.
fn figure(vertices: usize) -> Result<Model, Box<dyn std::error::Error>> {
    let model = sinew_figures::scene(&format!("@figure:{vertices}"))?.model()?;
    let clips = model.clips().iter().map(|clip| full(&model, clip)).collect::<Result<_, _>>()?;
    Ok(Model::new(ModelSource {
        skins: model.skins().to_vec(),
        surfaces: model.surfaces().to_vec(),
        parts: model.parts().to_vec(),
        materials: model.materials().to_vec(),
        clips,
        ..ModelSource::new(model.skeleton().clone())
    })?)
}

/// Thirty keys a second for the rotation of every joint and the translation of the root.
fn full(model: &Model, clip: &Clip) -> Result<Clip, sinew::Error> {
    let times: Vec<f32> = (0..).map(|key| key as f32 / 30.0).take_while(|&time| time <= clip.end()).collect();
    let of_joint = |joint: usize| {
        let rest = model.skeleton().rest().joints()[joint].rotation;
        // A little of its own for each key: a track whose keys are all the same costs next to nothing.
        let turned = |(key, &time): (usize, &f32)| {
            let [x, y, z, w] = clip.joint_at(joint, time).rotation.unwrap_or(rest);
            [x + 0.02 * (key % 5) as f32, y, z + 0.02 * (key % 3) as f32, w]
        };
        times.iter().enumerate().map(turned).collect()
    };
    let rotations: Vec<Vec<[f32; 4]>> = (0..model.skeleton().len()).map(of_joint).collect();
    let translations: Vec<[f32; 3]> =
        (0..times.len()).map(|key| [0.0, 0.01 * (key % 5) as f32, 0.0]).collect();
    let track = |keys| Track { times: &times, keys, interpolation: Interpolation::Linear };
    let turns = rotations.iter().enumerate().map(|(joint, values)| track(Keys::Rotations { joint, values }));
    let moves = track(Keys::Translations { joint: 0, values: &translations });
    Clip::new(clip.name(), model.skeleton(), &turns.chain([moves]).collect::<Vec<_>>())
}

/// Figures that play so many clips each, every one at a place of its own.
fn crowd(model: &Model, figures: usize, clips: usize) -> Result<Crowd, Box<dyn std::error::Error>> {
    let mut crowd = Crowd::new(CrowdOptions::default());
    let models = crowd.add_model(model, &InstanceOptions::default());
    for place in 0..figures {
        let id = crowd.add(models)?;
        let Some(member) = crowd.member_mut(id) else { continue };
        for (name, weight) in [("walk", 0.6), ("wave", 0.4)].into_iter().cycle().take(clips) {
            let weight = if clips == 1 { 1.0 } else { weight };
            member.player().blend(name)?.at(0.01 * place as f64).weight(weight);
        }
    }
    crowd.step(FRAME);
    Ok(crowd)
}

/// Runs something on so many threads.
#[cfg(feature = "parallel")]
fn on(
    threads: usize,
    act: impl FnOnce() -> Vec<Timing> + Send,
) -> Result<Vec<Timing>, Box<dyn std::error::Error>> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(act))
}

/// Runs something on the only thread.
#[cfg(not(feature = "parallel"))]
fn on(_: usize, act: impl FnOnce() -> Vec<Timing> + Send) -> Result<Vec<Timing>, Box<dyn std::error::Error>> {
    Ok(act())
}

fn animation(size: Size) -> Outcome {
    let model = figure(100)?;
    let joints = (size.figures * model.skeleton().len()) as f64;
    let (mut two, mut one) = (crowd(&model, size.figures, 2)?, crowd(&model, size.figures, 1)?);
    let timings = on(1, || {
        let mut race = Race::new();
        race.add("two clips, blended", || two.step(black_box(FRAME)));
        race.add("one clip", || one.step(black_box(FRAME)));
        race.run(size.length)
    })?;
    for timing in timings {
        let nanoseconds = timing.seconds * 1e9 / joints;
        let cycles = clock().map(|gigahertz| format!("{:7.1} cycles", nanoseconds * gigahertz));
        let name = &timing.name;
        say(&format!("    {name:<24} {nanoseconds:8.2} ns per joint {}", cycles.unwrap_or_default()));
    }
    Ok(())
}

fn one_by_one(size: Size) -> Outcome {
    let model = figure(size.vertices)?;
    let (mut one, mut many) = (crowd(&model, 1, 2)?, crowd(&model, size.figures, 2)?);
    let timings = on(1, || {
        let mut race = Race::new();
        race.add("one figure", || one.skin_each(&mut see));
        race.add("many figures", || many.skin_each(&mut see));
        race.run(size.length)
    })?;
    let each = size.figures as f64;
    let [one, many] = &timings[..] else { return Ok(()) };
    say(&format!("    one figure   {:8.2} us", one.seconds * 1e6));
    say(&format!(
        "    many figures {:8.2} us each: {:.3} x ({:.3} to {:.3})",
        many.seconds * 1e6 / each,
        1.0 / (many.speed * each),
        1.0 / (many.spread.1 * each),
        1.0 / (many.spread.0 * each)
    ));
    Ok(())
}

fn all_kept(size: Size) -> Outcome {
    let model = figure(size.vertices)?;
    let (mut one, mut kept) = (crowd(&model, 1, 2)?, crowd(&model, size.figures, 2)?);
    let blocks = model.surface(0).mesh.blocks() * 3;
    // Not zeros: there are processors that write those twice as fast as any other number.
    let figure = vec![VectorBlock { rows: [[0.3; BLOCK]; 3] }; blocks];
    let mut stream = vec![VectorBlock::default(); blocks * size.figures];
    let kernels = backend::default()?.kernels(FloatMode::Fast);
    let timings = on(1, || {
        let mut race = Race::new();
        race.add("kept", || kept.skin());
        race.add("written past the caches", || non_temporal(kernels, &figure, &mut stream));
        race.add("skinned in cache", || {
            for _ in 0..size.figures {
                one.skin_each(&mut see);
            }
        });
        race.run(size.length)
    })?;
    let bytes = (blocks * size.figures * size_of::<VectorBlock>()) as f64;
    for timing in &timings {
        let (name, ms) = (&timing.name, timing.seconds * 1e3);
        say(&format!("    {name:<24} {ms:8.2} ms, {:6.2} GB/s", bytes / timing.seconds / 1e9));
    }
    let share = timings.iter().skip(1).map(|limit| 1.0 / limit.speed).fold(0.0, f64::max);
    say(&format!("    share of the slower: {share:.3}"));
    Ok(())
}

/// Writes the blocks of a figure past the caches, to one place after the other.
fn non_temporal(kernels: &sinew::Kernels, figure: &[VectorBlock], memory: &mut [VectorBlock]) {
    for to in memory.chunks_exact_mut(figure.len()) {
        kernels.store_vertices(StoreVertices {
            blocks: black_box(figure),
            vectors: 3,
            signs: &[],
            bitangents: BitangentSource::AsSkinned,
            layout: VertexLayout::NonTemporalBlocks(to),
            remap: None,
            bounds: None,
        });
    }
}

#[cfg(not(feature = "parallel"))]
fn threads(_: Size) -> Outcome {
    say("    skipped: needs the feature parallel");
    Ok(())
}

#[cfg(not(feature = "parallel"))]
fn both_at_once(_: Size) -> Outcome {
    say("    skipped: needs the feature parallel");
    Ok(())
}

#[cfg(feature = "parallel")]
fn threads(size: Size) -> Outcome {
    let model = figure(size.vertices)?;
    for name in ["one by one", "animation"] {
        let (mut one, mut two) = (crowd(&model, size.figures, 2)?, crowd(&model, size.figures, 2)?);
        let run = move |crowd: &mut Crowd| match name {
            "animation" => crowd.step(FRAME),
            _ => crowd.skin_each_at_once(&see),
        };
        compare(name, size, |crowd| run(crowd), |crowd| run(crowd), (&mut one, &mut two))?;
    }
    Ok(())
}

#[cfg(feature = "parallel")]
fn both_at_once(size: Size) -> Outcome {
    let model = figure(size.vertices.min(200))?;
    let (mut one, mut two) = (crowd(&model, size.figures, 5)?, crowd(&model, size.figures, 5)?);
    let (mut step, mut skin) = (one.clone(), one.clone());
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut race = Race::new();
    race.add("animation", || alone.install(|| step.step(FRAME)));
    race.add("skin", || alone.install(|| skin.skin_each_at_once(&see)));
    let timings = race.run(size.length);
    if let [step, skin] = &timings[..] {
        say(&format!("    animation {:8.2} ms, skin {:8.2} ms", step.seconds * 1e3, skin.seconds * 1e3));
    }
    let after_each_other = |crowd: &mut Crowd| {
        crowd.skin_each_at_once(&see);
        crowd.step(FRAME);
    };
    let at_once = |crowd: &mut Crowd| crowd.skin_each_and_step(FRAME, &see);
    compare("both at once", size, after_each_other, at_once, (&mut one, &mut two))
}

/// One way on one thread, and another on two.
#[cfg(feature = "parallel")]
fn compare(
    name: &str,
    size: Size,
    one: impl Fn(&mut Crowd) + Sync,
    two: impl Fn(&mut Crowd) + Sync,
    crowds: (&mut Crowd, &mut Crowd),
) -> Outcome {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (alone, both) = (pool(1)?, pool(2)?);
    let mut race = Race::new();
    race.add("one", || alone.install(|| one(crowds.0)));
    race.add("two", || both.install(|| two(crowds.1)));
    let timings = race.run(size.length);
    if let [one, two] = &timings[..] {
        let (a, b, speed, (low, high)) = (one.seconds * 1e3, two.seconds * 1e3, two.speed, two.spread);
        say(&format!(
            "    {name:<14} {a:8.2} ms, {b:8.2} ms on two threads: {speed:.2} x ({low:.2} to {high:.2})"
        ));
    }
    Ok(())
}

/// Takes a figure over, and does nothing with it.
fn see(figure: SkinnedMember<'_>) {
    black_box(figure.all_blocks());
}

/// Gigahertz, where the system tells.
fn clock() -> Option<f64> {
    let information = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = information.lines().find(|line| line.starts_with("cpu MHz"))?;
    Some(line.split(':').nth(1)?.trim().parse::<f64>().ok()? / 1e3)
}

fn say(line: &str) {
    // Nobody is left to tell when the output is closed.
    let _ = writeln!(stdout(), "{line}");
}
