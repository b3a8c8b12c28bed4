//! What parts dual quaternions from linear blending: a cylinder on two joints, the upper of which turns about its own axis.

use sinew::{Bone, Pose, Skeleton, Transform};

use crate::can::Can;
use crate::portable::{cosine, smooth_step, turn_y};
use crate::{Motion, Scene};

/// After how many seconds the twist repeats.
pub const TWIST_SECONDS: f32 = 4.0;

/// How far the upper joint turns, in degrees.
pub const MOST_DEGREES: f64 = 180.0;

const HEIGHT: f64 = 2.0;
const RADIUS: f64 = 0.35;
const SIDES: usize = 48;
const RINGS: usize = 49;
/// Of one colour; the last stripe must differ from the first.
const SIDES_OF_STRIPE: usize = 4;

/// A cylinder that stands on the origin, two metres high, on two joints. Its vertices go over from the lower to the upper
/// one along the middle half. It has stripes, which show how far it is twisted.
///
/// # Errors
///
/// A bad `SINEW_ISA`, as of every skeleton.
pub fn twist() -> Result<Scene, sinew::Error> {
    let middle = Transform { translation: [0.0, 0.5 * HEIGHT as f32, 0.0], ..Transform::IDENTITY };
    let bones = [Bone::new("lower", None, Transform::IDENTITY), Bone::new("upper", Some(0), middle)];
    let skeleton = Skeleton::new(&bones)?;
    let influences = |height: f64| {
        let upper = smooth_step((height / HEIGHT - 0.5) / 0.25);
        vec![(0, 1.0 - upper), (1, upper)]
    };
    let can = Can { height: HEIGHT, radius: RADIUS, sides: SIDES, rings: RINGS, influences: &influences };
    let mut shape = can.shape();
    shape.colours = shape.texture_coordinates.iter().map(|&[around, _]| stripe(around)).collect();
    Ok(Scene { skeleton, skin_joints: vec![0, 1], shape, motions: vec![Motion::Twist] })
}

/// Stripes from bottom to top, which show the twist.
fn stripe(around: f32) -> [f32; 4] {
    let side = (around * SIDES as f32).round() as usize;
    if side / SIDES_OF_STRIPE % 2 == 0 { [0.62, 0.66, 0.68, 1.0] } else { [0.10, 0.27, 0.42, 1.0] }
}

/// Writes the twist at a time: from none at 0 s to half a turn at 2 s, and back.
///
/// # Errors
///
/// When the skeleton or the pose is not that of the twist.
pub fn pose(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    pose.copy_from(skeleton.rest())?;
    let [_, upper] = pose.joints_mut() else {
        return Err(sinew::Error::Length { what: "joints of the twist", expected: 2, found: skeleton.len() });
    };
    let part = 0.5 - 0.5 * cosine(f64::from(seconds) / f64::from(TWIST_SECONDS));
    upper.rotation = turn_y(MOST_DEGREES * part).map(|element| element as f32);
    Ok(())
}
