//! A bone that swings: the formulas of VRMC_springBone 1.0.

use super::SimulateSprings;
use super::affine::{
    Affine, Vector, add, dot, length, neg, normalized, over, product, reciprocal_or_zero, rotate,
    rotation_arc, rotation_columns, scaled, select, splat, sub, times,
};
use super::colliders::CollidingEnd;
use crate::kernels::pose_blocks::{load_rotation, load_vector, store_rotation, store_vector};
use crate::lanes::Lanes;
use crate::{AffineBlock, RotationBlock, VectorBlock};

/// How long bones are while they swing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoneLength {
    /// As long as at rest, times the scale of the joints above, as VRMC_springBone 1.0 defines it.
    #[default]
    Constant,
    /// As far as the joint is now from where the next one was after the last step. This is how
    /// three-vrm 3.x measures bones: the faster a chain moves, the more its bones differ from their
    /// length. For programs that must move as it does.
    SinceLastStep,
}

/// A joint that swings, with its bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringBone {
    /// The joint's rotation at rest: a unit quaternion.
    pub rest_rotation: [f32; 4],
    /// The end of the bone in the joint's space, at rest.
    pub tail: [f32; 3],
    /// The direction of the tail.
    pub axis: [f32; 3],
    /// A unit vector perpendicular to the axis.
    pub perpendicular: [f32; 3],
    /// The radius with which the end collides.
    pub hit_radius: f32,
    /// Meters per second by which the end is moved to where it is at rest.
    pub stiffness: f32,
    /// Meters per second by which gravity moves the end.
    pub gravity_power: f32,
    /// The direction of gravity in world space. Its length counts.
    pub gravity_dir: [f32; 3],
    /// The part of the motion that is lost in each sub-step.
    pub drag_force: f32,
    /// Its block of [`SimulateSprings::bones`].
    pub bone: u32,
    /// The world matrix of its parent.
    pub parent: u32,
    /// Its world matrix.
    pub world: u32,
    /// The range of its colliders in [`SpringPlan::bone_colliders`](super::SpringPlan): first and
    /// end.
    pub colliders: [u32; 2],
    /// The joint relative to whose motion it swings; `None` swings in world space.
    pub center: Option<SpringCenter>,
}

/// A joint relative to whose motion bones swing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpringCenter {
    /// Its world matrix.
    pub world: u32,
    /// The inverse of that, in [`SimulateSprings::centers`].
    pub center: u32,
}

/// A bone of eight characters.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringBoneBlock {
    /// The joint's local translation.
    pub translation: VectorBlock,
    /// The joint's local scale.
    pub scale: VectorBlock,
    /// The end of the bone after the last sub-step, in the space of the center.
    pub tail: VectorBlock,
    /// The end of the bone after the sub-step before.
    pub previous_tail: VectorBlock,
    /// Where the next joint was after the last sub-step, in world space. Used only for
    /// [`BoneLength::SinceLastStep`].
    pub next_joint: VectorBlock,
    /// The result: the joint's local rotation.
    pub rotation: RotationBlock,
}

/// What the bones of one register have in common in a pass over all steps.
pub(super) struct Pass<L: Lanes> {
    pub(super) is_first: bool,
    /// The length of the sub-step.
    pub(super) seconds: L,
    /// Characters that have this sub-step.
    pub(super) advances: L::Mask,
    /// Characters that start without motion.
    pub(super) starts: L::Mask,
}

