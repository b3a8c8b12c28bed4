//! Playing clips, on instances and on members of crowds.

use sinew::JointId;
use sinew::animation::{Animator, ModifierStack, Playback, Reference};

use crate::model::check_index;
use crate::objects::{BLEND_SPACES, CROWDS, INSTANCES, MASKS};
use crate::records::{PlaySettings, PlaybackInfo, RootMotionSettings, Transform, repeat};
use crate::{Code, Error, Handle};

/// The most clips that play at the same time.
const MAX_PLAYBACKS: usize = 64;

/// Why a result is there.
const CALLED: &str = "the function was called, or there was an error";

/// What plays clips.
#[derive(Clone, Copy, Debug)]
pub enum Player {
    /// An instance.
    Instance(Handle),
    /// A member of a crowd: the crowd and the member's number.
    Member(Handle, u64),
}

impl Player {
    /// Calls a function with the animator.
    pub(crate) fn animator<R>(self, act: impl FnOnce(&mut Animator) -> Result<R, Error>) -> Result<R, Error> {
        let (mut act, mut result) = (Some(act), None);
        self.with_animator(&mut |animator| result = act.take().map(|act| act(animator)))?;
        result.expect(CALLED)
    }

    /// Calls a function with the pose modifiers.
    pub(crate) fn modifiers<R>(
        self,
        act: impl FnOnce(&mut ModifierStack) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let (mut act, mut result) = (Some(act), None);
        self.with_modifiers(&mut |stack| result = act.take().map(|act| act(stack)))?;
        result.expect(CALLED)
    }

    // Not generic, so that looking up a player exists once, not in every operation.
    #[inline(never)]
    fn with_animator(self, act: &mut dyn FnMut(&mut Animator)) -> Result<(), Error> {
        match self {
            Self::Instance(instance) => INSTANCES.write(instance, |object| {
                act(object.instance.animator_mut());
                Ok(())
            }),
            Self::Member(crowd, member) => CROWDS.write(crowd, |object| {
                act(object.member_mut(member)?.animator_mut());
                Ok(())
            }),
        }
    }

    #[inline(never)]
    fn with_modifiers(self, act: &mut dyn FnMut(&mut ModifierStack)) -> Result<(), Error> {
        match self {
            Self::Instance(instance) => INSTANCES.write(instance, |object| {
                act(object.instance.modifiers_mut());
                Ok(())
            }),
            Self::Member(crowd, member) => CROWDS.write(crowd, |object| {
                act(object.member_mut(member)?.modifiers_mut());
                Ok(())
            }),
        }
    }

    fn playback<R>(
        self,
        index: u32,
        act: impl FnOnce(&mut Playback) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.animator(|animator| {
            let playbacks = animator.playbacks_mut();
            let index = check_index("playback", playbacks.len(), index)?;
            act(&mut playbacks[index])
        })
    }
}

/// Plays a clip.
///
/// # Errors
///
/// If the player or the clip does not exist, a setting is not valid or a number not finite, or as
/// many clips play as can.
pub fn play(player: Player, clip: u32, settings: &PlaySettings) -> Result<(), Error> {
    check_settings(settings)?;
    player.animator(|animator| {
        let clip = check_index("clip", animator.clips().clips().len(), clip)?;
        check_count(animator, settings)?;
        match settings.mode {
            0 => animator.stop(),
            1 => animator.playbacks_mut().iter_mut().for_each(|other| {
                other.fade_out(settings.fade_seconds);
            }),
            4 => animator.inertialize(settings.fade_seconds)?,
            _ => {}
        }
        let playback = if settings.mode == 3 {
            let name = animator.clips().clips()[clip].name().to_owned();
            animator.add(&name, Reference::FirstFrame)?
        } else {
            animator.start(clip)
        };
        set_up(playback, settings)
    })
}

