//! Frames one after another, posed and skinned by several threads.
//!
//! Each thread has every so many-th frame, and two sets of vertices: one that it fills and one that is being written. So
//! memory does not grow with the frames, and what is written does not depend on the number of threads.

use std::io;
use std::mem::swap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, scope};

use sinew_io::{Baked, Error};

use super::plan::Plan;
use super::pose::Poser;

/// Frames under way for each thread.
const UNDER_WAY: usize = 2;

/// Hands out the frames of a plan in order, once or more often.
pub(super) struct Frames<'a> {
    plan: &'a Plan,
    lanes: Vec<Lane>,
    /// Poses on this thread, where there is no other.
    own: Poser,
    next: usize,
    sent: usize,
    total: usize,
    /// How far fewer influences have displaced a vertex so far, at the most.
    pub(super) displacement: f32,
}

/// Which frames, how often, and who poses them.
pub(super) struct Work<'a> {
    pub(super) plan: &'a Plan,
    /// How often all frames are asked for.
    pub(super) passes: usize,
    pub(super) threads: usize,
}

/// A thread that poses.
struct Lane {
    jobs: Sender<Job>,
    done: Receiver<(Baked, Result<f32, Error>)>,
}

struct Job {
    seconds: f64,
    baked: Baked,
}

/// Gives `write` the frames, posed by as many threads as are asked for and the system allows; gives back how far fewer
/// influences have displaced a vertex.
pub(super) fn with(
    work: &Work<'_>,
    poser: impl Fn() -> Poser,
    write: impl FnOnce(&mut Frames<'_>) -> Result<(), Error>,
) -> Result<f32, Error> {
    let Work { plan, passes, threads } = *work;
    let total = plan.frames * passes;
    // One thread alone is as well this one.
    let lanes = if threads.min(total) > 1 { threads.min(total) } else { 0 };
    scope(|scope| {
        let lanes: Vec<Lane> = (0..lanes).map_while(|_| start(scope, poser())).collect();
        let mut frames = Frames { plan, lanes, own: poser(), next: 0, sent: 0, total, displacement: 0.0 };
        write(&mut frames)?;
        Ok(frames.displacement)
    })
}

/// Starts a thread, if the system has one. It ends when nobody has a job for it.
fn start<'scope>(scope: &'scope Scope<'scope, '_>, mut poser: Poser) -> Option<Lane> {
    let (jobs, to_do) = channel::<Job>();
    let (finished, done) = channel();
    let work = move || {
        for Job { seconds, mut baked } in to_do {
            let posed = poser.pose(seconds, &mut baked);
            if finished.send((baked, posed)).is_err() {
                break;
            }
        }
    };
    // Whoever waits for a thread that panicked sees its channel closed.
    let work = move || {
        let _ = catch_unwind(AssertUnwindSafe(work));
    };
    Builder::new().name("pose".to_owned()).spawn_scoped(scope, work).ok()?;
    Some(Lane { jobs, done })
}

impl Frames<'_> {
    /// Takes the vertices of the next frame.
    pub(super) fn next(&mut self, baked: &mut Baked) -> Result<(), Error> {
        let frame = self.next;
        self.next += 1;
        if self.lanes.is_empty() {
            let displacement = self.own.pose(self.plan.seconds(frame % self.plan.frames), baked)?;
            self.displacement = self.displacement.max(displacement);
            return Ok(());
        }
        if frame == 0 {
            for _ in 0..(UNDER_WAY * self.lanes.len()).min(self.total) {
                self.send(baked.clone())?;
            }
        }
        let lane = &self.lanes[frame % self.lanes.len()];
        let (mut made, posed) = lane.done.recv().map_err(|_| lost())?;
        swap(baked, &mut made);
        self.displacement = self.displacement.max(posed?);
        if self.sent < self.total { self.send(made) } else { Ok(()) }
    }

    /// Sends the next frame to the thread whose turn it is.
    fn send(&mut self, baked: Baked) -> Result<(), Error> {
        let lane = &self.lanes[self.sent % self.lanes.len()];
        let seconds = self.plan.seconds(self.sent % self.plan.frames);
        self.sent += 1;
        lane.jobs.send(Job { seconds, baked }).map_err(|_| lost())
    }
}

fn lost() -> Error {
    Error::Io {
        file: PathBuf::new(),
        source: io::Error::other("a thread has ended before its work was done"),
    }
}
