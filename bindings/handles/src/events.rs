//! Events of clips that fired in the last step.

use crate::Error;
use crate::playback::Player;
use crate::records::{Event, NONE};

/// Writes the events that fired in the last step, in the order in which they did, as far as there
/// is room. Returns how many there are.
///
/// # Errors
///
/// If the player does not exist.
pub fn events(player: Player, to: &mut [Event]) -> Result<usize, Error> {
    player.animator(|animator| {
        let mut room = to.iter_mut();
        let mut count = 0;
        for fired in animator.events() {
            count += 1;
            let Some(to) = room.next() else { continue };
            let events = animator.clips().clips()[fired.clip].events();
            let event = events.iter().position(|event| std::ptr::eq(event, fired.event));
            *to = Event {
                clip: fired.clip as u32,
                event: event.map_or(NONE, |event| event as u32),
                passes: fired.passes,
                seconds: fired.event.seconds,
                weight: fired.weight,
                reverse: fired.reverse.into(),
                reserved: 0,
            };
        }
        Ok(count)
    })
}
