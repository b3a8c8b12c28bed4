//! Builds a clip for the skeleton of a model.

use sinew::animation::{Interpolation, Keys, Track};
use sinew::{Clip, JointId};

use super::anim::Anim;
use super::budget::Budget;
use super::hierarchy::HierarchyJoint;
use super::joints::Joints;
use super::quaternion::unpack_rotation;
use super::warning_count::WarningCount;
use crate::{Error, Report};

/// The bytes that a key takes here and in the clip together. Measured.
const POSITION_BYTES: u64 = 36;
const ROTATION_BYTES: u64 = 32;

/// Builds a clip. Each joint gets a rotation and a translation track: with a key per frame if it is
/// animated, else with one key, so that the clip overrides every joint.
pub(super) fn build_clip(
    name: &str,
    anim: &Anim,
    joints: &Joints,
    budget: &mut Budget,
    report: &mut Report,
) -> Result<Clip, Error> {
    check_joints(anim, &joints.hierarchy)?;
    let translated = anim.animated.iter().filter(|animated| animated.moves_position()).count();
    let rotated = anim.animated.iter().filter(|animated| animated.moves_rotation()).count();
    for (joints, bytes) in [(translated, POSITION_BYTES), (rotated, ROTATION_BYTES)] {
        budget.charge(anim.location, "keys", (joints as u64).saturating_mul(anim.frames as u64), bytes)?;
    }
    let times: Vec<f32> = (0..anim.frames).map(|frame| (frame as f64 / anim.frame_rate) as f32).collect();
    let mut long = WarningCount::default();
    let keys: Vec<JointKeys> =
        (0..joints.hierarchy.len()).map(|joint| JointKeys::new(anim, joint, &mut long)).collect();
    let prefix = format!("clip {name}, ");
    long.warn(report, &prefix, "rotations are longer than one", "they were normalized, with w = 0")?;
    let numbered = joints.skeleton.joints().zip(&keys);
    let mut tracks: Vec<Track<'_>> = numbered.flat_map(|(joint, keys)| keys.tracks(joint, &times)).collect();
    // In a clip without motion, the first track still determines the duration.
    let (ends, held_rotation) = ([times[0], times[times.len() - 1]], [keys[0].rotations[0]; 2]);
    if translated + rotated == 0 && times.len() > 1 {
        tracks[0] = linear(&ends, Keys::Rotations { joint: JointId::new(0), values: &held_rotation });
    }
    Clip::new(name, &joints.skeleton, &tracks).map_err(|error| Error::model(prefix, error))
}

/// The keys of a joint: one per frame, or one for all frames.
struct JointKeys {
    positions: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
}

impl JointKeys {
    fn new(anim: &Anim, joint: usize, long: &mut WarningCount) -> Self {
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

    fn tracks<'a>(&'a self, joint: JointId, times: &'a [f32]) -> [Track<'a>; 2] {
        let Self { positions, rotations } = self;
        [
            linear(&times[..rotations.len()], Keys::Rotations { joint, values: rotations }),
            linear(&times[..positions.len()], Keys::Translations { joint, values: positions }),
        ]
    }
}

fn linear<'a>(times: &'a [f32], keys: Keys<'a>) -> Track<'a> {
    Track { times, keys, interpolation: Interpolation::Linear }
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
