//! Figures 18 to 20: frames on one thread, on two that share the vertices, and on two of which one
//! animates the next frame while the other skins this one; and the waiting time of each thread.

use std::cell::RefCell;
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::methods::Method;
use sinew::Palette;
use sinew::runtime::backend;
use sinew_figures::Motion;

use super::bench_group::{BenchGroup, Context, median};
use super::cylinders::{Animator, CYLINDERS, CylinderSkinner, Cylinders};
use super::figure_15::with_frames_per_second;
use super::job::Job;
use super::measurement::{Amount, Measurement};
use super::spin_barrier::SpinBarrier;
use crate::Error;

pub(super) const TABLE: &str = "figure-18";
pub(super) const WAITS: &str = "figure-19";

/// Frames per run, so that the start of a thread is negligible.
const FRAMES: usize = 8;

/// The weights per vertex of `@cylinder`.
const WEIGHTS: usize = 4;

/// The paper's frames per second: on one thread, and with the animation on a second one.
struct Paper {
    motion: Motion,
    routines: &'static [&'static str; 1],
    one: &'static str,
    tasks: &'static str,
}

const PAPER: [Paper; 3] = [
    Paper { motion: Motion::Sine, routines: &["sine"], one: "98.6 frames/s", tasks: "103.2 frames/s" },
    Paper {
        motion: Motion::Noise { octaves: 10 },
        routines: &["noise10"],
        one: "80.6 frames/s",
        tasks: "95.26 frames/s",
    },
    Paper {
        motion: Motion::Noise { octaves: 20 },
        routines: &["noise20"],
        one: "66.7 frames/s",
        tasks: "87 frames/s",
    },
];

/// How the work is divided between threads.
#[derive(Clone, Copy, PartialEq)]
enum Division {
    OneThread,
    /// The first thread animates while the second waits; then each skins half of the cylinders.
    Data,
    /// The first thread animates the next frame while the second skins this one.
    Tasks,
}

/// One job per motion.
pub(super) fn jobs() -> Vec<Job> {
    let job = |paper: &'static Paper| Job {
        tables: &[TABLE, WAITS],
        routines: paper.routines,
        run: Box::new(move |context: &Context| measure(paper, context)),
    };
    PAPER.iter().map(job).collect()
}

/// The times of each run: all frames, and the waiting time of each thread.
type RunTimes = RefCell<Vec<(Duration, [Duration; 2])>>;

fn measure(paper: &Paper, context: &Context) -> Result<Vec<Measurement>, Error> {
    let cylinders = Cylinders::new(WEIGHTS)?;
    let best = Method::Blocks(backend::fastest());
    let skinnings = if cfg!(target_arch = "x86_64") { vec![Method::Friendly, best] } else { vec![best] };
    let divisions = [Division::OneThread, Division::Data, Division::Tasks];
    let waits: Vec<RunTimes> = (0..skinnings.len() * divisions.len()).map(|_| RunTimes::default()).collect();
    let mut group = BenchGroup::default();
    let pairs = skinnings.iter().flat_map(|&skinning| divisions.map(|division| (skinning, division)));
    for ((skinning, division), waits) in pairs.zip(&waits) {
        let row = Measurement {
            elements: cylinders.vertices(),
            weights: Some(WEIGHTS),
            published: paper.published(skinning, division),
            ..Measurement::new(TABLE, paper.routines[0], division.method(skinning), Some(skinning.isa()))
        };
        let mut workers = Workers::new(&cylinders, paper.motion, skinning, division)?;
        group.add_many(row, FRAMES, move || waits.borrow_mut().push(workers.run()));
    }
    let frames = with_frames_per_second(group.run(context));
    let of_threads: Vec<Measurement> =
        frames.iter().zip(&waits).flat_map(|(row, times)| waiting_rows(row, &times.borrow())).collect();
    Ok(frames.into_iter().chain(of_threads).collect())
}

impl Paper {
    fn published(&self, skinning: Method, division: Division) -> Option<&'static str> {
        match (skinning, division) {
            (Method::Friendly, Division::OneThread) => Some(self.one),
            (Method::Friendly, Division::Tasks) => Some(self.tasks),
            _ => None,
        }
    }
}

impl Division {
    fn method(self, skinning: Method) -> String {
        let name = skinning.name();
        match self {
            Self::OneThread => name.to_owned(),
            Self::Data => format!("{name}-data"),
            Self::Tasks => format!("{name}-tasks"),
        }
    }
}

