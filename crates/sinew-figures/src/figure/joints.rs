//! The figure's 64 joints: where they are, and how they hang together.
//!
//! Left is +X. The arms are laid out along +X, palms down, and then lowered together; the right side mirrors
//! the left.

use sinew::{Bone, Skeleton, Transform};

use crate::portable::{
    NO_TURN, Quaternion, Vector, add, inverse, narrow, rotate, sine_cosine, sub, then, turn_z,
};

/// How many joints the figure has.
pub const JOINTS: usize = 64;

/// How far the arms hang below the horizontal at rest, in degrees.
pub(super) const ARM_DROP: f64 = 45.0;

pub(super) const HIPS: usize = 1;
pub(super) const SPINE: [usize; 4] = [2, 3, 4, 5];
pub(super) const NECK: [usize; 2] = [6, 7];
pub(super) const HEAD: usize = 8;
pub(super) const JAW: usize = 9;

/// Left or right: which half of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

pub(super) const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// A joint of an arm by its place in the chain; the fingers follow the hand, three joints each, thumb first.
pub(super) const COLLAR: usize = 0;
pub(super) const UPPER_ARM: usize = 1;
pub(super) const UPPER_ARM_TWIST: usize = 2;
pub(super) const FOREARM: usize = 3;
pub(super) const FOREARM_TWIST: usize = 4;
pub(super) const HAND: usize = 5;

/// A joint of a leg by its place in the chain.
pub(super) const THIGH: usize = 0;
pub(super) const SHIN: usize = 2;
pub(super) const FOOT: usize = 4;
pub(super) const TOES: usize = 5;

/// The index of an arm's joint.
pub(super) const fn arm(side: Side, place: usize) -> usize {
    10 + place + 21 * side as usize
}

/// The index of a finger's joint: finger 0 is the thumb, joint 0 is nearest to the hand.
pub(super) const fn finger(side: Side, finger: usize, joint: usize) -> usize {
    arm(side, 6 + 3 * finger + joint)
}

/// The index of a leg's joint.
pub(super) const fn leg(side: Side, place: usize) -> usize {
    52 + place + 6 * side as usize
}

/// Joints on the middle plane, root to jaw.
const MIDDLE: [(&str, usize, Vector); 10] = [
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

/// Where the left arm begins to turn.
pub(super) const SHOULDER: Vector = [0.178, 1.412, -0.022];
const COLLAR_POINT: Vector = [0.025, 1.425, 0.005];

/// Distances from the shoulder along the arm.
pub(super) const ELBOW_AT: f64 = 0.285;
pub(super) const WRIST_AT: f64 = 0.535;

const LEG: [(&str, Vector); 6] = [
    ("thigh", [0.09, 0.925, -0.005]),
    ("thigh twist", [0.0935, 0.711, 0.0005]),
    ("shin", [0.097, 0.497, 0.006]),
    ("shin twist", [0.099, 0.2925, -0.0115]),
    ("foot", [0.101, 0.088, -0.029]),
    ("toes", [0.112, 0.022, 0.098]),
];

/// A finger laid out from the wrist, the arm along +X and the palm down.
struct Finger {
    knuckle: Vector,
    /// To the side, towards the thumb, and down, in degrees; each further joint bends down by `curl` more.
    splay: f64,
    droop: f64,
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

/// From the layout of the left arm, with the shoulder at the origin, to the body.
pub(super) fn arm_turn() -> Quaternion {
    turn_z(-ARM_DROP)
}

/// A point of the left arm's layout, in the body.
pub(super) fn arm_point(point: Vector) -> Vector {
    add(SHOULDER, rotate(arm_turn(), point))
}

/// The three joints and the tip of a left finger, in the layout of the arm.
pub(super) fn finger_points(finger: usize) -> [Vector; 4] {
    let Finger { knuckle, splay, droop, curl, lengths } = &FINGER[finger];
    let (splay_sine, splay_cosine) = sine_cosine(splay / 360.0);
    let mut points = [add([WRIST_AT, 0.0, 0.0], *knuckle); 4];
    for joint in 0..3 {
        let (sine, cosine) = sine_cosine((droop + curl * joint as f64) / 360.0);
        let direction = [cosine * splay_cosine, -sine, cosine * splay_sine];
        points[joint + 1] = add(points[joint], direction.map(|element| element * lengths[joint]));
    }
    points
}

/// The joints of the left arm, in the layout of the arm, from the shoulder on.
fn arm_layout() -> Vec<Vector> {
    let middle = 0.5 * ELBOW_AT;
    let mut points: Vec<Vector> =
        [0.0, middle, ELBOW_AT, 0.5 * (ELBOW_AT + WRIST_AT), WRIST_AT].map(|x| [x, 0.0, 0.0]).to_vec();
    for finger in 0..FINGERS.len() {
        points.extend(&finger_points(finger)[..3]);
    }
    points
}

/// Where every joint is in model space at rest.
pub(super) fn rest_points() -> Vec<Vector> {
    let mut points: Vec<Vector> = MIDDLE.iter().map(|joint| joint.2).collect();
    let mut left = vec![COLLAR_POINT];
    left.extend(arm_layout().into_iter().map(arm_point));
    let mirrored = |points: &[Vector]| points.iter().map(|&[x, y, z]| [-x, y, z]).collect::<Vec<_>>();
    points.extend(&left);
    points.extend(mirrored(&left));
    let left: Vec<Vector> = LEG.iter().map(|joint| joint.1).collect();
    points.extend(&left);
    points.extend(mirrored(&left));
    points
}

/// The parent of each joint; the root is its own.
pub(super) fn parents() -> Vec<usize> {
    let mut parents: Vec<usize> = MIDDLE.iter().map(|joint| joint.1).collect();
    for side in SIDES {
        parents.push(SPINE[3]);
        parents.extend((1..ARM.len()).map(|place| arm(side, place - 1)));
        for digit in 0..FINGERS.len() {
            parents.extend([arm(side, HAND), finger(side, digit, 0), finger(side, digit, 1)]);
        }
    }
    for side in SIDES {
        parents.push(HIPS);
        parents.extend((1..LEG.len()).map(|place| leg(side, place - 1)));
    }
    parents
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = MIDDLE.iter().map(|joint| joint.0.to_owned()).collect();
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

/// The rotation of each joint at rest, in model space: only the arms are turned.
fn rest_turn(joint: usize) -> Quaternion {
    for side in SIDES {
        if (arm(side, UPPER_ARM)..=finger(side, 4, 2)).contains(&joint) {
            return mirrored(side, arm_turn());
        }
    }
    NO_TURN
}

/// A rotation of the left side, for a side.
pub(super) fn mirrored(side: Side, [x, y, z, w]: Quaternion) -> Quaternion {
    match side {
        Side::Left => [x, y, z, w],
        Side::Right => [x, -y, -z, w],
    }
}

pub(super) fn skeleton() -> Result<Skeleton, sinew::Error> {
    let (points, parents, names) = (rest_points(), parents(), names());
    let bone = |joint: usize| {
        let parent = (joint > 0).then_some(parents[joint]);
        let (from_parent, parent_turn) = match parent {
            Some(parent) => (sub(points[joint], points[parent]), rest_turn(parent)),
            None => (points[joint], NO_TURN),
        };
        let back = inverse(parent_turn);
        let rotation = then(back, rest_turn(joint)).map(|element| element as f32);
        let rest =
            Transform { rotation, translation: narrow(rotate(back, from_parent)), ..Transform::IDENTITY };
        Bone::new(&names[joint], parent, rest)
    };
    Skeleton::new(&(0..JOINTS).map(bone).collect::<Vec<_>>())
}
