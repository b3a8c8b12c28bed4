//! The tracks of one channel of all joints, by how they are stored.

use sinew_kernels::{BLOCK, Kernels, KeyTarget};

use super::build::PendingTrack;
use super::data::Channel;
use super::joint_value::JointValue;
use super::key_pairs::KeyPairs;
use super::keyed_tracks::KeyedTracks;
use super::row_tracks::{OwnKeys, RowTracks};
use super::sparse_tracks::{CommonTime, SparseTracks};
use crate::math::sort::sort_by_key;

/// The tracks of one channel: rotations, translations or scales.
#[derive(Clone, Debug)]
pub(super) struct Curves<T: JointValue> {
    /// Linear tracks on the clip's common timeline.
    pub(super) rows: RowTracks<T>,
    /// Linear tracks that a cursor holds keys of, if there are any.
    pairs: Option<Box<PairTracks<T>>>,
    /// Tracks that never change.
    constants: Box<[ConstantBlock<T>]>,
    /// Step and cubic tracks, and linear ones that are not fit for kernels: rotations that are not
    /// of unit length, and huge numbers. `None` if there are none, as in most clips.
    pub(super) others: Option<Box<Channel<T>>>,
    /// All tracks, sorted by joint.
    pub(super) tracks: Box<[CurveTrack]>,
}

/// Linear tracks that a cursor holds keys of.
#[derive(Clone, Debug)]
pub(super) struct PairTracks<T: JointValue> {
    /// Those with times of their own, if there are any.
    pub(super) keyed: Option<KeyedTracks<T>>,
    /// Those with keys at some of the times of the common timeline, if there are any.
    pub(super) sparse: Option<SparseTracks<T>>,
}

/// Eight joints, some of which never change.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstantBlock<T: JointValue> {
    block: u32,
    /// Those that never change, and those that other tracks write after them: so most blocks are
    /// copied whole, which is faster.
    lanes: [bool; BLOCK],
    values: T::PoseBlock,
}

/// Where a joint's track is.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveTrack {
    pub(super) joint: u32,
    pub(super) place: TrackPlace,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum TrackPlace {
    /// The block of the rows; the lane is the joint's.
    Rows { block: u32, own: OwnKeys },
    /// The block of the rows that stores only lanes with a track.
    PackedRow { block: u32, own: OwnKeys },
    /// The number of the track that the rows store by itself.
    SingleRow { number: u32, own: OwnKeys },
    /// The number of the keyed track.
    Keyed(u32),
    /// The lane of the track with keys at some of the common times.
    Sparse(u32),
    /// A value that never changes, with the times of the first and the last key:
    /// [`Curves::constant`].
    Constant { start: f32, end: f32 },
    /// The group of the other tracks.
    Other(u32),
}

