//! How far a long bake has come, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// A bar on the standard error; nothing where that is no terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of so many frames.
    pub(crate) fn new(frames: usize) -> Self {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(frames as u64), target);
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames, {eta} left");
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let bar = bar.with_finish(ProgressFinish::AndClear);
        // The time left is told also while one frame takes long.
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar }
    }

    /// One frame more.
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
