//! The skin weights of the figure, as a function of the rest position alone, so that they do not
//! depend on the mesh density.
//!
//! All weight starts at the root. Down the skeleton, each joint takes a fraction of its parent's
//! weight: all of it beyond a plane at the joint, none before the plane, and a smooth step between.

use super::joints::{
    ARM_DROP, COLLAR, FOOT, FOREARM, HAND, HEAD, HIPS, JAW, JOINTS, NECK, SHIN, SIDES, SPINE, Side, THIGH,
    TOES, UPPER_ARM, arm_joint, finger_joint, leg_joint, parents, rest_positions,
};
use crate::math::{Vec3, add_scaled, dot, length, max, normalize, sin_cos_turns, smooth_step, sub};

/// The skin weights of all joints.
pub(super) struct SkinWeights {
    falloffs: Vec<Falloff>,
    parents: Vec<usize>,
}

/// The fraction that a joint takes of its parent's weight: a smooth step across a plane.
#[derive(Clone, Copy)]
struct Falloff {
    origin: Vec3,
    normal: Vec3,
    /// Half the width of the zone in which the fraction rises from zero to one.
    width: f64,
    limit: Limit,
}

/// A limit of the region that a joint affects.
#[derive(Clone, Copy)]
enum Limit {
    None,
    /// The region is extended by the arms, whose hands are below their parents.
    PlusArms,
    /// One side of the body, without the arms.
    Leg(Side),
    /// Beyond another plane.
    Plane {
        origin: Vec3,
        normal: Vec3,
        width: f64,
    },
    /// Around the axis through the joint: within a radius, which widens beyond `widen_from` along
    /// the axis.
    Axis {
        axis: Vec3,
        radius: f64,
        width: f64,
        widen_from: f64,
    },
}

impl Falloff {
    fn fraction_at(&self, point: Vec3) -> f64 {
        let offset = sub(point, self.origin);
        let fraction = smooth_step(dot(offset, self.normal) / self.width);
        match self.limit {
            Limit::None => fraction,
            Limit::Plane { origin, normal, width } => {
                fraction * smooth_step(dot(sub(point, origin), normal) / width)
            }
            Limit::PlusArms => fraction + (1.0 - fraction) * arm_fraction(point),
            Limit::Leg(side) => {
                let own_side = smooth_step((mirror(side, point)[0] - 0.004) / 0.022);
                fraction * own_side * (1.0 - arm_fraction(point))
            }
            Limit::Axis { axis, radius, width, widen_from } => {
                let height = dot(offset, axis);
                let distance = length(add_scaled(offset, axis, -height));
                let radius = radius + max(0.0, height - widen_from);
                fraction * smooth_step((radius - distance) / width)
            }
        }
    }
}

/// A smooth step across the armpit: 1 on the arm's side.
fn arm_fraction(point: Vec3) -> f64 {
    let [x, y] = [point[0].abs() - 0.19, point[1] - 1.275];
    smooth_step((0.78 * x + 0.62 * y) / 0.035)
}

impl SkinWeights {
    pub(super) fn new() -> Self {
        let points = rest_positions();
        let all = Falloff { origin: [0.0; 3], normal: [0.0, 1.0, 0.0], width: 1e-3, limit: Limit::None };
        let mut falloffs = vec![all; JOINTS];
        falloffs[HIPS].origin = [0.0, -1.0, 0.0];
        set_center(&mut falloffs, &points);
        for side in SIDES {
            set_arm(&mut falloffs, &points, side);
            set_leg(&mut falloffs, &points, side);
        }
        Self { falloffs, parents: parents() }
    }

    /// Writes the joints that affect a point, with weights that sum to one.
    pub(super) fn influences_at(&self, point: Vec3, influences: &mut Vec<(u32, f64)>) {
        let (mut weights, mut taken, mut fractions) = ([0.0; JOINTS], [0.0; JOINTS], [0.0; JOINTS]);
        weights[0] = 1.0;
        for joint in 1..JOINTS {
            // Where the parent has no weight, the joint's fraction stays zero.
            let parent = self.parents[joint];
            if parent == 0 || fractions[parent] > 0.0 {
                fractions[joint] = self.falloffs[joint].fraction_at(point);
                taken[parent] += fractions[joint];
            }
        }
        influences.clear();
        for joint in 0..JOINTS {
            if joint > 0 && fractions[joint] > 0.0 {
                let parent = self.parents[joint];
                weights[joint] = weights[parent] * fractions[joint]
                    / if taken[parent] > 1.0 { taken[parent] } else { 1.0 };
            }
            let remaining = 1.0 - taken[joint];
            if weights[joint] > 0.0 && remaining > 0.0 {
                influences.push((joint as u32, weights[joint] * remaining));
            }
        }
    }
}

