//! Spring bones of one character.

use super::algebra::{
    Affine, Quaternion, Vector, cross, dot, inverse, length, product, quaternion_product, rotate, scaled, sum,
};
use crate::{BoneLength, ColliderShape, SpringBone, SpringCenter, SpringPlan, SpringStep};

/// A character with spring bones.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringCharacter {
    /// The length of a sub-step.
    pub seconds: f64,
    /// The number of sub-steps.
    pub sub_steps: u32,
    /// Whether the bones are at rest before the first sub-step.
    pub starts: bool,
    /// World matrices; inputs are relative to the first.
    pub worlds: Vec<Affine>,
    /// Local matrices of joints that follow.
    pub locals: Vec<Affine>,
    /// The bones.
    pub bones: Vec<SpringState>,
}

/// A bone of a [`SpringCharacter`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringState {
    /// The joint's local translation.
    pub translation: Vector,
    /// The joint's local scale.
    pub scale: Vector,
    /// The end of the bone after the last sub-step, in the space of the center.
    pub tail: Vector,
    /// The end of the bone after the sub-step before.
    pub previous_tail: Vector,
    /// Where the next joint was after the last sub-step, in world space.
    pub next_joint: Vector,
    /// The joint's local rotation.
    pub rotation: Quaternion,
}

/// Advances a character by its sub-steps.
///
/// # Panics
///
/// When an index of the plan is out of bounds, or a matrix that is inverted is singular.
pub fn simulate_springs(plan: &SpringPlan<'_>, character: &mut SpringCharacter) {
    for &input in plan.inputs {
        character.worlds[input as usize] = product(&character.worlds[0], &character.worlds[input as usize]);
    }
    for pass in 0..character.sub_steps.max(1) {
        for step in plan.steps {
            match step {
                SpringStep::Follow { parent, local, world } => {
                    character.worlds[*world as usize] =
                        product(&character.worlds[*parent as usize], &character.locals[*local as usize]);
                }
                // Their matrices are computed where they are used.
                SpringStep::Collider(_) | SpringStep::Center(_) => {}
                SpringStep::Bone(bone) => swing(plan, character, bone, pass),
            }
        }
    }
}

fn swing(plan: &SpringPlan<'_>, character: &mut SpringCharacter, bone: &SpringBone, pass: u32) {
    let worlds = &character.worlds;
    let parent = worlds[bone.parent as usize];
    let mut state = character.bones[bone.bone as usize];
    let rest = bone.rest_rotation.map(f64::from);
    let tail_at_rest = bone.tail.map(f64::from);
    let at_rest = product(&parent, &local_matrix(state.translation, rest, state.scale));
    let head = point(&at_rest, [0.0; 3]);
    let end_at_rest = point(&at_rest, tail_at_rest);
    let along = difference(end_at_rest, head);
    let to_world = |p: Vector| match bone.center {
        Some(SpringCenter { world, .. }) => point(&worlds[world as usize], p),
        None => p,
    };
    let to_center = |p: Vector| match bone.center {
        Some(SpringCenter { world, .. }) => {
            point(&inverse(&worlds[world as usize]).expect("a center that is not singular"), p)
        }
        None => p,
    };
    if pass == 0 && character.starts {
        state.tail = to_center(end_at_rest);
        state.previous_tail = state.tail;
        state.next_joint = end_at_rest;
    }
    let bone_length = match plan.bone_length {
        BoneLength::Constant => length(along),
        BoneLength::SinceLastStep => length(difference(head, state.next_joint)),
    };
    let end = if pass < character.sub_steps {
        let inertia = scaled(difference(state.tail, state.previous_tail), 1.0 - f64::from(bone.drag_force));
        let stiffness = scaled(unit(along), f64::from(bone.stiffness) * character.seconds);
        let gravity = f64::from(bone.gravity_power) * character.seconds;
        let gravity = scaled(bone.gravity_dir.map(f64::from), gravity);
        let moved = sum(sum(to_world(sum(state.tail, inertia)), stiffness), gravity);
        let keep_length = |p: Vector| sum(head, scaled(unit(difference(p, head)), bone_length));
        let mut next = keep_length(moved);
        for &index in &plan.bone_colliders[bone.colliders[0] as usize..bone.colliders[1] as usize] {
            let collider = &plan.colliders[index as usize];
            let world = &worlds[collider.world as usize];
            let (distance, direction) = distance_to(&collider.shape, world, next);
            let overlap = distance - f64::from(bone.hit_radius);
            if overlap < 0.0 {
                next = keep_length(sum(next, scaled(direction, -overlap)));
            }
        }
        next
    } else {
        to_world(state.tail)
    };
    // The rotation from rest after which the tail points at the end.
    if pass == 0 || pass < character.sub_steps {
        let joint_from_world = inverse(&at_rest).expect("a joint that is not singular");
        let arc = rotation_between(tail_at_rest, point(&joint_from_world, end));
        state.rotation = quaternion_product(rest, arc);
    }
    let world = product(&parent, &local_matrix(state.translation, state.rotation, state.scale));
    if pass < character.sub_steps {
        state.next_joint = point(&world, tail_at_rest);
        state.previous_tail = state.tail;
        state.tail = to_center(end);
    }
    character.worlds[bone.world as usize] = world;
    character.bones[bone.bone as usize] = state;
}

