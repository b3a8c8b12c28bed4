//! The cage of the body: its tubes and their rings.
//!
//! Rings lie inside the body or near its surface; projection onto the signed distance field then
//! moves them onto the surface.

use super::cage::{Cage, Ring, RingEnds, Tube};
use super::joints::{ELBOW_AT, WRIST_AT, arm_point, arm_rotation, finger_points};
use super::uv_charts;
use crate::math::{Vec3, add, cross, lerp, normalize, rotate, scale, sub};

/// Builds the cage of the whole body.
pub(super) fn body_cage() -> Cage {
    let mut cage = Cage::default();
    let trunk = add_trunk(&mut cage);
    add_head(&mut cage, &trunk);
    let wrist = add_arm(&mut cage, &trunk);
    add_hand(&mut cage, &wrist);
    add_leg(&mut cage, &trunk);
    cage.with_mirror_image()
}

/// The row of the trunk where the arm begins at its lowest point.
const ARMPIT: usize = 5;

struct Trunk {
    /// From the bottom up. Each ring: front center, front, front side, side, back side, back, back
    /// center.
    rings: Vec<Vec<usize>>,
    /// The vertex on top of the shoulder, between neck and arm.
    shoulder: usize,
}

fn add_trunk(cage: &mut Cage) -> Trunk {
    // Height at the side, height at the center, half width, z at the front, z at the back.
    const ROWS: [[f64; 5]; 9] = [
        [0.915, 0.86, 0.155, 0.075, -0.09],
        [0.965, 0.945, 0.155, 0.085, -0.1],
        [1.035, 1.03, 0.13, 0.085, -0.08],
        [1.11, 1.11, 0.122, 0.085, -0.085],
        [1.19, 1.195, 0.13, 0.09, -0.1],
        [1.285, 1.28, 0.15, 0.1, -0.11],
        [1.345, 1.35, 0.155, 0.1, -0.11],
        [1.4, 1.41, 0.15, 0.07, -0.1],
        [1.445, 1.455, 0.145, 0.02, -0.08],
    ];
    // For each vertex of a ring: fraction of the half width, and of the depth from back to front.
    const RING_POINTS: [[f64; 2]; 7] =
        [[0.0, 1.0], [0.5, 0.97], [0.88, 0.8], [1.0, 0.5], [0.88, 0.2], [0.5, 0.03], [0.0, 0.0]];
    let mut rings = Vec::new();
    for [side, middle, width, front, back] in ROWS {
        let position = |[across, deep]: [f64; 2]| {
            [width * across, middle + (side - middle) * across, back + (front - back) * deep]
        };
        rings.push(RING_POINTS.map(position).map(|position| cage.add_vertex(position)).to_vec());
    }
    let holes = [0, 1, 2].map(|row| [[ARMPIT + row, 2], [ARMPIT + row, 3]]);
    let tube = Tube {
        start: &rings[0],
        angles: &[],
        rings: &[],
        ends: RingEnds::OnMirrorPlane,
        chart: uv_charts::TRUNK,
        holes: holes.as_flattened(),
    };
    cage.add_tube_quads(&rings, &tube);
    let shoulder = cage.add_vertex([0.07, 1.46, -0.03]);
    let top = &rings[ROWS.len() - 1];
    cage.add_cap(&[top[2], top[3], top[4]], &[top[1], shoulder, top[5]], uv_charts::SHOULDER, 0, 1);
    Trunk { rings, shoulder }
}

