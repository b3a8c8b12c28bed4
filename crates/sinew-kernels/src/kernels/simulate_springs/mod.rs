//! Spring bones as VRMC_springBone 1.0 defines them, of up to eight characters at once: a lane is a
//! character.
//!
//! Never fuses multiply-adds, and lanes never mix: a character gets the same bits in both float
//! modes and on every backend, whatever the other characters are.

mod affine;
mod colliders;
mod swing;

use affine::Affine;
pub use colliders::{ColliderBlock, ColliderShape, PlannedCollider};
use swing::Pass;
pub use swing::{BoneLength, SpringBone, SpringBoneBlock, SpringCenter};

use crate::lanes::Lanes;
use crate::{AffineBlock, BLOCK};

/// Advances the springs of up to eight characters.
#[derive(Debug)]
pub struct SimulateSprings<'a> {
    /// What is simulated, the same for all characters.
    pub plan: SpringPlan<'a>,
    /// The number of characters: they are in the first lanes. The other lanes may get any values.
    pub characters: usize,
    /// The length of a sub-step of each character.
    pub seconds: [f32; BLOCK],
    /// The number of sub-steps of each character; zero keeps its state.
    pub sub_steps: [u32; BLOCK],
    /// Characters that start without motion: their bones are at rest before the first sub-step.
    pub starts: [bool; BLOCK],
    /// World matrices. Read: that of the model as the first, and the plan's inputs, relative to the
    /// model. Written: those of the inputs, and of all joints that move.
    pub worlds: &'a mut [AffineBlock],
    /// Local matrices of the joints that follow.
    pub locals: &'a [AffineBlock],
    /// The bones: local transforms are read, states are read and written, rotations are written.
    pub bones: &'a mut [SpringBoneBlock],
    /// Working memory: one for each collider of the plan.
    pub colliders: &'a mut [ColliderBlock],
    /// Working memory: the inverse of each center's world matrix.
    pub centers: &'a mut [AffineBlock],
}

/// What is simulated, in which order. What an index out of bounds refers to is left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpringPlan<'a> {
    /// World matrices that are given relative to the model.
    pub inputs: &'a [u32],
    /// What to do in each sub-step. Each step comes after those that it depends on.
    pub steps: &'a [SpringStep],
    /// The colliders.
    pub colliders: &'a [PlannedCollider],
    /// The colliders of bones; a bone has a range of them.
    pub bone_colliders: &'a [u32],
    /// How long bones are.
    pub bone_length: BoneLength,
}

/// A step of a [`SpringPlan`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringStep {
    /// Computes the world matrix of a joint that does not swing itself but moves with one that
    /// does.
    Follow {
        /// The world matrix of its parent.
        parent: u32,
        /// Its local matrix.
        local: u32,
        /// Its world matrix.
        world: u32,
    },
    /// Computes where a collider is.
    Collider(u32),
    /// Computes the inverse of a center's world matrix.
    Center(SpringCenter),
    /// Moves the end of a bone and rotates its joint.
    Bone(SpringBone),
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SimulateSprings<'_>) {
    assert!(contract.characters <= BLOCK, "at most eight characters");
    assert!(contract.colliders.len() == contract.plan.colliders.len(), "memory for every collider");
    for group in L::groups() {
        if group * L::LEN < contract.characters {
            simulate::<L>(token, contract, group);
        }
    }
}

/// Advances the characters of one register.
#[inline(always)]
fn simulate<L: Lanes>(token: L::Token, contract: &mut SimulateSprings<'_>, group: usize) {
    let plan = contract.plan;
    let Some(model) = contract.worlds.first() else { return };
    let model = Affine::<L>::load(token, model, group);
    for &input in plan.inputs {
        let Some(world) = contract.worlds.get_mut(input as usize) else { continue };
        model.times(&Affine::load(token, world, group)).store(world, group);
    }
    // Numbers of steps are exact in `f32` up to 2^24; nobody waits for more.
    let (mut sub_steps, mut starts, mut passes) = ([0.0; BLOCK], [0.0; BLOCK], 1);
    for lane in 0..BLOCK {
        sub_steps[lane] = contract.sub_steps[lane] as f32;
        starts[lane] = if contract.starts[lane] { 1.0 } else { 0.0 };
        if lane < contract.characters {
            passes = contract.sub_steps[lane].max(passes);
        }
    }
    let zero = L::splat(token, 0.0);
    let (sub_steps, starts) = (L::load(token, &sub_steps, group), L::load(token, &starts, group));
    let seconds = L::load(token, &contract.seconds, group);
    for index in 0..passes {
        let pass = Pass {
            is_first: index == 0,
            seconds,
            advances: L::splat(token, index as f32).lt(sub_steps),
            starts: zero.lt(starts),
        };
        for step in plan.steps {
            match step {
                SpringStep::Follow { parent, local, world } => {
                    follow::<L>(token, contract, [*parent, *local, *world], group);
                }
                SpringStep::Collider(index) => colliders::place::<L>(token, contract, *index, group),
                SpringStep::Center(center) => center_from_world::<L>(token, contract, *center, group),
                SpringStep::Bone(bone) => swing::swing::<L>(token, contract, bone, &pass, group),
            }
        }
    }
}

#[inline(always)]
fn follow<L: Lanes>(
    token: L::Token,
    contract: &mut SimulateSprings<'_>,
    [parent, local, world]: [u32; 3],
    group: usize,
) {
    let worlds = &mut *contract.worlds;
    let (Some(parent), Some(local)) = (worlds.get(parent as usize), contract.locals.get(local as usize))
    else {
        return;
    };
    let product = Affine::<L>::load(token, parent, group).times(&Affine::load(token, local, group));
    if let Some(world) = worlds.get_mut(world as usize) {
        product.store(world, group);
    }
}

#[inline(always)]
fn center_from_world<L: Lanes>(
    token: L::Token,
    contract: &mut SimulateSprings<'_>,
    center: SpringCenter,
    group: usize,
) {
    let (Some(world), Some(inverse)) =
        (contract.worlds.get(center.world as usize), contract.centers.get_mut(center.center as usize))
    else {
        return;
    };
    Affine::<L>::load(token, world, group).inverse(token).store(inverse, group);
}
