//! What draws frames: shaders, memory and the framebuffer of one context.

use super::buffers::{Indices, Vertices};
use super::frame::Frame;
use super::gl::Gl;
use super::programs::Programs;
use super::surfaces::{Surface, Uploaded};
use super::target::Target;

/// Everything in one context of OpenGL. It must be deleted by hand.
pub struct Renderer {
    pub(super) programs: Programs,
    pub(super) vertex_array: glow::VertexArray,
    pub(super) surfaces: Vec<Uploaded>,
    /// Of lines, floor and volumes.
    pub(super) points: Vertices,
    pub(super) indices: Indices,
    target: Option<Target>,
}

impl Renderer {
    /// Compiles the shaders.
    ///
    /// # Errors
    ///
    /// When the context is too old, or does not take the shaders; with what the driver says.
    pub fn new(gl: Gl<'_>) -> Result<Self, String> {
        if !gl.is_enough() {
            return Err("expected OpenGL 3.3, OpenGL ES 3.0 or WebGL 2".to_owned());
        }
        Ok(Self {
            programs: Programs::new(gl)?,
            vertex_array: gl.create_vertex_array()?,
            surfaces: Vec::new(),
            points: Vertices::new(gl)?,
            indices: Indices::new(gl)?,
            target: None,
        })
    }

    /// Takes other surfaces than before.
    ///
    /// # Errors
    ///
    /// When memory cannot be had, or a triangle has a vertex that is not there.
    pub fn upload(&mut self, gl: Gl<'_>, surfaces: &[Surface]) -> Result<(), String> {
        gl.bind_vertex_array(Some(self.vertex_array));
        for surface in self.surfaces.drain(..) {
            surface.delete(gl);
        }
        for surface in surfaces {
            self.surfaces.push(Uploaded::new(gl, surface)?);
        }
        gl.bind_vertex_array(None);
        Ok(())
    }

    /// Takes other colours of the same surfaces.
    pub fn colour(&self, gl: Gl<'_>, surfaces: &[Surface]) {
        for (uploaded, surface) in self.surfaces.iter().zip(surfaces) {
            uploaded.colour(gl, surface);
        }
    }

    /// Draws a frame. The framebuffer that was bound is bound again.
    ///
    /// # Errors
    ///
    /// When memory for a picture of that size cannot be had.
    pub fn draw(&mut self, gl: Gl<'_>, frame: &Frame) -> Result<(), String> {
        let before = bound(gl, glow::DRAW_FRAMEBUFFER_BINDING);
        let drawn = self.draw_into_target(gl, frame);
        gl.bind_framebuffer(glow::FRAMEBUFFER, before);
        drawn
    }

    fn draw_into_target(&mut self, gl: Gl<'_>, frame: &Frame) -> Result<(), String> {
        let size = frame.size.map(|side| side.clamp(1, 16_384) as i32);
        let samples = frame.samples as i32;
        if !self.target.as_ref().is_some_and(|target| target.is(gl, size, samples)) {
            if let Some(old) = self.target.take() {
                old.delete(gl);
            }
            self.target = Some(Target::new(gl, size, samples)?);
        }
        for (surface, moved) in self.surfaces.iter_mut().zip(&frame.moved) {
            surface.write(gl, moved);
        }
        gl.bind_vertex_array(Some(self.vertex_array));
        self.indices.write(gl, frame.volumes.triangles.as_flattened());
        if let Some(target) = &self.target {
            target.begin(gl);
        }
        self.passes(gl, frame);
        if let Some(target) = &self.target {
            target.resolve(gl);
        }
        gl.bind_vertex_array(None);
        // What is measured around this is the work, not the wish for it.
        gl.finish();
        Ok(())
    }

    /// Shows what was drawn last in the framebuffer that is bound, all over a viewport: left, bottom, width and height.
    pub fn show(&self, gl: Gl<'_>, [left, bottom, width, height]: [i32; 4]) {
        let Some(target) = &self.target else { return };
        gl.viewport(left, bottom, width, height);
        gl.bind_vertex_array(Some(self.vertex_array));
        gl.disable(glow::BLEND);
        gl.active_texture(glow::TEXTURE0);
        gl.bind_texture(glow::TEXTURE_2D, Some(target.picture()));
        self.programs.screen.begin(gl).whole("picture", 0).number("gradient", 0.0);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.enable(glow::BLEND);
        gl.bind_vertex_array(None);
    }

    /// What was drawn last, four bytes for each pixel, the highest line first.
    #[must_use]
    pub fn pixels(&self, gl: Gl<'_>) -> Vec<u8> {
        let before = bound(gl, glow::READ_FRAMEBUFFER_BINDING);
        let pixels = self.target.as_ref().map(|target| target.pixels(gl)).unwrap_or_default();
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, before);
        pixels
    }

    /// Gives all memory back.
    pub fn delete(&mut self, gl: Gl<'_>) {
        self.programs.delete(gl);
        gl.delete_vertex_array(self.vertex_array);
        for surface in self.surfaces.drain(..) {
            surface.delete(gl);
        }
        self.points.delete(gl);
        self.indices.delete(gl);
        if let Some(target) = self.target.take() {
            target.delete(gl);
        }
    }
}

/// The framebuffer that is bound; `None` for the window's own, which a page always draws into. Glow cannot be asked there.
fn bound(gl: Gl<'_>, name: u32) -> Option<glow::Framebuffer> {
    if cfg!(target_arch = "wasm32") { None } else { gl.get_parameter_framebuffer(name) }
}