fn add_head(cage: &mut Cage, trunk: &Trunk) {
    // Front: y and z; back: y and z; half width.
    const ROWS: [[f64; 5]; 10] = [
        [1.468, 0.015, 1.497, -0.07, 0.05],
        [1.497, 0.035, 1.527, -0.062, 0.048],
        [1.519, 0.06, 1.556, -0.062, 0.05],
        [1.53, 0.092, 1.588, -0.08, 0.052],
        [1.565, 0.096, 1.618, -0.096, 0.058],
        [1.602, 0.112, 1.642, -0.1, 0.068],
        [1.637, 0.094, 1.664, -0.1, 0.073],
        [1.675, 0.09, 1.69, -0.094, 0.073],
        [1.712, 0.068, 1.718, -0.075, 0.062],
        [1.737, 0.035, 1.738, -0.045, 0.038],
    ];
    let rings = ROWS.map(|[front_y, front_z, back_y, back_z, width]| Ring {
        center: [0.0, 0.5 * (front_y + back_y), 0.5 * (front_z + back_z)],
        half_axis_0: [width, 0.0, 0.0],
        half_axis_90: [0.0, 0.5 * (front_y - back_y), 0.5 * (front_z - back_z)],
    });
    let top = &trunk.rings[trunk.rings.len() - 1];
    let start = [top[0], top[1], trunk.shoulder, top[5], top[6]];
    let rings = cage.add_tube(&Tube {
        start: &start,
        angles: &[90.0, 45.0, 0.0, -45.0, -90.0],
        rings: &rings,
        ends: RingEnds::OnMirrorPlane,
        chart: uv_charts::HEAD,
        holes: &[],
    });
    let rim = &rings[rings.len() - 1];
    let crown = cage.add_vertex([0.0, 1.748, -0.004]);
    cage.add_cap(&[rim[1], rim[2], rim[3]], &[rim[0], crown, rim[4]], uv_charts::CROWN, 0, 1);
}

/// A ring across the arm. The center is in arm space; `up` and `front` are the lengths of half
/// axes.
fn arm_ring(center: Vec3, up: f64, front: f64) -> Ring {
    let turn = arm_rotation();
    Ring {
        center: arm_point(center),
        half_axis_0: rotate(turn, [0.0, 0.0, front]),
        half_axis_90: rotate(turn, [0.0, up, 0.0]),
    }
}

/// The angles of an arm ring's ten vertices, from the bottom over the back and the top to the
/// front.
const ARM_ANGLES: [f64; 10] = [270.0, 234.0, 198.0, 162.0, 126.0, 90.0, 54.0, 18.0, -18.0, -54.0];

/// Adds the arm and returns its last ring, before the wrist.
fn add_arm(cage: &mut Cage, trunk: &Trunk) -> Vec<usize> {
    let [a, b, c, d] = [0, 1, 2, 3].map(|row| &trunk.rings[ARMPIT + row]);
    let start = [a[3], a[4], b[4], c[4], d[4], d[3], d[2], c[2], b[2], a[2]];
    const SECTIONS: [[f64; 2]; 10] = [
        [0.03, 0.05],
        [0.085, 0.042],
        [0.145, 0.04],
        [0.205, 0.036],
        [ELBOW_AT - 0.03, 0.032],
        [ELBOW_AT, 0.032],
        [ELBOW_AT + 0.03, 0.033],
        [ELBOW_AT + 0.09, 0.033],
        [ELBOW_AT + 0.16, 0.026],
        [WRIST_AT - 0.025, 0.021],
    ];
    let rings = SECTIONS.map(|[x, radius]| arm_ring([x, 0.0, 0.0], radius, radius));
    let rings = cage.add_tube(&Tube {
        start: &start,
        angles: &ARM_ANGLES,
        rings: &rings,
        ends: RingEnds::Closed,
        chart: uv_charts::ARM,
        holes: &[],
    });
    rings[rings.len() - 1].clone()
}

fn add_hand(cage: &mut Cage, start: &[usize]) {
    let at = |x: f64| [WRIST_AT + x, 0.0, 0.0];
    let rings = [
        arm_ring(at(0.0), 0.016, 0.024),
        arm_ring(at(0.022), 0.013, 0.027),
        arm_ring(at(0.05), 0.012, 0.033),
        arm_ring(at(0.08), 0.009, 0.038),
    ];
    let rings = cage.add_tube(&Tube {
        start,
        angles: &ARM_ANGLES,
        rings: &rings,
        ends: RingEnds::Closed,
        chart: uv_charts::HAND,
        holes: &[[2, 7]],
    });
    let [_, _, before, after, last] = rings.as_slice() else { return };
    let thumb = [before[8], after[8], after[7], before[7]];
    let angles = [315.0, 225.0, 135.0, 45.0];
    place_thumb_root(cage, &thumb, &angles);
    add_finger(cage, 0, &thumb, angles);
    let top = [last[7], last[6], last[5], last[4], last[3]];
    let bottom = [last[8], last[9], last[0], last[1], last[2]];
    place_knuckles(cage, &top, &bottom);
    for column in 0..4 {
        let start = [top[column + 1], top[column], bottom[column], bottom[column + 1]];
        add_finger(cage, column + 1, &start, [135.0, 45.0, -45.0, -135.0]);
    }
}

