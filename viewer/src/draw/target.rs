//! The framebuffer that is drawn into: colour, depth and stencil, with samples where there can be some.
//!
//! Its own in a window, a page and a picture alike: what eframe has in a browser has no stencil.

use super::gl::{Format, Gl};

/// Where the scene is drawn.
pub(super) struct Target {
    size: [i32; 2],
    samples: i32,
    drawn: glow::Framebuffer,
    colour: glow::Renderbuffer,
    depth: glow::Renderbuffer,
    resolved: glow::Framebuffer,
    picture: glow::Texture,
}

impl Target {
    /// So many pixels, with as many of the samples as the driver has.
    pub(super) fn new(gl: Gl<'_>, size: [i32; 2], samples: i32) -> Result<Self, String> {
        let samples = samples.min(gl.get_parameter_i32(glow::MAX_SAMPLES)).max(0);
        let [width, height] = size;
        let buffer = |format: u32| -> Result<glow::Renderbuffer, String> {
            let buffer = gl.create_renderbuffer()?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
            gl.renderbuffer_storage_multisample(glow::RENDERBUFFER, samples, format, width, height);
            Ok(buffer)
        };
        let (colour, depth) = (buffer(glow::RGBA8)?, buffer(glow::DEPTH24_STENCIL8)?);
        let drawn = gl.create_framebuffer()?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(drawn));
        for (place, buffer) in [(glow::COLOR_ATTACHMENT0, colour), (glow::DEPTH_STENCIL_ATTACHMENT, depth)] {
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(buffer));
        }
        check(gl)?;
        let picture = gl.create_texture()?;
        gl.bind_texture(glow::TEXTURE_2D, Some(picture));
        gl.texture_of(Format::Bytes, size, None);
        nearest(gl);
        let resolved = gl.create_framebuffer()?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(resolved));
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(picture),
            0,
        );
        check(gl)?;
        Ok(Self { size, samples, drawn, colour, depth, resolved, picture })
    }

    /// Whether it is as asked for.
    pub(super) fn is(&self, gl: Gl<'_>, size: [i32; 2], samples: i32) -> bool {
        self.size == size && self.samples == samples.min(gl.get_parameter_i32(glow::MAX_SAMPLES)).max(0)
    }

    /// Makes it the one that is drawn into.
    pub(super) fn begin(&self, gl: Gl<'_>) {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.drawn));
        gl.viewport(0, 0, self.size[0], self.size[1]);
    }

    /// Makes one colour of all samples of a pixel.
    pub(super) fn resolve(&self, gl: Gl<'_>) {
        let [width, height] = self.size;
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.drawn));
        gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(self.resolved));
        gl.blit_framebuffer(0, 0, width, height, 0, 0, width, height, glow::COLOR_BUFFER_BIT, glow::NEAREST);
    }

    /// What was drawn last.
    pub(super) fn picture(&self) -> glow::Texture {
        self.picture
    }

    /// The same in bytes, the highest line first.
    pub(super) fn pixels(&self, gl: Gl<'_>) -> Vec<u8> {
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.resolved));
        let bytes = gl.read_pixels(self.size);
        let line = 4 * self.size[0].max(1) as usize;
        bytes.chunks(line).rev().flatten().copied().collect()
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        gl.delete_framebuffer(self.drawn);
        gl.delete_framebuffer(self.resolved);
        gl.delete_renderbuffer(self.colour);
        gl.delete_renderbuffer(self.depth);
        gl.delete_texture(self.picture);
    }
}

/// Pixels as they are, without what lies between them.
pub(super) fn nearest(gl: Gl<'_>) {
    for (name, value) in [
        (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
        (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
        (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
        (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
    ] {
        gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
    }
}

fn check(gl: Gl<'_>) -> Result<(), String> {
    match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
        glow::FRAMEBUFFER_COMPLETE => Ok(()),
        status => Err(format!("the framebuffer is not complete (status {status:#x})")),
    }
}
