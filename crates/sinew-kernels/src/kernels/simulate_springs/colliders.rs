//! What springs collide with.

use super::SimulateSprings;
use super::affine::{
    Affine, Vector, add, dot, length, neg, normalized, reciprocal_or_zero, scaled, select, splat, sub,
};
use crate::VectorBlock;
use crate::kernels::pose_blocks::{load_vector, store_vector};
use crate::lanes::Lanes;

/// The shape of a collider. Points and directions are in the space of its joint; radii are in
/// meters of world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// A sphere.
    Sphere {
        /// The center.
        offset: [f32; 3],
        /// The radius, from zero up.
        radius: f32,
        /// Whether it keeps springs inside, as in VRMC_springBone_extended_collider.
        inside: bool,
    },
    /// A sphere that is swept along a line.
    Capsule {
        /// One end of the line.
        offset: [f32; 3],
        /// The other end of the line.
        tail: [f32; 3],
        /// The radius, from zero up.
        radius: f32,
        /// Whether it keeps springs inside, as in VRMC_springBone_extended_collider.
        inside: bool,
    },
    /// A plane, as in VRMC_springBone_extended_collider. Springs stay on the side of the normal.
    Plane {
        /// A point on the plane.
        offset: [f32; 3],
        /// The direction in which springs stay; any length but zero.
        normal: [f32; 3],
    },
}

/// A collider of a [`SpringPlan`](super::SpringPlan).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedCollider {
    /// The shape.
    pub shape: ColliderShape,
    /// The world matrix of its joint.
    pub world: u32,
}

/// A collider of eight characters in world space.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColliderBlock {
    /// The center of a sphere, an end of a capsule, or a point on a plane.
    pub origin: VectorBlock,
    /// From one end of a capsule to the other, or the unit normal of a plane.
    pub axis: VectorBlock,
}

/// Computes where a collider is.
#[inline(always)]
pub(super) fn place<L: Lanes>(token: L::Token, contract: &mut SimulateSprings<'_>, index: u32, group: usize) {
    let index = index as usize;
    let (Some(collider), Some(block)) =
        (contract.plan.colliders.get(index), contract.colliders.get_mut(index))
    else {
        return;
    };
    let Some(world) = contract.worlds.get(collider.world as usize) else { return };
    let world = Affine::<L>::load(token, world, group);
    let (offset, axis) = match collider.shape {
        ColliderShape::Sphere { offset, .. } => (offset, splat(token, [0.0; 3])),
        ColliderShape::Capsule { offset, tail, .. } => {
            let axis = [tail[0] - offset[0], tail[1] - offset[1], tail[2] - offset[2]];
            (offset, world.vector(splat(token, axis)))
        }
        ColliderShape::Plane { offset, normal } => {
            // Normals are transformed by the transposed inverse: the cofactors.
            let ([x, y, z], determinant) = world.adjugate();
            let [nx, ny, nz] = splat(token, normal);
            let axis = add(add(scaled(x, nx), scaled(y, ny)), scaled(z, nz));
            let is_mirrored = determinant.lt(L::splat(token, 0.0));
            (offset, normalized(token, select(is_mirrored, neg(axis), axis)))
        }
    };
    store_vector(world.point(splat(token, offset)), &mut block.origin, group);
    store_vector(axis, &mut block.axis, group);
}

/// The end of a bone that collides: its distance from the joint stays.
pub(super) struct CollidingEnd<L> {
    /// Where the joint is.
    pub(super) head: Vector<L>,
    /// The distance from the joint.
    pub(super) length: L,
    pub(super) hit_radius: f32,
}

impl<L: Lanes> CollidingEnd<L> {
    /// Pushes the end of a bone out of a collider.
    #[inline(always)]
    pub(super) fn collide(
        &self,
        token: L::Token,
        shape: &ColliderShape,
        block: &ColliderBlock,
        end: Vector<L>,
        group: usize,
    ) -> Vector<L> {
        let from = sub(end, load_vector::<L>(token, &block.origin, group));
        let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
        let (distance, normal) = match *shape {
            ColliderShape::Sphere { radius, inside, .. } => self.round_distance(token, from, radius, inside),
            ColliderShape::Capsule { radius, inside, .. } => {
                let axis = load_vector::<L>(token, &block.axis, group);
                let along = dot(axis, from) * reciprocal_or_zero(token, dot(axis, axis));
                let along = L::select(along.lt(zero), zero, along);
                let along = L::select(one.lt(along), one, along);
                self.round_distance(token, sub(from, scaled(axis, along)), radius, inside)
            }
            ColliderShape::Plane { .. } => {
                let axis = load_vector::<L>(token, &block.axis, group);
                (dot(from, axis) - L::splat(token, self.hit_radius), axis)
            }
        };
        let hits = distance.lt(zero);
        if L::bitmask(hits) == 0 {
            return end;
        }
        let away = sub(sub(end, scaled(normal, distance)), self.head);
        select(hits, add(self.head, scaled(normalized(token, away), self.length)), end)
    }

    /// The distance from the surface of a sphere, negative where the end collides, and the
    /// direction that it is pushed in.
    #[inline(always)]
    fn round_distance(
        &self,
        token: L::Token,
        from_center: Vector<L>,
        radius: f32,
        inside: bool,
    ) -> (L, Vector<L>) {
        let distance = length(from_center);
        let outward = scaled(from_center, reciprocal_or_zero(token, distance));
        let (radius, hit_radius) = (L::splat(token, radius), L::splat(token, self.hit_radius));
        if inside {
            (radius - hit_radius - distance, neg(outward))
        } else {
            (distance - hit_radius - radius, outward)
        }
    }
}