/// Plays a blend space, at the position zero.
///
/// # Errors
///
/// If the player or the space does not exist, the space is of another model, a setting is not valid
/// or a number not finite, the mode is 3, or as many clips play as can.
pub fn play_space(player: Player, space: Handle, settings: &PlaySettings) -> Result<(), Error> {
    check_settings(settings)?;
    let space = BLEND_SPACES.read(space, |space| Ok(space.clone()))?;
    player.animator(|animator| {
        check_count(animator, settings)?;
        // A space of another model is refused before anything else stops.
        let playback = match settings.mode {
            0 => animator.play_space(&space),
            1 => animator.fade_to_space(&space, settings.fade_seconds),
            2 => animator.start_space(&space),
            4 => animator.inertialize_to_space(&space, settings.fade_seconds),
            found => return Err(Error::invalid("mode of a blend space", "0, 1, 2 or 4", found)),
        };
        set_up(playback?, settings)
    })
}

/// Moves a playback of a blend space to a position: one number or two.
///
/// # Errors
///
/// If the player or the playback does not exist, it is not of a blend space, or the position has
/// another length than the space or a number that is not finite.
pub fn playback_set_blend_position(player: Player, playback: u32, position: &[f32]) -> Result<(), Error> {
    player.playback(playback, |playback| {
        playback.set_blend_position(position)?;
        Ok(())
    })
}

fn check_settings(settings: &PlaySettings) -> Result<(), Error> {
    let PlaySettings { mode, fade_seconds, speed, weight, seconds, .. } = *settings;
    check_finite("seconds of a fade", fade_seconds)?;
    check_finite("speed", speed)?;
    check_finite("weight", weight)?;
    check_seconds(seconds)?;
    settings.repeat()?;
    match mode {
        0..=4 => Ok(()),
        found => Err(Error::invalid("mode of a playback", "0 to 4", found)),
    }
}

/// Checks that one more may play, unless the mode removes all others.
fn check_count(animator: &mut Animator, settings: &PlaySettings) -> Result<(), Error> {
    let adds = matches!(settings.mode, 1..=3);
    if adds && animator.playbacks_mut().len() >= MAX_PLAYBACKS {
        let message = format!("expected at most {MAX_PLAYBACKS} clips at the same time");
        return Err(Error::new(Code::Limit, message));
    }
    Ok(())
}

fn set_up(playback: &mut Playback, settings: &PlaySettings) -> Result<(), Error> {
    if settings.mode == 1 {
        playback.fade_in(settings.fade_seconds);
    }
    playback.set_speed(settings.speed).set_weight(settings.weight).set_repeat(settings.repeat()?);
    if settings.seconds != 0.0 {
        playback.seek(settings.seconds);
    }
    Ok(())
}

/// Stops all clips.
///
/// # Errors
///
/// If the player does not exist.
pub fn stop(player: Player) -> Result<(), Error> {
    player.animator(|animator| {
        animator.stop();
        Ok(())
    })
}

/// The number of playbacks. They are numbered in the order in which they were started. One that has
/// faded out is removed, and those after it get the numbers before.
///
/// # Errors
///
/// If the player does not exist.
pub fn playback_count(player: Player) -> Result<u32, Error> {
    player.animator(|animator| Ok(animator.playbacks_mut().len() as u32))
}

/// What a playback does.
///
/// # Errors
///
/// If the player or the playback does not exist.
pub fn playback_info(player: Player, playback: u32) -> Result<PlaybackInfo, Error> {
    player.playback(playback, |playback| {
        Ok(PlaybackInfo {
            struct_size: size_of::<PlaybackInfo>() as u32,
            clip: playback.clip() as u32,
            seconds: playback.seconds(),
            effective_weight: playback.effective_weight(),
            is_finished: playback.is_finished().into(),
        })
    })
}

