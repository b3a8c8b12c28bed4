//! Sampling a clip at a time into a pose.

use sinew_kernels::{Factor, Joint, Kernels, Scale, SlerpRotations};

use super::data::{Channel, Group};
use super::hermite::HermiteBasis;
use super::timeline::KeySpan;
use super::{Clip, Cursor, Interpolation};
use crate::animation::AnimationError;
use crate::length::check_len;
use crate::math::slerp;
use crate::skeleton::Pose;

/// The number of rotations that are interpolated at once: enough to fill any SIMD register many
/// times, few enough for the stack.
const BATCH: usize = 32;

/// Groups with fewer tracks than this are combined into batches. Larger groups get their own kernel
/// calls.
const SMALL_GROUP: usize = 4;

impl Clip {
    /// Samples the clip at a time in seconds into a pose, with the pose's kernels. Joints, channels
    /// and weights without tracks keep their values. Turns scales on if the clip has a scale other
    /// than one.
    ///
    /// Before its first key a track has the first value, after its last key the last value. A NaN
    /// counts as a time before all keys.
    ///
    /// The cursor must have been created by this clip. Time may move in any direction and by any
    /// amount. The cursor saves one search for each distinct list of times.
    ///
    /// # Errors
    ///
    /// When the number of joints or morph weights of the pose differs from the skeleton that the
    /// clip was built for, or the cursor belongs to another clip. A cursor of another clip with as
    /// many lists of times is not detected and does no harm. On an error nothing is written.
    pub fn sample(&self, seconds: f32, cursor: &mut Cursor, pose: &mut Pose) -> Result<(), AnimationError> {
        check_len("joints of the pose to sample into", self.skeleton_len, pose.len())?;
        check_len("morph weights of the pose to sample into", self.morph_weight_count, pose.weights.len())?;
        check_len("places of the cursor", self.timelines.len(), cursor.spans.len())?;
        for (timeline, span) in self.timelines.iter().zip(&mut cursor.spans) {
            *span = timeline.find_span(&self.times, seconds, span.key);
        }
        let spans = &cursor.spans;
        sample_rotations(&self.rotations, spans, pose.runtime.kernels(), &mut pose.joints);
        sample_channel(
            &self.translations,
            spans,
            lerp_vector,
            HermiteBasis::vector,
            |target, translation| {
                if let Some(joint) = pose.joints.get_mut(target) {
                    joint.translation = translation;
                }
            },
        );
        pose.scaled |= self.scaled;
        if pose.scaled {
            sample_channel(&self.scales, spans, lerp_vector, HermiteBasis::vector, |target, factors| {
                if let Some(scale) = pose.scales.get_mut(target) {
                    *scale = Scale::new(factors);
                }
            });
        }
        sample_channel(&self.weights, spans, lerp, HermiteBasis::scalar, |target, number| {
            if let Some(weight) = pose.weights.get_mut(target) {
                *weight = number;
            }
        });
        Ok(())
    }
}

/// Linear interpolation, exact at both ends. Without fused multiply-adds: the same bits on every
/// machine.
#[inline]
pub(super) fn lerp(from: f32, to: f32, factor: f32) -> f32 {
    (1.0 - factor) * from + factor * to
}

#[inline]
pub(super) fn lerp_vector(from: [f32; 3], to: [f32; 3], factor: f32) -> [f32; 3] {
    [lerp(from[0], to[0], factor), lerp(from[1], to[1], factor), lerp(from[2], to[2], factor)]
}

/// Calls `write` with each target of a channel and its sampled value.
#[inline]
fn sample_channel<T: Copy>(
    channel: &Channel<T>,
    spans: &[KeySpan],
    lerp: impl Fn(T, T, f32) -> T,
    curve: impl Fn(HermiteBasis, T, T, T, T) -> T,
    mut write: impl FnMut(usize, T),
) {
    for group in &channel.groups {
        let span = spans[group.timeline];
        let targets = channel.targets_of(group);
        match group.interpolation {
            Interpolation::Step => {
                for (&target, &value) in targets.iter().zip(channel.row(group, span.key, 0)) {
                    write(target as usize, value);
                }
            }
            Interpolation::Linear => {
                let (from, to) = (channel.row(group, span.key, 0), channel.row(group, span.next, 0));
                for (&target, (&from, &to)) in targets.iter().zip(from.iter().zip(to)) {
                    write(target as usize, lerp(from, to, span.factor));
                }
            }
            Interpolation::Cubic => {
                let basis = HermiteBasis::new(span);
                let [from, slope_out, slope_in, to] = channel.hermite_inputs(group, span);
                let ends = from.iter().zip(slope_out).zip(slope_in.iter().zip(to));
                for (&target, ((&from, &slope_out), (&slope_in, &to))) in targets.iter().zip(ends) {
                    write(target as usize, curve(basis, from, slope_out, slope_in, to));
                }
            }
        }
    }
}

