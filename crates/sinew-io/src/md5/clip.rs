//! From frames to a clip on the skeleton of a model.

use sinew::{Clip, Interpolation, Keys, Track};

use super::anim::Anim;
use super::budget::Budget;
use super::hierarchy::Named;
use super::joints::Joints;
use super::quaternion::unpacked;
use super::tally::Tally;
use crate::{Error, Report};

/// What a key takes, here and once more in the clip. Measured.
const POSITION_BYTES: u64 = 36;
const ROTATION_BYTES: u64 = 32;

/// The clip. Each joint has a rotation and a position, with a key for each frame where frames change them and one key
/// where they do not, so that nothing is left of what was played before.
pub(super) fn clip(
    name: &str,
    anim: &Anim,
    joints: &Joints,
    budget: &mut Budget,
    report: &mut Report,
) -> Result<Clip, Error> {
    check_joints(anim, &joints.named)?;
    let moved = anim.animated.iter().filter(|animated| animated.position()).count();
    let turned = anim.animated.iter().filter(|animated| animated.rotation()).count();
    for (joints, bytes) in [(moved, POSITION_BYTES), (turned, ROTATION_BYTES)] {
        budget.charge(anim.place, "keys", (joints as u64).saturating_mul(anim.frames as u64), bytes)?;
    }
    let times: Vec<f32> = (0..anim.frames).map(|frame| (frame as f64 / anim.frame_rate) as f32).collect();
    let mut long = Tally::default();
    let channels: Vec<Channels> =
        (0..joints.named.len()).map(|joint| Channels::new(anim, joint, &mut long)).collect();
    let within = format!("clip {name}, ");
    long.note(report, &within, "rotations are longer than one", "they were brought to it, with w 0")?;
    let numbered = channels.iter().enumerate();
    let mut tracks: Vec<Track<'_>> = numbered.flat_map(|(joint, of)| of.tracks(joint, &times)).collect();
    // Where nothing moves, the first track still says how long it does not.
    let (ends, held) = ([times[0], times[times.len() - 1]], [channels[0].rotations[0]; 2]);
    if moved + turned == 0 && times.len() > 1 {
        tracks[0] = linear(&ends, Keys::Rotations { joint: 0, values: &held });
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

    fn tracks<'a>(&'a self, joint: usize, times: &'a [f32]) -> [Track<'a>; 2] {
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
