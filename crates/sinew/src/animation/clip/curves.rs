//! The tracks of one channel of all joints, by how they are stored.

use sinew_kernels::{BLOCK, Kernels, KeyTarget};

use super::build::PendingTrack;
use super::data::Channel;
use super::joint_value::JointValue;
use super::keyed_tracks::{KeyPairs, KeyedTracks};
use super::row_tracks::{OwnKeys, RowTracks, find_block};
use crate::math::sort::sort_by_key;

/// The tracks of one channel: rotations, translations or scales.
#[derive(Clone, Debug)]
pub(super) struct Curves<T: JointValue> {
    /// Linear tracks on the clip's common timeline.
    pub(super) rows: RowTracks<T>,
    /// Linear tracks with times of their own, if there are any.
    pub(super) keyed: Option<Box<KeyedTracks<T>>>,
    /// Tracks that never change. Rows contain them too, so that blocks are written whole, but
    /// interpolating equal rotations would round them.
    constants: Box<[ConstantBlock<T>]>,
    /// Step and cubic tracks, and linear ones that are not fit for kernels: rotations that are not
    /// of unit length, and huge numbers. `None` if there are none, as in most clips.
    pub(super) others: Option<Box<Channel<T>>>,
    /// All tracks, sorted by joint.
    pub(super) tracks: Box<[CurveTrack]>,
}

/// Eight joints, some of which never change.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstantBlock<T: JointValue> {
    block: u32,
    /// Those that never change, and those that are written after them.
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
    /// The number of the track that the rows store by itself.
    SingleRow { number: u32, own: OwnKeys },
    /// The number of the keyed track.
    Keyed(u32),
    /// A value that never changes, with the times of the first and the last key:
    /// [`Curves::constant`].
    Constant { start: f32, end: f32 },
    /// The group of the other tracks.
    Other(u32),
}

impl<T: JointValue> Curves<T> {
    /// Blocks of tracks that never change, sorted by joint. Those that `rows` contains are left out
    /// if interpolation keeps their bits.
    pub(super) fn constant_blocks(
        constants: &[PendingTrack<'_, T>],
        rows: &RowTracks<T>,
    ) -> Box<[ConstantBlock<T>]> {
        let is_apart = |track: &&PendingTrack<'_, T>| {
            !T::KEEPS_EQUAL_KEYS || find_block(&rows.targets, track.target).is_none()
        };
        let mut blocks: Vec<ConstantBlock<T>> = Vec::new();
        for track in constants.iter().filter(is_apart) {
            let (block, lane) = ((track.target / BLOCK) as u32, track.target % BLOCK);
            if blocks.last().is_none_or(|last| last.block != block) {
                blocks.push(ConstantBlock { block, lanes: [false; BLOCK], values: T::POSE_BLOCK });
            }
            if let Some(last) = blocks.last_mut() {
                last.lanes[lane] = true;
                T::set_pose(&mut last.values, lane, track.values[0]);
            }
        }
        // Tracks that are stored by themselves write their lanes later: with them, most blocks are
        // full, and whole blocks are copied faster.
        for (joint, value) in rows.singles.iter().flat_map(|singles| singles.first_values()) {
            let block = blocks.binary_search_by_key(&((joint / BLOCK) as u32), |block| block.block);
            if let Ok(block) = block.map(|i| &mut blocks[i]) {
                block.lanes[joint % BLOCK] = true;
                T::set_pose(&mut block.values, joint % BLOCK, value);
            }
        }
        blocks.into()
    }

    pub(super) fn new(
        rows: RowTracks<T>,
        keyed: Option<KeyedTracks<T>>,
        constants: Box<[ConstantBlock<T>]>,
        others: Channel<T>,
        mut tracks: Vec<CurveTrack>,
    ) -> Self {
        sort_by_key(&mut tracks, |track| track.joint as u64);
        let others = (!others.groups.is_empty()).then(|| Box::new(others));
        Self { rows, keyed: keyed.map(Box::new), constants, others, tracks: tracks.into() }
    }

    /// The value of a track that never changes.
    pub(super) fn constant(&self, joint: usize) -> Option<T> {
        let block = self.constants.binary_search_by_key(&((joint / BLOCK) as u32), |block| block.block);
        match block.map(|i| &self.constants[i]) {
            Ok(block) if block.lanes[joint % BLOCK] => Some(T::pose(&block.values, joint % BLOCK)),
            // Interpolation keeps its bits.
            _ => self.rows.first_value(joint),
        }
    }

    /// The blocks of tracks with times of their own.
    pub(super) fn keyed_targets(&self) -> &[KeyTarget] {
        self.keyed.as_ref().map_or(&[], |keyed| &keyed.targets)
    }

    /// Finds the keys of tracks with times of their own around a time.
    pub(super) fn refresh_keyed(&self, kernels: &Kernels, seconds: f32, pairs: &mut KeyPairs<'_, T>) {
        if let Some(keyed) = &self.keyed {
            keyed.refresh(kernels, seconds, pairs);
        }
    }

    /// Samples tracks with times of their own, after [`refresh_keyed`](Self::refresh_keyed).
    pub(super) fn sample_keyed(
        &self,
        kernels: &Kernels,
        seconds: f32,
        pairs: &KeyPairs<'_, T>,
        to: &mut [T::PoseBlock],
    ) {
        if let Some(keyed) = &self.keyed {
            keyed.sample(kernels, seconds, pairs, to);
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
            + self.keyed.as_ref().map_or(0, |keyed| keyed.bytes())
            + size_of_val(&*self.constants)
            + self.others.as_ref().map_or(0, |others| size_of_val(&**others) + others.bytes())
            + size_of_val(&*self.tracks)
    }
}
