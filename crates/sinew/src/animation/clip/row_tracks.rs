//! Linear tracks on one common list of key times: a row of values for each time.
//!
//! Sampling interpolates between two rows, eight tracks at a time, and needs no search per track. A
//! track that lacks a key at a common time gets one there, on the arc between its neighbors, so its
//! curve does not change. Where too few joints of the blocks of eight move, only those that do are
//! stored: packed, or one by one where they are nearly alone and need no kernel, since most clips
//! translate few joints.

use std::iter::repeat_n;
use std::ops::Range;

use sinew_kernels::{BLOCK, Kernels, KeyFactor, KeyTarget};

use super::build::PendingTrack;
use super::common_times::CommonTimes;
use super::curves::TrackPlace;
use super::joint_value::JointValue;
use super::packed_rows::PackedRows;
use super::single_rows::SingleRows;
use super::timeline::KeySpan;

/// The linear tracks of one channel that share a list of key times.
#[derive(Clone, Debug)]
pub(super) struct RowTracks<T: JointValue> {
    /// Blocks of tracks that are stored with all lanes.
    targets: Box<[KeyTarget]>,
    /// For each time, a block for each target.
    keys: Box<[T::KeyBlock]>,
    /// Tracks of blocks whose free lanes are not stored, if there are any.
    packed: Option<Box<PackedRows<T>>>,
    /// Tracks that are stored one by one, if there are any.
    pub(super) singles: Option<Box<SingleRows<T>>>,
    /// One bit per time for each track that lacks keys: whether a key is one of its own.
    own_keys: Box<[u64]>,
}

/// Which keys of a row are a track's own: the first of their words in `own_keys`, or `ALL`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OwnKeys(u32);

impl OwnKeys {
    const ALL: Self = Self(u32::MAX);

    /// The word with the bit of a row.
    fn word(self, row: usize) -> usize {
        self.0 as usize + row / 64
    }
}

/// How the tracks of a block of eight joints are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
enum BlockForm {
    /// All lanes.
    Full,
    /// Only lanes that move.
    Packed,
    /// One by one.
    Single,
}

/// So many tracks of a block, or fewer, are stored one by one.
const MAX_SINGLES: usize = 2;

/// Whether so many tracks of a block are stored one by one. Only tracks that are interpolated
/// without a kernel are.
pub(super) fn is_single_block<T: JointValue>(tracks: usize) -> bool {
    T::LERP.is_some() && tracks <= MAX_SINGLES
}