/// A row for each of two threads: its waiting time per vertex.
fn waiting_rows(row: &Measurement, times: &[(Duration, [Duration; 2])]) -> Vec<Measurement> {
    if !row.method.ends_with("-data") && !row.method.ends_with("-tasks") {
        return Vec::new();
    }
    let of_thread = |thread: usize| {
        let shares = times.iter().map(|(all, waits)| waits[thread].as_secs_f64() / all.as_secs_f64());
        let share = median(shares.collect());
        Measurement {
            table: WAITS,
            method: format!("{}-thread-{}", row.method, thread + 1),
            ns: row.ns * share,
            cycles: row.cycles.map(|cycles| cycles * share),
            ratio: None,
            amount: Some(Amount { value: 100.0 * share, unit: "% of the frame" }),
            published: None,
            ..row.clone()
        }
    };
    (0..2).map(of_thread).collect()
}

/// The data of up to two threads.
struct Workers<'a> {
    division: Division,
    animator: Animator<'a>,
    skinners: [CylinderSkinner; 2],
    /// Double-buffered: one set is written while the other is read.
    palettes: [RwLock<Vec<Palette>>; 2],
    frame: usize,
}

impl<'a> Workers<'a> {
    fn new(
        cylinders: &'a Cylinders,
        motion: Motion,
        skinning: Method,
        division: Division,
    ) -> Result<Self, Error> {
        let mut animator = cylinders.animator(motion);
        let mut palettes = cylinders.palettes();
        animator.animate(0, &mut palettes);
        Ok(Self {
            division,
            animator,
            skinners: [cylinders.skinner(skinning)?, cylinders.skinner(skinning)?],
            palettes: [RwLock::new(palettes.clone()), RwLock::new(palettes)],
            frame: 0,
        })
    }

    /// Runs some frames. Returns the time of all, and the waiting time of each thread.
    fn run(&mut self) -> (Duration, [Duration; 2]) {
        let start = Instant::now();
        let frames = self.frame..self.frame + FRAMES;
        self.frame = frames.end;
        let (animator, palettes) = (&mut self.animator, &self.palettes);
        let [first, second] = &mut self.skinners;
        let barrier = SpinBarrier::new(2);
        let waits = match self.division {
            Division::OneThread => {
                for frame in frames {
                    animate(animator, frame, &palettes[0]);
                    skin(first, &palettes[0], 0, CYLINDERS);
                }
                [Duration::ZERO; 2]
            }
            Division::Data => run_both(
                || {
                    let mut waited = Duration::ZERO;
                    for frame in frames.clone() {
                        animate(animator, frame, &palettes[0]);
                        waited += barrier.wait();
                        skin(first, &palettes[0], 0, CYLINDERS / 2);
                        waited += barrier.wait();
                    }
                    waited
                },
                || {
                    let mut waited = Duration::ZERO;
                    for _ in frames.clone() {
                        waited += barrier.wait();
                        skin(second, &palettes[0], CYLINDERS / 2, CYLINDERS);
                        waited += barrier.wait();
                    }
                    waited
                },
            ),
            Division::Tasks => run_both(
                || {
                    let mut waited = Duration::ZERO;
                    for frame in frames.clone() {
                        animate(animator, frame + 1, &palettes[(frame + 1) % 2]);
                        waited += barrier.wait();
                    }
                    waited
                },
                || {
                    let mut waited = Duration::ZERO;
                    for frame in frames.clone() {
                        skin(second, &palettes[frame % 2], 0, CYLINDERS);
                        waited += barrier.wait();
                    }
                    waited
                },
            ),
        };
        (start.elapsed(), waits)
    }
}

/// Runs both closures at once, the second on a new thread.
fn run_both(first: impl FnOnce() -> Duration, second: impl FnOnce() -> Duration + Send) -> [Duration; 2] {
    thread::scope(|scope| {
        let second = scope.spawn(second);
        let first = first();
        // A panic of the thread has been printed already.
        [first, second.join().unwrap_or_default()]
    })
}

fn animate(animator: &mut Animator<'_>, frame: usize, palettes: &RwLock<Vec<Palette>>) {
    animator.animate(frame, &mut palettes.write().unwrap_or_else(PoisonError::into_inner));
}

fn skin(skinner: &mut CylinderSkinner, palettes: &RwLock<Vec<Palette>>, from: usize, to: usize) {
    let palettes = palettes.read().unwrap_or_else(PoisonError::into_inner);
    for cylinder in from..to {
        skinner(cylinder, &palettes[cylinder]);
    }
}
