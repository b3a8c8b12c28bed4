//! Sampling clips of 64 joints: frames forwards, frames in reverse, and random seeks.
//!
//! `cargo bench -p sinew --bench sampling`, with part of a clip's name to run only some.
//!
//! A table for each backend, a line for each clip and order of times: nanoseconds per joint, the
//! median over the rounds; cycles per joint, where the system reports its clock rate; and the
//! multiple of a frame forwards in the same clip. Clips last ten seconds with 30 keys a second, and
//! are played at 60 frames a second.

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::Duration;

use sinew::animation::{ClipOptions, Interpolation, KeyData, TrackData};
use sinew::runtime::backend;
use sinew::{Bone, Clip, Error, FloatMode, JointId, Pose, Runtime, Skeleton, Transform};
use sinew_bench::timer::{AlternatingTimer, Length, Timing};
use sinew_testkit::clips::{self, KeyInterpolation};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

const JOINTS: usize = 64;
const KEYS: usize = 301;
/// More seeks than a branch predictor can learn.
const SEEKS: usize = 8192;
/// Many short samples, most of which are not disturbed by other work of the machine.
const FULL: Length = Length { rounds: 201, sample: Duration::from_micros(100) };

/// The keys of a clip.
#[derive(Clone, Copy)]
struct ClipKind {
    name: &'static str,
    /// 1 for rotations; 3 for rotations, translations and scales.
    channels: usize,
    /// Whether each track has uneven times of its own.
    own_times: bool,
    interpolation: Interpolation,
    /// For rotations whose keys are a few degrees apart: the bound of the error of nlerp.
    near: Option<f32>,
}

const KINDS: [ClipKind; 10] = [
    ClipKind::new("rotations", 1, false, Interpolation::Linear),
    ClipKind::new("all channels", 3, false, Interpolation::Linear),
    ClipKind::new("rotations, own uneven times", 1, true, Interpolation::Linear),
    ClipKind::new("all channels, own uneven times", 3, true, Interpolation::Linear),
    ClipKind::new("near rotations, slerp", 1, false, Interpolation::Linear).near(0.0),
    ClipKind::new("near rotations, nlerp", 1, false, Interpolation::Linear).near(1e-3),
    ClipKind::new("near rotations, own uneven times, slerp", 1, true, Interpolation::Linear).near(0.0),
    ClipKind::new("near rotations, own uneven times, nlerp", 1, true, Interpolation::Linear).near(1e-3),
    ClipKind::new("all channels, steps", 3, false, Interpolation::Step),
    ClipKind::new("all channels, cubic", 3, false, Interpolation::Cubic),
];

impl ClipKind {
    const fn new(name: &'static str, channels: usize, own_times: bool, interpolation: Interpolation) -> Self {
        Self { name, channels, own_times, interpolation, near: None }
    }

    const fn near(self, nlerp_error: f32) -> Self {
        Self { near: Some(nlerp_error), ..self }
    }

    fn clip(self, skeleton: &Skeleton) -> Result<Clip, Error> {
        let random = &mut Random::new(1);
        let even: Vec<f32> = (0..KEYS).map(|key| key as f32 / 30.0).collect();
        let (between, width) = match self.interpolation {
            Interpolation::Step => (KeyInterpolation::Step, 1),
            Interpolation::Linear => (KeyInterpolation::Linear, 1),
            Interpolation::Cubic => (KeyInterpolation::Cubic, 3),
        };
        let mut tracks = Vec::new();
        for (joint, channel) in (0..JOINTS).flat_map(|joint| (0..self.channels).map(move |c| (joint, c))) {
            let times = if self.own_times { uneven_times(random) } else { even.clone() };
            let mut vectors = || (0..KEYS * width).map(|_| random.vector(1.0)).collect();
            let keys = match channel {
                0 => KeyData::Rotations {
                    joint: JointId::new(joint),
                    values: match self.near {
                        Some(_) => near_rotations(random),
                        None => clips::rotations(KEYS, between, random),
                    },
                },
                1 => KeyData::Translations { joint: JointId::new(joint), values: vectors() },
                _ => KeyData::Scales { joint: JointId::new(joint), values: vectors() },
            };
            tracks.push(TrackData { times, keys, interpolation: self.interpolation });
        }
        let tracks: Vec<_> = tracks.iter().map(TrackData::track).collect();
        let options = ClipOptions::default().nlerp_error(self.near.unwrap_or(0.0));
        Ok(Clip::with_options(self.name, skeleton, &tracks, &options)?)
    }
}

