//! Poses, skins and encodes the frames of a clip on several threads, and delivers them in order.
//!
//! Workers take batches of frames in turn. Each worker has two batches: it fills one while the
//! other is being written. So memory does not grow with the number of frames, and the bytes do
//! not depend on the number of threads.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, scope};

use sinew_io::{BakedModel, Error};

use super::encoding::Encoding;
use super::poser::Poser;
use crate::frame_times::FrameTimes;

/// Batches of each worker: one being filled, one being written.
const BATCHES_PER_WORKER: usize = 2;
/// The approximate size of a batch. Passing a batch to another thread costs far less than filling
/// this many bytes.
const BATCH_BYTES: usize = 1 << 20;
/// The most frames of a batch, so that small frames are distributed to all workers too.
const MAX_BATCH_FRAMES: usize = 64;
/// The most bytes of all batches together. Fewer workers run when frames are large.
const MAX_BYTES: usize = 512 << 20;

/// The frames to encode, their encodings, and the number of threads.
pub(super) struct FrameJob<'a> {
    pub(super) frame_times: &'a FrameTimes,
    /// All frames are encoded once for each of these.
    pub(super) encodings: &'a [Encoding],
    pub(super) threads: usize,
}

impl FrameJob<'_> {
    fn frames(&self) -> usize {
        self.frame_times.frames * self.encodings.len()
    }

    /// The frames of a batch, and the number of workers.
    fn division(&self, baked: &BakedModel) -> (usize, usize) {
        let bytes =
            self.encodings.iter().map(|encoding| encoding.estimated_bytes(baked)).max().unwrap_or(0).max(1);
        let batch = (BATCH_BYTES / bytes).clamp(1, MAX_BATCH_FRAMES);
        let max_workers = MAX_BYTES / BATCHES_PER_WORKER / bytes.max(BATCH_BYTES);
        let threads = self.threads.min(self.frames().div_ceil(batch)).min(max_workers);
        // A single worker would be no faster than the calling thread.
        (batch, if self.threads > 1 && self.frames() > batch { threads } else { 0 })
    }

    /// Writes the bytes of one frame. Returns the largest displacement of a vertex by the limit on
    /// influences.
    fn encode(&self, frame: usize, encoder: &mut FrameEncoder, to: impl Write) -> Result<f32, Error> {
        let encoding = &self.encodings[frame / self.frame_times.frames];
        let seconds = self.frame_times.seconds(frame % self.frame_times.frames);
        let displacement = encoder.poser.pose(seconds, encoding.attributes(), &mut encoder.baked)?;
        encoding.write(&encoder.baked, to)?;
        Ok(displacement)
    }
}

/// What one thread needs to encode frames.
struct FrameEncoder {
    poser: Poser,
    baked: BakedModel,
}

/// The encoded frames in order: all frames in the first encoding, then all in the next.
pub(super) struct EncodedFrames<'a> {
    job: &'a FrameJob<'a>,
    /// The frames of a batch.
    batch: usize,
    workers: Vec<Worker>,
    /// Encodes on the calling thread when there are no workers.
    own_encoder: FrameEncoder,
    /// The batch that is being written.
    current: Batch,
    next: usize,
    sent: usize,
    /// The largest displacement of a vertex so far.
    displacement: f32,
}

/// The channels to and from a thread that encodes frames.
struct Worker {
    empty: Sender<Batch>,
    full: Receiver<Batch>,
}

/// The bytes of consecutive frames.
#[derive(Default)]
struct Batch {
    first: usize,
    len: usize,
    bytes: Vec<u8>,
    /// The end of each frame in `bytes`.
    ends: Vec<usize>,
    /// Why the batch has fewer frames than requested.
    error: Option<Error>,
    displacement: f32,
}

impl Batch {
    fn fill(&mut self, job: &FrameJob<'_>, encoder: &mut FrameEncoder) {
        self.bytes.clear();
        self.ends.clear();
        self.displacement = 0.0;
        for frame in self.first..self.first + self.len {
            match job.encode(frame, encoder, &mut self.bytes) {
                Ok(displacement) => self.displacement = self.displacement.max(displacement),
                Err(error) => return self.error = Some(error),
            }
            self.ends.push(self.bytes.len());
        }
    }

