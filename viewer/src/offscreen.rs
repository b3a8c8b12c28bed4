//! OpenGL without a window or a display, through EGL.

#![expect(unsafe_code, reason = "EGL displays and contexts are created by unsafe calls")]

use std::ffi::CString;
use std::sync::Arc;

use eframe::egui::{self, Pos2, Rect, Vec2};
use eframe::egui_glow::Painter;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::display::GlDisplay as _;

use crate::draw::{Frame, Gl, Renderer};
use crate::session::Session;
use crate::settings::{Layer, Settings};
use crate::ui;

/// An OpenGL context that is bound to its thread.
pub struct Offscreen {
    context: Arc<glow::Context>,
    /// Not `Send`, so the context cannot leave its thread.
    current: PossiblyCurrentContext,
}

impl Offscreen {
    /// Creates a context on the first device that supports one.
    ///
    /// # Errors
    ///
    /// If no device does, with EGL's message.
    pub fn new() -> Result<Self, String> {
        let devices = Device::query_devices().map_err(|error| format!("EGL: {error}"))?;
        let mut reason = "EGL: no device".to_owned();
        for device in devices {
            match Self::on_device(&device) {
                Ok(offscreen) => return Ok(offscreen),
                Err(error) => reason = format!("EGL: {error}"),
            }
        }
        Err(reason)
    }

    fn on_device(device: &Device) -> Result<Self, glutin::error::Error> {
        // SAFETY: no display of a window system is passed, so none can be closed too early.
        let display = unsafe { Display::with_device(device, None) }?;
        let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        // SAFETY: the template names no window.
        let config = unsafe { display.find_configs(template) }?.next();
        let config = config.ok_or(glutin::error::ErrorKind::BadConfig)?;
        let attributes = ContextAttributesBuilder::new()
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .build(None);
        // SAFETY: the attributes name no window.
        let context = unsafe { display.create_context(&config, &attributes) }?;
        let current = context.make_current_surfaceless()?;
        let find =
            |name: &str| CString::new(name).map_or(std::ptr::null(), |name| display.get_proc_address(&name));
        // SAFETY: the context is current, and its own display finds the functions.
        let context = unsafe { glow::Context::from_loader_function(find) };
        Ok(Self { context: Arc::new(context), current })
    }

    /// Makes the context current. The result is usable until another context becomes current.
    ///
    /// # Panics
    ///
    /// If the driver has lost the context.
    #[must_use]
    pub fn gl(&self) -> Gl<'_> {
        self.current.make_current_surfaceless().expect("the driver keeps the context");
        // SAFETY: the line above made the context current on this thread, which it cannot leave.
        unsafe { Gl::current(&self.context) }
    }
}

/// Draws frames 1/60 s apart and returns the last one: RGBA bytes, top row first. The same settings
/// give the same bytes.
///
/// # Errors
///
/// If OpenGL is not available or the model cannot be loaded.
pub fn render_frames(mut settings: Settings, size: [u32; 2], frames: u64) -> Result<Vec<u8>, String> {
    let offscreen =
        Offscreen::new().map_err(|error| format!("cannot use OpenGL without a window: {error}"))?;
    let (mut session, message) = Session::new(&mut settings)?;
    if let Some(message) = message {
        return Err(message);
    }
    if let Some(note) = session.take_note() {
        crate::command::print_message(&note);
    }
    let gl = offscreen.gl();
    let mut renderer = Renderer::new(gl)?;
    renderer.upload(gl, session.surfaces())?;
    let mut frame = Frame { size, ..Frame::default() };
    for index in 0..frames {
        session.step(&mut settings, if index == 0 { 0.0 } else { 1.0 / 60.0 });
        session.fill(&settings, &mut frame);
        renderer.draw(gl, &frame)?;
    }
    let drawn = if settings.layers.contains(Layer::Names) {
        renderer.draw_over(gl, || draw_names(&offscreen, &settings, &session, size))
    } else {
        Ok(())
    };
    let pixels = renderer.pixels(offscreen.gl());
    renderer.delete(offscreen.gl());
    drawn.map(|()| pixels)
}

/// Draws the joints' names into the bound framebuffer, as the window does.
fn draw_names(
    offscreen: &Offscreen,
    settings: &Settings,
    session: &Session,
    size: [u32; 2],
) -> Result<(), String> {
    let mut painter = Painter::new(Arc::clone(&offscreen.context), "", None, false)
        .map_err(|error| format!("cannot draw text: {error}"))?;
    let context = egui::Context::default();
    let scene = Rect::from_min_size(Pos2::ZERO, Vec2::from(size.map(|side| side as f32)));
    let input = egui::RawInput { screen_rect: Some(scene), ..egui::RawInput::default() };
    let mut output = context.run_ui(input, |ui| {
        let painter = ui.ctx().layer_painter(egui::LayerId::background());
        ui::joint_names(&painter, scene, settings, session);
    });
    let primitives = context.tessellate(output.shapes, output.pixels_per_point);
    let scale = output.pixels_per_point;
    painter.paint_and_update_textures(size, scale, &primitives, &mut output.textures_delta);
    painter.destroy();
    Ok(())
}
