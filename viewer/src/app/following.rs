//! From settings to a frame and its figures.

use super::Viewer;
use crate::methods::Kind;
use crate::settings::{Layer, Motion, Settings};
use crate::show::{Filled, Stages};

/// Frames after a change that say nothing about the new method yet.
const SETTLING: usize = 6;
/// Frames that tell how fast this machine draws, and the most seconds of one that may have shadow and smooth edges.
const TRIED: u64 = 5;
const FAST_DRAWING: f64 = 0.012;

impl Viewer {
    /// Makes what the settings say, and moves it on.
    pub(super) fn follow(&mut self, seconds: f64) -> Stages {
        if let Some(told) = self.show.follow(&mut self.settings) {
            self.error = Some(told);
        }
        let measured = self.in_words();
        if measured != self.measured {
            self.measured = measured;
            self.stats.forget();
        }
        if !self.settings.drawing {
            let crew = self.show.measure(&mut self.settings, seconds);
            return Stages { crew, ..Stages::default() };
        }
        let crew = self.show.step(&mut self.settings, seconds);
        let mut picture = self.painting.lock();
        picture.follow(&self.show);
        picture.wants_sum = self.settings.log_state;
        let Filled { put, shapes } = self.show.fill(&self.settings, &mut picture.frame);
        if let Some(error) = picture.error.take() {
            self.error = Some(error);
        }
        // What was drawn is the frame before.
        Stages { crew, shapes, draw: put + picture.seconds }
    }

    /// All that figures depend on.
    fn in_words(&self) -> String {
        let Settings { kind, row, weights, threads, drawing, .. } = &self.settings;
        let row = row.name();
        format!(
            "{} {kind:?} {row} {weights} {threads:?} {drawing} {:?}",
            self.scene_in_words(),
            self.settings.shown
        )
    }

    fn scene_in_words(&self) -> String {
        let Settings { motion, octaves, clip, .. } = &self.settings;
        let moved = match (self.show.subject.is_cylinder, motion) {
            (true, Motion::Sine) => "sine".to_owned(),
            (true, Motion::Noise) => format!("noise of {octaves} octaves"),
            (false, _) => clip.clone().unwrap_or_else(|| "at rest".to_owned()),
        };
        format!("{} x {}, {moved}", self.show.copies(), self.show.subject.name)
    }

    pub(super) fn note_figures(&mut self) {
        if self.stats.len() < SETTLING {
            return;
        }
        let mut seconds = self.stats.median(|stages| stages.crew.both);
        if self.settings.kind == Kind::Gpu {
            // The shader skins while it draws.
            seconds += self.stats.median(|stages| stages.draw);
        }
        if seconds > 0.0 {
            self.table.note(&self.scene_in_words(), &self.settings, 1.0 / seconds);
        }
    }

    /// Adds shadow and smooth edges where drawing is fast.
    pub(super) fn embellish(&mut self) {
        if !self.settings.may_simplify || self.stats.counted() < TRIED || !self.settings.drawing {
            return;
        }
        self.settings.may_simplify = false;
        if self.stats.median(|stages| stages.draw) < FAST_DRAWING {
            self.settings.samples = 4;
            self.settings.shown.set(Layer::Shadow, true);
        }
    }
}
