//! From frames to a clip on the skeleton of a model.

use sinew::{Clip, Interpolation, Keys, Track};

use super::anim::Anim;
use super::budget::Budget;
use super::hierarchy::Named;
use super::joints::Joints;
use super::quaternion::unpacked;
use super::tally::Tally;
use crate::{Error, Report};

/// What a key of a joint takes: position, rotation, and both once more in the clip.
const KEY_BYTES: u64 = 2 * (12 + 16);

/// The clip, with a key for each frame where frames change something, and one where they do not but the joint is not as
/// at rest.
pub(super) fn clip(
    name: &str,
    anim: &Anim,
    joints: &Joints,
    budget: &mut Budget,
    report: &mut Report,
) -> Result<Clip, Error> {
    check_joints(anim, &joints.named)?;
    let moved = anim.animated.iter().filter(|animated| animated.position() || animated.rotation()).count();
    budget.charge(anim.place, "keys", (moved as u64).saturating_mul(anim.frames as u64), KEY_BYTES)?;
    let times: Vec<f32> = (0..anim.frames).map(|frame| (frame as f64 / anim.frame_rate) as f32).collect();
    let mut long = Tally::default();
    let channels: Vec<Channels> = (0..joints.named.len()).map(|joint| Channels::new(anim, joint, &mut long)).collect();
    let within = format!("clip {name}, ");
    long.note(report, &within, "rotations are longer than one", "they were brought to it, with w 0")?;
    let mut tracks = Vec::new();
    for (joint, channels) in channels.iter().enumerate() {
        channels.add_tracks(joint, joints, &times, &mut tracks);
    }
    let still = [times[0], times[times.len() - 1]];
    let rotation = [channels[0].rotations[0]; 2];
    if tracks.iter().all(|track| track.times.len() < 2) && still[1] > still[0] {
        tracks.retain(|track| !matches!(track.keys, Keys::Rotations { joint: 0, .. }));
        tracks.push(linear(&still, Keys::Rotations { joint: 0, values: &rotation }));
    }
    Clip::new(name, &joints.skeleton, &tracks).map_err(|error| Error::model(within, error))
}

/// The keys of a joint: one for each frame, or one for all.
struct Channels {
    positions: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
}

impl Channels {
    fn new(anim: &Anim, joint: usize, long: &mut Tally) -> Self {
        let animated = anim.animated[joint];
        let frames = |moved: bool| if moved { anim.frames } else { 1 };
        let position = |frame| {
            let [x, y, z, ..] = anim.of(joint, frame);
            [x as f32, y as f32, z as f32]
        };
        let mut rotation = |frame| {
            let [.., x, y, z] = anim.of(joint, frame);
            let (rotation, too_long) = unpacked([x, y, z]);
            if too_long {
                long.add(anim.place);
            }
            rotation.map(|element| element as f32)
        };
        Self {
            positions: (0..frames(animated.position())).map(position).collect(),
            rotations: (0..frames(animated.rotation())).map(&mut rotation).collect(),
        }
    }

    /// Adds what is not as at rest.
    fn add_tracks<'a>(&'a self, joint: usize, joints: &Joints, times: &'a [f32], tracks: &mut Vec<Track<'a>>) {
        let rest = joints.skeleton.rest().transform(joint);
        if self.positions != [rest.translation] {
            let keys = Keys::Translations { joint, values: &self.positions };
            tracks.push(linear(&times[..self.positions.len()], keys));
        }
        if self.rotations != [rest.rotation] {
            let keys = Keys::Rotations { joint, values: &self.rotations };
            tracks.push(linear(&times[..self.rotations.len()], keys));
        }
    }
}

fn linear<'a>(times: &'a [f32], keys: Keys<'a>) -> Track<'a> {
    Track { times, keys, interpolation: Interpolation::Linear }
}

/// Demands the joints of the model, in their order.
fn check_joints(anim: &Anim, of_model: &[Named]) -> Result<(), Error> {
    let fault = |expected: String, found: String| Error::fault(anim.place.to_string(), expected, found);
    for (joint, (expected, found)) in of_model.iter().zip(&anim.joints).enumerate() {
        if expected != found {
            let shown = |named: &Named| match named.parent {
                Some(parent) => format!("{:?} with parent {parent}", named.name),
                None => format!("{:?} without parent", named.name),
            };
            return Err(fault(format!("joint {joint} of the model, {}", shown(expected)), shown(found)));
        }
    }
    if of_model.len() != anim.joints.len() {
        return Err(fault(
            format!("the {} joints of the model", of_model.len()),
            format!("{} joints", anim.joints.len()),
        ));
    }
    Ok(())
}
