//! The animation of a clip for the joints of a model.

use sinew::animation::Interpolation;

use super::anim::Anim;
use super::hierarchy::HierarchyJoint;
use super::joints::Joints;
use super::quaternion::unpack_rotation;
use crate::error::BoxedError as Error;
use crate::scene::{Budget, WarningCount};
use crate::text_location::TextLocation;
use crate::{AnimatedProperty, RawAnimation, RawChannel, RawTimes, Report, SourceLocation};

/// The bytes that a key takes here and in the clip together. Measured.
const POSITION_BYTES: u64 = 36;
const ROTATION_BYTES: u64 = 32;

/// The animation of a clip. Each joint gets a rotation and a translation track: with a key per
/// frame if it is animated, else with one key, so that the clip overrides every joint.
pub(super) fn animation(
    name: &str,
    anim: &Anim,
    joints: &Joints,
    budget: &Budget,
    report: &mut Report,
) -> Result<RawAnimation<'static>, Error> {
    check_joints(anim, &joints.hierarchy)?;
    let translated = anim.animated.iter().filter(|animated| animated.moves_position()).count();
    let rotated = anim.animated.iter().filter(|animated| animated.moves_rotation()).count();
    for (joints, bytes) in [(translated, POSITION_BYTES), (rotated, ROTATION_BYTES)] {
        budget.charge(anim.location, "keys", (joints as u64).saturating_mul(anim.frames as u64), bytes)?;
    }
    let seconds: Vec<f32> = (0..anim.frames).map(|frame| (frame as f64 / anim.frame_rate) as f32).collect();
    let location = SourceLocation::new(format!("clip {name}, {}", anim.location));
    let ends = vec![seconds[0], seconds[seconds.len() - 1]];
    let times = [vec![seconds[0]], ends, seconds];
    let times = times.map(|seconds| RawTimes { location: location.clone(), seconds: seconds.into() }).into();
    let mut long = WarningCount::default();
    let mut channels = Vec::with_capacity(2 * joints.hierarchy.len());
    for node in 0..joints.hierarchy.len() {
        let JointKeys { positions, rotations } = JointKeys::new(anim, node, &mut long);
        for (property, keys, values) in [
            (AnimatedProperty::Rotation, rotations.len(), rotations.into_flattened()),
            (AnimatedProperty::Translation, positions.len(), positions.into_flattened()),
        ] {
            channels.push(RawChannel {
                location: location.clone(),
                values_location: location.clone(),
                node,
                property,
                times: if keys == 1 { ONE_KEY } else { ALL_KEYS },
                values: values.into(),
                interpolation: Interpolation::Linear,
            });
        }
    }
    long.warn_at_first(
        report,
        &format!("clip {name}, "),
        "rotations are longer than one",
        "they were normalized, with w = 0",
    )?;
    // In a clip without motion, the first track still determines the duration.
    if translated + rotated == 0 && anim.frames > 1 {
        channels[0].times = BOTH_ENDS;
        channels[0].values.to_mut().extend_from_within(..);
    }
    Ok(RawAnimation { name: name.to_owned(), location: format!("clip {name}, "), times, channels })
}

/// The indices of the lists of times.
const ONE_KEY: usize = 0;
const BOTH_ENDS: usize = 1;
const ALL_KEYS: usize = 2;

/// The keys of a joint: one per frame, or one for all frames.
struct JointKeys {
    positions: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
}

impl JointKeys {
    fn new(anim: &Anim, joint: usize, long: &mut WarningCount<TextLocation>) -> Self {
        let animated = anim.animated[joint];
        let frames = |moved: bool| if moved { anim.frames } else { 1 };
        let position = |frame| {
            let [x, y, z, ..] = anim.components(joint, frame);
            [x as f32, y as f32, z as f32]
        };
        let mut rotation = |frame| {
            let [.., x, y, z] = anim.components(joint, frame);
            let (rotation, too_long) = unpack_rotation([x, y, z]);
            if too_long {
                long.add(anim.location);
            }
            rotation.map(|element| element as f32)
        };
        Self {
            positions: (0..frames(animated.moves_position())).map(position).collect(),
            rotations: (0..frames(animated.moves_rotation())).map(&mut rotation).collect(),
        }
    }
}

/// Checks that the clip has the joints of the model, in the same order.
fn check_joints(anim: &Anim, model_joints: &[HierarchyJoint]) -> Result<(), Error> {
    let mismatch =
        |expected: String, found: String| Error::invalid(anim.location.to_string(), expected, found);
    for (joint, (expected, found)) in model_joints.iter().zip(&anim.joints).enumerate() {
        if expected != found {
            let describe = |joint: &HierarchyJoint| match joint.parent {
                Some(parent) => format!("{:?} with parent {parent}", joint.name),
                None => format!("{:?} without parent", joint.name),
            };
            return Err(mismatch(
                format!("joint {joint} of the model, {}", describe(expected)),
                describe(found),
            ));
        }
    }
    if model_joints.len() != anim.joints.len() {
        return Err(mismatch(
            format!("the {} joints of the model", model_joints.len()),
            format!("{} joints", anim.joints.len()),
        ));
    }
    Ok(())
}