fn set_center(falloffs: &mut [Falloff], points: &[Vec3]) {
    let up = [0.0, 1.0, 0.0];
    let mut set = |joint: usize, normal: Vec3, width: f64, limit: Limit| {
        falloffs[joint] = Falloff { origin: points[joint], normal, width, limit };
    };
    for joint in SPINE {
        set(joint, up, 0.055, Limit::PlusArms);
    }
    set(
        NECK[0],
        normalize([0.0, 1.0, 0.25]),
        0.03,
        Limit::Axis { axis: up, radius: 0.095, width: 0.035, widen_from: 0.05 },
    );
    set(NECK[1], normalize([0.0, 1.0, 0.3]), 0.03, Limit::None);
    set(HEAD, normalize([0.0, 1.0, -0.25]), 0.03, Limit::None);
    let chin = Limit::Plane { origin: [0.0, 1.57, 0.0], normal: [0.0, -1.0, 0.0], width: 0.012 };
    set(JAW, normalize([0.0, -0.1, 1.0]), 0.04, chin);
}

/// A vector of the left side, mirrored for the right.
fn mirror(side: Side, [x, y, z]: Vec3) -> Vec3 {
    [if side == Side::Left { x } else { -x }, y, z]
}

fn set_arm(falloffs: &mut [Falloff], points: &[Vec3], side: Side) {
    let (sine, cosine) = sin_cos_turns(ARM_DROP / 360.0);
    let axis = mirror(side, [cosine, -sine, 0.0]);
    let joint = |index: usize| points[arm_joint(side, index)];
    let mut set = |joint: usize, normal: Vec3, width: f64, limit: Limit| {
        falloffs[joint] = Falloff { origin: points[joint], normal, width, limit };
    };
    let above = Limit::Plane {
        origin: mirror(side, [0.1, 1.33, 0.0]),
        normal: mirror(side, normalize([1.0, 0.8, 0.0])),
        width: 0.06,
    };
    set(arm_joint(side, COLLAR), mirror(side, [1.0, 0.0, 0.0]), 0.06, above);
    let near = Limit::Axis { axis, radius: 0.088, width: 0.034, widen_from: 0.15 };
    set(arm_joint(side, UPPER_ARM), mirror(side, normalize([1.0, -0.55, 0.0])), 0.055, near);
    // Twist joints have a wide falloff, which spreads the twist along the limb.
    set(arm_joint(side, UPPER_ARM + 1), axis, 0.09, Limit::None);
    set(arm_joint(side, FOREARM), axis, 0.035, Limit::None);
    set(arm_joint(side, FOREARM + 1), axis, 0.085, Limit::None);
    set(arm_joint(side, HAND), axis, 0.022, Limit::None);
    for finger in 0..5 {
        for segment in 0..3 {
            let index = finger_joint(side, finger, segment);
            let next = if segment < 2 {
                points[index + 1]
            } else {
                add_scaled(points[index], sub(points[index], points[index - 1]), 1.0)
            };
            let axis = normalize(sub(next, points[index]));
            let (radius, radius_width) = if finger == 0 { (0.021, 0.009) } else { (0.0125, 0.005) };
            let limit = if segment == 0 {
                Limit::Axis { axis, radius, width: radius_width, widen_from: 0.022 }
            } else {
                Limit::None
            };
            let width = [0.011, 0.008, 0.007][segment] * if finger == 0 { 1.3 } else { 1.0 };
            set(index, axis, width, limit);
        }
    }
    // The shoulder rotates about its joint, but its skin starts to follow farther in.
    falloffs[arm_joint(side, COLLAR)].origin = mirror(side, [0.085, joint(COLLAR)[1], 0.0]);
}

fn set_leg(falloffs: &mut [Falloff], points: &[Vec3], side: Side) {
    let mut set = |index: usize, normal: Vec3, width: f64, limit: Limit| {
        let joint = leg_joint(side, index);
        falloffs[joint] = Falloff { origin: points[joint], normal, width, limit };
    };
    let down = [0.0, -1.0, 0.0];
    set(THIGH, mirror(side, normalize([0.3, -1.0, 0.15])), 0.075, Limit::Leg(side));
    set(THIGH + 1, down, 0.13, Limit::None);
    set(SHIN, down, 0.05, Limit::None);
    set(SHIN + 1, down, 0.12, Limit::None);
    set(FOOT, normalize([0.0, -1.0, 0.35]), 0.03, Limit::None);
    set(TOES, normalize([0.0, 0.0, 1.0]), 0.022, Limit::None);
}
