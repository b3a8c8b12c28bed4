//! A history of recent poses that can be sampled at any time.

use sinew_kernels::Factor;

use crate::model::ModelError;
use crate::skeleton::{Pose, Skeleton};

/// The most recent poses of an instance and their times. A server needs it for lag compensation: to
/// test a shot against the pose that the shooter saw.
///
/// All memory is allocated at the start. A full history replaces its oldest record. Times are
/// seconds from any origin, in `f64`, which stays precise over days.
///
/// A pose between two records is interpolated like a clip between key frames: rotations by
/// shortest-path slerp; translations, scales and morph weights linearly; on the kernels of the
/// output pose. At the time of a record it equals that record bit for bit. So in reproducible mode
/// a past time gives the same bits on every machine.
///
/// ```
/// use sinew::{Bone, Skeleton, Transform};
/// use sinew::model::History;
///
/// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// let root = skeleton.joint("root")?;
/// let mut history = History::new(&skeleton, 32);
/// let mut pose = skeleton.rest_pose();
/// let root = skeleton.joint("root")?;
/// for frame in 0..10 {
///     pose.set_translation(root, [frame as f32, 0.0, 0.0]);
///     history.record(f64::from(frame) / 60.0, &pose)?;
/// }
/// history.pose_at(4.5 / 60.0, &mut pose)?;
/// assert!((pose.translation(root)[0] - 4.5).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
///
/// To skin or query a past pose, write it into a second instance of the model, which can be reused:
/// `history.pose_at(seconds, past.pose_mut())`.
#[derive(Clone, Debug)]
pub struct History {
    /// A ring buffer. Its length is the capacity.
    records: Vec<Record>,
    /// The index of the oldest record.
    oldest: usize,
    len: usize,
}

#[derive(Clone, Debug)]
struct Record {
    seconds: f64,
    pose: Pose,
}

impl History {
    /// Allocates an empty history for poses of a skeleton. The capacity is at least one.
    #[must_use]
    pub fn new(skeleton: &Skeleton, capacity: usize) -> Self {
        let record = Record { seconds: 0.0, pose: skeleton.rest_pose() };
        Self { records: vec![record; capacity.max(1)], oldest: 0, len: 0 }
    }

    /// The maximum number of poses.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.records.len()
    }

    /// The number of recorded poses.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no pose is recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The times of the recorded poses, oldest first.
    pub fn times(&self) -> impl ExactSizeIterator<Item = f64> {
        (0..self.len).map(|record| self.record_at(record).seconds)
    }

    /// The time of the oldest pose; `None` if there is none.
    #[must_use]
    pub fn oldest(&self) -> Option<f64> {
        (self.len > 0).then(|| self.record_at(0).seconds)
    }

    /// The time of the newest pose; `None` if there is none.
    #[must_use]
    pub fn newest(&self) -> Option<f64> {
        (self.len > 0).then(|| self.record_at(self.len - 1).seconds)
    }

    /// Records a pose and its time. A full history replaces the oldest record.
    ///
    /// # Errors
    ///
    /// If the time is infinite, NaN or not after the newest one, or if the pose is of another
    /// skeleton. The history does not change then.
    pub fn record(&mut self, seconds: f64, pose: &Pose) -> Result<(), ModelError> {
        check_time(seconds)?;
        if let Some(newest) = self.newest().filter(|&newest| seconds <= newest) {
            return Err(ModelError::TimeNotAfter { before: newest, found: seconds });
        }
        let index = self.index_of(self.len);
        let record = &mut self.records[index];
        record.pose.copy_from(pose)?;
        record.seconds = seconds;
        if self.len == self.capacity() {
            self.oldest = self.index_of(1);
        } else {
            self.len += 1;
        }
        Ok(())
    }

    /// Writes the pose at a time, clamped to the oldest and the newest record.
    /// [`oldest`](Self::oldest) and [`newest`](Self::newest) tell whether it is clamped.
    ///
    /// # Errors
    ///
    /// If the time is infinite or NaN, no pose is recorded, or the pose is of another skeleton. The
    /// pose does not change then.
    pub fn pose_at(&self, seconds: f64, pose: &mut Pose) -> Result<(), ModelError> {
        check_time(seconds)?;
        let after = self.first_after(seconds);
        let Some(before) = after.checked_sub(1) else {
            // Before the oldest record, or nothing is recorded.
            return if self.is_empty() {
                Err(ModelError::NoRecord)
            } else {
                Ok(pose.copy_from(&self.record_at(0).pose)?)
            };
        };
        let from = self.record_at(before);
        if after == self.len || from.seconds == seconds {
            return Ok(pose.copy_from(&from.pose)?);
        }
        let to = self.record_at(after);
        // The difference of two finite times can overflow, so both are halved.
        let factor = (0.5 * seconds - 0.5 * from.seconds) / (0.5 * to.seconds - 0.5 * from.seconds);
        Ok(pose.slerp(&from.pose, &to.pose, Factor::All(factor as f32))?)
    }

    /// Removes all records after a time, for example to rewind a simulation. A record at exactly
    /// `seconds` is kept. NaN removes nothing.
    pub fn forget_after(&mut self, seconds: f64) {
        if !seconds.is_nan() {
            self.len = self.first_after(seconds);
        }
    }

    /// Removes all records and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The first record after a time, counted from the oldest.
    fn first_after(&self, seconds: f64) -> usize {
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

    /// A record, counted from the oldest.
    fn record_at(&self, record: usize) -> &Record {
        &self.records[self.index_of(record)]
    }

    fn index_of(&self, record: usize) -> usize {
        (self.oldest + record) % self.capacity()
    }
}

fn check_time(seconds: f64) -> Result<(), ModelError> {
    if seconds.is_finite() { Ok(()) } else { Err(ModelError::BadTime { found: seconds }) }
}
