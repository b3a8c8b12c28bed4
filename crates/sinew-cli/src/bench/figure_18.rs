//! Figures 18 to 20: one thread, two that share the vertices, and two of which one animates the next frame while the other
//! skins this one; and how much of each frame every thread waits.

use std::cell::RefCell;
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use sinew::{Palette, backend};
use sinew_figures::Motion;
use sinew_figures::methods::Method;

use super::contest::{Contest, Context, median};
use super::cylinders::{Animator, CYLINDERS, Cylinders, Skinner};
use super::figure_15::told;
use super::meeting::Meeting;
use super::plan::Job;
use super::row::{Amount, Row};
use crate::Failure;

pub(super) const TABLE: &str = "figure-18";
pub(super) const WAITS: &str = "figure-19";

/// In each run, so that starting a thread does not count.
const FRAMES: usize = 8;

/// As `@cylinder` has them.
const WEIGHTS: usize = 4;

/// Frames per second of the paper: on one thread, and with the next frame's animation on another.
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

/// How the work is divided.
#[derive(Clone, Copy, PartialEq)]
enum Division {
    OneThread,
    /// The first animates while the second waits; then each skins half of the cylinders.
    Data,
    /// The first animates the next frame while the second skins this one.
    Tasks,
}

/// A race for each motion.
pub(super) fn jobs() -> Vec<Job> {
    let job = |paper: &'static Paper| Job {
        tables: &[TABLE, WAITS],
        routines: paper.routines,
        run: Box::new(move |context: &Context| measure(paper, context)),
    };
    PAPER.iter().map(job).collect()
}

/// What each run of a contender told of its threads: how long all frames took, and how long each waited.
type Told = RefCell<Vec<(Duration, [Duration; 2])>>;

fn measure(paper: &Paper, context: &Context) -> Result<Vec<Row>, Failure> {
    let cylinders = Cylinders::new(WEIGHTS)?;
    let best = Method::Blocks(backend::fastest());
    let skinnings = if cfg!(target_arch = "x86_64") { vec![Method::Friendly, best] } else { vec![best] };
    let divisions = [Division::OneThread, Division::Data, Division::Tasks];
    let waits: Vec<Told> = (0..skinnings.len() * divisions.len()).map(|_| Told::default()).collect();
    let mut contest = Contest::default();
    let pairs = skinnings.iter().flat_map(|&skinning| divisions.map(|division| (skinning, division)));
    for ((skinning, division), waits) in pairs.zip(&waits) {
        let row = Row {
            elements: cylinders.vertices(),
            weights: Some(WEIGHTS),
            published: paper.published(skinning, division),
            ..Row::new(TABLE, paper.routines[0], division.method(skinning), Some(skinning.isa()))
        };
        let mut team = Team::new(&cylinders, paper.motion, skinning, division)?;
        contest.add_many(row, FRAMES, move || waits.borrow_mut().push(team.run()));
    }
    let frames = told(contest.run(context));
    let of_threads: Vec<Row> =
        frames.iter().zip(&waits).flat_map(|(row, told)| waiting(row, &told.borrow())).collect();
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

/// A row for each of two threads: what it waits of the time of a vertex.
fn waiting(row: &Row, told: &[(Duration, [Duration; 2])]) -> Vec<Row> {
    if !row.method.ends_with("-data") && !row.method.ends_with("-tasks") {
        return Vec::new();
    }
    let of_thread = |thread: usize| {
        let shares = told.iter().map(|(all, waits)| waits[thread].as_secs_f64() / all.as_secs_f64());
        let share = median(shares.collect());
        Row {
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

/// Two threads at most, with all that they need.
struct Team<'a> {
    division: Division,
    animator: Animator<'a>,
    skinners: [Skinner; 2],
    /// Two sets: one is written while the other is read.
    palettes: [RwLock<Vec<Palette>>; 2],
    frame: usize,
}

impl<'a> Team<'a> {
    fn new(
        cylinders: &'a Cylinders,
        motion: Motion,
        skinning: Method,
        division: Division,
    ) -> Result<Self, Failure> {
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

    /// Some frames; gives the time of all, and how long each thread waited.
    fn run(&mut self) -> (Duration, [Duration; 2]) {
        let start = Instant::now();
        let frames = self.frame..self.frame + FRAMES;
        self.frame = frames.end;
        let (animator, palettes) = (&mut self.animator, &self.palettes);
        let [first, second] = &mut self.skinners;
        let meeting = Meeting::new(2);
        let waits = match self.division {
            Division::OneThread => {
                for frame in frames {
                    animate(animator, frame, &palettes[0]);
                    skin(first, &palettes[0], 0, CYLINDERS);
                }
                [Duration::ZERO; 2]
            }
            Division::Data => beside(
                || {
                    let mut waited = Duration::ZERO;
                    for frame in frames.clone() {
                        animate(animator, frame, &palettes[0]);
                        waited += meeting.wait();
                        skin(first, &palettes[0], 0, CYLINDERS / 2);
                        waited += meeting.wait();
                    }
                    waited
                },
                || {
                    let mut waited = Duration::ZERO;
                    for _ in frames.clone() {
                        waited += meeting.wait();
                        skin(second, &palettes[0], CYLINDERS / 2, CYLINDERS);
                        waited += meeting.wait();
                    }
                    waited
                },
            ),
            Division::Tasks => beside(
                || {
                    let mut waited = Duration::ZERO;
                    for frame in frames.clone() {
                        animate(animator, frame + 1, &palettes[(frame + 1) % 2]);
                        waited += meeting.wait();
                    }
                    waited
                },
                || {
                    let mut waited = Duration::ZERO;
                    for frame in frames.clone() {
                        skin(second, &palettes[frame % 2], 0, CYLINDERS);
                        waited += meeting.wait();
                    }
                    waited
                },
            ),
        };
        (start.elapsed(), waits)
    }
}

/// Runs both at once, the second on a thread of its own.
fn beside(first: impl FnOnce() -> Duration, second: impl FnOnce() -> Duration + Send) -> [Duration; 2] {
    thread::scope(|scope| {
        let second = scope.spawn(second);
        let first = first();
        // A thread that panicked has said so.
        [first, second.join().unwrap_or_default()]
    })
}

fn animate(animator: &mut Animator<'_>, frame: usize, palettes: &RwLock<Vec<Palette>>) {
    animator.animate(frame, &mut palettes.write().unwrap_or_else(PoisonError::into_inner));
}

fn skin(skinner: &mut Skinner, palettes: &RwLock<Vec<Palette>>, from: usize, to: usize) {
    let palettes = palettes.read().unwrap_or_else(PoisonError::into_inner);
    for cylinder in from..to {
        skinner(cylinder, &palettes[cylinder]);
    }
}
