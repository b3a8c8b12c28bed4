//! How far a long command has come, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// A bar on the standard error; nothing where that is no terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of so many steps, called what they are.
    pub(crate) fn new(steps: usize, what: &str) -> Self {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(steps as u64), target);
        let style =
            ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left {{msg}}"));
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let bar = bar.with_finish(ProgressFinish::AndClear);
        // The time left is told also while one step takes long; that takes a thread, for which nobody has a use who sees no bar.
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Self { bar }
    }

    /// What the next step is about.
    pub(crate) fn tell(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    /// One step more.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    /// An error is not written behind a bar.
    fn drop(&mut self) {
        self.end();
    }
}