impl<T: JointValue> Curves<T> {
    /// Blocks of tracks that never change, sorted by joint. `moving` are the joints of the other
    /// tracks.
    pub(super) fn constant_blocks(
        constants: &[PendingTrack<'_, T>],
        moving: impl Iterator<Item = usize>,
    ) -> Box<[ConstantBlock<T>]> {
        let mut blocks: Vec<ConstantBlock<T>> = Vec::new();
        for track in constants {
            let (block, lane) = ((track.target / BLOCK) as u32, track.target % BLOCK);
            if blocks.last().is_none_or(|last| last.block != block) {
                blocks.push(ConstantBlock { block, lanes: [false; BLOCK], values: T::POSE_BLOCK });
            }
            if let Some(last) = blocks.last_mut() {
                last.lanes[lane] = true;
                T::set_pose(&mut last.values, lane, track.values[0]);
            }
        }
        for joint in moving {
            let block = blocks.binary_search_by_key(&((joint / BLOCK) as u32), |block| block.block);
            if let Ok(block) = block.map(|i| &mut blocks[i]) {
                block.lanes[joint % BLOCK] = true;
            }
        }
        blocks.into()
    }

    pub(super) fn new(
        (rows, pairs): (RowTracks<T>, PairTracks<T>),
        constants: Box<[ConstantBlock<T>]>,
        others: Channel<T>,
        mut tracks: Vec<CurveTrack>,
    ) -> Self {
        sort_by_key(&mut tracks, |track| track.joint as u64);
        let others = (!others.groups.is_empty()).then(|| Box::new(others));
        let has_pairs = pairs.keyed.is_some() || pairs.sparse.is_some();
        let pairs = has_pairs.then(|| Box::new(pairs));
        Self { rows, pairs, constants, others, tracks: tracks.into() }
    }

    /// The value of a track that never changes.
    pub(super) fn constant(&self, joint: usize) -> Option<T> {
        let block = self.constants.binary_search_by_key(&((joint / BLOCK) as u32), |block| block.block);
        Some(T::pose(&self.constants[block.ok()?].values, joint % BLOCK))
    }

    /// Tracks with times of their own.
    pub(super) fn keyed(&self) -> Option<&KeyedTracks<T>> {
        self.pairs.as_ref()?.keyed.as_ref()
    }

    /// Tracks with keys at some of the times of the common timeline.
    pub(super) fn sparse(&self) -> Option<&SparseTracks<T>> {
        self.pairs.as_ref()?.sparse.as_ref()
    }

    /// The blocks of tracks that a cursor holds keys of: those with times of their own, and those
    /// with keys at some of the common times.
    pub(super) fn cursor_targets(&self) -> [&[KeyTarget]; 2] {
        [
            self.keyed().map_or(&[], |keyed| &keyed.targets),
            self.sparse().map_or(&[], |sparse| &sparse.targets),
        ]
    }

    /// Finds the keys around a time for the tracks of the cursor.
    pub(super) fn refresh_pairs(
        &self,
        kernels: &Kernels,
        seconds: f32,
        common: CommonTime<'_>,
        pairs: &mut KeyPairs<'_, T>,
    ) {
        match (self.keyed(), self.sparse()) {
            (None, None) => {}
            (None, Some(sparse)) => sparse.refresh(kernels, common, pairs),
            (Some(keyed), None) => keyed.refresh(kernels, seconds, pairs),
            (Some(keyed), Some(sparse)) => {
                let [mut own_pairs, mut sparse_pairs] = pairs.split_at(keyed.targets.len());
                keyed.refresh(kernels, seconds, &mut own_pairs);
                sparse.refresh(kernels, common, &mut sparse_pairs);
            }
        }
    }

    /// Samples the tracks of the cursor, after [`refresh_pairs`](Self::refresh_pairs).
    pub(super) fn sample_pairs(
        &self,
        kernels: &Kernels,
        seconds: f32,
        common: CommonTime<'_>,
        pairs: &mut KeyPairs<'_, T>,
        to: &mut [T::PoseBlock],
    ) {
        match (self.keyed(), self.sparse()) {
            (None, None) => {}
            (None, Some(sparse)) => pairs.sample(kernels, common.seconds, &sparse.targets, to),
            (Some(keyed), None) => pairs.sample(kernels, seconds, &keyed.targets, to),
            (Some(keyed), Some(sparse)) => {
                let [own_pairs, sparse_pairs] = pairs.split_at(keyed.targets.len());
                own_pairs.sample(kernels, seconds, &keyed.targets, to);
                sparse_pairs.sample(kernels, common.seconds, &sparse.targets, to);
            }
        }
    }

    /// Writes the tracks that never change.
    pub(super) fn copy_constants(&self, to: &mut [T::PoseBlock]) {
        for constant in &*self.constants {
            if let Some(to) = to.get_mut(constant.block as usize) {
                T::copy(&constant.values, constant.lanes, to);
            }
        }
    }

    pub(super) fn find(&self, joint: usize) -> Option<&CurveTrack> {
        let joint = u32::try_from(joint).ok()?;
        self.tracks.binary_search_by_key(&joint, |track| track.joint).ok().map(|found| &self.tracks[found])
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.pairs.as_ref().map_or(0, |pairs| size_of_val(&**pairs))
            + self.keyed().map_or(0, KeyedTracks::bytes)
            + self.sparse().map_or(0, SparseTracks::bytes)
            + size_of_val(&*self.constants)
            + self.others.as_ref().map_or(0, |others| size_of_val(&**others) + others.bytes())
            + size_of_val(&*self.tracks)
    }
}
