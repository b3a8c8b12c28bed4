//! A crowd of a thousand figures: animated, skinned one by one, skinned and kept, and on two
//! threads.
//!
//! `cargo bench -p sinew --features parallel --bench crowd`, with part of a name to run only some.
//! Measurements that need threads are skipped without the feature.
//!
//! - `animation`: two clips sampled, blended and converted to palettes, on one thread, and one clip
//!   for comparison. Nanoseconds per joint, and cycles where the system reports its clock rate.
//! - `one by one`: one figure skinned repeatedly, and a thousand figures into the same memory. The
//!   ratio is the cost of a figure among many to that of a single one.
//! - `all kept`: the vertices of all figures, 180 MB, and its two limits: as many bytes written
//!   with non-temporal stores, and one figure skinned repeatedly. The share is the time of the
//!   slower limit divided by the time of keeping all.
//! - `threads`: `one by one` and `animation` on two threads relative to one.
//! - `both at once`: animation and skinning, one after the other on one thread, and at the same
//!   time on two. The figures are small and play five clips, so that both take about as long.

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::Duration;

use sinew::animation::{Interpolation, Keys, Track};
use sinew::crowd::{CrowdOptions, SkinnedMember};
use sinew::kernels::StoreOutput;
use sinew::kernels::{BLOCK, BitangentSource, DirectionLength, StoreVertices};
use sinew::mesh::VectorBlock;
use sinew::model::ModelSource;
use sinew::runtime::backend;
use sinew::{Clip, Crowd, FloatMode, InstanceOptions, JointId, Model};
use sinew_bench::timer::{AlternatingTimer, Length, Timing};

const FRAME: f32 = 1.0 / 60.0;
const FULL: Length = Length { rounds: 21, sample: Duration::from_millis(20) };

type Outcome = Result<(), Box<dyn std::error::Error>>;
type Measure = fn(Size) -> Outcome;

/// The amount of work to measure.
#[derive(Clone, Copy)]
struct Size {
    figures: usize,
    vertices: usize,
    length: Length,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
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
        print_line(name);
        if let Err(error) = measure(size) {
            print_line(&format!("    failed: {error}"));
        }
    }
}

/// A figure whose clips rotate every joint and move the root.
fn figure(vertices: usize) -> Result<Model, Box<dyn std::error::Error>> {
    let model = sinew_figures::scene(&format!("@figure:{vertices}"))?.model()?;
    let clips =
        model.clips().iter().map(|clip| with_keys_for_every_joint(&model, clip)).collect::<Result<_, _>>()?;
    Ok(Model::new(ModelSource {
        skins: model.skins().to_vec(),
        primitives: model.primitives().to_vec(),
        mesh_instances: model.mesh_instances().to_vec(),
        materials: model.materials().to_vec(),
        clips,
        ..ModelSource::new(model.skeleton().clone())
    })?)
}

/// The clip with thirty keys a second for the rotation of every joint and the translation of the
/// root.
fn with_keys_for_every_joint(model: &Model, clip: &Clip) -> Result<Clip, sinew::Error> {
    let times: Vec<f32> = (0..).map(|key| key as f32 / 30.0).take_while(|&time| time <= clip.end()).collect();
    let rotations_of = |joint: usize| {
        let rest = model.skeleton().rest().rotation(JointId::new(joint));
        // Each key differs a little, because constant tracks cost next to nothing.
        let rotated = |(key, &time): (usize, &f32)| {
            let [x, y, z, w] = clip.sample_joint(JointId::new(joint), time).rotation.unwrap_or(rest);
            [x + 0.02 * (key % 5) as f32, y, z + 0.02 * (key % 3) as f32, w]
        };
        times.iter().enumerate().map(rotated).collect()
    };
    let rotations: Vec<Vec<[f32; 4]>> = (0..model.skeleton().len()).map(rotations_of).collect();
    let translations: Vec<[f32; 3]> =
        (0..times.len()).map(|key| [0.0, 0.01 * (key % 5) as f32, 0.0]).collect();
    let track = |keys| Track { times: &times, keys, interpolation: Interpolation::Linear };
    let turns = rotations
        .iter()
        .enumerate()
        .map(|(joint, values)| track(Keys::Rotations { joint: JointId::new(joint), values }));
    let moves = track(Keys::Translations { joint: JointId::new(0), values: &translations });
    let tracks: Vec<_> = turns.chain([moves]).collect();
    Ok(Clip::new(clip.name(), model.skeleton(), &tracks)?)
}

