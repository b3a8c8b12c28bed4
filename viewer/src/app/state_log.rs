//! The state log: what the viewer shows, written for tests.

use eframe::egui::Context;
use web_time::Instant;

use super::Viewer;
use crate::state::{self, StateSnapshot};

/// Interval in seconds at which an unchanged state is logged again.
const REPEAT_SECONDS: f64 = 0.1;

impl Viewer {
    /// Prints the message over the scene to stderr as well, once, for those who started the viewer
    /// from a script.
    pub(super) fn print_error(&mut self) {
        if self.error != self.printed_error {
            self.error.iter().for_each(|message| print_message(message));
            self.printed_error.clone_from(&self.error);
        }
    }

    pub(super) fn log_state(&mut self, context: &Context) {
        let snapshot = StateSnapshot {
            settings: &self.settings,
            session: &self.session,
            stats: &self.stats,
            table: &self.table,
            controls: &self.controls,
            open: self.open,
            gl: self.gl,
            picture: self.settings.log_state.then(|| self.painter.lock().checksum),
            error: self.error.as_deref(),
        };
        let mut stable = snapshot.stable_values(context);
        if !self.settings.playing {
            stable.insert("picture".to_owned(), snapshot.picture.into());
        }
        let changed = stable != self.last_state.0;
        if changed || self.last_state.1.elapsed().as_secs_f64() > REPEAT_SECONDS {
            let line = snapshot.to_json(stable.clone()).to_string();
            if self.settings.log_state {
                print_line(&line);
            }
            state::store(line);
            self.last_state = (stable, Instant::now());
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn print_line(line: &str) {
    use std::io::Write as _;
    // A reader that closed the pipe needs no more lines.
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

#[cfg(not(target_arch = "wasm32"))]
fn print_message(message: &str) {
    crate::command::print_message(message);
}

#[cfg(target_arch = "wasm32")]
fn print_line(_: &str) {}

#[cfg(target_arch = "wasm32")]
fn print_message(_: &str) {}