impl<T: Copy> Channel<T> {
    /// The inputs of cubic interpolation: values and slopes out of the key before, slopes in and
    /// values of the key after.
    pub(super) fn hermite_inputs(&self, group: &Group, span: KeySpan) -> [&[T]; 4] {
        [(span.key, 1), (span.key, 2), (span.next, 0), (span.next, 1)]
            .map(|(key, row)| self.row(group, key, row))
    }
}

/// Samples all rotations. Large groups of linear tracks are passed to the kernel directly, small
/// ones in combined batches.
fn sample_rotations(channel: &Channel<[f32; 4]>, spans: &[KeySpan], kernels: &Kernels, joints: &mut [Joint]) {
    let is_small = |group: &Group| {
        group.interpolation == Interpolation::Linear && group.len < SMALL_GROUP && group.unit_length
    };
    let mut rotations = [[0.0; 4]; BATCH];
    let mut write = |target: u32, rotation: [f32; 4]| {
        if let Some(joint) = joints.get_mut(target as usize) {
            joint.rotation = rotation;
        }
    };
    for group in channel.groups.iter().filter(|group| !is_small(group)) {
        let span = spans[group.timeline];
        let targets = channel.targets_of(group);
        match group.interpolation {
            Interpolation::Step => {
                for (&target, &rotation) in targets.iter().zip(channel.row(group, span.key, 0)) {
                    write(target, rotation);
                }
            }
            Interpolation::Linear if !group.unit_length => {
                let (from, to) = (channel.row(group, span.key, 0), channel.row(group, span.next, 0));
                for (&target, (&from, &to)) in targets.iter().zip(from.iter().zip(to)) {
                    write(target, slerp::slerp_as_stored(from, to, span.factor));
                }
            }
            Interpolation::Linear => {
                let (from, to) = (channel.row(group, span.key, 0), channel.row(group, span.next, 0));
                let keys = from.chunks(BATCH).zip(to.chunks(BATCH));
                for (targets, (from, to)) in targets.chunks(BATCH).zip(keys) {
                    let rotations = &mut rotations[..targets.len()];
                    let factor = Factor::All(span.factor);
                    kernels.slerp_rotations(SlerpRotations { from, to, factor, rotations });
                    for (&target, &rotation) in targets.iter().zip(&*rotations) {
                        write(target, rotation);
                    }
                }
            }
            Interpolation::Cubic => {
                let basis = HermiteBasis::new(span);
                let [from, slope_out, slope_in, to] = channel.hermite_inputs(group, span);
                let ends = from.iter().zip(slope_out).zip(slope_in.iter().zip(to));
                for (&target, ((&from, &slope_out), (&slope_in, &to))) in targets.iter().zip(ends) {
                    write(target, basis.rotation(from, slope_out, slope_in, to));
                }
            }
        }
    }
    sample_small_groups(
        channel,
        spans,
        kernels,
        channel.groups.iter().filter(|group| is_small(group)),
        write,
    );
}

/// Samples small groups of linear rotation tracks in combined batches.
fn sample_small_groups<'a>(
    channel: &Channel<[f32; 4]>,
    spans: &[KeySpan],
    kernels: &Kernels,
    groups: impl Iterator<Item = &'a Group>,
    mut write: impl FnMut(u32, [f32; 4]),
) {
    let mut groups = groups.peekable();
    if groups.peek().is_none() {
        return;
    }
    let mut batch = RotationBatch::new();
    for group in groups {
        let span = spans[group.timeline];
        let (from, to) = (channel.row(group, span.key, 0), channel.row(group, span.next, 0));
        for (&target, (&from, &to)) in channel.targets_of(group).iter().zip(from.iter().zip(to)) {
            if batch.len == BATCH {
                batch.flush(kernels, &mut write);
            }
            batch.push(target, from, to, span.factor);
        }
    }
    batch.flush(kernels, &mut write);
}

/// Rotations to interpolate, each with its own factor.
struct RotationBatch {
    targets: [u32; BATCH],
    from: [[f32; 4]; BATCH],
    to: [[f32; 4]; BATCH],
    factors: [f32; BATCH],
    rotations: [[f32; 4]; BATCH],
    len: usize,
}

impl RotationBatch {
    fn new() -> Self {
        let none = [[0.0; 4]; BATCH];
        Self { targets: [0; BATCH], from: none, to: none, factors: [0.0; BATCH], rotations: none, len: 0 }
    }

    /// Appends a rotation. The batch must not be full.
    #[inline]
    fn push(&mut self, target: u32, from: [f32; 4], to: [f32; 4], factor: f32) {
        let i = self.len % BATCH;
        self.targets[i] = target;
        self.from[i] = from;
        self.to[i] = to;
        self.factors[i] = factor;
        self.len = i + 1;
    }

    fn flush(&mut self, kernels: &Kernels, write: &mut impl FnMut(u32, [f32; 4])) {
        let len = std::mem::take(&mut self.len);
        let rotations = &mut self.rotations[..len];
        kernels.slerp_rotations(SlerpRotations {
            from: &self.from[..len],
            to: &self.to[..len],
            factor: Factor::Each(&self.factors[..len]),
            rotations,
        });
        for (&target, &rotation) in self.targets.iter().zip(&*rotations) {
            write(target, rotation);
        }
    }
}
