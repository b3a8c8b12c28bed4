//! The simulation of eight characters at once, by the formulas of VRMC_springBone 1.0.

use super::rig::{RigStep, SpringBone, SpringRig, WORLD_SLOT};
use super::source::{BoneLength, ColliderShape};
use crate::math::affine_lanes::{Affine8, Quat8};
use crate::math::lanes::{F32x8, LANES, Mask8, Vec3x8};

/// Working memory of the simulation, for up to eight characters.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpringScratch {
    /// The world matrix of each slot.
    pub(super) worlds: Vec<Affine8>,
    /// The local matrix of each joint that follows.
    pub(super) follows: Vec<Affine8>,
    pub(super) bones: Vec<BoneLanes>,
    colliders: Vec<ColliderLanes>,
    /// The inverse of each center's world matrix.
    center_from_world: Vec<Affine8>,
    /// The length of a sub-step.
    pub(super) seconds: F32x8,
    /// The number of sub-steps; zero keeps the state.
    pub(super) steps: [u32; LANES],
    /// Lanes that start without motion.
    pub(super) starts: Mask8,
}

/// A bone of eight characters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BoneLanes {
    /// The joint's local translation.
    pub(super) translation: Vec3x8,
    /// The joint's local scale.
    pub(super) scale: Vec3x8,
    /// The end of the bone after the last step, in the space of the center.
    pub(super) tail: Vec3x8,
    /// The end of the bone after the step before.
    pub(super) previous_tail: Vec3x8,
    /// Where the next joint was after the last step, in world space.
    pub(super) next_joint: Vec3x8,
    /// The result: the joint's local rotation.
    pub(super) rotation: Quat8,
}

/// A collider of eight characters in world space.
#[derive(Clone, Copy, Debug, Default)]
struct ColliderLanes {
    /// The center of a sphere, an end of a capsule, or a point on a plane.
    origin: Vec3x8,
    /// From one end of a capsule to the other, or the unit normal of a plane.
    axis: Vec3x8,
}

impl SpringScratch {
    /// Makes room for a rig. Allocates only if no rig was larger before.
    pub(super) fn reserve(&mut self, rig: &SpringRig) {
        fn grow<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
            if list.len() < len {
                list.resize(len, T::default());
            }
        }
        grow(&mut self.worlds, rig.slot_count);
        grow(&mut self.follows, rig.follows.len());
        grow(&mut self.bones, rig.bones.len());
        grow(&mut self.colliders, rig.colliders.len());
        grow(&mut self.center_from_world, rig.centers.len());
        self.steps = [0; LANES];
        self.starts = Mask8::default();
    }

    /// Advances all lanes by their sub-steps. Inputs, local transforms and states must be set.
    pub(super) fn simulate(&mut self, rig: &SpringRig) {
        let world = self.worlds[WORLD_SLOT];
        for &(_, slot) in &rig.inputs {
            self.worlds[slot] = world.times(&self.worlds[slot]);
        }
        let passes = self.steps.iter().copied().max().unwrap_or(0).max(1);
        for pass in 0..passes {
            let advances = Mask8(self.steps.map(|steps| pass < steps));
            for step in &rig.steps {
                match *step {
                    RigStep::Follow(index) => {
                        let follow = &rig.follows[index];
                        self.worlds[follow.slot] = self.worlds[follow.parent].times(&self.follows[index]);
                    }
                    RigStep::Collider(index) => self.place_collider(rig, index),
                    RigStep::Center(index) => {
                        self.center_from_world[index] = self.worlds[rig.centers[index].slot].inverse();
                    }
                    RigStep::Bone(index) => self.swing(rig, index, pass == 0, advances),
                }
            }
        }
    }

    fn place_collider(&mut self, rig: &SpringRig, index: usize) {
        let collider = &rig.colliders[index];
        let world = &self.worlds[collider.slot];
        self.colliders[index] = match collider.shape {
            ColliderShape::Sphere { offset, .. } => {
                ColliderLanes { origin: world.point(Vec3x8::splat(offset)), axis: Vec3x8::default() }
            }
            ColliderShape::Capsule { offset, tail, .. } => {
                let axis = std::array::from_fn(|i| tail[i] - offset[i]);
                ColliderLanes {
                    origin: world.point(Vec3x8::splat(offset)),
                    axis: world.vector(Vec3x8::splat(axis)),
                }
            }
            ColliderShape::Plane { offset, normal } => {
                // Normals are transformed by the transposed inverse: the cofactors.
                let ([x, y, z], determinant) = world.adjugate();
                let sign =
                    F32x8::splat(-1.0).where_or(determinant.less_than(F32x8::splat(0.0)), F32x8::splat(1.0));
                let normal = Vec3x8::splat(normal);
                let axis = x.scaled(normal.x) + y.scaled(normal.y) + z.scaled(normal.z);
                ColliderLanes {
                    origin: world.point(Vec3x8::splat(offset)),
                    axis: axis.scaled(sign).normalized(),
                }
            }
        };
    }

    /// Moves the end of a bone and rotates its joint. In the first pass, lanes that do not advance
    /// rotate the joint to where the bone ended before.
    fn swing(&mut self, rig: &SpringRig, index: usize, first: bool, advances: Mask8) {
        let (bone, lanes) = (&rig.bones[index], &self.bones[index]);
        let parent = &self.worlds[bone.parent];
        let head = parent.point(lanes.translation);
        let rest = Quat8::splat(bone.rest_rotation);
        // From the joint to the end of the bone, as it would be at rest.
        let along = parent.vector(rest.rotate(lanes.scale.times(Vec3x8::splat(bone.tail))));
        let rest_length = along.length();
        let (mut tail, mut previous_tail) = (lanes.tail, lanes.previous_tail);
        let mut next_joint = lanes.next_joint;
        if first && self.starts.any() {
            let start = self.to_center(bone, head + along);
            tail = start.where_or(self.starts, tail);
            previous_tail = start.where_or(self.starts, previous_tail);
            next_joint = (head + along).where_or(self.starts, next_joint);
        }
        let length = match rig.bone_length {
            BoneLength::Constant => rest_length,
            BoneLength::SinceLastStep => (head - next_joint).length(),
        };
        let still = match bone.center {
            Some(center) => self.worlds[rig.centers[center].slot].point(tail),
            None => tail,
        };
        let drag = F32x8::splat(1.0 - bone.numbers.drag_force);
        let moved = tail + (tail - previous_tail).scaled(drag);
        let moved = match bone.center {
            Some(center) => self.worlds[rig.centers[center].slot].point(moved),
            None => moved,
        };
        let stiffness = F32x8::splat(bone.numbers.stiffness) * self.seconds;
        let gravity = F32x8::splat(bone.numbers.gravity_power) * self.seconds;
        let direction = along.scaled(rest_length.reciprocal_or_zero());
        let next =
            moved + direction.scaled(stiffness) + Vec3x8::splat(bone.numbers.gravity_dir).scaled(gravity);
        let mut next = head + (next - head).normalized().scaled(length);
        for &collider in &rig.spring_colliders[bone.colliders.clone()] {
            let (shape, lanes) =
                (&rig.colliders[collider as usize].shape, &self.colliders[collider as usize]);
            next = lanes.collide(shape, bone.numbers.hit_radius, next, head, length);
        }
        let end = next.where_or(advances, still);
        let next_tail = self.to_center(bone, next);

        // The direction of the bone in the space of the joint at rest. The sign of the determinant
        // is all that the adjugate lacks for a direction.
        let ([x, y, z], determinant) = parent.adjugate();
        let away = end - head;
        let away = Vec3x8 { x: x.dot(away), y: y.dot(away), z: z.dot(away) };
        let mirrored = determinant.less_than(F32x8::splat(0.0));
        let away = (-away).where_or(mirrored, away).normalized();
        let away = rest.rotate_back(away).over(lanes.scale).normalized();
        let arc = Quat8::rotation_arc(Vec3x8::splat(bone.axis), away, Vec3x8::splat(bone.perpendicular));
        let rotation = rest.times(arc);
        let rotation = if first { rotation } else { rotation.where_or(advances, lanes.rotation) };

        let [x, y, z] = rotation.columns();
        let local = Affine8 {
            columns: [x.scaled(lanes.scale.x), y.scaled(lanes.scale.y), z.scaled(lanes.scale.z)],
            translation: lanes.translation,
        };
        self.worlds[bone.slot] =
            Affine8 { columns: local.columns.map(|column| parent.vector(column)), translation: head };
        if rig.bone_length == BoneLength::SinceLastStep {
            let now = self.worlds[bone.slot].point(Vec3x8::splat(bone.tail));
            next_joint = now.where_or(advances, next_joint);
        }
        let lanes = &mut self.bones[index];
        lanes.next_joint = next_joint;
        lanes.previous_tail = tail.where_or(advances, previous_tail);
        lanes.tail = next_tail.where_or(advances, tail);
        lanes.rotation = rotation;
    }

    /// A point of world space in the space of a bone's center.
    #[inline(always)]
    fn to_center(&self, bone: &SpringBone, point: Vec3x8) -> Vec3x8 {
        match bone.center {
            Some(center) => self.center_from_world[center].point(point),
            None => point,
        }
    }
}

