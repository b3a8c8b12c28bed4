//! Linear tracks on one common list of key times: a row of values for each time.
//!
//! Sampling interpolates between two rows, eight tracks at a time, and needs no search per track. A
//! track that lacks a key at a common time gets one there, on the arc between its neighbors, so its
//! curve does not change. Tracks that are nearly alone in their block of eight joints are stored
//! one by one, if they can be interpolated without a kernel: most clips translate few joints.

use std::ops::Range;

use sinew_kernels::{BLOCK, Kernels, KeyFactor, KeyTarget};

use super::build::PendingTrack;
use super::curves::TrackPlace;
use super::joint_value::JointValue;
use super::single_rows::{SingleRows, are_single};
use super::timeline::KeySpan;

/// The linear tracks of one channel that share a list of key times.
#[derive(Clone, Debug)]
pub(super) struct RowTracks<T: JointValue> {
    pub(super) targets: Box<[KeyTarget]>,
    /// For each time, a block for each target.
    keys: Box<[T::KeyBlock]>,
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

impl<T: JointValue> Default for RowTracks<T> {
    fn default() -> Self {
        Self { targets: Box::default(), keys: Box::default(), singles: None, own_keys: Box::default() }
    }
}

impl<T: JointValue> RowTracks<T> {
    /// Packs tracks, sorted by target, onto a list of times. `constants` fill lanes of the same
    /// blocks. Returns the place of each track.
    pub(super) fn pack(
        tracks: &[PendingTrack<'_, T>],
        constants: &[PendingTrack<'_, T>],
        times: &[f32],
    ) -> (Self, Vec<TrackPlace>) {
        let are_single = are_single(tracks);
        let of_kind = |single: bool| {
            let is_kind = move |&(_, &is_single): &(_, &bool)| is_single == single;
            tracks.iter().zip(&are_single).filter(is_kind).map(|(track, _)| track.target)
        };
        let targets = key_targets(of_kind(false));
        let stride = targets.len();
        let mut singles = SingleRows::new(of_kind(true), times.len(), tracks[0].values[0]);
        let mut rows = Self {
            targets,
            keys: vec![T::KeyBlock::default(); times.len() * stride].into(),
            ..Self::default()
        };
        let mut own_keys: Vec<u64> = Vec::new();
        let mut places = Vec::with_capacity(tracks.len());
        let mut next_single = 0;
        for (track, is_single) in tracks.iter().zip(are_single) {
            let own = if track.times == times {
                OwnKeys::ALL
            } else {
                // The cast is safe: 64 keys, which are in memory too, have one word.
                let first = OwnKeys(own_keys.len() as u32);
                own_keys.resize(own_keys.len() + times.len().div_ceil(64), 0);
                first
            };
            let (single, lane) = (next_single, track.target % BLOCK);
            next_single += usize::from(is_single);
            let block = if is_single { 0 } else { block_of(&rows.targets, track.target) };
            places.push(match is_single {
                true => TrackPlace::SingleRow { number: single as u32, own },
                false => TrackPlace::Rows { block: block as u32, own },
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
                match is_single {
                    true => singles.set(row, single, value),
                    false => T::set_key(&mut rows.keys[row * stride + block], lane, value),
                }
            }
        }
        for constant in constants {
            let Some(block) = find_block(&rows.targets, constant.target) else { continue };
            let lane = constant.target % BLOCK;
            rows.targets[block].lanes[lane] = 1.0;
            for row in 0..times.len() {
                T::set_key(&mut rows.keys[row * stride + block], lane, constant.values[0]);
            }
        }
        rows.singles = (next_single > 0).then(|| Box::new(singles));
        rows.own_keys = own_keys.into();
        rows.finish(times.len());
        (rows, places)
    }

    /// Sets the angles between keys, and which blocks are full.
    fn finish(&mut self, len: usize) {
        let stride = self.targets.len();
        for target in &mut self.targets {
            target.full = target.lanes == [1.0; BLOCK];
        }
        if !T::HAS_ANGLES {
            return;
        }
        for i in 0..stride * (len - 1) {
            for lane in 0..BLOCK {
                if self.targets[i % stride].lanes[lane] > 0.0 {
                    let next = T::key(&self.keys[i + stride], lane);
                    let angle = T::key(&self.keys[i], lane).angle(next);
                    T::set_angle(&mut self.keys[i], lane, angle);
                }
            }
        }
    }

    fn row(&self, key: usize) -> &[T::KeyBlock] {
        &self.keys[key * self.targets.len()..][..self.targets.len()]
    }

    pub(super) fn sample(&self, kernels: &Kernels, span: KeySpan, to: &mut [T::PoseBlock]) {
        if self.targets.is_empty() {
            return;
        }
        let keys = [self.row(span.key), self.row(span.next)];
        T::sample(kernels, keys, KeyFactor::All(span.factor), &self.targets, to);
    }

    /// The value of a joint's lane at the first time.
    pub(super) fn first_value(&self, joint: usize) -> Option<T> {
        let block = find_block(&self.targets, joint)?;
        Some(T::key(&self.keys[block], joint % BLOCK))
    }

    /// Samples one track.
    pub(super) fn sample_one(&self, kernels: &Kernels, span: KeySpan, block: usize, lane: usize) -> T {
        let keys = [span.key, span.next].map(|key| &self.row(key)[block..=block]);
        let target = [KeyTarget { block: 0, full: true, lanes: [1.0; BLOCK] }];
        let mut to = [T::POSE_BLOCK];
        T::sample(kernels, keys, KeyFactor::All(span.factor), &target, &mut to);
        T::pose(&to[0], lane)
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

pub(super) fn find_block(targets: &[KeyTarget], joint: usize) -> Option<usize> {
    targets.binary_search_by_key(&((joint / BLOCK) as u32), |target| target.block).ok()
}

/// The index of the target that a joint of its list belongs to.
pub(super) fn block_of(targets: &[KeyTarget], joint: usize) -> usize {
    find_block(targets, joint).expect("the targets were made from this joint too")
}