impl BlockForm {
    /// The form of each of the tracks, which are sorted by joint.
    fn of<T: JointValue>(tracks: &[PendingTrack<'_, T>], pads_rows: bool) -> Vec<Self> {
        let form = |block: &[PendingTrack<'_, T>]| match block.len() {
            len if is_single_block::<T>(len) => Self::Single,
            len if len == BLOCK || pads_rows => Self::Full,
            _ => Self::Packed,
        };
        let blocks = tracks.chunk_by(|a, b| a.target / BLOCK == b.target / BLOCK);
        blocks.flat_map(|block| repeat_n(form(block), block.len())).collect()
    }
}

impl<T: JointValue> Default for RowTracks<T> {
    fn default() -> Self {
        let (targets, keys) = (Box::default(), Box::default());
        Self { targets, keys, packed: None, singles: None, own_keys: Box::default() }
    }
}

impl<T: JointValue> RowTracks<T> {
    /// Packs tracks, sorted by target, onto the common times. Returns the place of each track.
    pub(super) fn pack(tracks: &[PendingTrack<'_, T>], common: &CommonTimes) -> (Self, Vec<TrackPlace>) {
        let (times, forms) = (&*common.times, BlockForm::of(tracks, common.pads_rows));
        let joints = |form: BlockForm| {
            let is_form = move |&(_, &of_track): &(_, &BlockForm)| of_track == form;
            tracks.iter().zip(&forms).filter(is_form).map(|(track, _)| track.target)
        };
        let targets = key_targets(joints(BlockForm::Full));
        let stride = targets.len();
        let mut packed = PackedRows::new(joints(BlockForm::Packed), times.len());
        let mut singles = SingleRows::new(joints(BlockForm::Single), times.len(), tracks[0].values[0]);
        let keys = vec![T::KeyBlock::default(); times.len() * stride].into();
        let mut rows = Self { targets, keys, ..Self::default() };
        let mut own_keys: Vec<u64> = Vec::new();
        let mut places = Vec::with_capacity(tracks.len());
        let mut next_single = 0;
        for (track, &form) in tracks.iter().zip(&forms) {
            let own = if track.times == times {
                OwnKeys::ALL
            } else {
                // The cast is safe: 64 keys, which are in memory too, have one word.
                let first = OwnKeys(own_keys.len() as u32);
                own_keys.resize(own_keys.len() + times.len().div_ceil(64), 0);
                first
            };
            let (joint, lane) = (track.target, track.target % BLOCK);
            let block = match form {
                BlockForm::Full => block_of(&rows.targets, joint),
                BlockForm::Packed => packed.number(joint),
                BlockForm::Single => next_single,
            };
            next_single += usize::from(form == BlockForm::Single);
            places.push(match form {
                BlockForm::Full => TrackPlace::Rows { block: block as u32, own },
                BlockForm::Packed => TrackPlace::PackedRow { block: block as u32, own },
                BlockForm::Single => TrackPlace::SingleRow { number: block as u32, own },
            });
            let mut key = 0;
            for (row, &time) in times.iter().enumerate() {
                while key + 1 < track.times.len() && track.times[key + 1] <= time {
                    key += 1;
                }
                if own != OwnKeys::ALL && track.times[key] == time {
                    own_keys[own.word(row)] |= 1 << (row % 64);
                }
                let value = track.value_at(key, time);
                match form {
                    BlockForm::Full => T::set_key(&mut rows.keys[row * stride + block], lane, value),
                    BlockForm::Packed => packed.set(row, block, lane, value),
                    BlockForm::Single => singles.set(row, block, value),
                }
            }
        }
        packed.set_angles();
        rows.packed = (!packed.is_empty()).then(|| Box::new(packed));
        rows.singles = (next_single > 0).then(|| Box::new(singles));
        rows.own_keys = own_keys.into();
        rows.set_angles(times.len());
        (rows, places)
    }

    /// Sets the angles between keys.
    fn set_angles(&mut self, len: usize) {
        let stride = self.targets.len();
        if !T::HAS_ANGLES {
            return;
        }
        for i in 0..stride * (len - 1) {
            for lane in 0..BLOCK {
                let next = T::key(&self.keys[i + stride], lane);
                let angle = T::key(&self.keys[i], lane).angle(next);
                T::set_angle(&mut self.keys[i], lane, angle);
            }
        }
    }

    fn row(&self, key: usize) -> &[T::KeyBlock] {
        &self.keys[key * self.targets.len()..][..self.targets.len()]
    }

    /// Samples all tracks that are not stored one by one.
    pub(super) fn sample(&self, kernels: &Kernels, span: KeySpan, to: &mut [T::PoseBlock]) {
        if !self.targets.is_empty() {
            let keys = [self.row(span.key), self.row(span.next)];
            T::sample(kernels, keys, KeyFactor::All(span.factor), &self.targets, to);
        }
        if let Some(packed) = &self.packed {
            packed.sample(kernels, span, to);
        }
    }

    /// Samples one track of a block with all lanes.
    pub(super) fn sample_one(&self, kernels: &Kernels, span: KeySpan, block: usize, lane: usize) -> T {
        let keys = [span.key, span.next].map(|key| &self.row(key)[block..=block]);
        let target = [KeyTarget { block: 0, full: true, lanes: [1.0; BLOCK] }];
        let mut to = [T::POSE_BLOCK];
        T::sample(kernels, keys, KeyFactor::All(span.factor), &target, &mut to);
        T::pose(&to[0], lane)
    }

    /// Samples one track of a packed block.
    pub(super) fn sample_one_packed(
        &self,
        kernels: &Kernels,
        span: KeySpan,
        block: usize,
        lane: usize,
    ) -> Option<T> {
        Some(self.packed.as_ref()?.sample_one(kernels, span, block, lane))
    }

    /// The numbers and values of a track's own keys.
    pub(super) fn own_keys(
        &self,
        block: usize,
        lane: usize,
        own: OwnKeys,
    ) -> impl Iterator<Item = (usize, T)> {
        let stride = self.targets.len();
        let rows = 0..self.keys.len() / stride;
        self.own_rows(own, rows).map(move |row| (row, T::key(&self.keys[row * stride + block], lane)))
    }

    /// The numbers and values of the own keys of a track of a packed block.
    pub(super) fn own_packed_keys(
        &self,
        block: usize,
        lane: usize,
        own: OwnKeys,
    ) -> impl Iterator<Item = (usize, T)> {
        self.packed.iter().flat_map(move |packed| {
            self.own_rows(own, 0..packed.rows).map(move |row| (row, packed.key(row, block, lane)))
        })
    }

    /// The numbers and values of the own keys of a track that is stored by itself.
    pub(super) fn own_single_keys(&self, number: usize, own: OwnKeys) -> impl Iterator<Item = (usize, T)> {
        self.singles.iter().flat_map(move |singles| {
            self.own_rows(own, 0..singles.rows()).map(move |row| (row, singles.key(row, number)))
        })
    }

    fn own_rows(&self, own: OwnKeys, rows: Range<usize>) -> impl Iterator<Item = usize> {
        let is_own =
            move |&row: &usize| own == OwnKeys::ALL || self.own_keys[own.word(row)] >> (row % 64) & 1 == 1;
        rows.filter(is_own)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.targets)
            + size_of_val(&*self.keys)
            + self.packed.as_ref().map_or(0, |packed| packed.bytes())
            + self.singles.as_ref().map_or(0, |singles| singles.bytes())
            + size_of_val(&*self.own_keys)
    }
}

/// The blocks of ascending joints.
pub(super) fn key_targets(joints: impl Iterator<Item = usize>) -> Box<[KeyTarget]> {
    let mut targets: Vec<KeyTarget> = Vec::new();
    for joint in joints {
        let block = (joint / BLOCK) as u32;
        if targets.last().is_none_or(|last| last.block != block) {
            targets.push(KeyTarget { block, full: false, lanes: [0.0; BLOCK] });
        }
        if let Some(last) = targets.last_mut() {
            last.lanes[joint % BLOCK] = 1.0;
            last.full = last.lanes == [1.0; BLOCK];
        }
    }
    targets.into()
}

/// The index of the target that a joint of its list belongs to.
pub(super) fn block_of(targets: &[KeyTarget], joint: usize) -> usize {
    let block = (joint / BLOCK) as u32;
    let found = targets.binary_search_by_key(&block, |target| target.block);
    found.expect("the targets were made from this joint too")
}

/// The number of a joint's lane among those of all targets.
pub(super) fn lane_number(targets: &[KeyTarget], joint: usize) -> usize {
    BLOCK * block_of(targets, joint) + joint % BLOCK
}
