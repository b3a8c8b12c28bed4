//! A context of OpenGL without a window or a display, by EGL.

#![expect(unsafe_code, reason = "displays and contexts of EGL are made by unsafe calls")]

use std::ffi::CString;

use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::display::GlDisplay as _;

use crate::draw::{Frame, Gl, Renderer};
use crate::settings::Settings;
use crate::show::Show;

/// A context that stays current on its thread.
pub struct Offscreen {
    context: glow::Context,
    /// It cannot leave its thread.
    current: PossiblyCurrentContext,
}

impl Offscreen {
    /// On the first device that has one.
    ///
    /// # Errors
    ///
    /// When there is none, with what EGL says.
    pub fn new() -> Result<Self, String> {
        let devices = Device::query_devices().map_err(|error| format!("EGL: {error}"))?;
        let mut reason = "EGL: no device".to_owned();
        for device in devices {
            match Self::on(&device) {
                Ok(made) => return Ok(made),
                Err(error) => reason = format!("EGL: {error}"),
            }
        }
        Err(reason)
    }

    fn on(device: &Device) -> Result<Self, glutin::error::Error> {
        // SAFETY: there is no display of a window system that could be closed too early.
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
        Ok(Self { context, current })
    }

    /// To draw with, until another context of this thread is drawn with.
    ///
    /// # Panics
    ///
    /// When the driver has lost the context.
    #[must_use]
    pub fn gl(&self) -> Gl<'_> {
        self.current.make_current_surfaceless().expect("a context that was current before");
        // SAFETY: it has just been made current on this thread, which it cannot leave.
        unsafe { Gl::current(&self.context) }
    }
}

/// Draws so many frames of a show, each a sixtieth of a second after the one before, and gives the last: four bytes for each
/// pixel, the highest line first. The same settings give the same bytes.
///
/// # Errors
///
/// When there is no OpenGL, or the model cannot be had.
pub fn picture(mut settings: Settings, size: [u32; 2], frames: u64) -> Result<Vec<u8>, String> {
    let offscreen = Offscreen::new().map_err(|error| format!("no OpenGL without a window: {error}"))?;
    let (mut show, told) = Show::new(&mut settings)?;
    if let Some(told) = told {
        return Err(told);
    }
    let gl = offscreen.gl();
    let mut renderer = Renderer::new(gl)?;
    renderer.upload(gl, show.surfaces())?;
    let mut frame = Frame { size, ..Frame::default() };
    for index in 0..frames {
        show.step(&mut settings, if index == 0 { 0.0 } else { 1.0 / 60.0 });
        show.fill(&settings, &mut frame);
        renderer.draw(gl, &frame)?;
    }
    let pixels = renderer.pixels(gl);
    renderer.delete(gl);
    Ok(pixels)
}