/// Figures that play some clips each, every figure at another time.
fn build_crowd(model: &Model, figures: usize, clips: usize) -> Result<Crowd, Box<dyn std::error::Error>> {
    let mut crowd = Crowd::new(CrowdOptions::default());
    let models = crowd.add_model(model, &InstanceOptions::default());
    for figure in 0..figures {
        let id = crowd.add(models)?;
        let Some(member) = crowd.member_mut(id) else { continue };
        for (name, weight) in [("walk", 0.6), ("wave", 0.4)].into_iter().cycle().take(clips) {
            let weight = if clips == 1 { 1.0 } else { weight };
            member.animator_mut().blend(name)?.seek(0.01 * figure as f64).set_weight(weight);
        }
    }
    crowd.step(FRAME);
    Ok(crowd)
}

/// Times something on some threads.
#[cfg(feature = "parallel")]
fn run_on_threads(
    threads: usize,
    act: impl FnOnce() -> Vec<Timing> + Send,
) -> Result<Vec<Timing>, Box<dyn std::error::Error>> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(act))
}

/// Times something on the only thread.
#[cfg(not(feature = "parallel"))]
fn run_on_threads(
    _: usize,
    act: impl FnOnce() -> Vec<Timing> + Send,
) -> Result<Vec<Timing>, Box<dyn std::error::Error>> {
    Ok(act())
}

fn animation(size: Size) -> Outcome {
    let model = figure(100)?;
    let joints = (size.figures * model.skeleton().len()) as f64;
    let (mut two, mut one) = (build_crowd(&model, size.figures, 2)?, build_crowd(&model, size.figures, 1)?);
    let timings = run_on_threads(1, || {
        let mut timer = AlternatingTimer::new();
        timer.add("two clips, blended", || two.step(black_box(FRAME)));
        timer.add("one clip", || one.step(black_box(FRAME)));
        timer.run(size.length)
    })?;
    for timing in timings {
        let nanoseconds = timing.seconds * 1e9 / joints;
        let cycles = clock_rate().map(|gigahertz| format!("{:7.1} cycles", nanoseconds * gigahertz));
        let name = &timing.name;
        print_line(&format!("    {name:<24} {nanoseconds:8.2} ns per joint {}", cycles.unwrap_or_default()));
    }
    Ok(())
}

