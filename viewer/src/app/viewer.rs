//! The application: its parts, and a frame of it.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{self, CentralPanel, Panel, Sense, Ui, ViewportCommand};
use serde_json::{Map, Value};
use web_time::Instant;

use super::files::Inbox;
use crate::figure_15::Figure15;
use crate::painting::Painting;
use crate::settings::{Layer, Settings};
use crate::show::Show;
use crate::stats::{Frame, Stats};
use crate::ui::{self, Ask, Controls, Open};

/// Below this width, without the controls, the scene gets more of the room.
const NARROW: f32 = 760.0;
/// Longer steps than this are hiccups.
const LONGEST_STEP: f64 = 0.25;

/// Where a window that closes leaves settings and size of the one that is opened in its place.
pub type Heir = Arc<Mutex<Option<(Settings, [f32; 2])>>>;

/// The application.
pub struct Viewer {
    pub(super) settings: Settings,
    pub(super) show: Show,
    pub(super) painting: Painting,
    pub(super) stats: Stats,
    pub(super) table: Figure15,
    pub(super) controls: Controls,
    pub(super) open: Open,
    pub(super) error: Option<String>,
    pub(super) inbox: Inbox,
    pub(super) heir: Heir,
    pub(super) last_frame: Instant,
    pub(super) told: (Map<String, Value>, Instant),
    pub(super) measured: String,
    pub(super) frames_left: Option<u64>,
}

impl Viewer {
    /// In a window or a page of eframe's.
    ///
    /// # Errors
    ///
    /// When there is no OpenGL or one that is too old, or `SINEW_ISA` cannot be had.
    pub fn new(
        context: &eframe::CreationContext<'_>,
        mut settings: Settings,
        heir: Heir,
    ) -> Result<Self, String> {
        let gl = context.gl.as_ref().ok_or("the window has no OpenGL")?;
        ui::style(&context.egui_ctx);
        let painting = Painting::new(gl)?;
        let (show, error) = Show::new(&mut settings)?;
        if settings.may_simplify {
            // Until it is known how fast this machine draws, so that the first frame does not keep anybody waiting.
            settings.samples = 0;
            settings.shown.set(Layer::Shadow, false);
        }
        let now = Instant::now();
        Ok(Self {
            settings,
            show,
            painting,
            stats: Stats::default(),
            table: Figure15::default(),
            controls: Controls::default(),
            open: Open::default(),
            error,
            inbox: Inbox::default(),
            heir,
            last_frame: now,
            told: (Map::new(), now),
            measured: String::new(),
            frames_left: None,
        })
    }

    /// The same, closed after so many frames.
    #[must_use]
    pub fn stopping_after(self, frames: Option<u64>) -> Self {
        Self { frames_left: frames, ..self }
    }

    fn panels(&mut self, ui: &mut Ui) {
        let Self { settings, show, controls, stats, table, open, .. } = self;
        let mut reset = false;
        Panel::top("top").show(ui, |ui| reset = ui::top(ui, controls, settings, open, show));
        Panel::left("controls")
            .exact_size(292.0)
            .resizable(false)
            .show(ui, |ui| ui::left(ui, controls, settings, show));
        Panel::right("figures")
            .exact_size(if ui.available_width() < NARROW { 220.0 } else { 300.0 })
            .resizable(false)
            .show(ui, |ui| ui::figures(ui, stats, table, settings, show));
        if reset {
            self.reset_view();
        }
    }

    pub(super) fn reset_view(&mut self) {
        self.show.reset_view();
        self.show.hit = None;
    }

    /// The scene, and what lies over it.
    fn scene(&mut self, ui: &mut Ui) {
        let size = ui.available_size();
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let response = self.controls.note("view", response);
        self.orbit(ui, rect, &response);
        if self.settings.drawing {
            ui.painter().add(self.painting.callback(rect));
            let painter = ui.painter_at(rect);
            ui::names(&painter, rect, &self.settings, &self.show);
            ui::hit(&painter, rect, &self.show);
        } else {
            let text = "Drawing is off: the method runs as often as it can.";
            let (font, colour) = (egui::FontId::proportional(15.0), ui.visuals().weak_text_color());
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, text, font, colour);
        }
        let context = ui.ctx().clone();
        ui::message(&context, &mut self.controls, rect, &mut self.error);
        if ui::window(&context, &mut self.controls, &mut self.settings, &mut self.open.window) == Ask::Reopen
        {
            let left = (self.settings.clone(), context.viewport_rect().size().into());
            *self.heir.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        ui::help(&context, &mut self.controls, &mut self.open.help);
    }
}

impl eframe::App for Viewer {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        let interval = self.last_frame.elapsed().as_secs_f64();
        self.last_frame = Instant::now();
        context.set_theme(if self.settings.bright { egui::Theme::Light } else { egui::Theme::Dark });
        self.controls.clear();
        self.take_files(&context);
        self.keys(&context);
        self.panels(ui);
        CentralPanel::no_frame().show(ui, |ui| self.scene(ui));
        let stages = self.follow(interval.min(LONGEST_STEP));
        self.stats.push(Frame { interval, stages });
        self.note_figures();
        self.embellish();
        self.tell(&context);
        if let Some(left) = &mut self.frames_left {
            *left = left.saturating_sub(1);
            if *left == 0 {
                context.send_viewport_cmd(ViewportCommand::Close);
            }
        }
        context.request_repaint();
    }

    fn on_exit(&mut self, gl: Option<&glow::Context>) {
        if let Some(gl) = gl {
            self.painting.delete(gl);
        }
    }
}
