//! The renderer and its frame, shared by the update and egui's paint callback.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eframe::egui;
use eframe::egui_glow::{CallbackFn, Painter};

use crate::draw::{Frame, Gl, GlKind, Renderer, Surface};
use crate::session::Session;
use crate::timing::time_call;

/// A handle on the paint state. The lock is held only while a frame is filled or painted.
#[derive(Clone)]
pub(crate) struct ScenePainter(Arc<Mutex<PaintState>>);

/// The renderer, the frame to draw, and the results of drawing.
pub(crate) struct PaintState {
    renderer: Renderer,
    pub(crate) frame: Frame,
    /// Surfaces to upload before the next frame; `recolored` are uploaded surfaces with new colors.
    surfaces: Option<Vec<Surface>>,
    recolored: Option<Vec<Surface>>,
    versions: Option<[u64; 2]>,
    /// Seconds that drawing took.
    pub(crate) seconds: f64,
    /// Whether to compute a checksum of all pixels.
    pub(crate) checksum_enabled: bool,
    pub(crate) checksum: u64,
    pub(crate) error: Option<String>,
}

impl ScenePainter {
    /// Compiles the shaders. Also tells what runs them.
    pub(crate) fn new(gl: &glow::Context) -> Result<(Self, GlKind), String> {
        let gl = current(gl);
        let painter = Self(Arc::new(Mutex::new(PaintState {
            renderer: Renderer::new(gl)?,
            frame: Frame::default(),
            surfaces: None,
            recolored: None,
            versions: None,
            seconds: 0.0,
            checksum_enabled: false,
            checksum: 0,
            error: None,
        })));
        Ok((painter, gl.kind()))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, PaintState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The callback that paints the scene into a rectangle of the window.
    pub(crate) fn callback(&self, rect: egui::Rect) -> egui::PaintCallback {
        let state = self.clone();
        let paint = move |info: egui::PaintCallbackInfo, painter: &Painter| {
            let at = info.viewport_in_pixels();
            let viewport = [at.left_px, at.from_bottom_px, at.width_px, at.height_px];
            state.lock().paint(current(painter.gl()), viewport);
        };
        egui::PaintCallback { rect, callback: Arc::new(CallbackFn::new(paint)) }
    }

    /// Frees all GPU memory.
    pub(crate) fn delete(&self, gl: &glow::Context) {
        self.lock().renderer.delete(current(gl));
    }
}

impl PaintState {
    /// Queues surfaces and colors that have changed since the last upload.
    pub(crate) fn queue_changes(&mut self, session: &Session) {
        let versions = session.versions();
        if self.versions.is_none_or(|before| before[0] != versions[0]) {
            self.surfaces = Some(session.surfaces().to_vec());
        } else if self.versions.is_some_and(|before| before[1] != versions[1]) {
            self.recolored = Some(session.surfaces().to_vec());
        }
        self.versions = Some(versions);
    }

    fn paint(&mut self, gl: Gl<'_>, viewport: [i32; 4]) {
        self.frame.size = [viewport[2], viewport[3]].map(|side| side.max(1) as u32);
        let (mut result, mut seconds) = (Ok(()), 0.0);
        if let Some(surfaces) = self.surfaces.take() {
            result = self.renderer.upload(gl, &surfaces);
        }
        if let Some(surfaces) = self.recolored.take() {
            self.renderer.recolor(gl, &surfaces);
        }
        if result.is_ok() {
            seconds = time_call(|| result = self.renderer.draw(gl, &self.frame));
        }
        self.seconds = seconds;
        self.error = result.err();
        if self.checksum_enabled {
            self.checksum = checksum(&self.renderer.pixels(gl));
        }
        self.renderer.present(gl, viewport);
    }
}

/// FNV-1a over 8-byte words: fast enough for every frame.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    let add =
        |checksum: u64, word: &[u8; 8]| (checksum ^ u64::from_le_bytes(*word)).wrapping_mul(0x100_0000_01B3);
    words.iter().fold(0xCBF2_9CE4_8422_2325, add)
}

/// Eframe's context, inside one of eframe's calls.
#[expect(unsafe_code, reason = "no check can prove that a context is current")]
fn current(context: &glow::Context) -> Gl<'_> {
    // SAFETY: eframe makes its context current before it creates the application, paints and exits,
    // and this crate makes no other context current.
    unsafe { Gl::current(context) }
}
