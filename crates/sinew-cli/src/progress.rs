//! The progress bar of long commands, shown on a terminal.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The length of the bar, in characters.
const BAR_LEN: usize = 40;
/// Longer lines are cut: a line that wraps cannot be overwritten.
const MAX_LINE_LEN: usize = 79;
/// The shortest time between two updates.
const INTERVAL: Duration = Duration::from_millis(100);

/// A progress bar on standard error; hidden when that is not a terminal.
pub(crate) struct Progress {
    /// `None` when hidden.
    bar: Option<RefCell<Bar>>,
}

struct Bar {
    done: usize,
    steps: usize,
    unit: &'static str,
    /// Names the next step.
    message: &'static str,
    started: Instant,
    drawn: Option<Instant>,
    /// The characters on the terminal, which the next line must overwrite.
    drawn_len: usize,
}

impl Progress {
    /// A bar of this many steps; `unit` is what they are called.
    pub(crate) fn new(steps: usize, unit: &'static str) -> Self {
        let bar =
            || Bar { done: 0, steps, unit, message: "", started: Instant::now(), drawn: None, drawn_len: 0 };
        Self { bar: io::stderr().is_terminal().then(|| RefCell::new(bar())) }
    }

    /// Sets the text after the bar, which names the next step.
    pub(crate) fn set_message(&self, message: &'static str) {
        if let Some(bar) = &self.bar {
            let mut bar = bar.borrow_mut();
            bar.message = message;
            bar.draw();
        }
    }

    /// Advances by one step.
    pub(crate) fn step(&self) {
        if let Some(bar) = &self.bar {
            let mut bar = bar.borrow_mut();
            bar.done += 1;
            if bar.drawn.is_none_or(|drawn| drawn.elapsed() >= INTERVAL) {
                bar.draw();
            }
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.borrow_mut().overwrite("");
        }
    }
}

impl Drop for Progress {
    /// Removes the bar, so that an error message does not follow it on the same line.
    fn drop(&mut self) {
        self.finish();
    }
}

impl Bar {
    fn draw(&mut self) {
        self.drawn = Some(Instant::now());
        let line = self.line(self.started.elapsed());
        self.overwrite(&line);
    }

    fn line(&self, elapsed: Duration) -> String {
        let Self { done, steps, unit, message, .. } = *self;
        let filled = if steps == 0 {
            BAR_LEN
        } else {
            (BAR_LEN as u128 * done.min(steps) as u128 / steps as u128) as usize
        };
        let bar = format!("{}{}", "#".repeat(filled), "-".repeat(BAR_LEN - filled));
        let left = time_left(elapsed, done, steps);
        let line = format!("{bar} {done}/{steps} {unit}, {left} left {message}");
        line.trim_end().chars().take(MAX_LINE_LEN).collect()
    }

    /// Replaces the line on the terminal; an empty one removes it.
    fn overwrite(&mut self, line: &str) {
        let len = line.chars().count();
        if len == 0 && self.drawn_len == 0 {
            return;
        }
        let rest = self.drawn_len.saturating_sub(len);
        let end = if len == 0 { "\r" } else { "" };
        self.drawn_len = len;
        let mut terminal = io::stderr().lock();
        // Without a terminal there is nobody to tell.
        let _ = write!(terminal, "\r{line}{}{end}", " ".repeat(rest));
        let _ = terminal.flush();
    }
}

/// The time that the remaining steps take if they are as fast as those done.
fn time_left(elapsed: Duration, done: usize, steps: usize) -> String {
    if done == 0 {
        return "?".to_owned();
    }
    let seconds = elapsed.as_secs_f64() / done as f64 * steps.saturating_sub(done) as f64;
    match seconds.round() as u64 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(done: usize, steps: usize, message: &'static str) -> String {
        let started = Instant::now();
        let bar = Bar { done, steps, unit: "frames", message, started, drawn: None, drawn_len: 0 };
        bar.line(Duration::from_secs(10))
    }

    #[test]
    fn a_line_shows_the_steps_and_the_time_left() {
        let half = format!("{}{} 2/4 frames, 10 s left", "#".repeat(20), "-".repeat(20));
        assert_eq!(line(2, 4, ""), half);
        assert_eq!(
            line(1, 31, "next").split(' ').skip(1).collect::<Vec<_>>().join(" "),
            "1/31 frames, 5 min left next"
        );
        assert!(line(0, 4, "").ends_with("? left"));
    }

    #[test]
    fn any_number_of_steps_fits_one_line() {
        for (done, steps) in [(0, 0), (3, 0), (9, 4), (usize::MAX, usize::MAX), (1, usize::MAX)] {
            let line = line(done, steps, "a message that is too long for the rest of the line, far too long");
            assert!(line.chars().count() <= MAX_LINE_LEN, "{line}");
        }
    }
}
