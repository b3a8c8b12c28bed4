//! Tracks on the common list of key times that leave lanes of their block of eight joints free: only
//! their own lanes are stored.

use std::marker::PhantomData;

use sinew_kernels::{BLOCK, Kernels, PackedTarget};

use super::joint_value::JointValue;
use super::row_tracks::key_targets;
use super::timeline::KeySpan;

/// The tracks of one channel in packed blocks.
#[derive(Clone, Debug)]
pub(super) struct PackedRows<T> {
    targets: Box<[PackedTarget]>,
    /// The number of times.
    pub(super) rows: usize,
    /// The number of floats for one time.
    stride: usize,
    /// For each time and target the components of its keys, each with a float per track. At the end
    /// as many more as sampling may read.
    keys: Box<[f32]>,
    values: PhantomData<T>,
}

impl<T: JointValue> PackedRows<T> {
    /// Room for the keys of joints, in ascending order.
    pub(super) fn new(joints: impl Iterator<Item = usize>, times: usize) -> Self {
        let mut first = 0;
        let pack = |target| {
            let mut packed = PackedTarget { target, first, len: 0, tracks: PackedTarget::IN_ORDER };
            for lane in 0..BLOCK {
                if target.lanes[lane] > 0.0 {
                    packed.tracks[lane] = packed.len as u8;
                    packed.len += 1;
                }
            }
            // This fits into 32 bits: a skeleton has at most 2^29 joints.
            first += packed.len * T::KEY_FLOATS as u32;
            packed
        };
        let targets: Box<[PackedTarget]> = key_targets(joints).iter().copied().map(pack).collect();
        let stride = first as usize;
        let last = targets.last().map_or(0, |target| target.len as usize);
        let padding = (BLOCK - last) * T::KEY_FLOATS;
        let keys = vec![0.0; times * stride + padding].into();
        Self { targets, rows: times, stride, keys, values: PhantomData }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The number of the target of a joint.
    pub(super) fn number(&self, joint: usize) -> usize {
        let block = (joint / BLOCK) as u32;
        let found = self.targets.binary_search_by_key(&block, |target| target.target.block);
        found.expect("the targets were made from this joint too")
    }

    /// The index of a component of a key, given the number of its target.
    fn index(&self, row: usize, number: usize, lane: usize, component: usize) -> usize {
        let PackedTarget { first, len, tracks, .. } = &self.targets[number];
        row * self.stride + *first as usize + component * *len as usize + usize::from(tracks[lane])
    }

    pub(super) fn set(&mut self, row: usize, number: usize, lane: usize, value: T) {
        for (component, element) in value.components().enumerate() {
            self.keys[self.index(row, number, lane, component)] = element;
        }
    }

    pub(super) fn key(&self, row: usize, number: usize, lane: usize) -> T {
        T::from_components(|component| self.keys[self.index(row, number, lane, component)])
    }

    /// Sets the angles between keys.
    pub(super) fn set_angles(&mut self) {
        for row in 1..self.rows {
            for number in 0..self.targets.len() {
                let lanes = self.targets[number].target.lanes;
                for lane in (0..BLOCK).filter(|&lane| lanes[lane] > 0.0) {
                    let [from, to] = [row - 1, row].map(|row| self.key(row, number, lane));
                    if let Some(angle) = T::angle_component(from.angle(to)) {
                        self.keys[self.index(row - 1, number, lane, T::KEY_FLOATS - 1)] = angle;
                    }
                }
            }
        }
    }

    fn keys_from_row(&self, row: usize) -> &[f32] {
        &self.keys[row * self.stride..]
    }

    /// Samples all tracks.
    pub(super) fn sample(&self, kernels: &Kernels, span: KeySpan, to: &mut [T::PoseBlock]) {
        let keys = [self.keys_from_row(span.key), self.keys_from_row(span.next)];
        T::sample_packed(kernels, keys, span.factor, &self.targets, to);
    }

    /// Samples one track.
    pub(super) fn sample_one(&self, kernels: &Kernels, span: KeySpan, number: usize, lane: usize) -> T {
        let mut target = self.targets[number];
        target.target.block = 0;
        let keys = [self.keys_from_row(span.key), self.keys_from_row(span.next)];
        let mut to = [T::POSE_BLOCK];
        T::sample_packed(kernels, keys, span.factor, &[target], &mut to);
        T::pose(&to[0], lane)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self) + size_of_val(&*self.targets) + size_of_val(&*self.keys)
    }
}
