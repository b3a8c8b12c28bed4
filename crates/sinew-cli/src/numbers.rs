//! Parsers of numbers on the command line. What they refuse is answered with the allowed range.

use std::num::NonZero;

use crate::thread_count::MAX_THREADS;

/// Parses a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, &'static str> {
    finite(text).ok_or("expected a time in seconds, such as 0.5")
}

/// Parses a number of frames per second.
pub(crate) fn frame_rate(text: &str) -> Result<f64, &'static str> {
    finite(text).filter(|&rate| rate > 0.0).ok_or("expected frames per second: a number above 0, such as 30")
}

/// Parses a number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZero<usize>, String> {
    text.parse()
        .ok()
        .filter(|threads: &NonZero<usize>| threads.get() <= MAX_THREADS)
        .ok_or_else(|| format!("expected a number of threads from 1 to {MAX_THREADS}"))
}

/// Parses the largest number of influences of a vertex.
pub(crate) fn influences(text: &str) -> Result<NonZero<usize>, &'static str> {
    text.parse().map_err(|_| "expected a number of influences, at least 1")
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_their_range_are_refused() {
        for text in ["", "abc", "nan", "inf", "1e999", "0.5s"] {
            assert!(seconds(text).is_err() && frame_rate(text).is_err(), "{text}");
            assert!(threads(text).is_err() && influences(text).is_err(), "{text}");
        }
        assert!(frame_rate("0").is_err() && frame_rate("-24").is_err());
        assert!(threads("0").is_err() && threads("257").is_err() && threads("-1").is_err());
        assert!(influences("0").is_err());
    }

    #[test]
    fn numbers_in_their_range_are_accepted() {
        assert_eq!(seconds("-0.5"), Ok(-0.5));
        assert_eq!(frame_rate("23.976"), Ok(23.976));
        assert_eq!(threads("256").map(NonZero::get), Ok(256));
        assert_eq!(influences("1").map(NonZero::get), Ok(1));
    }
}
