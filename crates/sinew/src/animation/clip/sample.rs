//! Sampling a clip at a time into a pose.

use sinew_kernels::{BLOCK, Kernels};

use super::cursor::{KeyedChannels, KeyedState, count};
use super::data::{Channel, Group};
use super::hermite::HermiteBasis;
use super::joint_value::JointValue;
use super::sparse_tracks::CommonTime;
use super::timeline::KeySpan;
use super::{Clip, Cursor, Interpolation};
use crate::animation::AnimationError;
use crate::length::check_len;
use crate::math::slerp;
use crate::skeleton::Pose;

impl Clip {
    /// Samples the clip at a time in seconds into a pose, with the pose's kernels. Joints, channels
    /// and weights without tracks keep their values. Turns scales on if the clip has a scale other
    /// than one.
    ///
    /// Before its first key a track has the first value, after its last key the last value. A NaN
    /// counts as a time before all keys.
    ///
    /// The cursor must have been created by this clip. Time may move in any direction and by any
    /// amount. Going on from the last time is faster where tracks have key times of their own. The
    /// result is the same.
    ///
    /// # Errors
    ///
    /// When the number of joints or morph weights of the pose differs from the skeleton that the
    /// clip was built for, or the cursor belongs to another clip. A cursor of another clip that
    /// needs as much memory is not detected and does no harm. On an error nothing is written.
    pub fn sample(&self, seconds: f32, cursor: &mut Cursor, pose: &mut Pose) -> Result<(), AnimationError> {
        check_len("joints of the pose to sample into", self.skeleton_len, pose.len())?;
        check_len("morph weights of the pose to sample into", self.morph_weight_count, pose.weights.len())?;
        if !cursor.is_of(self) {
            cursor.adopt(self)?;
        }
        let seconds = self.clamp(seconds);
        let kernels = pose.runtime.kernels();
        pose.scaled |= self.scaled;
        // Before other tracks, whose lanes the copies may overwrite.
        self.rotations.copy_constants(&mut pose.rotations);
        self.translations.copy_constants(&mut pose.translations);
        if pose.scaled {
            self.scales.copy_constants(&mut pose.scales);
        }
        let last_row = cursor.rows.key;
        self.sample_rows(seconds, &mut cursor.rows, kernels, pose);
        if !cursor.keyed.is_empty() {
            let common = self.common_time(seconds, cursor.rows, last_row);
            self.sample_pairs(seconds, common, &mut cursor.keyed, kernels, pose);
        }
        if !self.timelines.is_empty() {
            self.sample_groups(seconds, &mut cursor.spans, pose);
        }
        Ok(())
    }

    /// The time within the clip; the start for NaN.
    pub(super) fn clamp(&self, seconds: f32) -> f32 {
        seconds.max(self.start).min(self.end)
    }

    fn sample_rows(&self, seconds: f32, span: &mut KeySpan, kernels: &Kernels, pose: &mut Pose) {
        let Some(timeline) = &self.rows else { return };
        *span = timeline.find_span(&self.times, seconds, span.key);
        // Tracks that are stored by themselves come first: a load of whole rows right after their
        // narrow stores would wait for them.
        if let Some(singles) = &self.translations.rows.singles {
            singles.sample(*span, &mut pose.translations);
        }
        if let Some(singles) = &self.scales.rows.singles {
            singles.sample(*span, &mut pose.scales);
        }
        self.rotations.rows.sample(kernels, *span, &mut pose.rotations);
        if let Some(curves) = &self.nlerp_rotations {
            curves.rows.sample(kernels, *span, &mut pose.rotations);
        }
        self.translations.rows.sample(kernels, *span, &mut pose.translations);
        if pose.scaled {
            self.scales.rows.sample(kernels, *span, &mut pose.scales);
        }
    }

    /// Samples the tracks that the cursor holds keys of. First all keys are found, then all are
    /// interpolated: a load right after narrow stores to the same bytes would wait for them.
    #[inline(never)]
    fn sample_pairs(
        &self,
        seconds: f32,
        common: CommonTime<'_>,
        state: &mut KeyedState,
        kernels: &Kernels,
        pose: &mut Pose,
    ) {
        let channels = state.channels(count(self.translations.cursor_targets()));
        let KeyedChannels { mut rotations, mut nlerp_rotations, mut translations, mut scales } = channels;
        self.rotations.refresh_pairs(kernels, seconds, common, &mut rotations);
        if let Some(curves) = &self.nlerp_rotations {
            curves.refresh_pairs(kernels, seconds, common, &mut nlerp_rotations);
        }
        self.translations.refresh_pairs(kernels, seconds, common, &mut translations);
        self.scales.refresh_pairs(kernels, seconds, common, &mut scales);
        self.rotations.sample_pairs(kernels, seconds, common, &mut rotations, &mut pose.rotations);
        if let Some(curves) = &self.nlerp_rotations {
            curves.sample_pairs(kernels, seconds, common, &mut nlerp_rotations, &mut pose.rotations);
        }
        self.translations.sample_pairs(kernels, seconds, common, &mut translations, &mut pose.translations);
        if pose.scaled {
            self.scales.sample_pairs(kernels, seconds, common, &mut scales, &mut pose.scales);
        }
    }

    /// Samples step, cubic and weight tracks, and linear ones that are not fit for kernels.
    #[inline(never)]
    fn sample_groups(&self, seconds: f32, spans: &mut [KeySpan], pose: &mut Pose) {
        for (timeline, span) in self.timelines.iter().zip(&mut *spans) {
            *span = timeline.find_span(&self.times, seconds, span.key);
        }
        let Pose { rotations, translations, scales, weights, scaled, .. } = pose;
        sample_joints(&self.rotations.others, spans, slerp::slerp_as_stored, rotations);
        sample_joints(&self.translations.others, spans, lerp_vector, translations);
        if *scaled {
            sample_joints(&self.scales.others, spans, lerp_vector, scales);
        }
        let Some(channel) = &self.weights else { return };
        sample_channel(channel, spans, lerp, HermiteBasis::scalar, |target, number| {
            if let Some(weight) = weights.get_mut(target) {
                *weight = number;
            }
        });
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

fn sample_joints<T: JointValue>(
    channel: &Option<Box<Channel<T>>>,
    spans: &[KeySpan],
    lerp: impl Fn(T, T, f32) -> T,
    to: &mut [T::PoseBlock],
) {
    let Some(channel) = channel else { return };
    let curve = |basis, from, slope_out, slope_in, to| T::curve(basis, [from, slope_out, slope_in, to]);
    sample_channel(channel, spans, lerp, curve, |joint, value| {
        if let Some(block) = to.get_mut(joint / BLOCK) {
            T::set_pose(block, joint % BLOCK, value);
        }
    });
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
