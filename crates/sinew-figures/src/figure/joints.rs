//! The figure's 64 joints: positions, names and hierarchy.
//!
//! Left is +X. The left arm is defined in arm space: origin at the shoulder, arm along +X, palm
//! down. It is then rotated down into model space. The right side mirrors the left.

use sinew::{Bone, Skeleton, Transform};

use crate::math::{
    IDENTITY, Quaternion, Vec3, add, inverse, mul, rotate, rotation_z, sin_cos_turns, sub, to_f32,
};

/// The number of joints.
pub const JOINTS: usize = 64;

/// The angle of the arms below the horizontal at rest, in degrees.
pub(super) const ARM_DROP: f64 = 45.0;

pub(super) const HIPS: usize = 1;
pub(super) const SPINE: [usize; 4] = [2, 3, 4, 5];
pub(super) const NECK: [usize; 2] = [6, 7];
pub(super) const HEAD: usize = 8;
pub(super) const JAW: usize = 9;

/// A half of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

pub(super) const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// Joints of an arm, by index in its chain. The fingers follow the hand, three joints each, thumb
/// first.
pub(super) const COLLAR: usize = 0;
pub(super) const UPPER_ARM: usize = 1;
pub(super) const UPPER_ARM_TWIST: usize = 2;
pub(super) const FOREARM: usize = 3;
pub(super) const FOREARM_TWIST: usize = 4;
pub(super) const HAND: usize = 5;

/// Joints of a leg, by index in its chain.
pub(super) const THIGH: usize = 0;
pub(super) const SHIN: usize = 2;
pub(super) const FOOT: usize = 4;
pub(super) const TOES: usize = 5;

/// The joint of an arm, by index in its chain.
pub(super) const fn arm_joint(side: Side, index: usize) -> usize {
    10 + index + 21 * side as usize
}

/// The joint of a finger: finger 0 is the thumb, joint 0 is the nearest to the hand.
pub(super) const fn finger_joint(side: Side, finger: usize, joint: usize) -> usize {
    arm_joint(side, 6 + 3 * finger + joint)
}

/// The joint of a leg, by index in its chain.
pub(super) const fn leg_joint(side: Side, index: usize) -> usize {
    52 + index + 6 * side as usize
}

/// Joints on the mirror plane, from root to jaw: name, parent, position.
const CENTER: [(&str, usize, Vec3); 10] = [
    ("root", 0, [0.0, 0.0, 0.0]),
    ("hips", 0, [0.0, 0.965, -0.005]),
    ("spine 1", 1, [0.0, 1.045, -0.015]),
    ("spine 2", 2, [0.0, 1.135, -0.02]),
    ("spine 3", 3, [0.0, 1.235, -0.03]),
    ("spine 4", 4, [0.0, 1.345, -0.035]),
    ("neck 1", 5, [0.0, 1.47, -0.03]),
    ("neck 2", 6, [0.0, 1.52, -0.018]),
    ("head", 7, [0.0, 1.57, -0.005]),
    ("jaw", 8, [0.0, 1.585, 0.025]),
];

const ARM: [&str; 6] = ["collar", "upper arm", "upper arm twist", "forearm", "forearm twist", "hand"];
const FINGERS: [&str; 5] = ["thumb", "index finger", "middle finger", "ring finger", "little finger"];

/// The left shoulder: the origin of arm space.
pub(super) const SHOULDER: Vec3 = [0.178, 1.412, -0.022];
const COLLAR_POSITION: Vec3 = [0.025, 1.425, 0.005];

/// Distances from the shoulder along the arm.
pub(super) const ELBOW_AT: f64 = 0.285;
pub(super) const WRIST_AT: f64 = 0.535;

const LEG: [(&str, Vec3); 6] = [
    ("thigh", [0.09, 0.925, -0.005]),
    ("thigh twist", [0.0935, 0.711, 0.0005]),
    ("shin", [0.097, 0.497, 0.006]),
    ("shin twist", [0.099, 0.2925, -0.0115]),
    ("foot", [0.101, 0.088, -0.029]),
    ("toes", [0.112, 0.022, 0.098]),
];

/// A finger, in arm space with the origin at the wrist.
struct Finger {
    knuckle: Vec3,
    /// Degrees to the side, toward the thumb.
    splay: f64,
    /// Degrees down.
    droop: f64,
    /// Degrees by which each further joint bends down.
    curl: f64,
    lengths: [f64; 3],
}

const FINGER: [Finger; 5] = [
    Finger {
        knuckle: [0.026, -0.008, 0.024],
        splay: 42.0,
        droop: 16.0,
        curl: -2.0,
        lengths: [0.045, 0.034, 0.027],
    },
    Finger {
        knuckle: [0.091, 0.0, 0.028],
        splay: 9.0,
        droop: 5.0,
        curl: 7.0,
        lengths: [0.043, 0.026, 0.022],
    },
    Finger {
        knuckle: [0.095, 0.002, 0.007],
        splay: 2.0,
        droop: 5.0,
        curl: 7.0,
        lengths: [0.047, 0.030, 0.023],
    },
    Finger {
        knuckle: [0.090, 0.0, -0.0135],
        splay: -5.0,
        droop: 6.0,
        curl: 8.0,
        lengths: [0.043, 0.028, 0.022],
    },
    Finger {
        knuckle: [0.082, -0.003, -0.0335],
        splay: -13.0,
        droop: 7.0,
        curl: 8.0,
        lengths: [0.034, 0.021, 0.020],
    },
];

