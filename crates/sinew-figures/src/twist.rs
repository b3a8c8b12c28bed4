//! A twisting cylinder on two joints, which shows the difference between dual-quaternion and linear
//! skinning: the upper joint rotates about the cylinder's axis.

use sinew::animation::SpringSource;
use sinew::{Bone, JointId, Pose, Skeleton, Transform};

use crate::capped_cylinder::CappedCylinder;
use crate::math::{cos_turns, rotation_y, smooth_step};
use crate::motion::check_joint_count;
use crate::{Motion, Scene};

/// The period of the twist in seconds.
pub const TWIST_SECONDS: f32 = 4.0;

/// The largest rotation of the upper joint, in degrees.
pub const MAX_DEGREES: f64 = 180.0;

const HEIGHT: f64 = 2.0;
const RADIUS: f64 = 0.35;
const SIDES: usize = 48;
const RINGS: usize = 49;
/// Width of a stripe. The number of stripes must be even, or the last would merge with the first.
const SIDES_PER_STRIPE: usize = 4;

/// A cylinder that stands on the origin, two meters high, with two joints. Over the middle half of
/// its height, weights blend from the lower to the upper joint. Its vertical stripes make the twist
/// visible.
///
/// # Errors
///
/// When `SINEW_ISA` is invalid; see [`Skeleton::new`].
pub fn twist() -> Result<Scene, sinew::Error> {
    let middle = Transform { translation: [0.0, 0.5 * HEIGHT as f32, 0.0], ..Transform::IDENTITY };
    let bones = [Bone::new("lower", None, Transform::IDENTITY), Bone::new("upper", Some(0), middle)];
    let skeleton = Skeleton::new(&bones)?;
    let influences = |height: f64| {
        let upper = smooth_step((height / HEIGHT - 0.5) / 0.25);
        vec![(0, 1.0 - upper), (1, upper)]
    };
    let cylinder = CappedCylinder {
        height: HEIGHT,
        radius: RADIUS,
        sides: SIDES,
        rings: RINGS,
        influences: &influences,
    };
    let mut mesh = cylinder.mesh();
    mesh.colors = mesh.texture_coordinates.iter().map(|&[u, _]| stripe_color(u)).collect();
    Ok(Scene {
        skin_joints: skeleton.joints().collect(),
        skeleton,
        mesh,
        motions: vec![Motion::Twist],
        springs: SpringSource::default(),
    })
}

/// The color of the stripe at a texture coordinate.
fn stripe_color(u: f32) -> [f32; 4] {
    let side = (u * SIDES as f32).round() as usize;
    if (side / SIDES_PER_STRIPE).is_multiple_of(2) {
        [0.62, 0.66, 0.68, 1.0]
    } else {
        [0.10, 0.27, 0.42, 1.0]
    }
}

/// Writes the pose of the twist at a time: no rotation at 0 s, 180 degrees at 2 s, and back.
///
/// # Errors
///
/// When the skeleton or the pose does not belong to the twist.
pub fn pose(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    pose.copy_from(skeleton.rest())?;
    check_joint_count("joints of the twist", 2, pose)?;
    let fraction = 0.5 - 0.5 * cos_turns(f64::from(seconds) / f64::from(TWIST_SECONDS));
    let rotation = rotation_y(MAX_DEGREES * fraction).map(|element| element as f32);
    pose.set_rotation(JointId::new(1), rotation);
    Ok(())
}
