//! The tracks of one channel of all joints, by how they are stored.

use sinew_kernels::{BLOCK, KeyTarget};

use super::build::PendingTrack;
use super::data::Channel;
use super::joint_value::JointValue;
use super::keyed_tracks::KeyedTracks;
use super::row_tracks::{OwnKeys, RowTracks, find_block, key_targets};

/// The tracks of one channel: rotations, translations or scales.
#[derive(Clone, Debug)]
pub(super) struct Curves<T: JointValue> {
    /// Linear tracks on the clip's common timeline.
    pub(super) rows: RowTracks<T>,
    /// Linear tracks with times of their own.
    pub(super) keyed: KeyedTracks<T>,
    /// Tracks that never change. Rows contain them too, so that blocks are written whole, but
    /// interpolating equal rotations would round them.
    constants: Vec<(KeyTarget, T::KeyBlock)>,
    /// Step and cubic tracks, and linear ones that are not fit for kernels: rotations that are not
    /// of unit length, and huge numbers.
    pub(super) others: Channel<T>,
    /// All tracks, sorted by joint.
    pub(super) tracks: Vec<CurveTrack<T>>,
}

/// Where a joint's track is.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveTrack<T> {
    pub(super) joint: u32,
    pub(super) place: TrackPlace<T>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum TrackPlace<T> {
    /// The block of the rows; the lane is the joint's.
    Rows { block: u32, own: OwnKeys },
    /// The number of the keyed track.
    Keyed(u32),
    /// A value that never changes, and the times of the first and the last key.
    Constant { value: T, start: f32, end: f32 },
    /// The group of the other tracks.
    Other(u32),
}

impl<T: JointValue> Curves<T> {
    /// Blocks of tracks that never change, sorted by joint. Those that `rows` contains are left out
    /// if interpolation keeps their bits.
    pub(super) fn constant_blocks(
        constants: &[PendingTrack<'_, T>],
        rows: &RowTracks<T>,
    ) -> Vec<(KeyTarget, T::KeyBlock)> {
        let is_apart =
            |track: &&PendingTrack<'_, T>| T::HAS_ANGLES || find_block(&rows.targets, track.target).is_none();
        let apart = || constants.iter().filter(is_apart);
        let targets = key_targets(apart().map(|track| track.target));
        let mut blocks: Vec<_> = targets.into_iter().map(|target| (target, T::KeyBlock::default())).collect();
        for track in apart() {
            let block = (track.target / BLOCK) as u32;
            if let Ok(i) = blocks.binary_search_by_key(&block, |(target, _)| target.block) {
                T::set_key(&mut blocks[i].1, track.target % BLOCK, track.values[0]);
            }
        }
        blocks
    }

    pub(super) fn new(
        rows: RowTracks<T>,
        keyed: KeyedTracks<T>,
        constants: Vec<(KeyTarget, T::KeyBlock)>,
        others: Channel<T>,
        mut tracks: Vec<CurveTrack<T>>,
    ) -> Self {
        tracks.sort_unstable_by_key(|track| track.joint);
        tracks.shrink_to_fit();
        Self { rows, keyed, constants, others, tracks }
    }

    /// Writes the tracks that never change.
    pub(super) fn copy_constants(&self, to: &mut [T::PoseBlock]) {
        for (target, keys) in &self.constants {
            if let Some(to) = to.get_mut(target.block as usize) {
                T::copy(keys, target, to);
            }
        }
    }

    pub(super) fn find(&self, joint: usize) -> Option<&CurveTrack<T>> {
        let joint = u32::try_from(joint).ok()?;
        self.tracks.binary_search_by_key(&joint, |track| track.joint).ok().map(|found| &self.tracks[found])
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.keyed.bytes()
            + size_of_val(&*self.constants)
            + self.others.bytes()
            + size_of_val(&*self.tracks)
    }
}
