//! The last poses of something that moves, and any time between them.

use sinew_kernels::Factor;

use crate::{Error, Pose, Skeleton};

/// The last poses of an instance with their times: what a server needs to judge a shot where its shooter saw the target.
///
/// All memory is taken at the start. When all of it is used, a new record takes the place of the oldest. Seconds are counted
/// from anywhere, in `f64`, so that days of them stay exact enough.
///
/// A pose between two records is found as a clip finds one between keys: rotations along the arc the shortest way,
/// translations, scales and morph weights along the line, on the kernels of the pose that is written. At the time of a record
/// it is that record to the bit. So in reproducible mode a past time gives the same bits on every machine.
///
/// ```
/// use sinew::{Bone, History, Skeleton, Transform};
///
/// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// let mut history = History::new(&skeleton, 32);
/// let mut pose = skeleton.rest_pose();
/// for frame in 0..10 {
///     pose.joints_mut()[0].translation = [frame as f32, 0.0, 0.0];
///     history.record(f64::from(frame) / 60.0, &pose)?;
/// }
/// history.at(4.5 / 60.0, &mut pose)?;
/// assert!((pose.joints()[0].translation[0] - 4.5).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
///
/// To do with a past pose what an instance does with its present one, put it into another instance of the model, which is
/// made once and serves for all: `history.at(seconds, past.pose_mut())`.
#[derive(Clone, Debug)]
pub struct History {
    /// As many as there may be records, each memory of the skeleton's size.
    records: Vec<Record>,
    /// The place of the oldest.
    oldest: usize,
    len: usize,
}

#[derive(Clone, Debug)]
struct Record {
    seconds: f64,
    pose: Pose,
}

impl History {
    /// Memory for so many poses of a skeleton, at least one, without any as yet.
    #[must_use]
    pub fn new(skeleton: &Skeleton, capacity: usize) -> Self {
        let record = Record { seconds: 0.0, pose: skeleton.rest_pose() };
        Self { records: vec![record; capacity.max(1)], oldest: 0, len: 0 }
    }

    /// How many poses it keeps at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.records.len()
    }

    /// How many poses it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no pose.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The times of its poses, the oldest first.
    pub fn times(&self) -> impl ExactSizeIterator<Item = f64> {
        (0..self.len).map(|record| self.record_at(record).seconds)
    }

    /// The time of the oldest pose; `None` where there is none.
    #[must_use]
    pub fn oldest(&self) -> Option<f64> {
        (self.len > 0).then(|| self.record_at(0).seconds)
    }

    /// The time of the newest pose; `None` where there is none.
    #[must_use]
    pub fn newest(&self) -> Option<f64> {
        (self.len > 0).then(|| self.record_at(self.len - 1).seconds)
    }

    /// Keeps a pose and its time, in the place of the oldest where there is no other.
    ///
    /// # Errors
    ///
    /// When the time is infinite, not a number or not after the newest, or the pose is of another skeleton. Nothing is
    /// changed then.
    pub fn record(&mut self, seconds: f64, pose: &Pose) -> Result<(), Error> {
        check_time(seconds)?;
        if let Some(newest) = self.newest().filter(|&newest| seconds <= newest) {
            return Err(Error::TimeNotAfter { before: newest, found: seconds });
        }
        let place = self.place(self.len);
        let record = &mut self.records[place];
        record.pose.copy_from(pose)?;
        record.seconds = seconds;
        if self.len == self.capacity() {
            self.oldest = self.place(1);
        } else {
            self.len += 1;
        }
        Ok(())
    }

    /// The pose at a time. Before the oldest it is the oldest, and after the newest the newest, as clips hold their first
    /// and last keys; [`oldest`](Self::oldest) and [`newest`](Self::newest) tell whether that is so.
    ///
    /// # Errors
    ///
    /// When the time is infinite or not a number, nothing was recorded, or the pose is of another skeleton. The pose stays
    /// as it was then.
    pub fn at(&self, seconds: f64, pose: &mut Pose) -> Result<(), Error> {
        check_time(seconds)?;
        let after = self.after(seconds);
        let Some(before) = after.checked_sub(1) else {
            // Older than all, or there is nothing.
            return if self.is_empty() {
                Err(Error::NoRecord)
            } else {
                pose.copy_from(&self.record_at(0).pose)
            };
        };
        let from = self.record_at(before);
        if after == self.len || from.seconds == seconds {
            return pose.copy_from(&from.pose);
        }
        let to = self.record_at(after);
        // Halves, since two finite times may be further apart than the largest number.
        let passed = (0.5 * seconds - 0.5 * from.seconds) / (0.5 * to.seconds - 0.5 * from.seconds);
        pose.slerp(&from.pose, &to.pose, Factor::All(passed as f32))
    }

    /// Forgets what was recorded after a time, so that another future can follow it: `seconds` itself is kept. A time that is
    /// not a number forgets nothing.
    pub fn forget_after(&mut self, seconds: f64) {
        if !seconds.is_nan() {
            self.len = self.after(seconds);
        }
    }

    /// Forgets all, and keeps its memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The first record after a time, counted from the oldest.
    fn after(&self, seconds: f64) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.record_at(middle).seconds <= seconds {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Counted from the oldest.
    fn record_at(&self, record: usize) -> &Record {
        &self.records[self.place(record)]
    }

    fn place(&self, record: usize) -> usize {
        (self.oldest + record) % self.capacity()
    }
}

fn check_time(seconds: f64) -> Result<(), Error> {
    if seconds.is_finite() { Ok(()) } else { Err(Error::BadTime { found: seconds }) }
}
