//! Which joints move a point of the figure, and how much: a rule of the place at rest, whatever the density.
//!
//! Everything belongs to the root at first. Going down the skeleton, each joint takes a share of what its
//! parent holds: all of it beyond a plane at the joint, nothing before it, and a smooth share between.

use super::joints::{
    ARM_DROP, COLLAR, FOOT, FOREARM, HAND, HEAD, HIPS, JAW, JOINTS, NECK, SHIN, SIDES, SPINE, Side, THIGH,
    TOES, UPPER_ARM, arm, finger, leg, parents, rest_points,
};
use crate::portable::{Vector, along, dot, greatest, length, sine_cosine, smooth_step, sub, unit};

/// The shares of all joints.
pub(super) struct Weights {
    takers: Vec<Taker>,
    parents: Vec<usize>,
}

/// How a joint takes from its parent.
#[derive(Clone, Copy)]
struct Taker {
    origin: Vector,
    normal: Vector,
    /// Half the width of the zone in which the share grows from nothing to all.
    width: f64,
    limit: Limit,
}

/// Where a joint takes at all.
#[derive(Clone, Copy)]
enum Limit {
    Everywhere,
    /// And all of the arms, which hang lower than what they hang on.
    AndArms,
    /// On one side of the body, without the arms.
    Leg(Side),
    /// Beyond another plane.
    Beyond {
        origin: Vector,
        normal: Vector,
        width: f64,
    },
    /// About the axis through the joint: within a radius, and from `free` along the axis on within a wider
    /// and wider one.
    Around {
        axis: Vector,
        radius: f64,
        width: f64,
        free: f64,
    },
}

impl Taker {
    fn share(&self, point: Vector) -> f64 {
        let offset = sub(point, self.origin);
        let share = smooth_step(dot(offset, self.normal) / self.width);
        match self.limit {
            Limit::Everywhere => share,
            Limit::Beyond { origin, normal, width } => {
                share * smooth_step(dot(sub(point, origin), normal) / width)
            }
            Limit::AndArms => share + (1.0 - share) * arm_part(point),
            Limit::Leg(side) => {
                let own_side = smooth_step((on(side, point)[0] - 0.004) / 0.022);
                share * own_side * (1.0 - arm_part(point))
            }
            Limit::Around { axis, radius, width, free } => {
                let height = dot(offset, axis);
                let distance = length(along(offset, axis, -height));
                let radius = radius + greatest(0.0, height - free);
                share * smooth_step((radius - distance) / width)
            }
        }
    }
}

/// How far a point is on the arms' side of the armpit.
fn arm_part(point: Vector) -> f64 {
    let [x, y] = [point[0].abs() - 0.19, point[1] - 1.275];
    smooth_step((0.78 * x + 0.62 * y) / 0.035)
}

impl Weights {
    pub(super) fn new() -> Self {
        let points = rest_points();
        let all = Taker { origin: [0.0; 3], normal: [0.0, 1.0, 0.0], width: 1e-3, limit: Limit::Everywhere };
        let mut takers = vec![all; JOINTS];
        takers[HIPS].origin = [0.0, -1.0, 0.0];
        middle(&mut takers, &points);
        for side in SIDES {
            arms(&mut takers, &points, side);
            legs(&mut takers, &points, side);
        }
        Self { takers, parents: parents() }
    }

    /// Gives the joints that move a point, with weights that sum to one.
    pub(super) fn of(&self, point: Vector, influences: &mut Vec<(u32, f64)>) {
        let (mut held, mut taken, mut shares) = ([0.0; JOINTS], [0.0; JOINTS], [0.0; JOINTS]);
        held[0] = 1.0;
        for joint in 1..JOINTS {
            // A joint whose parent took nothing has nothing to take; its own share stays zero.
            let parent = self.parents[joint];
            if parent == 0 || shares[parent] > 0.0 {
                shares[joint] = self.takers[joint].share(point);
                taken[parent] += shares[joint];
            }
        }
        influences.clear();
        for joint in 0..JOINTS {
            if joint > 0 && shares[joint] > 0.0 {
                let parent = self.parents[joint];
                held[joint] =
                    held[parent] * shares[joint] / if taken[parent] > 1.0 { taken[parent] } else { 1.0 };
            }
            let rest = 1.0 - taken[joint];
            if held[joint] > 0.0 && rest > 0.0 {
                influences.push((joint as u32, held[joint] * rest));
            }
        }
    }
}