/// Sets the speed of a playback.
///
/// # Errors
///
/// If the player or the playback does not exist, or the speed is not finite.
pub fn playback_set_speed(player: Player, playback: u32, speed: f32) -> Result<(), Error> {
    check_finite("speed", speed)?;
    player.playback(playback, |playback| {
        playback.set_speed(speed);
        Ok(())
    })
}

/// Sets the weight of a playback in blends.
///
/// # Errors
///
/// If the player or the playback does not exist, or the weight is not finite.
pub fn playback_set_weight(player: Player, playback: u32, weight: f32) -> Result<(), Error> {
    check_finite("weight", weight)?;
    player.playback(playback, |playback| {
        playback.set_weight(weight);
        Ok(())
    })
}

/// Moves a playback to a time of its clip.
///
/// # Errors
///
/// If the player or the playback does not exist, or the time is not finite.
pub fn playback_seek(player: Player, playback: u32, seconds: f64) -> Result<(), Error> {
    check_seconds(seconds)?;
    player.playback(playback, |playback| {
        playback.seek(seconds);
        Ok(())
    })
}

/// Sets whether a playback stops at its end (1) or loops (0).
///
/// # Errors
///
/// If the player or the playback does not exist, or `clamp` is another number.
pub fn playback_set_clamp(player: Player, playback: u32, clamp: u32) -> Result<(), Error> {
    let repeat = repeat(clamp)?;
    player.playback(playback, |playback| {
        playback.set_repeat(repeat);
        Ok(())
    })
}

/// Fades a playback in.
///
/// # Errors
///
/// If the player or the playback does not exist, or the time is not finite.
pub fn playback_fade_in(player: Player, playback: u32, seconds: f32) -> Result<(), Error> {
    check_finite("seconds of a fade", seconds)?;
    player.playback(playback, |playback| {
        playback.fade_in(seconds);
        Ok(())
    })
}

/// Fades a playback out. It is then removed.
///
/// # Errors
///
/// If the player or the playback does not exist, or the time is not finite.
pub fn playback_fade_out(player: Player, playback: u32, seconds: f32) -> Result<(), Error> {
    check_finite("seconds of a fade", seconds)?;
    player.playback(playback, |playback| {
        playback.fade_out(seconds);
        Ok(())
    })
}

/// Limits a playback to the joints of a mask, which is copied.
///
/// # Errors
///
/// If the player, the playback or the mask does not exist, or the mask is of another length than
/// the skeleton.
pub fn playback_set_mask(player: Player, playback: u32, mask: Handle) -> Result<(), Error> {
    let mask = MASKS.read(mask, |mask| Ok(mask.clone()))?;
    player.playback(playback, |playback| {
        playback.set_mask(mask)?;
        Ok(())
    })
}

/// Takes the motion of a root joint out of a playback. See [`take_root_motion`].
///
/// # Errors
///
/// If the player, the playback or the joint does not exist, or a setting is not valid.
pub fn playback_set_root_motion(
    player: Player,
    playback: u32,
    joint: u32,
    settings: &RootMotionSettings,
) -> Result<(), Error> {
    let parts = settings.to_library()?;
    let joint = JointId::new(joint as usize);
    player.playback(playback, |playback| {
        playback.set_root_motion(joint, parts)?;
        Ok(())
    })
}

/// The root motion since the last call, for the caller to move the whole instance by.
///
/// # Errors
///
/// If the player does not exist.
pub fn take_root_motion(player: Player) -> Result<Transform, Error> {
    player.animator(|animator| {
        let motion = animator.take_root_motion();
        Ok(Transform { rotation: motion.rotation, translation: motion.translation, scale: [1.0; 3] })
    })
}

pub(crate) fn check_finite(what: &str, found: f32) -> Result<(), Error> {
    if found.is_finite() { Ok(()) } else { Err(Error::invalid(what, "a finite number", found)) }
}

pub(crate) fn check_seconds(found: f64) -> Result<(), Error> {
    if found.is_finite() { Ok(()) } else { Err(Error::invalid("seconds", "a finite number", found)) }
}
