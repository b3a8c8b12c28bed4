//! Tracks on the common list of key times that are nearly alone in their block of eight joints,
//! stored and sampled one by one.
//!
//! Most clips translate few joints: as blocks, their rows would be mostly empty.

use std::iter::repeat_n;

use sinew_kernels::BLOCK;

use super::build::PendingTrack;
use super::joint_value::JointValue;
use super::timeline::KeySpan;

/// So many tracks of a block, or fewer, are stored one by one.
const MAX_SINGLES: usize = 2;

/// For each of the tracks, which are sorted by joint, whether it is stored by itself. Only tracks
/// that are interpolated without a kernel are.
pub(super) fn are_single<T: JointValue>(tracks: &[PendingTrack<'_, T>]) -> Vec<bool> {
    let blocks = tracks.chunk_by(|a, b| a.target / BLOCK == b.target / BLOCK);
    let are_few = |block: &[_]| T::LERP.is_some() && block.len() <= MAX_SINGLES;
    blocks.flat_map(|block| repeat_n(are_few(block), block.len())).collect()
}

/// The tracks of one channel that are stored one by one.
#[derive(Clone, Debug)]
pub(super) struct SingleRows<T> {
    joints: Box<[u32]>,
    /// For each time, a value for each joint.
    keys: Box<[T]>,
}

impl<T: JointValue> SingleRows<T> {
    /// The same value for all joints and times.
    pub(super) fn new(joints: impl Iterator<Item = usize>, times: usize, value: T) -> Self {
        // The cast is safe: a skeleton has fewer joints than fit into 32 bits.
        let joints: Box<[u32]> = joints.map(|joint| joint as u32).collect();
        Self { keys: vec![value; times * joints.len()].into(), joints }
    }

    pub(super) fn set(&mut self, row: usize, number: usize, value: T) {
        self.keys[row * self.joints.len() + number] = value;
    }

    pub(super) fn rows(&self) -> usize {
        self.keys.len() / self.joints.len()
    }

    #[inline]
    pub(super) fn key(&self, row: usize, number: usize) -> T {
        self.keys[row * self.joints.len() + number]
    }

    /// The joints and their first values.
    pub(super) fn first_values(&self) -> impl Iterator<Item = (usize, T)> {
        self.joints.iter().map(|&joint| joint as usize).zip(self.keys.iter().copied())
    }

    /// Samples all tracks.
    pub(super) fn sample(&self, span: KeySpan, to: &mut [T::PoseBlock]) {
        for (number, &joint) in self.joints.iter().enumerate() {
            if let Some(block) = to.get_mut(joint as usize / BLOCK) {
                T::set_pose(block, joint as usize % BLOCK, self.sample_one(span, number));
            }
        }
    }

    /// Samples one track.
    #[inline]
    pub(super) fn sample_one(&self, span: KeySpan, number: usize) -> T {
        let (from, to) = (self.key(span.key, number), self.key(span.next, number));
        T::LERP.map_or(from, |lerp| lerp(from, to, span.factor))
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self) + size_of_val(&*self.joints) + size_of_val(&*self.keys)
    }
}