    /// The bytes of a frame; `None` when it was not encoded.
    fn frame(&self, frame: usize) -> Option<&[u8]> {
        let index = frame - self.first;
        let start = if index == 0 { 0 } else { *self.ends.get(index - 1)? };
        self.bytes.get(start..*self.ends.get(index)?)
    }
}

/// Calls `write` with the frames, which `job.threads` threads encode, or fewer if the system cannot
/// start that many. Returns the largest displacement of a vertex by the limit on influences.
pub(super) fn encode_frames(
    job: &FrameJob<'_>,
    baked: &BakedModel,
    poser: impl Fn() -> Poser,
    write: impl FnOnce(&mut EncodedFrames<'_>) -> Result<(), Error>,
) -> Result<f32, Error> {
    let (batch, threads) = job.division(baked);
    let encoder = || FrameEncoder { poser: poser(), baked: baked.clone() };
    scope(|scope| {
        let workers: Vec<Worker> = (0..threads).map_while(|_| start_worker(scope, job, encoder())).collect();
        let (own_encoder, current) = (encoder(), Batch::default());
        let mut frames =
            EncodedFrames { job, batch, workers, own_encoder, current, next: 0, sent: 0, displacement: 0.0 };
        write(&mut frames)?;
        Ok(frames.displacement)
    })
}

/// Starts a worker; `None` when the system cannot. It ends when its channels are dropped.
fn start_worker<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    job: &'env FrameJob<'env>,
    mut encoder: FrameEncoder,
) -> Option<Worker> {
    let (empty, to_fill) = channel::<Batch>();
    let (filled, full) = channel();
    let work = move || {
        for mut batch in to_fill {
            batch.fill(job, &mut encoder);
            if filled.send(batch).is_err() {
                break;
            }
        }
    };
    // A panic closes the channels, which `EncodedFrames` reports as an error.
    let work = move || {
        let _ = catch_unwind(AssertUnwindSafe(work));
    };
    Builder::new().name("pose".to_owned()).spawn_scoped(scope, work).ok()?;
    Some(Worker { empty, full })
}

impl EncodedFrames<'_> {
    /// Writes the bytes of the next frame.
    pub(super) fn next(&mut self, mut to: impl Write) -> Result<(), Error> {
        let frame = self.next;
        self.next += 1;
        if self.workers.is_empty() {
            let displacement = self.job.encode(frame, &mut self.own_encoder, to)?;
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
            None => Err(self.current.error.take().unwrap_or_else(worker_ended)),
        }
    }

    /// Receives the next filled batch, and sends the previous one back to be filled again.
    fn receive(&mut self, batch: usize) -> Result<(), Error> {
        let previous = std::mem::take(&mut self.current);
        if batch == 0 {
            for _ in 0..BATCHES_PER_WORKER * self.workers.len() {
                self.send(Batch::default())?;
            }
        } else {
            self.send(previous)?;
        }
        let worker = &self.workers[batch % self.workers.len()];
        self.current = worker.full.recv().map_err(|_| worker_ended())?;
        self.displacement = self.displacement.max(self.current.displacement);
        Ok(())
    }

    /// Sends the next frames, if any are left, to the worker whose turn it is.
    fn send(&mut self, batch: Batch) -> Result<(), Error> {
        let len = self.batch.min(self.job.frames() - self.sent);
        if len == 0 {
            return Ok(());
        }
        let worker = &self.workers[self.sent / self.batch % self.workers.len()];
        let batch = Batch { first: self.sent, len, ..batch };
        self.sent += len;
        worker.empty.send(batch).map_err(|_| worker_ended())
    }
}

fn worker_ended() -> Error {
    Error::Io { file: PathBuf::new(), source: io::Error::other("a worker thread ended early") }
}
