//! Sampling one joint of a clip.

use sinew_kernels::{Factor, SlerpRotations};

use super::data::{Channel, Group};
use super::hermite::HermiteBasis;
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
            rotation: self.sample_target(
                &self.rotations,
                joint,
                seconds,
                |group, from, to, factor| self.slerp(group, from, to, factor),
                HermiteBasis::rotation,
            ),
            translation: self.sample_target(
                &self.translations,
                joint,
                seconds,
                |_, a, b, t| lerp_vector(a, b, t),
                HermiteBasis::vector,
            ),
            scale: self.sample_target(
                &self.scales,
                joint,
                seconds,
                |_, a, b, t| lerp_vector(a, b, t),
                HermiteBasis::vector,
            ),
        }
    }

    fn sample_target<T: Copy>(
        &self,
        channel: &Channel<T>,
        joint: JointId,
        seconds: f32,
        lerp: impl Fn(&Group, T, T, f32) -> T,
        curve: impl Fn(HermiteBasis, T, T, T, T) -> T,
    ) -> Option<T> {
        let target = u32::try_from(joint.index()).ok()?;
        let found = channel.index.binary_search_by_key(&target, |&(target, _)| target).ok()?;
        let group = &channel.groups[channel.index[found].1 as usize];
        let slot = channel.targets_of(group).binary_search(&target).ok()?;
        let span = self.timelines[group.timeline].find_span(&self.times, seconds, 0);
        Some(match group.interpolation {
            Interpolation::Step => channel.row(group, span.key, 0)[slot],
            Interpolation::Linear => {
                let [from, to] = [span.key, span.next].map(|key| channel.row(group, key, 0)[slot]);
                lerp(group, from, to, span.factor)
            }
            Interpolation::Cubic => {
                let [from, slope_out, slope_in, to] =
                    channel.hermite_inputs(group, span).map(|row| row[slot]);
                curve(HermiteBasis::new(span), from, slope_out, slope_in, to)
            }
        })
    }

    fn slerp(&self, group: &Group, from: [f32; 4], to: [f32; 4], factor: f32) -> [f32; 4] {
        if !group.unit_length {
            return slerp::slerp_as_stored(from, to, factor);
        }
        let (mut rotations, factor) = ([[0.0; 4]], Factor::All(factor));
        self.runtime.kernels().slerp_rotations(SlerpRotations {
            from: &[from],
            to: &[to],
            factor,
            rotations: &mut rotations,
        });
        rotations[0]
    }
}
