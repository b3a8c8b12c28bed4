//! One joint of a clip at any time.

use sinew_kernels::{Factor, SlerpRotations};

use super::arc;
use super::cubic::Shares;
use super::data::{Channel, Group};
use super::sample::vector_line;
use super::{Clip, Interpolation};

/// What a clip says of one joint; `None` for a channel that it does not move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointParts {
    /// Unit quaternion (x, y, z, w).
    pub rotation: Option<[f32; 4]>,
    /// Metres along the parent's axes.
    pub translation: Option<[f32; 3]>,
    /// Factors along the joint's own axes.
    pub scale: Option<[f32; 3]>,
}

impl Clip {
    /// One joint at a time in seconds: what [`sample`](Self::sample) would write, to the bit, if the pose had the kernels of
    /// the skeleton that the clip was made for. A joint without tracks, or outside the skeleton, has no parts.
    ///
    /// Takes no memory and no cursor, and costs a search for the joint and one for the time in each of its tracks: for a
    /// root now and then, not for whole poses.
    #[must_use]
    pub fn joint_at(&self, joint: usize, seconds: f32) -> JointParts {
        JointParts {
            rotation: self.look(
                &self.rotations,
                joint,
                seconds,
                |group, from, to, factor| self.turn(group, from, to, factor),
                Shares::rotation,
            ),
            translation: self.look(
                &self.translations,
                joint,
                seconds,
                |_, a, b, t| vector_line(a, b, t),
                Shares::vector,
            ),
            scale: self.look(
                &self.scalings,
                joint,
                seconds,
                |_, a, b, t| vector_line(a, b, t),
                Shares::vector,
            ),
        }
    }

    fn look<T: Copy>(
        &self,
        channel: &Channel<T>,
        joint: usize,
        seconds: f32,
        line: impl Fn(&Group, T, T, f32) -> T,
        curve: impl Fn(Shares, T, T, T, T) -> T,
    ) -> Option<T> {
        let target = u32::try_from(joint).ok()?;
        let found = channel.index.binary_search_by_key(&target, |&(target, _)| target).ok()?;
        let group = &channel.groups[channel.index[found].1 as usize];
        let slot = channel.targets_of(group).binary_search(&target).ok()?;
        let place = self.timelines[group.timeline].place(&self.times, seconds, 0);
        Some(match group.interpolation {
            Interpolation::Step => channel.row(group, place.key, 0)[slot],
            Interpolation::Linear => {
                let [from, to] = [place.key, place.next].map(|key| channel.row(group, key, 0)[slot]);
                line(group, from, to, place.factor)
            }
            Interpolation::Cubic => {
                let [from, slope_out, slope_in, to] = channel.ends(group, place).map(|row| row[slot]);
                curve(Shares::at(place), from, slope_out, slope_in, to)
            }
        })
    }

    fn turn(&self, group: &Group, from: [f32; 4], to: [f32; 4], factor: f32) -> [f32; 4] {
        if !group.unit {
            return arc::between(from, to, factor);
        }
        let (mut rotations, factor) = ([[0.0; 4]], Factor::All(factor));
        self.kernels.slerp_rotations(SlerpRotations {
            from: &[from],
            to: &[to],
            factor,
            rotations: &mut rotations,
        });
        rotations[0]
    }
}
