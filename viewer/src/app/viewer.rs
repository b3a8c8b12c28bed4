//! The application and its frame.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{self, CentralPanel, Context, Panel, Sense, Ui, ViewportCommand};
use serde_json::{Map, Value};
use web_time::Instant;

use super::files::Inbox;
use crate::draw::GlKind;
use crate::figure_15::Figure15;
use crate::scene_painter::ScenePainter;
use crate::session::Session;
use crate::settings::{Layer, Settings};
use crate::stats::{FrameRecord, Stats};
use crate::ui::{self, Controls, OpenWindows, PageSize, WindowRequest};

/// Width of the panel of controls, and of the panel of timings.
const PANEL_WIDTHS: [f32; 2] = [292.0, 340.0];
/// Share of a narrow page that an open panel covers.
const PANEL_SHARE: f32 = 0.46;
/// Longest time step in seconds; a longer frame interval is a stall, not animation time.
const MAX_STEP_SECONDS: f64 = 0.25;

/// Settings and size that a closing window hands to the window opened in its place.
pub type HandOff = Arc<Mutex<Option<(Settings, [f32; 2])>>>;

/// The application.
pub struct Viewer {
    pub(super) settings: Settings,
    pub(super) session: Session,
    pub(super) painter: ScenePainter,
    pub(super) stats: Stats,
    pub(super) table: Figure15,
    pub(super) controls: Controls,
    pub(super) open: OpenWindows,
    pub(super) size: Option<PageSize>,
    pub(super) gl: GlKind,
    pub(super) error: Option<String>,
    pub(super) printed_error: Option<String>,
    pub(super) inbox: Inbox,
    pub(super) hand_off: HandOff,
    pub(super) last_frame: Instant,
    pub(super) last_state: (Map<String, Value>, Instant),
    pub(super) measured_configuration: String,
    pub(super) frames_left: Option<u64>,
}

impl Viewer {
    /// Creates the viewer in a window or page of eframe.
    ///
    /// # Errors
    ///
    /// If OpenGL is missing or too old, or the instruction set named by `SINEW_ISA` is unavailable.
    pub fn new(
        context: &eframe::CreationContext<'_>,
        mut settings: Settings,
        hand_off: HandOff,
    ) -> Result<Self, String> {
        let gl = context.gl.as_ref().ok_or("the window has no OpenGL")?;
        let (painter, gl) = ScenePainter::new(gl)?;
        let (session, error) = Session::new(&mut settings)?;
        if settings.auto_quality {
            // The first frames are drawn plainly, until the draw time of this machine is known.
            settings.samples = 0;
            settings.layers.set(Layer::Shadow, false);
        }
        let now = Instant::now();
        Ok(Self {
            settings,
            session,
            painter,
            stats: Stats::default(),
            table: Figure15::default(),
            controls: Controls::default(),
            open: OpenWindows::default(),
            size: None,
            gl,
            error,
            printed_error: None,
            inbox: Inbox::default(),
            hand_off,
            last_frame: now,
            last_state: (Map::new(), now),
            measured_configuration: String::new(),
            frames_left: None,
        })
    }

    /// Also shows a message, about options that were not understood.
    #[must_use]
    pub fn with_message(mut self, message: Option<String>) -> Self {
        self.error = [message, self.error].into_iter().flatten().reduce(|a, b| format!("{a}; {b}"));
        self
    }

    /// Closes the window after this many frames.
    #[must_use]
    pub fn with_frame_limit(self, frames: Option<u64>) -> Self {
        Self { frames_left: frames, ..self }
    }

    /// Adapts style and panels when the page becomes narrow or wide.
    fn adapt_to_size(&mut self, context: &Context) -> PageSize {
        let size = PageSize::new(context);
        if self.size != Some(size) {
            self.size = Some(size);
            size.set_style(context);
            self.open.open_panels(size);
        }
        size
    }

    fn panels(&mut self, ui: &mut Ui, size: PageSize) {
        let Self { settings, session, controls, stats, table, open, gl, .. } = self;
        let (narrow, height) = (size == PageSize::Narrow, PANEL_SHARE * ui.available_height());
        let mut reset = false;
        Panel::top("top")
            .show(ui, |ui| reset = ui::top_bar(ui, controls, settings, (&mut *open, size), session));
        if open.controls {
            let panel = if narrow {
                Panel::bottom("controls below").exact_size(height)
            } else {
                Panel::left("controls").exact_size(PANEL_WIDTHS[0])
            };
            let panel = panel.resizable(false);
            panel.show(ui, |ui| ui::control_panel(ui, controls, settings, (session, *gl)));
        }
        if open.times {
            let panel = if narrow {
                Panel::bottom("times below").exact_size(height)
            } else {
                Panel::right("times").exact_size(PANEL_WIDTHS[1])
            };
            let panel = panel.resizable(false);
            panel.show(ui, |ui| ui::stats_panel(ui, (stats, table), settings, (session, *gl)));
        }
        if reset {
            self.reset_view();
        }
    }

    pub(super) fn reset_view(&mut self) {
        self.session.reset_view();
        self.session.hit = None;
    }

    /// The scene and its overlays.
    fn scene(&mut self, ui: &mut Ui) {
        let size = ui.available_size();
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let response = self.controls.record("view", response);
        self.handle_mouse(ui, rect, &response);
        if self.settings.drawing {
            ui.painter().add(self.painter.callback(rect));
            let painter = ui.painter_at(rect);
            ui::joint_names(&painter, rect, &self.settings, &self.session);
            ui::hit_label(&painter, rect, &self.session);
            if !self.open.times {
                let (time, what) = ui::time_label(&self.stats, &self.settings);
                ui::scene_time(&painter, rect, (&time, what), ui.visuals().strong_text_color());
            }
        } else {
            let text = "Drawing is off: the method runs as often as possible.";
            let (font, color) = (egui::FontId::proportional(15.0), ui.visuals().weak_text_color());
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, text, font, color);
        }
        let context = ui.ctx().clone();
        ui::message(&context, &mut self.controls, rect, &mut self.error);
        if ui::window_settings(&context, &mut self.controls, &mut self.settings, &mut self.open.window)
            == WindowRequest::Reopen
        {
            let state = (self.settings.clone(), context.viewport_rect().size().into());
            *self.hand_off.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        ui::key_list(&context, &mut self.controls, &mut self.open.help);
    }
}

impl eframe::App for Viewer {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        let interval = self.last_frame.elapsed().as_secs_f64();
        self.last_frame = Instant::now();
        context.set_theme(if self.settings.bright { egui::Theme::Light } else { egui::Theme::Dark });
        self.controls.clear();
        self.load_dropped_files(&context);
        self.handle_keys(&context);
        let size = self.adapt_to_size(&context);
        self.panels(ui, size);
        CentralPanel::no_frame().show(ui, |ui| self.scene(ui));
        let stages = self.update(interval.min(MAX_STEP_SECONDS));
        self.stats.push(FrameRecord { interval, stages });
        self.record_frame_rate();
        self.enable_extras_if_fast();
        self.print_error();
        self.log_state(&context);
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
            self.painter.delete(gl);
        }
    }
}
