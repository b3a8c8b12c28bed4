//! Sampling one joint of a clip.

use sinew_kernels::BLOCK;

use super::curves::{Curves, TrackPlace};
use super::data::Channel;
use super::hermite::HermiteBasis;
use super::joint_value::JointValue;
use super::sample::lerp_vector;
use super::{Clip, Interpolation};
use crate::math::slerp;
use crate::skeleton::JointId;

/// One joint's sampled channels; `None` for a channel without a track.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampledJoint {
    /// Unit quaternion (x, y, z, w).
    pub rotation: Option<[f32; 4]>,
    /// Meters along the parent's axes.
    pub translation: Option<[f32; 3]>,
    /// Factors along the joint's own axes.
    pub scale: Option<[f32; 3]>,
}

impl Clip {
    /// Samples one joint at a time in seconds. Gives the same bits as [`sample`](Self::sample) with
    /// a pose of the skeleton that the clip was built for. All channels are `None` for a joint
    /// without tracks or outside the skeleton.
    ///
    /// Needs no cursor and does not allocate. Each channel costs a search for the joint and a
    /// search for the time, so this is meant for single joints such as the root, not for whole
    /// poses.
    #[must_use]
    pub fn sample_joint(&self, joint: JointId, seconds: f32) -> SampledJoint {
        SampledJoint {
            rotation: self.sample_rotation(joint, seconds),
            translation: self.sample_track(&self.translations, joint, seconds, lerp_vector),
            scale: self.sample_track(&self.scales, joint, seconds, lerp_vector),
        }
    }

    fn sample_rotation(&self, joint: JointId, seconds: f32) -> Option<[f32; 4]> {
        let slerp = self.sample_track(&self.rotations, joint, seconds, slerp::slerp_as_stored);
        slerp.or_else(|| {
            let curves = self.nlerp_rotations.as_ref()?;
            // Only groups use the function, and these tracks are in none.
            Some(self.sample_track(curves, joint, seconds, |from, _, _| from)?.0)
        })
    }

    fn sample_track<T: JointValue>(
        &self,
        curves: &Curves<T>,
        joint: JointId,
        seconds: f32,
        lerp: impl Fn(T, T, f32) -> T,
    ) -> Option<T> {
        let (seconds, kernels, lane) = (self.clamp(seconds), self.runtime.kernels(), joint.index() % BLOCK);
        match curves.find(joint.index())?.place {
            TrackPlace::Constant { .. } => curves.constant(joint.index()),
            TrackPlace::Rows { block, .. } => {
                let span = self.rows?.find_span(&self.times, seconds, 0);
                Some(curves.rows.sample_one(kernels, span, block as usize, lane))
            }
            TrackPlace::PackedRow { block, .. } => {
                let span = self.rows?.find_span(&self.times, seconds, 0);
                curves.rows.sample_one_packed(kernels, span, block as usize, lane)
            }
            TrackPlace::SingleRow { number, .. } => {
                let span = self.rows?.find_span(&self.times, seconds, 0);
                Some(curves.rows.singles.as_ref()?.sample_one(span, number as usize))
            }
            TrackPlace::Keyed(track) => Some(curves.keyed()?.sample_one(kernels, seconds, track as usize)),
            TrackPlace::Sparse(track) => {
                let span = self.rows?.find_span(&self.times, seconds, 0);
                let time = self.common_time(seconds, span, usize::MAX);
                Some(curves.sparse()?.sample_one(kernels, time, track as usize))
            }
            TrackPlace::Other(group) => {
                self.sample_in_group(curves.others.as_ref()?, group as usize, joint, seconds, lerp)
            }
        }
    }

    fn sample_in_group<T: JointValue>(
        &self,
        channel: &Channel<T>,
        group: usize,
        joint: JointId,
        seconds: f32,
        lerp: impl Fn(T, T, f32) -> T,
    ) -> Option<T> {
        let group = &channel.groups[group];
        let slot = channel.targets_of(group).binary_search(&(joint.index() as u32)).ok()?;
        let span = self.timelines[group.timeline].find_span(&self.times, seconds, 0);
        Some(match group.interpolation {
            Interpolation::Step => channel.row(group, span.key, 0)[slot],
            Interpolation::Linear => {
                let [from, to] = [span.key, span.next].map(|key| channel.row(group, key, 0)[slot]);
                lerp(from, to, span.factor)
            }
            Interpolation::Cubic => {
                T::curve(HermiteBasis::new(span), channel.hermite_inputs(group, span).map(|row| row[slot]))
            }
        })
    }
}
