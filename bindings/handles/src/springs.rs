//! Chains of joints: springs that swing, and chains that reach for a target.

use sinew::JointId;
use sinew::animation::{AnimationError, ChainIk, ChainReach, ModifierStack, Spring, SpringBones};

use crate::model::check_index;
use crate::modifiers::{modifier_id, push};
use crate::objects::{BUILDERS, CROWDS, INSTANCES};
use crate::playback::{Player, check_finite};
use crate::records::{ChainSettings, ColliderSettings, NONE, SpringJoint};
use crate::{Error, Handle};

/// The most iterations of a step of a chain.
const MAX_ITERATIONS: u32 = 1000;

/// Adds a shape that springs collide with. Returns its index.
///
/// # Errors
///
/// If the handle is not of a builder, or a setting is not valid.
#[inline(never)]
pub fn builder_add_collider(builder: Handle, collider: &ColliderSettings) -> Result<u32, Error> {
    let collider = collider.to_library()?;
    BUILDERS.write(builder, |source| {
        source.springs.colliders.push(collider);
        Ok(source.springs.colliders.len() as u32 - 1)
    })
}

/// Adds a chain of joints that swings, from its root to its tip, which does not rotate. It collides
/// with the colliders of these indices. With a center, it swings relative to how that joint moves.
///
/// # Errors
///
/// If the handle is not of a builder, or there is no such collider. All else is checked when the
/// model is made.
#[inline(never)]
pub fn builder_add_spring(
    builder: Handle,
    joints: &[SpringJoint],
    colliders: &[u32],
    center: u32,
) -> Result<(), Error> {
    BUILDERS.write(builder, |source| {
        let springs = &mut source.springs;
        let known = springs.colliders.len();
        let group = colliders.iter().map(|&collider| check_index("collider", known, collider));
        let group = group.collect::<Result<Vec<usize>, Error>>()?;
        springs.springs.push(Spring {
            joints: joints.iter().map(|joint| joint.to_library()).collect(),
            collider_groups: vec![springs.collider_groups.len()],
            center: (center != NONE).then(|| JointId::new(center as usize)),
            virtual_tail: None,
        });
        springs.collider_groups.push(group);
        Ok(())
    })
}

/// Adds the springs of the model as a modifier: hair, skirts and tails of an avatar, or those that
/// a builder was given. A move of the model by more than `teleport_distance` meters in a step
/// resets them. Returns its number.
///
/// # Errors
///
/// If the player does not exist, its model has no springs, or it has 64 modifiers.
pub fn springs_push(player: Player, teleport_distance: f32) -> Result<u64, Error> {
    let push = |springs: Option<SpringBones>, stack: &mut ModifierStack| {
        let Some(springs) = springs else {
            return Err(Error::invalid("model", "one with springs", "none"));
        };
        push(stack, springs.with_teleport_distance(teleport_distance))
    };
    match player {
        Player::Instance(instance) => INSTANCES.write(instance, |object| {
            let springs = object.instance.model().springs().cloned();
            push(springs, object.instance.modifiers_mut())
        }),
        Player::Member(crowd, member) => CROWDS.write(crowd, |object| {
            let member = object.member_mut(member)?;
            let springs = member.model().springs().cloned();
            push(springs, member.modifiers_mut())
        }),
    }
}

/// Adds a modifier that turns a chain of joints, so that the last one reaches a target. `limits`
/// are the cosines of the largest angles from rest, for each joint but the last; none without
/// limits. Returns its number.
///
/// # Errors
///
/// If the player does not exist, a joint is not below the one before it, a number is not valid, or
/// it has 64 modifiers.
pub fn chain_push(
    player: Player,
    joints: &[u32],
    limits: &[f32],
    settings: &ChainSettings,
) -> Result<u64, Error> {
    check_target(settings)?;
    if settings.iterations > MAX_ITERATIONS {
        let expected = format_args!("at most {MAX_ITERATIONS}");
        return Err(Error::invalid("iterations of a chain", expected, settings.iterations));
    }
    let joints: Vec<JointId> = joints.iter().map(|&joint| JointId::new(joint as usize)).collect();
    let chain = ChainIk::new(&joints, settings.target).with_iterations(settings.iterations);
    let mut chain = chain.with_limits(limits);
    chain.weight = settings.weight;
    player.modifiers(|stack| push(stack, chain))
}

/// Sets the target and the weight of a chain. Its iterations stay the same.
///
/// # Errors
///
/// If the player or the modifier does not exist, the modifier is no chain, or a number is not
/// valid.
pub fn chain_set(player: Player, modifier: u64, settings: &ChainSettings) -> Result<(), Error> {
    check_target(settings)?;
    player.modifiers(|stack| {
        let chain = chain_mut(stack, modifier)?;
        (chain.target, chain.weight) = (settings.target, settings.weight);
        Ok(())
    })
}

/// Whether the last step of a chain reached its target (0), came as close as it could (1), or
/// changed nothing (2), and the distance that is left.
///
/// # Errors
///
/// If the player or the modifier does not exist, or the modifier is no chain.
pub fn chain_reach(player: Player, modifier: u64) -> Result<(u32, f32), Error> {
    player.modifiers(|stack| {
        let chain = chain_mut(stack, modifier)?;
        let reach = match chain.reach() {
            ChainReach::Reached => 0,
            ChainReach::Closest => 1,
            ChainReach::Unchanged => 2,
        };
        Ok((reach, chain.distance()))
    })
}

fn chain_mut(stack: &mut ModifierStack, modifier: u64) -> Result<&mut ChainIk, Error> {
    let id = modifier_id(modifier);
    Ok(stack.get_mut(id).ok_or(AnimationError::ModifierNotFound { id })?)
}

fn check_target(settings: &ChainSettings) -> Result<(), Error> {
    settings.target.iter().try_for_each(|&number| check_finite("target of a chain", number))?;
    if (0.0..=1.0).contains(&settings.weight) {
        return Ok(());
    }
    Err(Error::invalid("weight of a chain", "0 to 1", settings.weight))
}
