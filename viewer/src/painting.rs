//! What is shared between the moment when a frame is made and the moment when it is painted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eframe::egui;
use eframe::egui_glow::{CallbackFn, Painter};

use crate::draw::{Frame, Gl, Renderer, Surface};
use crate::show::Show;
use crate::timing::timed;

/// A picture of the scene, behind a lock that nobody holds for long.
#[derive(Clone)]
pub(crate) struct Painting(Arc<Mutex<Picture>>);

/// What draws, what it draws, and what became of it.
pub(crate) struct Picture {
    renderer: Renderer,
    pub(crate) frame: Frame,
    /// What is to be uploaded before the next frame.
    surfaces: Option<Vec<Surface>>,
    colours: Option<Vec<Surface>>,
    versions: Option<[u64; 2]>,
    /// Seconds that drawing took.
    pub(crate) seconds: f64,
    /// Whether a sum of all pixels is wanted.
    pub(crate) wants_sum: bool,
    pub(crate) sum: u64,
    pub(crate) error: Option<String>,
}

impl Painting {
    /// Compiles the shaders.
    pub(crate) fn new(gl: &glow::Context) -> Result<Self, String> {
        Ok(Self(Arc::new(Mutex::new(Picture {
            renderer: Renderer::new(current(gl))?,
            frame: Frame::default(),
            surfaces: None,
            colours: None,
            versions: None,
            seconds: 0.0,
            wants_sum: false,
            sum: 0,
            error: None,
        }))))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Picture> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What paints the picture into a rectangle of the window.
    pub(crate) fn callback(&self, rect: egui::Rect) -> egui::PaintCallback {
        let painting = self.clone();
        let paint = move |info: egui::PaintCallbackInfo, painter: &Painter| {
            let at = info.viewport_in_pixels();
            let viewport = [at.left_px, at.from_bottom_px, at.width_px, at.height_px];
            painting.lock().paint(current(painter.gl()), viewport);
        };
        egui::PaintCallback { rect, callback: Arc::new(CallbackFn::new(paint)) }
    }

    /// Gives all memory of the graphics processor back.
    pub(crate) fn delete(&self, gl: &glow::Context) {
        self.lock().renderer.delete(current(gl));
    }
}

impl Picture {
    /// Takes surfaces and colours that have changed.
    pub(crate) fn follow(&mut self, show: &Show) {
        let versions = show.versions();
        if self.versions.is_none_or(|before| before[0] != versions[0]) {
            self.surfaces = Some(show.surfaces().to_vec());
        } else if self.versions.is_some_and(|before| before[1] != versions[1]) {
            self.colours = Some(show.surfaces().to_vec());
        }
        self.versions = Some(versions);
    }

    fn paint(&mut self, gl: Gl<'_>, viewport: [i32; 4]) {
        self.frame.size = [viewport[2], viewport[3]].map(|side| side.max(1) as u32);
        let (mut drawn, mut seconds) = (Ok(()), 0.0);
        if let Some(surfaces) = self.surfaces.take() {
            drawn = self.renderer.upload(gl, &surfaces);
        }
        if let Some(surfaces) = self.colours.take() {
            self.renderer.colour(gl, &surfaces);
        }
        if drawn.is_ok() {
            seconds = timed(|| drawn = self.renderer.draw(gl, &self.frame));
        }
        self.seconds = seconds;
        self.error = drawn.err();
        if self.wants_sum {
            self.sum = sum(&self.renderer.pixels(gl));
        }
        self.renderer.show(gl, viewport);
    }
}

/// FNV-1a over words of eight bytes: fast enough for every frame.
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    let add = |sum: u64, word: &[u8; 8]| (sum ^ u64::from_le_bytes(*word)).wrapping_mul(0x100_0000_01B3);
    words.iter().fold(0xCBF2_9CE4_8422_2325, add)
}

/// Eframe's context, where it calls.
#[expect(unsafe_code, reason = "that a context is current can only be promised")]
fn current(context: &glow::Context) -> Gl<'_> {
    // SAFETY: eframe makes its context current before it creates the application, paints and exits, and nobody here
    // makes another one current.
    unsafe { Gl::current(context) }
}