/// A ring across a finger, in model space: on which bone, at which fraction of it, and how wide.
fn finger_ring(finger: usize, joint: usize, fraction: f64, radius: f64) -> Ring {
    let points = finger_points(finger);
    let direction = |joint: usize| normalize(sub(points[joint + 1], points[joint]));
    // At a joint the ring is perpendicular to the mean direction of both bones.
    let forward = if fraction == 0.0 && joint > 0 {
        normalize(add(direction(joint - 1), direction(joint)))
    } else {
        direction(joint)
    };
    let side = normalize(cross(forward, [0.0, 1.0, 0.0]));
    let up = cross(side, forward);
    let [side, up] = [side, up].map(|axis| rotate(arm_rotation(), scale(axis, radius)));
    Ring {
        center: arm_point(lerp(points[joint], points[joint + 1], fraction)),
        half_axis_0: side,
        half_axis_90: up,
    }
}

/// Moves the thumb's opening to where the thumb leaves the palm.
fn place_thumb_root(cage: &mut Cage, opening: &[usize; 4], angles: &[f64; 4]) {
    let ring = finger_ring(0, 0, 0.4, 0.011);
    for (&vertex, degrees) in opening.iter().zip(angles) {
        cage.positions[vertex] = ring.point_at(*degrees);
    }
}

/// Moves the palm's last ring to the webs between the fingers.
fn place_knuckles(cage: &mut Cage, top: &[usize; 5], bottom: &[usize; 5]) {
    let knuckle = |finger: usize| finger_points(finger)[0];
    for column in 0..5 {
        // Between fingers the surface is a saddle, a little beyond the knuckles and half as thick
        // as they are.
        let (center, half) = match column {
            0 => (add(knuckle(1), [0.004, 0.0, 0.009]), 0.007),
            4 => (add(knuckle(4), [0.004, 0.0, -0.008]), 0.007),
            _ => (add(lerp(knuckle(column), knuckle(column + 1), 0.5), [0.010, 0.0, 0.0]), 0.005),
        };
        for vertex in [top[column], bottom[column]] {
            // Relaxation would pull it out of the fold.
            cage.pinned[vertex] = (1..4).contains(&column);
        }
        cage.positions[top[column]] = arm_point(add(center, [0.0, half, 0.0]));
        cage.positions[bottom[column]] = arm_point(add(center, [0.0, -half, 0.0]));
    }
}

/// Adds a finger along its joints and closes its tip.
fn add_finger(cage: &mut Cage, finger: usize, start: &[usize; 4], angles: [f64; 4]) {
    let radius = if finger == 0 { 0.008 } else { 0.0065 };
    let mut rings = Vec::new();
    let mut ring = |joint: usize, fraction: f64, width: f64| {
        rings.push(finger_ring(finger, joint, fraction, width * radius));
    };
    if finger > 0 {
        ring(0, 0.45, 1.0);
    }
    ring(0, 0.8, 1.0);
    ring(1, 0.0, 1.0);
    ring(1, 0.2, 1.0);
    ring(1, 0.8, 0.95);
    ring(2, 0.0, 0.9);
    ring(2, 0.2, 0.9);
    ring(2, 0.65, 0.8);
    ring(2, 0.92, 0.5);
    let (chart, tip) = uv_charts::finger(finger);
    let rings = cage.add_tube(&Tube {
        start,
        angles: &angles,
        rings: &rings,
        ends: RingEnds::Closed,
        chart,
        holes: &[],
    });
    let last = &rings[rings.len() - 1];
    cage.add_cap(&[last[0], last[1]], &[last[3], last[2]], tip, 0, 1);
}