fn one_by_one(size: Size) -> Outcome {
    let model = figure(size.vertices)?;
    let (mut one, mut many) = (build_crowd(&model, 1, 2)?, build_crowd(&model, size.figures, 2)?);
    let timings = run_on_threads(1, || {
        let mut timer = AlternatingTimer::new();
        timer.add("one figure", || one.skin_each(&mut consume));
        timer.add("many figures", || many.skin_each(&mut consume));
        timer.run(size.length)
    })?;
    let each = size.figures as f64;
    let [one, many] = &timings[..] else { return Ok(()) };
    print_line(&format!("    one figure   {:8.2} us", one.seconds * 1e6));
    print_line(&format!(
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
    let (mut one, mut kept) = (build_crowd(&model, 1, 2)?, build_crowd(&model, size.figures, 2)?);
    let blocks = model.primitive(0).mesh.blocks() * 3;
    // Not zeros, which some processors write twice as fast as other numbers.
    let figure = vec![VectorBlock { rows: [[0.3; BLOCK]; 3] }; blocks];
    let mut stream = vec![VectorBlock::default(); blocks * size.figures];
    let kernels = backend::default()?.kernels(FloatMode::Fast);
    let timings = run_on_threads(1, || {
        let mut timer = AlternatingTimer::new();
        timer.add("kept", || kept.skin());
        timer.add("non-temporal stores", || fill_non_temporal(kernels, &figure, &mut stream));
        timer.add("skinned in cache", || {
            for _ in 0..size.figures {
                one.skin_each(&mut consume);
            }
        });
        timer.run(size.length)
    })?;
    let bytes = (blocks * size.figures * size_of::<VectorBlock>()) as f64;
    for timing in &timings {
        let (name, ms) = (&timing.name, timing.seconds * 1e3);
        print_line(&format!("    {name:<24} {ms:8.2} ms, {:6.2} GB/s", bytes / timing.seconds / 1e9));
    }
    let share = timings.iter().skip(1).map(|limit| 1.0 / limit.speed).fold(0.0, f64::max);
    print_line(&format!("    share of the slower limit: {share:.3}"));
    Ok(())
}

/// Copies the blocks of a figure with non-temporal stores, again and again until memory is full.
fn fill_non_temporal(kernels: &sinew::runtime::Kernels, figure: &[VectorBlock], memory: &mut [VectorBlock]) {
    for to in memory.chunks_exact_mut(figure.len()) {
        kernels.store_vertices(StoreVertices {
            blocks: black_box(figure),
            vectors: 3,
            signs: &[],
            directions: DirectionLength::AsBlended,
            bitangents: BitangentSource::AsSkinned,
            layout: StoreOutput::NonTemporalBlocks(to),
            remap: None,
            bounds: None,
        });
    }
}

#[cfg(not(feature = "parallel"))]
fn threads(_: Size) -> Outcome {
    print_line("    skipped: needs the feature parallel");
    Ok(())
}

#[cfg(not(feature = "parallel"))]
fn both_at_once(_: Size) -> Outcome {
    print_line("    skipped: needs the feature parallel");
    Ok(())
}

#[cfg(feature = "parallel")]
fn threads(size: Size) -> Outcome {
    let model = figure(size.vertices)?;
    for name in ["one by one", "animation"] {
        let (mut one, mut two) =
            (build_crowd(&model, size.figures, 2)?, build_crowd(&model, size.figures, 2)?);
        let run = move |crowd: &mut Crowd| match name {
            "animation" => crowd.step(FRAME),
            _ => crowd.skin_each_parallel(&consume),
        };
        compare(name, size, |crowd| run(crowd), |crowd| run(crowd), (&mut one, &mut two))?;
    }
    Ok(())
}

#[cfg(feature = "parallel")]
fn both_at_once(size: Size) -> Outcome {
    let model = figure(size.vertices.min(200))?;
    let (mut one, mut two) = (build_crowd(&model, size.figures, 5)?, build_crowd(&model, size.figures, 5)?);
    let (mut step, mut skin) = (one.clone(), one.clone());
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut timer = AlternatingTimer::new();
    timer.add("animation", || alone.install(|| step.step(FRAME)));
    timer.add("skin", || alone.install(|| skin.skin_each_parallel(&consume)));
    let timings = timer.run(size.length);
    if let [step, skin] = &timings[..] {
        print_line(&format!(
            "    animation {:8.2} ms, skin {:8.2} ms",
            step.seconds * 1e3,
            skin.seconds * 1e3
        ));
    }
    let sequential = |crowd: &mut Crowd| {
        crowd.skin_each_parallel(&consume);
        crowd.step(FRAME);
    };
    let concurrent = |crowd: &mut Crowd| crowd.skin_each_and_step(FRAME, &consume);
    compare("both at once", size, sequential, concurrent, (&mut one, &mut two))
}

/// Compares one function on one thread with another on two.
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
    let mut timer = AlternatingTimer::new();
    timer.add("one", || alone.install(|| one(crowds.0)));
    timer.add("two", || both.install(|| two(crowds.1)));
    let timings = timer.run(size.length);
    if let [one, two] = &timings[..] {
        let (a, b, speed, (low, high)) = (one.seconds * 1e3, two.seconds * 1e3, two.speed, two.spread);
        print_line(&format!(
            "    {name:<14} {a:8.2} ms, {b:8.2} ms on two threads: {speed:.2} x ({low:.2} to {high:.2})"
        ));
    }
    Ok(())
}

/// Receives a figure and does nothing with it.
fn consume(figure: SkinnedMember<'_>) {
    black_box(figure.all_blocks());
}

/// The clock rate in gigahertz, where the system reports it.
fn clock_rate() -> Option<f64> {
    let information = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = information.lines().find(|line| line.starts_with("cpu MHz"))?;
    Some(line.split(':').nth(1)?.trim().parse::<f64>().ok()? / 1e3)
}

fn print_line(line: &str) {
    // A closed output cannot be reported anywhere.
    let _ = writeln!(stdout(), "{line}");
}
