//! The cylinder of Davies' comparison: a closed cylinder of over 2000 vertices on 30 bones, with 1 to 4
//! weights.

use sinew::{Bone, Pose, Skeleton, Transform};

use crate::can::Can;
use crate::portable::{greatest, sine_cosine, then, turn_x, turn_z};
use crate::{Motion, Scene, noise};

/// How many joints the cylinder has.
pub const JOINTS: usize = 30;

/// After how many seconds the sine motion repeats.
pub const SINE_SECONDS: f32 = 2.0;

const HEIGHT: f64 = 3.0;
const RADIUS: f64 = 0.15;
const SIDES: usize = 32;
const RINGS: usize = 61;
/// The length of a bone.
const BONE: f64 = HEIGHT / JOINTS as f64;

/// How many influences the cylinder's vertices have.
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
    /// From one in the lowest quarter to four in the highest.
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
            // The top itself is still in the last quarter.
            Self::Varying => {
                1 + [1.0, 2.0, 3.0].iter().filter(|&&quarter| height >= 0.25 * HEIGHT * quarter).count()
            }
        }
    }
}

/// A cylinder that stands on the origin, three metres high.
///
/// # Errors
///
/// A bad `SINEW_ISA`, as of every skeleton.
pub fn cylinder(weighting: Weighting) -> Result<Scene, sinew::Error> {
    let bone = |joint: usize| {
        let rise = if joint == 0 { 0.0 } else { BONE as f32 };
        let rest = Transform { translation: [0.0, rise, 0.0], ..Transform::IDENTITY };
        Bone::new(&format!("bone {}", joint + 1), joint.checked_sub(1), rest)
    };
    let skeleton = Skeleton::new(&(0..JOINTS).map(bone).collect::<Vec<_>>())?;
    let influences = |height: f64| nearest(height, weighting.count(height));
    let can = Can { height: HEIGHT, radius: RADIUS, sides: SIDES, rings: RINGS, influences: &influences };
    let motions = vec![Motion::Sine, Motion::Noise { octaves: 10 }];
    Ok(Scene { skeleton, skin_joints: (0..JOINTS).collect(), shape: can.shape(), motions })
}

/// The bones whose middles are nearest to a height, with weights that fall with the distance.
fn nearest(height: f64, count: usize) -> Vec<(u32, f64)> {
    let distance = |joint: usize| ((joint as f64 + 0.5) - height / BONE).abs();
    let mut bones: Vec<usize> = (0..JOINTS).collect();
    bones.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    let reach = 0.5 * (count as f64 + 1.0);
    // At the ends some of the bones are farther than the reach; they keep a little.
    let weight = |joint: usize| greatest(1.0 - distance(joint) / reach, 1.0 / 64.0);
    let sum: f64 = bones[..count].iter().map(|&joint| weight(joint)).sum();
    bones[..count].iter().map(|&joint| (joint as u32, weight(joint) / sum)).collect()
}

/// Writes the sine motion at a time: a wave that runs up the cylinder and repeats every [`SINE_SECONDS`].
///
/// # Errors
///
/// When the skeleton or the pose is not a cylinder's.
pub fn sine(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    let cycle = f64::from(seconds) / f64::from(SINE_SECONDS);
    bend(skeleton, pose, |joint| {
        let (sine, cosine) = sine_cosine(cycle - joint as f64 / 20.0);
        [4.0 * cosine, 9.0 * sine]
    })
}

/// Writes the noise motion at a time: every bone bends by gradient noise of so many octaves, as the paper's
/// application does to load the animation. It does not repeat.
///
/// # Errors
///
/// When the skeleton or the pose is not a cylinder's.
pub fn noise(skeleton: &Skeleton, octaves: u32, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    let time = 0.7 * f64::from(seconds);
    bend(skeleton, pose, |joint| {
        let along = 0.13 * joint as f64;
        [0.25, 40.75].map(|offset| 14.0 * noise::noise(time + offset, along + offset, octaves))
    })
}

/// Turns every bone about x and z by an angle in degrees for each.
fn bend(
    skeleton: &Skeleton,
    pose: &mut Pose,
    degrees: impl Fn(usize) -> [f64; 2],
) -> Result<(), sinew::Error> {
    pose.copy_from(skeleton.rest())?;
    let joints = pose.joints_mut();
    if joints.len() != JOINTS {
        return Err(sinew::Error::Length {
            what: "joints of the cylinder",
            expected: JOINTS,
            found: joints.len(),
        });
    }
    for (index, joint) in joints.iter_mut().enumerate() {
        let [about_x, about_z] = degrees(index);
        joint.rotation = then(turn_x(about_x), turn_z(about_z)).map(|element| element as f32);
    }
    Ok(())
}
