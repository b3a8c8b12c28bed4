//! One frame of the application: applies the settings, steps the session, records timings.

use super::Viewer;
use crate::methods::MethodKind;
use crate::session::{FillTimes, StageTimes};
use crate::settings::{Layer, Motion, Settings};

/// Frames after a change of settings whose timings are ignored.
const WARM_UP_FRAMES: usize = 6;
/// Frames drawn before the draw time is judged, and the longest draw time in seconds at which
/// shadow and antialiasing are switched on.
const TRIAL_FRAMES: u64 = 5;
const FAST_DRAW_SECONDS: f64 = 0.012;

impl Viewer {
    /// Applies the settings, then animates and skins a frame.
    pub(super) fn update(&mut self, seconds: f64) -> StageTimes {
        if let Some(message) = self.session.apply_settings(&mut self.settings) {
            self.error = Some(message);
        }
        if let Some(note) = self.session.take_note() {
            self.error = self.error.take().into_iter().chain([note]).reduce(|a, b| format!("{a}; {b}"));
        }
        let key = self.configuration_key();
        if key != self.measured_configuration {
            self.measured_configuration = key;
            self.stats.clear();
        }
        if !self.settings.drawing {
            let pipeline = self.session.measure(&mut self.settings, seconds);
            return StageTimes { pipeline, ..StageTimes::default() };
        }
        let pipeline = self.session.step(&mut self.settings, seconds);
        let mut painter = self.painter.lock();
        painter.queue_changes(&self.session);
        painter.checksum_enabled = self.settings.log_state;
        let FillTimes { copy, shapes } = self.session.fill(&self.settings, &mut painter.frame);
        if let Some(error) = painter.error.take() {
            self.error = Some(error);
        }
        // The painter reports the draw time of the previous frame.
        StageTimes { pipeline, shapes, draw: copy + painter.seconds }
    }

    /// A text that changes whenever recorded timings stop being comparable.
    fn configuration_key(&self) -> String {
        let Settings { method, backend, weights, threads, drawing, .. } = &self.settings;
        let isa = backend.name();
        format!(
            "{} {method:?} {isa} {weights:?} {threads:?} {drawing} {:?}",
            self.scene_description(),
            self.settings.layers
        )
    }

    fn scene_description(&self) -> String {
        let Settings { motion, octaves, clip, .. } = &self.settings;
        let motion = match (self.session.subject.is_cylinder, motion) {
            (true, Motion::Sine) => "sine".to_owned(),
            (true, Motion::Noise) => format!("noise of {octaves} octaves"),
            (false, _) => clip.clone().unwrap_or_else(|| "at rest".to_owned()),
        };
        format!("{} x {}, {motion}", self.session.copies(), self.session.subject.name)
    }

    pub(super) fn record_frame_rate(&mut self) {
        if self.stats.len() < WARM_UP_FRAMES {
            return;
        }
        let mut seconds = self.stats.median(|stages| stages.pipeline.total);
        if self.settings.method == MethodKind::Gpu {
            // The GPU method skins while drawing.
            seconds += self.stats.median(|stages| stages.draw);
        }
        if seconds > 0.0 {
            self.table.record(&self.scene_description(), &self.settings, 1.0 / seconds);
        }
    }

    /// Switches shadow and antialiasing on if drawing is fast.
    pub(super) fn enable_extras_if_fast(&mut self) {
        if !self.settings.auto_quality || self.stats.frame_count() < TRIAL_FRAMES || !self.settings.drawing {
            return;
        }
        self.settings.auto_quality = false;
        if self.stats.median(|stages| stages.draw) < FAST_DRAW_SECONDS {
            self.settings.samples = 4;
            self.settings.layers.set(Layer::Shadow, true);
        }
    }
}
