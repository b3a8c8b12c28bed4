//! The progress bar of long commands, shown on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// A progress bar on standard error; hidden when that is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar of this many steps; `unit` is what they are called.
    pub(crate) fn new(steps: usize, unit: &str) -> Self {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(steps as u64), target);
        let style =
            ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{eta}} left {{msg}}"));
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let bar = bar.with_finish(ProgressFinish::AndClear);
        // The ticks update the time left during a long step. They take a thread, which a hidden bar
        // does not need.
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Self { bar }
    }

    /// Sets the text after the bar, which names the next step.
    pub(crate) fn set_message(&self, message: &'static str) {
        self.bar.set_message(message);
    }

    /// Advances by one step.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    /// Removes the bar, so that an error message does not follow it on the same line.
    fn drop(&mut self) {
        self.finish();
    }
}
