//! The cylinder of Davies' comparison: closed, over 2000 vertices, 30 joints, 1 to 4 influences.

use sinew::animation::SpringSource;
use sinew::{Bone, Pose, Skeleton, Transform};

use crate::capped_cylinder::CappedCylinder;
use crate::math::{max, mul, rotation_x, rotation_z, sin_cos_turns};
use crate::motion::check_joint_count;
use crate::{Motion, Scene, noise};

/// The number of joints.
pub const JOINTS: usize = 30;

/// The period of the sine motion in seconds.
pub const SINE_SECONDS: f32 = 2.0;

const HEIGHT: f64 = 3.0;
const RADIUS: f64 = 0.15;
const SIDES: usize = 32;
const RINGS: usize = 61;
const BONE_LENGTH: f64 = HEIGHT / JOINTS as f64;

/// The number of influences per vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// One for every vertex.
    One,
    /// Two for every vertex.
    Two,
    /// Three for every vertex.
    Three,
    /// Four for every vertex.
    Four,
    /// One in the lowest quarter of the cylinder, up to four in the highest.
    Varying,
}

impl Weighting {
    /// The number of influences at a height.
    fn count(self, height: f64) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
            // The top belongs to the last quarter, so 4 is not counted here.
            Self::Varying => {
                1 + [1.0, 2.0, 3.0].iter().filter(|&&quarter| height >= 0.25 * HEIGHT * quarter).count()
            }
        }
    }
}

/// A cylinder that stands on the origin, three meters high.
///
/// # Errors
///
/// When `SINEW_ISA` is invalid; see [`Skeleton::new`].
pub fn cylinder(weighting: Weighting) -> Result<Scene, sinew::Error> {
    let bone = |joint: usize| {
        let rise = if joint == 0 { 0.0 } else { BONE_LENGTH as f32 };
        let rest = Transform { translation: [0.0, rise, 0.0], ..Transform::IDENTITY };
        Bone::new(&format!("bone {}", joint + 1), joint.checked_sub(1), rest)
    };
    let skeleton = Skeleton::new(&(0..JOINTS).map(bone).collect::<Vec<_>>())?;
    let influences = |height: f64| nearest_bones(height, weighting.count(height));
    let cylinder = CappedCylinder {
        height: HEIGHT,
        radius: RADIUS,
        sides: SIDES,
        rings: RINGS,
        influences: &influences,
    };
    let motions = vec![Motion::Sine, Motion::Noise { octaves: 10 }];
    Ok(Scene {
        skin_joints: skeleton.joints().collect(),
        skeleton,
        mesh: cylinder.mesh(),
        motions,
        springs: SpringSource::default(),
    })
}

/// The bones whose midpoints are nearest to a height, with weights that fall with distance.
fn nearest_bones(height: f64, count: usize) -> Vec<(u32, f64)> {
    let distance = |joint: usize| ((joint as f64 + 0.5) - height / BONE_LENGTH).abs();
    let mut bones: Vec<usize> = (0..JOINTS).collect();
    bones.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    let reach = 0.5 * (count as f64 + 1.0);
    // At the ends some of the bones are out of reach; they keep a small weight.
    let weight = |joint: usize| max(1.0 - distance(joint) / reach, 1.0 / 64.0);
    let sum: f64 = bones[..count].iter().map(|&joint| weight(joint)).sum();
    bones[..count].iter().map(|&joint| (joint as u32, weight(joint) / sum)).collect()
}

/// Writes the pose of the sine motion at a time: a wave that runs up the cylinder.
///
/// # Errors
///
/// When the skeleton or the pose does not belong to a cylinder.
pub fn sine(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    let cycle = f64::from(seconds) / f64::from(SINE_SECONDS);
    bend(skeleton, pose, |joint| {
        let (sine, cosine) = sin_cos_turns(cycle - joint as f64 / 20.0);
        [4.0 * cosine, 9.0 * sine]
    })
}

/// Writes the pose of the noise motion at a time: every joint bends by gradient noise, as in the
/// paper's application, where it makes animation expensive. The motion does not repeat.
///
/// # Errors
///
/// When the skeleton or the pose does not belong to a cylinder.
pub fn noise(skeleton: &Skeleton, octaves: u32, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    let time = 0.7 * f64::from(seconds);
    bend(skeleton, pose, |joint| {
        let position = 0.13 * joint as f64;
        [0.25, 40.75].map(|offset| 14.0 * noise::noise(time + offset, position + offset, octaves))
    })
}

/// Rotates every joint about x and z. `degrees` returns both angles for a joint.
fn bend(
    skeleton: &Skeleton,
    pose: &mut Pose,
    degrees: impl Fn(usize) -> [f64; 2],
) -> Result<(), sinew::Error> {
    pose.copy_from(skeleton.rest())?;
    check_joint_count("joints of the cylinder", JOINTS, pose)?;
    for joint in skeleton.joints() {
        let [angle_x, angle_z] = degrees(joint.index());
        let rotation = mul(rotation_x(angle_x), rotation_z(angle_z));
        pose.set_rotation(joint, rotation.map(|element| element as f32));
    }
    Ok(())
}
