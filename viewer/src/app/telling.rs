//! What tests are told.

use eframe::egui::Context;
use web_time::Instant;

use super::Viewer;
use crate::state::{self, Seen};

/// How often the state is told where nothing has changed.
const TELL_EVERY: f64 = 0.1;

impl Viewer {
    pub(super) fn tell(&mut self, context: &Context) {
        let seen = Seen {
            settings: &self.settings,
            show: &self.show,
            stats: &self.stats,
            table: &self.table,
            controls: &self.controls,
            open: self.open,
            picture: self.settings.log_state.then(|| self.painting.lock().sum),
            error: self.error.as_deref(),
        };
        let mut steady = seen.steady(context);
        if !self.settings.playing {
            steady.insert("picture".to_owned(), seen.picture.into());
        }
        let changed = steady != self.told.0;
        if changed || self.told.1.elapsed().as_secs_f64() > TELL_EVERY {
            let whole = seen.whole(steady.clone()).to_string();
            if self.settings.log_state {
                print(&whole);
            }
            state::keep(whole);
            self.told = (steady, Instant::now());
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn print(line: &str) {
    use std::io::Write as _;
    // Who does not read the state any more has seen enough.
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

#[cfg(target_arch = "wasm32")]
fn print(_: &str) {}