/// The rotation from arm space to model space.
pub(super) fn arm_rotation() -> Quaternion {
    rotation_z(-ARM_DROP)
}

/// Transforms a point from arm space to model space.
pub(super) fn arm_point(point: Vec3) -> Vec3 {
    add(SHOULDER, rotate(arm_rotation(), point))
}

/// The three joints and the tip of a finger, in arm space.
pub(super) fn finger_points(finger: usize) -> [Vec3; 4] {
    let Finger { knuckle, splay, droop, curl, lengths } = &FINGER[finger];
    let (splay_sine, splay_cosine) = sin_cos_turns(splay / 360.0);
    let mut points = [add([WRIST_AT, 0.0, 0.0], *knuckle); 4];
    for joint in 0..3 {
        let (sine, cosine) = sin_cos_turns((droop + curl * joint as f64) / 360.0);
        let direction = [cosine * splay_cosine, -sine, cosine * splay_sine];
        points[joint + 1] = add(points[joint], direction.map(|element| element * lengths[joint]));
    }
    points
}

/// The joints of the arm from the shoulder on, in arm space.
fn arm_points() -> Vec<Vec3> {
    let upper_arm_twist = 0.5 * ELBOW_AT;
    let mut points: Vec<Vec3> = [0.0, upper_arm_twist, ELBOW_AT, 0.5 * (ELBOW_AT + WRIST_AT), WRIST_AT]
        .map(|x| [x, 0.0, 0.0])
        .to_vec();
    for finger in 0..FINGERS.len() {
        points.extend(&finger_points(finger)[..3]);
    }
    points
}

/// The position of every joint at rest, in model space.
pub(super) fn rest_positions() -> Vec<Vec3> {
    let mut points: Vec<Vec3> = CENTER.iter().map(|joint| joint.2).collect();
    let mut left = vec![COLLAR_POSITION];
    left.extend(arm_points().into_iter().map(arm_point));
    let mirrored = |points: &[Vec3]| points.iter().map(|&[x, y, z]| [-x, y, z]).collect::<Vec<_>>();
    points.extend(&left);
    points.extend(mirrored(&left));
    let left: Vec<Vec3> = LEG.iter().map(|joint| joint.1).collect();
    points.extend(&left);
    points.extend(mirrored(&left));
    points
}

/// The parent of each joint; the root is its own parent.
pub(super) fn parents() -> Vec<usize> {
    let mut parents: Vec<usize> = CENTER.iter().map(|joint| joint.1).collect();
    for side in SIDES {
        parents.push(SPINE[3]);
        parents.extend((1..ARM.len()).map(|index| arm_joint(side, index - 1)));
        for digit in 0..FINGERS.len() {
            parents.extend([
                arm_joint(side, HAND),
                finger_joint(side, digit, 0),
                finger_joint(side, digit, 1),
            ]);
        }
    }
    for side in SIDES {
        parents.push(HIPS);
        parents.extend((1..LEG.len()).map(|index| leg_joint(side, index - 1)));
    }
    parents
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = CENTER.iter().map(|joint| joint.0.to_owned()).collect();
    for side in ["left", "right"] {
        names.extend(ARM.map(|name| format!("{side} {name}")));
        for digit in FINGERS {
            names.extend([1, 2, 3].map(|joint| format!("{side} {digit} {joint}")));
        }
    }
    for side in ["left", "right"] {
        names.extend(LEG.map(|(name, _)| format!("{side} {name}")));
    }
    names
}

/// The rotation of a joint at rest, in model space. Only the arms are rotated.
fn rest_rotation(joint: usize) -> Quaternion {
    for side in SIDES {
        if (arm_joint(side, UPPER_ARM)..=finger_joint(side, 4, 2)).contains(&joint) {
            return mirror_rotation(side, arm_rotation());
        }
    }
    IDENTITY
}

/// A rotation of the left side, mirrored for the right.
pub(super) fn mirror_rotation(side: Side, [x, y, z, w]: Quaternion) -> Quaternion {
    match side {
        Side::Left => [x, y, z, w],
        Side::Right => [x, -y, -z, w],
    }
}

pub(super) fn skeleton() -> Result<Skeleton, sinew::Error> {
    let (points, parents, names) = (rest_positions(), parents(), names());
    let bone = |joint: usize| {
        let parent = (joint > 0).then_some(parents[joint]);
        let (from_parent, parent_rotation) = match parent {
            Some(parent) => (sub(points[joint], points[parent]), rest_rotation(parent)),
            None => (points[joint], IDENTITY),
        };
        let parent_from_model = inverse(parent_rotation);
        let rotation = mul(parent_from_model, rest_rotation(joint)).map(|element| element as f32);
        let rest = Transform {
            rotation,
            translation: to_f32(rotate(parent_from_model, from_parent)),
            ..Transform::IDENTITY
        };
        Bone::new(&names[joint], parent, rest)
    };
    Ok(Skeleton::new(&(0..JOINTS).map(bone).collect::<Vec<_>>())?)
}