/// Moves the end of a bone and rotates its joint. In the first pass, characters that do not advance
/// rotate the joint to where the bone ended before.
#[inline(always)]
pub(super) fn swing<L: Lanes>(
    token: L::Token,
    contract: &mut SimulateSprings<'_>,
    bone: &SpringBone,
    pass: &Pass<L>,
    group: usize,
) {
    let worlds = &mut *contract.worlds;
    let (Some(parent), Some(block)) =
        (worlds.get(bone.parent as usize), contract.bones.get_mut(bone.bone as usize))
    else {
        return;
    };
    let parent = Affine::<L>::load(token, parent, group);
    let world_from_center = bone.center.and_then(|center| worlds.get(center.world as usize));
    let center_from_world = bone.center.and_then(|center| contract.centers.get(center.center as usize));
    let scale = load_vector::<L>(token, &block.scale, group);
    let head = parent.point(load_vector(token, &block.translation, group));
    let [rx, ry, rz, rw] = bone.rest_rotation;
    let [rx, ry, rz] = splat(token, [rx, ry, rz]);
    let rest = [rx, ry, rz, L::splat(token, rw)];
    // From the joint to the end of the bone, as it would be at rest.
    let along = parent.vector(rotate(rest, times(scale, splat(token, bone.tail))));
    let rest_length = length(along);
    let mut tail = load_vector::<L>(token, &block.tail, group);
    let mut previous_tail = load_vector::<L>(token, &block.previous_tail, group);
    let mut next_joint = load_vector::<L>(token, &block.next_joint, group);
    if pass.is_first && L::bitmask(pass.starts) != 0 {
        let start = transform_by(token, center_from_world, add(head, along), group);
        tail = select(pass.starts, start, tail);
        previous_tail = select(pass.starts, start, previous_tail);
        next_joint = select(pass.starts, add(head, along), next_joint);
    }
    let length = match contract.plan.bone_length {
        BoneLength::Constant => rest_length,
        BoneLength::SinceLastStep => length(sub(head, next_joint)),
    };
    let mut next = {
        let drag = L::splat(token, 1.0 - bone.drag_force);
        let moved = add(tail, scaled(sub(tail, previous_tail), drag));
        let moved = transform_by(token, world_from_center, moved, group);
        let stiffness = L::splat(token, bone.stiffness) * pass.seconds;
        let gravity = L::splat(token, bone.gravity_power) * pass.seconds;
        let direction = scaled(along, reciprocal_or_zero(token, rest_length));
        let next = add(moved, scaled(direction, stiffness));
        let next = add(next, scaled(splat(token, bone.gravity_dir), gravity));
        add(head, scaled(normalized(token, sub(next, head)), length))
    };
    let colliding = CollidingEnd { head, length, hit_radius: bone.hit_radius };
    let [first, end] = bone.colliders;
    for &index in contract.plan.bone_colliders.get(first as usize..end as usize).unwrap_or_default() {
        let index = index as usize;
        if let (Some(planned), Some(placed)) =
            (contract.plan.colliders.get(index), contract.colliders.get(index))
        {
            next = colliding.collide(token, &planned.shape, placed, next, group);
        }
    }
    let still = transform_by(token, world_from_center, tail, group);
    let end = select(pass.advances, next, still);
    let next_tail = transform_by(token, center_from_world, next, group);

    // The direction of the bone in the space of the joint at rest. The sign of the determinant is
    // all that the adjugate lacks for a direction.
    let ([x, y, z], determinant) = parent.adjugate();
    let away = sub(end, head);
    let away = [dot(x, away), dot(y, away), dot(z, away)];
    let is_mirrored = determinant.lt(L::splat(token, 0.0));
    let away = normalized(token, select(is_mirrored, neg(away), away));
    let away = rotate([-rest[0], -rest[1], -rest[2], rest[3]], away);
    let away = normalized(token, over(away, scale));
    let arc = rotation_arc(token, splat(token, bone.axis), away, splat(token, bone.perpendicular));
    let mut rotation = product(rest, arc);
    if !pass.is_first {
        let before = load_rotation::<L>(token, &block.rotation, group);
        for i in 0..4 {
            rotation[i] = L::select(pass.advances, rotation[i], before[i]);
        }
    }
    let [x, y, z] = rotation_columns(token, rotation);
    let columns = [
        parent.vector(scaled(x, scale[0])),
        parent.vector(scaled(y, scale[1])),
        parent.vector(scaled(z, scale[2])),
    ];
    let world = Affine { columns, translation: head };
    if contract.plan.bone_length == BoneLength::SinceLastStep {
        let now = world.point(splat(token, bone.tail));
        store_vector(select(pass.advances, now, next_joint), &mut block.next_joint, group);
    }
    store_vector(select(pass.advances, tail, previous_tail), &mut block.previous_tail, group);
    store_vector(select(pass.advances, next_tail, tail), &mut block.tail, group);
    store_rotation(rotation, &mut block.rotation, group);
    if let Some(block) = worlds.get_mut(bone.world as usize) {
        world.store(block, group);
    }
}

/// Transforms a point, if there is a transform.
#[inline(always)]
fn transform_by<L: Lanes>(
    token: L::Token,
    transform: Option<&AffineBlock>,
    point: Vector<L>,
    group: usize,
) -> Vector<L> {
    match transform {
        Some(block) => Affine::<L>::load(token, block, group).point(point),
        None => point,
    }
}