impl ColliderLanes {
    /// Pushes the end of a bone out of the collider, at a constant length from its head.
    #[inline(always)]
    fn collide(
        &self,
        shape: &ColliderShape,
        hit_radius: f32,
        end: Vec3x8,
        head: Vec3x8,
        length: F32x8,
    ) -> Vec3x8 {
        let (distance, normal) = match *shape {
            ColliderShape::Sphere { radius, inside, .. } => {
                round_distance(end - self.origin, radius, hit_radius, inside)
            }
            ColliderShape::Capsule { radius, inside, .. } => {
                let from = end - self.origin;
                let squared = self.axis.dot(self.axis);
                let along = self.axis.dot(from) * squared.reciprocal_or_zero();
                let zero = F32x8::splat(0.0);
                let along = zero.where_or(along.less_than(zero), along);
                let one = F32x8::splat(1.0);
                let along = one.where_or(one.less_than(along), along);
                round_distance(from - self.axis.scaled(along), radius, hit_radius, inside)
            }
            ColliderShape::Plane { .. } => {
                ((end - self.origin).dot(self.axis) - F32x8::splat(hit_radius), self.axis)
            }
        };
        let hits = distance.less_than(F32x8::splat(0.0));
        if !hits.any() {
            return end;
        }
        let pushed = end - normal.scaled(distance);
        let pushed = head + (pushed - head).normalized().scaled(length);
        pushed.where_or(hits, end)
    }
}

/// The distance from the surface of a sphere, negative where a point collides, and the direction
/// that it is pushed in.
#[inline(always)]
fn round_distance(from_center: Vec3x8, radius: f32, hit_radius: f32, inside: bool) -> (F32x8, Vec3x8) {
    let distance = from_center.length();
    let outward = from_center.scaled(distance.reciprocal_or_zero());
    if inside {
        (F32x8::splat(radius) - F32x8::splat(hit_radius) - distance, -outward)
    } else {
        (distance - F32x8::splat(hit_radius) - F32x8::splat(radius), outward)
    }
}
