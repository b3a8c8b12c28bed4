//! Tracks on the common list of key times that are nearly alone in their block of eight joints,
//! stored and sampled one by one.
//!
//! Most clips translate few joints: as blocks, their rows would be mostly empty.

use sinew_kernels::BLOCK;

use super::joint_value::JointValue;
use super::timeline::KeySpan;

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
