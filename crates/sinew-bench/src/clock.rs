//! The frequency of the CPU's time stamp counter.

use std::time::{Duration, Instant};

use sinew_papers::time_stamp;

/// Long enough for an error below a thousandth.
const MEASURE_TIME: Duration = Duration::from_millis(20);

/// Ticks of the time stamp counter per second; `None` where the CPU has none. Takes a fiftieth of a
/// second.
///
/// Today's counters run at a constant rate, whatever the clock of the cores.
#[must_use]
pub fn cycles_per_second() -> Option<f64> {
    let (start, first) = (Instant::now(), time_stamp()?);
    while start.elapsed() < MEASURE_TIME {}
    let (seconds, ticks) = (start.elapsed().as_secs_f64(), time_stamp()?.wrapping_sub(first));
    Some(ticks as f64 / seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_has_a_frequency_where_it_exists() {
        assert_eq!(cycles_per_second().is_some(), cfg!(target_arch = "x86_64"));
        assert!(cycles_per_second().is_none_or(|hertz| hertz > 1e6));
    }
}
