//! Sampling clips of 64 joints: a frame forwards, a frame in reverse, and a seek to anywhere.
//!
//! `cargo bench -p sinew --bench sampling`, with a part of a name to time only some.
//!
//! A table for each instruction set, a line for each clip and way of playing: nanoseconds per joint, the median over the
//! rounds; cycles per joint, where the system tells its clock; and how many times as long as a frame forwards in the same
//! clip. Clips last ten seconds with 30 keys a second, played at 60 frames a second.

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::Duration;

use sinew::{
    Bone, Clip, Error, FloatMode, Interpolation, Kernels, KeyData, Pose, Skeleton, TrackData, Transform,
    backend,
};
use sinew_testkit::clips::{self, Between};
use sinew_testkit::random::Random;
use sinew_testkit::timer::{Length, Race, Timing};

const JOINTS: usize = 64;
const KEYS: usize = 301;
/// Longer than what a branch predictor learns by heart.
const SEEKS: usize = 8192;
/// Short samples, and many: most of them fall between what else the machine does.
const FULL: Length = Length { rounds: 201, sample: Duration::from_micros(100) };

/// What the keys of a clip are.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    /// Rotations alone, or rotations, translations and scales.
    channels: usize,
    /// Whether each track has uneven times of its own.
    own_times: bool,
    interpolation: Interpolation,
}

const KINDS: [Kind; 6] = [
    Kind::new("rotations", 1, false, Interpolation::Linear),
    Kind::new("all channels", 3, false, Interpolation::Linear),
    Kind::new("rotations, own uneven times", 1, true, Interpolation::Linear),
    Kind::new("all channels, own uneven times", 3, true, Interpolation::Linear),
    Kind::new("all channels, steps", 3, false, Interpolation::Step),
    Kind::new("all channels, cubic", 3, false, Interpolation::Cubic),
];

impl Kind {
    const fn new(name: &'static str, channels: usize, own_times: bool, interpolation: Interpolation) -> Self {
        Self { name, channels, own_times, interpolation }
    }

    fn clip(self, skeleton: &Skeleton) -> Result<Clip, Error> {
        let random = &mut Random::new(1);
        let even: Vec<f32> = (0..KEYS).map(|key| key as f32 / 30.0).collect();
        let (between, width) = match self.interpolation {
            Interpolation::Step => (Between::Step, 1),
            Interpolation::Linear => (Between::Linear, 1),
            Interpolation::Cubic => (Between::Cubic, 3),
        };
        let mut tracks = Vec::new();
        for (joint, channel) in (0..JOINTS).flat_map(|joint| (0..self.channels).map(move |c| (joint, c))) {
            let times = if self.own_times { uneven(random) } else { even.clone() };
            let mut vectors = || (0..KEYS * width).map(|_| random.vector(1.0)).collect();
            let keys = match channel {
                0 => KeyData::Rotations { joint, values: clips::rotations(KEYS, between, random) },
                1 => KeyData::Translations { joint, values: vectors() },
                _ => KeyData::Scales { joint, values: vectors() },
            };
            tracks.push(TrackData { times, keys, interpolation: self.interpolation });
        }
        Clip::new(self.name, skeleton, &tracks.iter().map(TrackData::track).collect::<Vec<_>>())
    }
}

/// Ten seconds of keys, some near each other and some far apart.
fn uneven(random: &mut Random) -> Vec<f32> {
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
    // `cargo bench` says so; `cargo test` only wants to see it run.
    let length = if arguments.iter().any(|argument| argument == "--bench") { FULL } else { Length::SMOKE };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    for row in backend::available() {
        say(&format!("{}, nanoseconds per joint", row.name()));
        for kind in KINDS.into_iter().filter(|kind| kind.name.contains(&wanted)) {
            match race(kind, row.kernels(FloatMode::Fast), length) {
                Ok(timings) => timings.iter().for_each(|timing| print(kind, timing)),
                Err(error) => say(&format!("failed: {}: {error}", kind.name)),
            }
        }
    }
}

fn race(kind: Kind, kernels: &'static Kernels, length: Length) -> Result<Vec<Timing>, Error> {
    let bones = vec![Bone::new("", None, Transform::IDENTITY); JOINTS];
    let skeleton = Skeleton::new(&bones)?.with_kernels(kernels);
    let clip = &kind.clip(&skeleton)?;
    let frames: Vec<f32> = (0..600).map(|frame| frame as f32 / 60.0).collect();
    let random = &mut Random::new(2);
    let ways = [
        ("forwards", frames.clone()),
        ("reverse", frames.into_iter().rev().collect()),
        ("seeks", (0..SEEKS).map(|_| random.between(0.0, clip.end())).collect()),
    ];
    let mut race = Race::new();
    for (name, times) in ways {
        let (mut cursor, mut pose) = (clip.cursor(), Pose::new(&skeleton));
        clip.sample(0.0, &mut cursor, &mut pose)?;
        let mut next = 0;
        race.add(name, move || {
            next = if next + 1 < times.len() { next + 1 } else { 0 };
            // What was not refused the first time is not refused later.
            let _ = clip.sample(black_box(times[next]), &mut cursor, &mut pose);
            black_box(&mut pose);
        });
    }
    Ok(race.run(length))
}

fn print(kind: Kind, timing: &Timing) {
    let nanoseconds = timing.seconds * 1e9 / JOINTS as f64;
    let cycles =
        clock().map(|gigahertz| format!(" {:7.1} cycles", nanoseconds * gigahertz)).unwrap_or_default();
    let (name, way) = (kind.name, &timing.name);
    say(&format!(
        "    {name:<32} {way:<9} {nanoseconds:8.2} ns{cycles} {:6.2} x forwards",
        1.0 / timing.speed
    ));
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
