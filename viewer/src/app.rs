//! The viewer: the show between its controls.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{
    self, CentralPanel, Context, Key, Panel, PointerButton, Rect, Sense, Ui, ViewportCommand,
};
use serde_json::{Map, Value};
use web_time::Instant;

use crate::figure_15::Figure15;
use crate::painting::Painting;
use crate::scene::{self, File};
use crate::settings::{Layer, Settings};
use crate::show::{Show, Stages};
use crate::state::{self, Seen};
use crate::stats::{Frame, Stats};
use crate::ui::{self, Ask, Controls, Open};

/// Frames after a change that say nothing about the new method yet.
const SETTLING: usize = 6;
/// Longer steps than this are hiccups.
const LONGEST_STEP: f64 = 0.25;
/// Frames that tell how fast this machine draws, and the most seconds of one that may have shadow and smooth edges.
const TRIED: u64 = 5;
const FAST_DRAWING: f64 = 0.012;
/// How often the state is told where nothing has changed.
const TELL_EVERY: f64 = 0.1;

/// Where a window that closes leaves the settings of the one that is opened in its place.
pub type Heir = Arc<Mutex<Option<Settings>>>;

/// Files whose bytes are on their way, or an error.
type Inbox = Arc<Mutex<Vec<Result<Vec<File>, String>>>>;

/// The application.
pub struct Viewer {
    settings: Settings,
    show: Show,
    painting: Painting,
    stats: Stats,
    table: Figure15,
    controls: Controls,
    open: Open,
    error: Option<String>,
    inbox: Inbox,
    heir: Heir,
    last_frame: Instant,
    told: (Map<String, Value>, Instant),
    measured: String,
    frames_left: Option<u64>,
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
            .exact_size(300.0)
            .resizable(false)
            .show(ui, |ui| ui::figures(ui, stats, table, settings, show));
        if reset {
            self.reset_view();
        }
    }

    fn reset_view(&mut self) {
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
            *self.heir.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.settings.clone());
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        ui::help(&context, &mut self.controls, &mut self.open.help);
    }

    fn orbit(&mut self, ui: &Ui, rect: Rect, response: &egui::Response) {
        let view = &mut self.show.view;
        let delta = response.drag_delta() / rect.height().max(1.0);
        let shifted = ui.input(|input| input.modifiers.shift);
        if response.dragged_by(PointerButton::Primary) && !shifted {
            view.turn(-4.0 * delta.x, 4.0 * delta.y);
        } else if response.dragged() {
            view.shift(-delta.x, delta.y);
        }
        if response.hovered() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            view.zoom((-0.002 * wheel).exp() / pinch.max(1e-3));
        }
        if let (true, Some(at)) = (response.clicked(), response.interact_pointer_pos()) {
            let place = [
                2.0 * (at.x - rect.center().x) / rect.width().max(1.0),
                -2.0 * (at.y - rect.center().y) / rect.height().max(1.0),
            ];
            self.show.click(rect.width() / rect.height().max(1.0), place);
        }
    }

    fn keys(&mut self, context: &Context) {
        let presses = |key: Key| context.input(|input| input.num_presses(key)) as f32;
        self.open.help ^= presses(Key::F1) % 2.0 > 0.0;
        self.open.window ^= presses(Key::F2) % 2.0 > 0.0;
        let quit = egui::KeyboardShortcut::new(egui::Modifiers::COMMAND, Key::Q);
        if context.input_mut(|input| input.consume_shortcut(&quit)) {
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        if context.memory(|memory| memory.focused().is_some()) {
            return;
        }
        let view = &mut self.show.view;
        let step = |less: Key, more: Key| 0.08 * (presses(more) - presses(less));
        view.turn(step(Key::ArrowRight, Key::ArrowLeft), step(Key::ArrowDown, Key::ArrowUp));
        view.zoom(step(Key::PageUp, Key::PageDown).exp());
        self.settings.playing ^= presses(Key::Space) % 2.0 > 0.0;
        if presses(Key::Home) > 0.0 {
            self.reset_view();
        }
    }

    /// Makes what the settings say, and moves it on.
    fn follow(&mut self, seconds: f64) -> Stages {
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
        let shapes = self.show.fill(&self.settings, &mut picture.frame);
        if let Some(error) = picture.error.take() {
            self.error = Some(error);
        }
        // What was drawn is the frame before.
        Stages { crew, shapes, draw: picture.seconds }
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
            (true, crate::settings::Motion::Sine) => "sine".to_owned(),
            (true, crate::settings::Motion::Noise) => format!("noise of {octaves} octaves"),
            (false, _) => clip.clone().unwrap_or_else(|| "at rest".to_owned()),
        };
        format!("{} x {}, {moved}", self.show.copies(), self.show.subject.name)
    }

    fn note_figures(&mut self) {
        if self.stats.len() < SETTLING {
            return;
        }
        let mut seconds = self.stats.median(|stages| stages.crew.both);
        if self.settings.kind == crate::methods::Kind::Gpu {
            // The shader skins while it draws.
            seconds += self.stats.median(|stages| stages.draw);
        }
        if seconds > 0.0 {
            self.table.note(&self.scene_in_words(), &self.settings, 1.0 / seconds);
        }
    }

    /// Adds shadow and smooth edges where drawing is fast.
    fn embellish(&mut self) {
        if !self.settings.may_simplify || self.stats.counted() < TRIED || !self.settings.drawing {
            return;
        }
        self.settings.may_simplify = false;
        if self.stats.median(|stages| stages.draw) < FAST_DRAWING {
            self.settings.samples = 4;
            self.settings.shown.set(Layer::Shadow, true);
        }
    }

    fn take_files(&mut self, context: &Context) {
        let dropped = context.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        if !dropped.is_empty() {
            fetch(dropped, &self.inbox, context, &mut self.settings);
        }
        let arrived = std::mem::take(&mut *self.inbox.lock().unwrap_or_else(PoisonError::into_inner));
        for files in arrived {
            match files.and_then(|files| scene::load_bytes(&files)) {
                Ok(subject) => {
                    self.settings.copies = None;
                    self.error = self.show.replace(subject, &mut self.settings);
                }
                Err(error) => self.error = Some(error),
            }
        }
    }

    fn tell(&mut self, context: &Context) {
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

/// Files have paths here, and models may have files beside them.
#[cfg(not(target_arch = "wasm32"))]
fn fetch(dropped: Vec<egui::DroppedFileHandle>, _: &Inbox, _: &Context, settings: &mut Settings) {
    let paths = dropped.iter().map(|file| file.path().display().to_string());
    let (clips, models): (Vec<_>, Vec<_>) = paths.partition(|path| path.ends_with(".md5anim"));
    settings.with = clips;
    if let Some(model) = models.first() {
        settings.model.clone_from(model);
        settings.copies = None;
    }
}

/// Bytes arrive later.
#[cfg(target_arch = "wasm32")]
fn fetch(dropped: Vec<egui::DroppedFileHandle>, inbox: &Inbox, context: &Context, _: &mut Settings) {
    let (inbox, context) = (Arc::clone(inbox), context.clone());
    wasm_bindgen_futures::spawn_local(async move {
        let mut files = Ok(Vec::new());
        for file in dropped {
            let name = file.path().display().to_string();
            match (file.bytes_async().await, &mut files) {
                (Ok(bytes), Ok(files)) => files.push(File { name, bytes }),
                (Err(error), _) => files = Err(format!("{name}: {error}")),
                _ => {}
            }
        }
        inbox.lock().unwrap_or_else(PoisonError::into_inner).push(files);
        context.request_repaint();
    });
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