/// Rotations that are up to eight degrees from the one before.
fn near_rotations(random: &mut Random) -> Vec<[f32; 4]> {
    let mut last = rigs::rotation(random);
    let mut next = || {
        let [x, y, z] = random.vector(0.04);
        last = rigs::unit([last[0] + x, last[1] + y, last[2] + z, last[3]].map(f64::from));
        last
    };
    (0..KEYS).map(|_| next()).collect()
}

/// Ten seconds of key times, some close together and some far apart.
fn uneven_times(random: &mut Random) -> Vec<f32> {
    let mut times = vec![0.0];
    for _ in 1..KEYS {
        let step = if random.once_in(4) { random.between(0.03, 0.17) } else { random.between(0.001, 0.02) };
        times.push(times[times.len() - 1] + step);
    }
    let scale = 10.0 / times[KEYS - 1];
    times.into_iter().map(|time| time * scale).collect()
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let length = if arguments.iter().any(|argument| argument == "--bench") { FULL } else { Length::SMOKE };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    for backend in backend::available() {
        print_line(&format!("{}, nanoseconds per joint", backend.name()));
        for kind in KINDS.into_iter().filter(|kind| kind.name.contains(&wanted)) {
            match time_kind(kind, Runtime::with_backend(backend, FloatMode::Fast), length) {
                Ok(timings) => timings.iter().for_each(|timing| print(kind, timing)),
                Err(error) => print_line(&format!("failed: {}: {error}", kind.name)),
            }
        }
    }
}

fn time_kind(kind: ClipKind, runtime: Runtime, length: Length) -> Result<Vec<Timing>, Error> {
    let bones = vec![Bone::new("", None, Transform::IDENTITY); JOINTS];
    let skeleton = Skeleton::new(&bones)?.with_runtime(runtime);
    let clip = &kind.clip(&skeleton)?;
    let frames: Vec<f32> = (0..600).map(|frame| frame as f32 / 60.0).collect();
    let random = &mut Random::new(2);
    let orders = [
        ("forwards", frames.clone()),
        ("reverse", frames.into_iter().rev().collect()),
        ("seeks", (0..SEEKS).map(|_| random.between(0.0, clip.end())).collect()),
    ];
    let mut timer = AlternatingTimer::new();
    for (name, times) in orders {
        let (mut cursor, mut pose) = (clip.cursor(), Pose::new(&skeleton));
        clip.sample(0.0, &mut cursor, &mut pose)?;
        let mut next = 0;
        timer.add(name, move || {
            next = if next + 1 < times.len() { next + 1 } else { 0 };
            // Succeeded above, so that this cannot fail.
            let _ = clip.sample(black_box(times[next]), &mut cursor, &mut pose);
            black_box(&mut pose);
        });
    }
    Ok(timer.run(length))
}

fn print(kind: ClipKind, timing: &Timing) {
    let nanoseconds = timing.seconds * 1e9 / JOINTS as f64;
    let cycles =
        clock_rate().map(|gigahertz| format!(" {:7.1} cycles", nanoseconds * gigahertz)).unwrap_or_default();
    let (name, order) = (kind.name, &timing.name);
    print_line(&format!(
        "    {name:<32} {order:<9} {nanoseconds:8.2} ns{cycles} {:6.2} x forwards",
        1.0 / timing.speed
    ));
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