fn add_leg(cage: &mut Cage, trunk: &Trunk) {
    let bottom = &trunk.rings[0];
    let crotch = cage.add_vertex([0.0, 0.835, -0.01]);
    // From the inner side over the back and the outer side to the front.
    let start = [crotch, bottom[6], bottom[5], bottom[4], bottom[3], bottom[2], bottom[1], bottom[0]];
    // Center, half width, half depth, and how much higher the outer side is than the center.
    const SECTIONS: [[f64; 6]; 13] = [
        [0.092, 0.85, -0.008, 0.07, 0.07, 0.05],
        [0.094, 0.77, -0.004, 0.065, 0.065, 0.02],
        [0.095, 0.69, 0.0, 0.062, 0.062, 0.0],
        [0.096, 0.61, 0.004, 0.055, 0.055, 0.0],
        [0.097, 0.545, 0.006, 0.047, 0.047, 0.0],
        [0.097, 0.5, 0.006, 0.043, 0.043, 0.0],
        [0.097, 0.455, 0.002, 0.042, 0.042, 0.0],
        [0.099, 0.38, -0.008, 0.044, 0.046, 0.0],
        [0.1, 0.3, -0.015, 0.038, 0.042, 0.0],
        [0.1, 0.21, -0.022, 0.03, 0.032, 0.0],
        [0.101, 0.135, -0.028, 0.026, 0.029, 0.0],
        [0.101, 0.082, -0.03, 0.028, 0.034, 0.0],
        [0.101, 0.012, -0.036, 0.026, 0.034, 0.0],
    ];
    let rings = SECTIONS.map(|[x, y, z, width, depth, rise]| Ring {
        center: [x, y, z],
        half_axis_0: [width, rise, 0.0],
        half_axis_90: [0.0, 0.0, depth],
    });
    let rings = cage.add_tube(&Tube {
        start: &start,
        angles: &[180.0, 225.0, 270.0, 315.0, 0.0, 45.0, 90.0, 135.0],
        rings: &rings,
        ends: RingEnds::Closed,
        chart: uv_charts::LEG,
        holes: &[[SECTIONS.len() - 1, 5], [SECTIONS.len() - 1, 6]],
    });
    let [.., ankle, sole] = rings.as_slice() else { return };
    add_heel(cage, sole);
    add_foot(cage, &[sole[7], sole[6], sole[5], ankle[5], ankle[6], ankle[7]]);
}

fn add_heel(cage: &mut Cage, sole: &[usize]) {
    let center = cage.add_vertex([0.101, 0.0, -0.036]);
    cage.add_cap(&[sole[1], sole[2], sole[3]], &[sole[0], center, sole[4]], uv_charts::HEEL, 0, 2);
    cage.add_cap(&[sole[0], center, sole[4]], &[sole[7], sole[6], sole[5]], uv_charts::HEEL, 1, 2);
}

fn add_foot(cage: &mut Cage, start: &[usize; 6]) {
    // Center, half width, half height, and how much farther forward the inner side is than the
    // center.
    const SECTIONS: [[f64; 6]; 6] = [
        [0.103, 0.038, 0.02, 0.03, 0.036, 0.0],
        [0.107, 0.03, 0.058, 0.034, 0.028, 0.004],
        [0.111, 0.022, 0.092, 0.038, 0.02, 0.008],
        [0.113, 0.018, 0.115, 0.036, 0.016, 0.01],
        [0.113, 0.015, 0.138, 0.032, 0.012, 0.01],
        [0.112, 0.014, 0.156, 0.026, 0.009, 0.008],
    ];
    let rings = SECTIONS.map(|[x, y, z, width, height, slant]| Ring {
        center: [x, y, z],
        half_axis_0: [width, 0.0, -slant],
        half_axis_90: [0.0, height, 0.0],
    });
    let rings = cage.add_tube(&Tube {
        start,
        angles: &[225.0, 270.0, 315.0, 45.0, 90.0, 135.0],
        rings: &rings,
        ends: RingEnds::Closed,
        chart: uv_charts::FOOT,
        holes: &[],
    });
    let tip = &rings[rings.len() - 1];
    cage.add_cap(&[tip[0], tip[1], tip[2]], &[tip[5], tip[4], tip[3]], uv_charts::TOES, 0, 1);
}
