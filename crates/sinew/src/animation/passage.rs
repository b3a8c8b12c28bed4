//! A passage: the stretch of a clip that one step of a playhead covers.

use std::cmp::Ordering;

/// The stretch of a clip that one step of a [`Playhead`](crate::animation::Playhead) has covered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Seconds from the clip's start, as unevaluated sums of two numbers.
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
    pub(super) laps: i64,
    /// Whether the playhead came to `from` by a jump, so that the step begins with reaching it.
    pub(super) arrived: bool,
}

impl Passage {
    /// How often the playhead looped: positive past the end, negative past the start.
    #[must_use]
    pub fn laps(&self) -> i64 {
        self.laps
    }

    /// Whether time moved forward, or did not move.
    #[must_use]
    pub fn is_forward(&self) -> bool {
        self.laps > 0 || self.laps == 0 && order(self.from, self.to) != Ordering::Greater
    }

    /// How often the step has reached or passed a position, in seconds from the clip's start.
    pub(crate) fn passes(&self, position: f64) -> u64 {
        let (from, to) = (order((position, 0.0), self.from), order((position, 0.0), self.to));
        let (after_from, before_from) = (from == Ordering::Greater, from == Ordering::Less);
        let arrived = u64::from(self.arrived && from == Ordering::Equal);
        // All rounds but the first and the last are whole.
        let whole = self.laps.unsigned_abs().saturating_sub(1);
        let passed = match self.laps.signum() {
            0 if self.is_forward() => u64::from(after_from && to != Ordering::Greater),
            0 => u64::from(before_from && to != Ordering::Less),
            1 => (whole + u64::from(after_from)).saturating_add(u64::from(to != Ordering::Greater)),
            _ => (whole + u64::from(before_from)).saturating_add(u64::from(to != Ordering::Less)),
        };
        arrived.saturating_add(passed)
    }

    /// Whether a position comes before the first one on the way, in ascending order.
    pub(crate) fn is_behind(&self, position: f64) -> bool {
        let from = order((position, 0.0), self.from);
        from == Ordering::Less || from == Ordering::Equal && self.arrived != self.is_forward()
    }

    /// Whether a position is at or before `to` in a step forward, or at or after it in a step back.
    pub(crate) fn is_reached(&self, position: f64) -> bool {
        let to = order((position, 0.0), self.to);
        if self.is_forward() { to != Ordering::Greater } else { to != Ordering::Less }
    }
}

/// Compares two unevaluated sums. The second number of each is less than half a unit in the last
/// place of the first.
fn order(a: (f64, f64), b: (f64, f64)) -> Ordering {
    let compare = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    compare(a.0, b.0).then(compare(a.1, b.1))
}
