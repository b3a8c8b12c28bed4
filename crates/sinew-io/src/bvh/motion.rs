//! The motion: a number per frame and channel, as an animation of the joints.

use sinew::animation::Interpolation;

use super::euler::rotation;
use super::hierarchy::{BvhJoint, Channel};
use super::tokens::Tokens;
use crate::error::BoxedError as Error;
use crate::text_location::TextLocation;
use crate::{AnimatedProperty, ImportContext, RawAnimation, RawChannel, RawTimes, SourceLocation};

/// The seconds per frame where the file states none that are usable.
const DEFAULT_FRAME_TIME: f64 = 1.0 / 30.0;

/// The bytes of a key in the scene and in the clip.
const KEY_BYTES: u64 = 32;

/// The numbers of all frames.
pub(super) struct Motion {
    location: TextLocation,
    frames: usize,
    frame_time: f64,
    channels: usize,
    values: Vec<f64>,
}

impl Motion {
    /// Reads the motion; `None` if the file ends before it, or has no frames.
    pub(super) fn read(
        tokens: &mut Tokens<'_>,
        channels: usize,
        context: &mut ImportContext<'_>,
    ) -> Result<Option<Self>, Error> {
        let location = tokens.location();
        if tokens.peek().is_empty() {
            context.warn(location.to_string(), "no motion", "the model has no clip")?;
            return Ok(None);
        }
        tokens.expect("MOTION")?;
        tokens.expect("Frames:")?;
        // A frame without channels takes no bytes, but then there is nothing to move.
        let least = (2 * channels).max(1);
        let stated = tokens.count("the number of frames, each with a number per channel", least)?;
        tokens.expect("Frame")?;
        tokens.expect("Time:")?;
        let frame_time = read_frame_time(tokens, context)?;
        let frames = if channels == 0 { 0 } else { stated };
        context.budget.charge(location, "numbers", (frames as u64).saturating_mul(channels as u64), 8)?;
        let mut values = Vec::with_capacity(frames * channels);
        for value in 0..frames * channels {
            let what = || format!("number {} of frame {}", value % channels, value / channels);
            values.push(tokens.number("a number").map_err(|_| tokens.unexpected(&what()))?);
        }
        if !tokens.peek().is_empty() {
            let found = format!("text after the last of {frames} frames");
            context.warn(tokens.location().to_string(), found, "it was ignored")?;
        }
        if frames == 0 {
            context.warn(location.to_string(), "a motion without frames", "the model has no clip")?;
            return Ok(None);
        }
        Ok(Some(Self { location, frames, frame_time, channels, values }))
    }

    /// The animation: a rotation for each joint with such channels, and a translation. Joints that
    /// do not move have a single key.
    pub(super) fn animation(
        &self,
        joints: &[BvhJoint],
        context: &mut ImportContext<'_>,
    ) -> Result<RawAnimation<'static>, Error> {
        let location = self.location.to_string();
        let seconds: Vec<f32> =
            (0..self.frames).map(|frame| (frame as f64 * self.frame_time) as f32).collect();
        let lists = [vec![seconds[0]], vec![seconds[0], seconds[self.frames - 1]], seconds];
        let times_location = SourceLocation::new(&*location);
        let times =
            |seconds: Vec<f32>| RawTimes { location: times_location.clone(), seconds: seconds.into() };
        let times = lists.map(times).into();
        let mut animation = RawAnimation { name: "motion".to_owned(), location, times, channels: Vec::new() };
        for (node, joint) in joints.iter().enumerate() {
            for property in [AnimatedProperty::Rotation, AnimatedProperty::Translation] {
                if joint.channels.iter().any(|&channel| property_of(channel) == property) {
                    self.add_channel(&mut animation, (node, joint), property, context)?;
                }
            }
        }
        // In a motion that stands still, the first channel still determines the duration.
        if self.frames > 1 && animation.channels.iter().all(|channel| channel.times == ONE_KEY) {
            animation.channels[0].times = BOTH_ENDS;
            animation.channels[0].values.to_mut().extend_from_within(..);
        }
        Ok(animation)
    }

    fn add_channel(
        &self,
        animation: &mut RawAnimation<'_>,
        (node, joint): (usize, &BvhJoint),
        property: AnimatedProperty,
        context: &mut ImportContext<'_>,
    ) -> Result<(), Error> {
        let own = |frame: usize| &self.values[frame * self.channels + joint.first_channel..];
        let moves = (0..joint.channels.len())
            .filter(|&slot| property_of(joint.channels[slot]) == property)
            .any(|slot| (1..self.frames).any(|frame| own(frame)[slot] != own(0)[slot]));
        let keys = if moves { self.frames } else { 1 };
        context.budget.charge(self.location, "keys", keys as u64, KEY_BYTES)?;
        let mut values = Vec::with_capacity(keys * 4);
        for frame in 0..keys {
            match property {
                AnimatedProperty::Rotation => values.extend(joint_rotation(joint, own(frame))),
                _ => values.extend(joint_translation(joint, own(frame))),
            }
        }
        let location = SourceLocation::new(format!("{}, joint {:?}", self.location, joint.name));
        animation.channels.push(RawChannel {
            values_location: location.clone(),
            location,
            node,
            property,
            times: if moves { ALL_KEYS } else { ONE_KEY },
            values: values.into(),
            interpolation: Interpolation::Linear,
        });
        Ok(())
    }
}

/// The indices of the lists of times.
const ONE_KEY: usize = 0;
const BOTH_ENDS: usize = 1;
const ALL_KEYS: usize = 2;

fn property_of(channel: Channel) -> AnimatedProperty {
    match channel {
        Channel::Position(_) => AnimatedProperty::Translation,
        Channel::Rotation(_) => AnimatedProperty::Rotation,
    }
}

fn joint_rotation(joint: &BvhJoint, values: &[f64]) -> [f32; 4] {
    let turns = joint.channels.iter().zip(values).filter_map(|(&channel, &degrees)| match channel {
        Channel::Rotation(axis) => Some((axis, degrees)),
        Channel::Position(_) => None,
    });
    rotation(turns).map(|component| component as f32)
}

/// Positions replace components of the offset.
fn joint_translation(joint: &BvhJoint, values: &[f64]) -> [f32; 3] {
    let mut translation = joint.offset;
    for (&channel, &value) in joint.channels.iter().zip(values) {
        if let Channel::Position(axis) = channel {
            translation[axis] = value;
        }
    }
    translation.map(|component| component as f32)
}

fn read_frame_time(tokens: &mut Tokens<'_>, context: &mut ImportContext<'_>) -> Result<f64, Error> {
    let location = tokens.location();
    let frame_time = tokens.number("the seconds of a frame")?;
    if frame_time.is_finite() && frame_time > 0.0 {
        return Ok(frame_time);
    }
    let found = format!("a frame of {frame_time} seconds");
    context.warn(location.to_string(), found, "frames take 1/30 of a second")?;
    Ok(DEFAULT_FRAME_TIME)
}