/// The distance of a point from the surface that it must not cross, and the direction away from it.
fn distance_to(shape: &ColliderShape, world: &Affine, p: Vector) -> (f64, Vector) {
    let place = |offset: [f32; 3]| point(world, offset.map(f64::from));
    let (center, radius, inside) = match *shape {
        ColliderShape::Sphere { offset, radius, inside } => (place(offset), radius, inside),
        ColliderShape::Capsule { offset, tail, radius, inside } => {
            let (start, axis) = (place(offset), difference(place(tail), place(offset)));
            let along = dot(difference(p, start), axis) / dot(axis, axis);
            (sum(start, scaled(axis, along.clamp(0.0, 1.0))), radius, inside)
        }
        ColliderShape::Plane { offset, normal } => {
            // A normal is perpendicular to what its plane's directions become.
            let normal = normal.map(f64::from);
            let linear = inverse(world).expect("a collider that is not singular");
            let normal = unit(std::array::from_fn(|c| (0..3).map(|r| normal[r] * linear[r][c]).sum()));
            return (dot(difference(p, place(offset)), normal), normal);
        }
    };
    let from_center = difference(p, center);
    if inside {
        (f64::from(radius) - length(from_center), scaled(unit(from_center), -1.0))
    } else {
        (length(from_center) - f64::from(radius), unit(from_center))
    }
}

/// The shortest rotation from one direction to another.
fn rotation_between(from: Vector, to: Vector) -> Quaternion {
    let axis = cross(from, to);
    let (sine, cosine) = (length(axis).atan2(dot(from, to)) / 2.0).sin_cos();
    let [x, y, z] = scaled(unit(axis), sine);
    [x, y, z, cosine]
}

fn local_matrix(translation: Vector, rotation: Quaternion, scale: Vector) -> Affine {
    let columns: [Vector; 3] = std::array::from_fn(|c| {
        let mut axis = [0.0; 3];
        axis[c] = scale[c];
        rotate(rotation, axis)
    });
    std::array::from_fn(|r| [columns[0][r], columns[1][r], columns[2][r], translation[r]])
}

fn point(matrix: &Affine, [x, y, z]: Vector) -> Vector {
    matrix.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
}

fn difference(a: Vector, b: Vector) -> Vector {
    sum(a, scaled(b, -1.0))
}

/// A vector of length one, or zero.
fn unit(v: Vector) -> Vector {
    let length = length(v);
    if length == 0.0 { v } else { scaled(v, 1.0 / length) }
}
