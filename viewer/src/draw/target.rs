//! The framebuffer that the scene is drawn into: color, depth and stencil, multisampled if
//! possible.
//!
//! The renderer has its own because eframe's framebuffer in a browser has no stencil.

use super::gl::{Format, Gl};

/// The framebuffer of the scene.
pub(super) struct RenderTarget {
    size: [i32; 2],
    samples: i32,
    multisampled: glow::Framebuffer,
    color: glow::Renderbuffer,
    depth: glow::Renderbuffer,
    resolved: glow::Framebuffer,
    picture: glow::Texture,
}

impl RenderTarget {
    /// Allocates a framebuffer, with at most as many samples as the driver supports.
    pub(super) fn new(gl: Gl<'_>, size: [i32; 2], samples: i32) -> Result<Self, String> {
        let samples = samples.min(gl.get_parameter_i32(glow::MAX_SAMPLES)).max(0);
        let [width, height] = size;
        let buffer = |format: u32| -> Result<glow::Renderbuffer, String> {
            let buffer = gl.create_renderbuffer()?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
            gl.renderbuffer_storage_multisample(glow::RENDERBUFFER, samples, format, width, height);
            Ok(buffer)
        };
        let (color, depth) = (buffer(glow::RGBA8)?, buffer(glow::DEPTH24_STENCIL8)?);
        let multisampled = gl.create_framebuffer()?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(multisampled));
        for (attachment, buffer) in
            [(glow::COLOR_ATTACHMENT0, color), (glow::DEPTH_STENCIL_ATTACHMENT, depth)]
        {
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, attachment, glow::RENDERBUFFER, Some(buffer));
        }
        check_complete(gl)?;
        let picture = gl.create_texture()?;
        gl.bind_texture(glow::TEXTURE_2D, Some(picture));
        gl.texture_image(Format::Bytes, size, None);
        set_nearest_filter(gl);
        let resolved = gl.create_framebuffer()?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(resolved));
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(picture),
            0,
        );
        check_complete(gl)?;
        Ok(Self { size, samples, multisampled, color, depth, resolved, picture })
    }

    /// Whether it has this size and number of samples.
    pub(super) fn matches(&self, gl: Gl<'_>, size: [i32; 2], samples: i32) -> bool {
        self.size == size && self.samples == samples.min(gl.get_parameter_i32(glow::MAX_SAMPLES)).max(0)
    }

    /// Binds it for drawing.
    pub(super) fn bind(&self, gl: Gl<'_>) {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.multisampled));
        gl.viewport(0, 0, self.size[0], self.size[1]);
    }

    /// Averages the samples of each pixel.
    pub(super) fn resolve(&self, gl: Gl<'_>) {
        let [width, height] = self.size;
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.multisampled));
        gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(self.resolved));
        gl.blit_framebuffer(0, 0, width, height, 0, 0, width, height, glow::COLOR_BUFFER_BIT, glow::NEAREST);
    }

    /// Binds the resolved picture for drawing.
    pub(super) fn bind_resolved(&self, gl: Gl<'_>) {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.resolved));
        gl.viewport(0, 0, self.size[0], self.size[1]);
    }

    /// The resolved picture, as a texture.
    pub(super) fn picture(&self) -> glow::Texture {
        self.picture
    }

    /// The resolved picture as RGBA bytes, top row first.
    pub(super) fn pixels(&self, gl: Gl<'_>) -> Vec<u8> {
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.resolved));
        let bytes = gl.read_pixels(self.size);
        let line = 4 * self.size[0].max(1) as usize;
        bytes.chunks(line).rev().flatten().copied().collect()
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        gl.delete_framebuffer(self.multisampled);
        gl.delete_framebuffer(self.resolved);
        gl.delete_renderbuffer(self.color);
        gl.delete_renderbuffer(self.depth);
        gl.delete_texture(self.picture);
    }
}

/// Makes the bound texture return single texels, without interpolation.
pub(super) fn set_nearest_filter(gl: Gl<'_>) {
    for (name, value) in [
        (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
        (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
        (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
        (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
    ] {
        gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
    }
}

fn check_complete(gl: Gl<'_>) -> Result<(), String> {
    match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
        glow::FRAMEBUFFER_COMPLETE => Ok(()),
        status => Err(format!("the framebuffer is incomplete (status {status:#x})")),
    }
}
