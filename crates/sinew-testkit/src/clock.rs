//! The processor's own clock.

use std::time::{Duration, Instant};

use sinew_kernels::papers::time_stamp;

/// Long enough for a thousandth part to be right.
const LOOK: Duration = Duration::from_millis(20);

/// Ticks of the time stamp counter in a second; `None` where there is no such counter. Takes a fiftieth of a second.
///
/// Today's counters run at one pace whatever the clock of the arithmetic does.
#[must_use]
pub fn cycles_per_second() -> Option<f64> {
    let (start, first) = (Instant::now(), time_stamp()?);
    while start.elapsed() < LOOK {}
    let (seconds, ticks) = (start.elapsed().as_secs_f64(), time_stamp()?.wrapping_sub(first));
    Some(ticks as f64 / seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_counts_where_there_is_one() {
        assert_eq!(cycles_per_second().is_some(), cfg!(target_arch = "x86_64"));
        assert!(cycles_per_second().is_none_or(|hertz| hertz > 1e6));
    }
}