fn middle(takers: &mut [Taker], points: &[Vector]) {
    let up = [0.0, 1.0, 0.0];
    let mut set = |joint: usize, normal: Vector, width: f64, limit: Limit| {
        takers[joint] = Taker { origin: points[joint], normal, width, limit };
    };
    for joint in SPINE {
        set(joint, up, 0.055, Limit::AndArms);
    }
    set(
        NECK[0],
        unit([0.0, 1.0, 0.25]),
        0.03,
        Limit::Around { axis: up, radius: 0.095, width: 0.035, free: 0.05 },
    );
    set(NECK[1], unit([0.0, 1.0, 0.3]), 0.03, Limit::Everywhere);
    set(HEAD, unit([0.0, 1.0, -0.25]), 0.03, Limit::Everywhere);
    let chin = Limit::Beyond { origin: [0.0, 1.57, 0.0], normal: [0.0, -1.0, 0.0], width: 0.012 };
    set(JAW, unit([0.0, -0.1, 1.0]), 0.04, chin);
}

/// A vector of the left side, for a side.
fn on(side: Side, [x, y, z]: Vector) -> Vector {
    [if side == Side::Left { x } else { -x }, y, z]
}

fn arms(takers: &mut [Taker], points: &[Vector], side: Side) {
    let (sine, cosine) = sine_cosine(ARM_DROP / 360.0);
    let axis = on(side, [cosine, -sine, 0.0]);
    let joint = |place: usize| points[arm(side, place)];
    let mut set = |joint: usize, normal: Vector, width: f64, limit: Limit| {
        takers[joint] = Taker { origin: points[joint], normal, width, limit };
    };
    let above = Limit::Beyond {
        origin: on(side, [0.1, 1.33, 0.0]),
        normal: on(side, unit([1.0, 0.8, 0.0])),
        width: 0.06,
    };
    set(arm(side, COLLAR), on(side, [1.0, 0.0, 0.0]), 0.06, above);
    let near = Limit::Around { axis, radius: 0.088, width: 0.034, free: 0.15 };
    set(arm(side, UPPER_ARM), on(side, unit([1.0, -0.55, 0.0])), 0.055, near);
    // The twist joints stand halfway between turning and not.
    set(arm(side, UPPER_ARM + 1), axis, 0.09, Limit::Everywhere);
    set(arm(side, FOREARM), axis, 0.035, Limit::Everywhere);
    set(arm(side, FOREARM + 1), axis, 0.085, Limit::Everywhere);
    set(arm(side, HAND), axis, 0.022, Limit::Everywhere);
    for digit in 0..5 {
        for phalanx in 0..3 {
            let index = finger(side, digit, phalanx);
            let next = if phalanx < 2 {
                points[index + 1]
            } else {
                along(points[index], sub(points[index], points[index - 1]), 1.0)
            };
            let axis = unit(sub(next, points[index]));
            let (radius, soft) = if digit == 0 { (0.021, 0.009) } else { (0.0125, 0.005) };
            let limit = if phalanx == 0 {
                Limit::Around { axis, radius, width: soft, free: 0.022 }
            } else {
                Limit::Everywhere
            };
            let width = [0.011, 0.008, 0.007][phalanx] * if digit == 0 { 1.3 } else { 1.0 };
            set(index, axis, width, limit);
        }
    }
    // A shoulder turns about its joint, but its skin follows from further in.
    takers[arm(side, COLLAR)].origin = on(side, [0.085, joint(COLLAR)[1], 0.0]);
}

fn legs(takers: &mut [Taker], points: &[Vector], side: Side) {
    let mut set = |place: usize, normal: Vector, width: f64, limit: Limit| {
        let joint = leg(side, place);
        takers[joint] = Taker { origin: points[joint], normal, width, limit };
    };
    let down = [0.0, -1.0, 0.0];
    set(THIGH, on(side, unit([0.3, -1.0, 0.15])), 0.075, Limit::Leg(side));
    set(THIGH + 1, down, 0.13, Limit::Everywhere);
    set(SHIN, down, 0.05, Limit::Everywhere);
    set(SHIN + 1, down, 0.12, Limit::Everywhere);
    set(FOOT, unit([0.0, -1.0, 0.35]), 0.03, Limit::Everywhere);
    set(TOES, unit([0.0, 0.0, 1.0]), 0.022, Limit::Everywhere);
}
