//! The renderer: programs, buffers and the framebuffer of one context.

use super::buffers::{IndexBuffer, VertexBuffer};
use super::frame::Frame;
use super::gl::Gl;
use super::programs::Programs;
use super::surfaces::{GpuSurface, Surface};
use super::target::RenderTarget;

/// All OpenGL objects of one context. Call [`Renderer::delete`] to free them.
pub struct Renderer {
    pub(super) programs: Programs,
    pub(super) vertex_array: glow::VertexArray,
    pub(super) surfaces: Vec<GpuSurface>,
    /// Vertices of lines, floor and shadow volumes.
    pub(super) points: VertexBuffer,
    pub(super) indices: IndexBuffer,
    target: Option<RenderTarget>,
}

impl Renderer {
    /// Compiles the shaders.
    ///
    /// # Errors
    ///
    /// If the context is too old or rejects a shader; with the driver's message.
    pub fn new(gl: Gl<'_>) -> Result<Self, String> {
        if !gl.is_supported() {
            return Err("expected OpenGL 3.3, OpenGL ES 3.0 or WebGL 2".to_owned());
        }
        Ok(Self {
            programs: Programs::new(gl)?,
            vertex_array: gl.create_vertex_array()?,
            surfaces: Vec::new(),
            points: VertexBuffer::new(gl)?,
            indices: IndexBuffer::new(gl)?,
            target: None,
        })
    }

    /// Replaces all surfaces.
    ///
    /// # Errors
    ///
    /// If memory is short, or a triangle refers to a vertex that does not exist.
    pub fn upload(&mut self, gl: Gl<'_>, surfaces: &[Surface]) -> Result<(), String> {
        gl.bind_vertex_array(Some(self.vertex_array));
        for surface in self.surfaces.drain(..) {
            surface.delete(gl);
        }
        for surface in surfaces {
            self.surfaces.push(GpuSurface::new(gl, surface)?);
        }
        gl.bind_vertex_array(None);
        Ok(())
    }

    /// Replaces the colors of the uploaded surfaces.
    pub fn recolor(&self, gl: Gl<'_>, surfaces: &[Surface]) {
        for (surface_on_gpu, surface) in self.surfaces.iter().zip(surfaces) {
            surface_on_gpu.recolor(gl, surface);
        }
    }

    /// Draws a frame, then restores the framebuffer binding.
    ///
    /// # Errors
    ///
    /// If there is no memory for a picture of this size.
    pub fn draw(&mut self, gl: Gl<'_>, frame: &Frame) -> Result<(), String> {
        let before = bound_framebuffer(gl, glow::DRAW_FRAMEBUFFER_BINDING);
        let drawn = self.draw_to_target(gl, frame);
        gl.bind_framebuffer(glow::FRAMEBUFFER, before);
        drawn
    }

    fn draw_to_target(&mut self, gl: Gl<'_>, frame: &Frame) -> Result<(), String> {
        let size = frame.size.map(|side| side.clamp(1, 16_384) as i32);
        let samples = frame.samples as i32;
        if !self.target.as_ref().is_some_and(|target| target.matches(gl, size, samples)) {
            if let Some(old) = self.target.take() {
                old.delete(gl);
            }
            self.target = Some(RenderTarget::new(gl, size, samples)?);
        }
        for (surface, input) in self.surfaces.iter_mut().zip(&frame.surfaces) {
            surface.write(gl, input);
        }
        gl.bind_vertex_array(Some(self.vertex_array));
        self.indices.write(gl, frame.volumes.triangles.as_flattened());
        if let Some(target) = &self.target {
            target.bind(gl);
        }
        self.passes(gl, frame);
        if let Some(target) = &self.target {
            target.resolve(gl);
        }
        gl.bind_vertex_array(None);
        // Wait for the GPU, so that the caller's timer measures the drawing and not only its
        // submission.
        gl.finish();
        Ok(())
    }

    /// Copies the last frame into the bound framebuffer, stretched over a viewport given as left,
    /// bottom, width and height.
    pub fn present(&self, gl: Gl<'_>, [left, bottom, width, height]: [i32; 4]) {
        let Some(target) = &self.target else { return };
        gl.viewport(left, bottom, width, height);
        gl.bind_vertex_array(Some(self.vertex_array));
        gl.disable(glow::BLEND);
        gl.active_texture(glow::TEXTURE0);
        gl.bind_texture(glow::TEXTURE_2D, Some(target.picture()));
        self.programs.screen.bind(gl).set_i32("picture", 0).set_f32("gradient", 0.0);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.enable(glow::BLEND);
        gl.bind_vertex_array(None);
    }

    /// Runs a function that draws over the last frame, while that frame is the bound framebuffer.
    ///
    /// # Errors
    ///
    /// The function's.
    pub fn draw_over(&self, gl: Gl<'_>, draw: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let before = bound_framebuffer(gl, glow::DRAW_FRAMEBUFFER_BINDING);
        if let Some(target) = &self.target {
            target.bind_resolved(gl);
        }
        let drawn = draw();
        gl.bind_framebuffer(glow::FRAMEBUFFER, before);
        drawn
    }

    /// The pixels of the last frame: RGBA bytes, top row first.
    #[must_use]
    pub fn pixels(&self, gl: Gl<'_>) -> Vec<u8> {
        let before = bound_framebuffer(gl, glow::READ_FRAMEBUFFER_BINDING);
        let pixels = self.target.as_ref().map(|target| target.pixels(gl)).unwrap_or_default();
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, before);
        pixels
    }

    /// Frees all OpenGL objects.
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

/// The bound framebuffer; `None` for the default one. A page always draws into the default one, and
/// glow cannot query the binding there.
fn bound_framebuffer(gl: Gl<'_>, name: u32) -> Option<glow::Framebuffer> {
    if cfg!(target_arch = "wasm32") { None } else { gl.get_parameter_framebuffer(name) }
}
