//! Frames one after another, posed, skinned and made bytes of by several threads.
//!
//! Threads take batches of frames in turn. Each has two batches of bytes: one that it fills and one that is being
//! written. So memory does not grow with the frames, and what is written does not depend on the number of threads.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, scope};

use sinew_io::{Baked, Error};

use super::encoding::Encoding;
use super::plan::Plan;
use super::pose::Poser;

/// Batches under way for each thread.
const UNDER_WAY: usize = 2;
/// About as many bytes make a batch: handing one over costs far less than making it.
const BATCH: usize = 1 << 20;
/// Frames of a batch at the most, so that small ones are divided among all threads too.
const MOST_FRAMES: usize = 64;
/// Bytes that may be under way in all, however large a frame is.
const MOST_BYTES: usize = 512 << 20;

/// Which frames, what becomes of them, and who does it.
pub(super) struct Work<'a> {
    pub(super) plan: &'a Plan,
    /// All frames are asked for once for each.
    pub(super) encodings: &'a [Encoding],
    pub(super) threads: usize,
}

impl Work<'_> {
    fn frames(&self) -> usize {
        self.plan.frames * self.encodings.len()
    }

    /// Frames of a batch, and threads beside this one.
    fn division(&self, baked: &Baked) -> (usize, usize) {
        let bytes = self.encodings.iter().map(|encoding| encoding.bytes(baked)).max().unwrap_or(0).max(1);
        let batch = (BATCH / bytes).clamp(1, MOST_FRAMES);
        let room = MOST_BYTES / UNDER_WAY / bytes.max(BATCH);
        let threads = self.threads.min(self.frames().div_ceil(batch)).min(room);
        // One thread alone is as well this one.
        (batch, if self.threads > 1 && self.frames() > batch { threads } else { 0 })
    }

    /// Writes the bytes of one frame, and gives how far fewer influences have displaced a vertex.
    fn make(&self, frame: usize, maker: &mut Maker, to: impl Write) -> Result<f32, Error> {
        let encoding = &self.encodings[frame / self.plan.frames];
        let seconds = self.plan.seconds(frame % self.plan.frames);
        let displacement = maker.poser.pose(seconds, encoding.attributes(), &mut maker.baked)?;
        encoding.write(&maker.baked, to)?;
        Ok(displacement)
    }
}

/// Who makes frames, with memory of its own.
struct Maker {
    poser: Poser,
    baked: Baked,
}

/// Hands out the frames of all encodings in order.
pub(super) struct Frames<'a> {
    work: &'a Work<'a>,
    /// Frames of a batch.
    batch: usize,
    lanes: Vec<Lane>,
    /// Makes frames on this thread, where there is no other.
    own: Maker,
    /// The batch that is being handed out.
    current: Batch,
    next: usize,
    sent: usize,
    /// How far fewer influences have displaced a vertex so far, at the most.
    displacement: f32,
}

/// A thread that makes frames.
struct Lane {
    jobs: Sender<Batch>,
    done: Receiver<Batch>,
}

/// Some frames in a row.
#[derive(Default)]
struct Batch {
    first: usize,
    len: usize,
    bytes: Vec<u8>,
    /// Where each frame ends.
    ends: Vec<usize>,
    /// Why there are no more, where there are fewer than asked for.
    fault: Option<Error>,
    displacement: f32,
}

impl Batch {
    fn fill(&mut self, work: &Work<'_>, maker: &mut Maker) {
        self.bytes.clear();
        self.ends.clear();
        self.displacement = 0.0;
        for frame in self.first..self.first + self.len {
            match work.make(frame, maker, &mut self.bytes) {
                Ok(displacement) => self.displacement = self.displacement.max(displacement),
                Err(fault) => return self.fault = Some(fault),
            }
            self.ends.push(self.bytes.len());
        }
    }

    /// The bytes of a frame; `None` where there are none.
    fn frame(&self, frame: usize) -> Option<&[u8]> {
        let index = frame - self.first;
        let start = if index == 0 { 0 } else { *self.ends.get(index - 1)? };
        self.bytes.get(start..*self.ends.get(index)?)
    }
}

/// Gives `write` the frames, made by as many threads as are asked for and the system allows; gives back how far fewer
/// influences have displaced a vertex.
pub(super) fn with(
    work: &Work<'_>,
    baked: &Baked,
    poser: impl Fn() -> Poser,
    write: impl FnOnce(&mut Frames<'_>) -> Result<(), Error>,
) -> Result<f32, Error> {
    let (batch, threads) = work.division(baked);
    let maker = || Maker { poser: poser(), baked: baked.clone() };
    scope(|scope| {
        let lanes: Vec<Lane> = (0..threads).map_while(|_| start(scope, work, maker())).collect();
        let (own, current) = (maker(), Batch::default());
        let mut frames = Frames { work, batch, lanes, own, current, next: 0, sent: 0, displacement: 0.0 };
        write(&mut frames)?;
        Ok(frames.displacement)
    })
}

/// Starts a thread, if the system has one. It ends when nobody has a job for it.
fn start<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    work: &'env Work<'env>,
    mut maker: Maker,
) -> Option<Lane> {
    let (jobs, to_do) = channel::<Batch>();
    let (finished, done) = channel();
    let work = move || {
        for mut batch in to_do {
            batch.fill(work, &mut maker);
            if finished.send(batch).is_err() {
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
    /// Writes the bytes of the next frame.
    pub(super) fn next(&mut self, mut to: impl Write) -> Result<(), Error> {
        let frame = self.next;
        self.next += 1;
        if self.lanes.is_empty() {
            let displacement = self.work.make(frame, &mut self.own, to)?;
            self.displacement = self.displacement.max(displacement);
            return Ok(());
        }
        if frame.is_multiple_of(self.batch) {
            self.receive(frame / self.batch)?;
        }
        match self.current.frame(frame) {
            Some(bytes) => {
                to.write_all(bytes).map_err(|source| Error::Write { file: PathBuf::new(), source })
            }
            None => Err(self.current.fault.take().unwrap_or_else(lost)),
        }
    }

    /// Takes the next batch, and sends the one before back to be filled again.
    fn receive(&mut self, batch: usize) -> Result<(), Error> {
        let used = std::mem::take(&mut self.current);
        if batch == 0 {
            for _ in 0..UNDER_WAY * self.lanes.len() {
                self.send(Batch::default())?;
            }
        } else {
            self.send(used)?;
        }
        let lane = &self.lanes[batch % self.lanes.len()];
        self.current = lane.done.recv().map_err(|_| lost())?;
        self.displacement = self.displacement.max(self.current.displacement);
        Ok(())
    }

    /// Sends the next frames, if there are any, to the thread whose turn it is.
    fn send(&mut self, batch: Batch) -> Result<(), Error> {
        let len = self.batch.min(self.work.frames() - self.sent);
        if len == 0 {
            return Ok(());
        }
        let lane = &self.lanes[self.sent / self.batch % self.lanes.len()];
        let batch = Batch { first: self.sent, len, ..batch };
        self.sent += len;
        lane.jobs.send(batch).map_err(|_| lost())
    }
}

fn lost() -> Error {
    Error::Io {
        file: PathBuf::new(),
        source: io::Error::other("a thread has ended before its work was done"),
    }
}
