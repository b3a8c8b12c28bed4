//! The OpenGL calls that drawing needs, as safe functions of a context that is current.
//!
//! Glow marks every call `unsafe` because it cannot know which context is current. Callers of
//! [`Gl::current`] promise that once.

#![expect(unsafe_code, reason = "every OpenGL call is unsafe in glow")]

use glow::HasContext as _;
use glow::{Buffer, Framebuffer, Program, Renderbuffer, Shader, Texture, UniformLocation, VertexArray};

/// A context that is current on this thread.
#[derive(Clone, Copy)]
pub struct Gl<'a>(&'a glow::Context);

/// What runs the shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlKind {
    /// A graphics processor.
    Hardware,
    /// The CPU: the paper's software vertex shader.
    Software,
}

impl GlKind {
    /// Judges by the name that OpenGL gives its renderer.
    #[must_use]
    pub fn from_renderer(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let in_software = ["llvmpipe", "softpipe", "swiftshader", "swrast", "software", "basic render"];
        if in_software.iter().any(|known| name.contains(known)) { Self::Software } else { Self::Hardware }
    }

    /// Heading of the method, as the control panel shows it.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Hardware => "OpenGL, on the graphics processor",
            Self::Software => "OpenGL in software, on the CPU",
        }
    }

    /// Where the vertex shader runs, as tables name it.
    #[must_use]
    pub const fn table_label(self) -> &'static str {
        match self {
            Self::Hardware => "GPU ",
            Self::Software => "software GL ",
        }
    }

    /// The frames per second that the paper reports for such a vertex shader.
    #[must_use]
    pub const fn published(self) -> u32 {
        match self {
            Self::Hardware => 146,
            Self::Software => 41,
        }
    }
}

/// Declares a wrapper for each call. The same argument makes all of them sound.
macro_rules! calls {
    ($($(#[$doc:meta])* fn $name:ident(&self $(, $argument:ident: $kind:ty)*) $(-> $result:ty)?;)*) => {
        $(
            $(#[$doc])*
            #[allow(clippy::too_many_arguments, reason = "OpenGL's functions have them")]
            pub(super) fn $name(&self $(, $argument: $kind)*) $(-> $result)? {
                // SAFETY: the context is current, as `current` requires; the call reads and writes
                // only slices or buffers of the context.
                unsafe { self.0.$name($($argument),*) }
            }
        )*
    };
}

impl<'a> Gl<'a> {
    /// Wraps a context.
    ///
    /// # Safety
    ///
    /// The context must stay current on this thread for the lifetime of the value.
    #[must_use]
    pub unsafe fn current(context: &'a glow::Context) -> Self {
        Self(context)
    }

    /// Whether the context is OpenGL ES or WebGL.
    pub(super) fn is_embedded(&self) -> bool {
        self.0.version().is_embedded
    }

    /// Whether the version suffices: OpenGL 3.3, OpenGL ES 3.0 or WebGL 2.
    pub(super) fn is_supported(&self) -> bool {
        let version = self.0.version();
        let least = if version.is_embedded { (3, 0) } else { (3, 3) };
        (version.major, version.minor) >= least
    }

    /// What runs the shaders.
    #[must_use]
    pub fn kind(&self) -> GlKind {
        GlKind::from_renderer(&self.get_parameter_string(glow::RENDERER))
    }

    calls! {
        fn get_parameter_string(&self, name: u32) -> String;
        fn create_buffer(&self) -> Result<Buffer, String>;
        fn delete_buffer(&self, buffer: Buffer);
        fn bind_buffer(&self, target: u32, buffer: Option<Buffer>);
        fn buffer_data_u8_slice(&self, target: u32, bytes: &[u8], usage: u32);

        fn create_vertex_array(&self) -> Result<VertexArray, String>;
        fn delete_vertex_array(&self, array: VertexArray);
        fn bind_vertex_array(&self, array: Option<VertexArray>);
        fn enable_vertex_attrib_array(&self, location: u32);
        fn disable_vertex_attrib_array(&self, location: u32);
        fn vertex_attrib_pointer_f32(&self, location: u32, size: i32, kind: u32, normalized: bool, stride: i32, offset: i32);
        fn vertex_attrib_pointer_i32(&self, location: u32, size: i32, kind: u32, stride: i32, offset: i32);
        fn draw_elements(&self, mode: u32, count: i32, kind: u32, offset: i32);
        fn draw_arrays(&self, mode: u32, first: i32, count: i32);

        fn create_shader(&self, kind: u32) -> Result<Shader, String>;
        fn shader_source(&self, shader: Shader, source: &str);
        fn compile_shader(&self, shader: Shader);
        fn get_shader_compile_status(&self, shader: Shader) -> bool;
        fn get_shader_info_log(&self, shader: Shader) -> String;
        fn delete_shader(&self, shader: Shader);
        fn create_program(&self) -> Result<Program, String>;
        fn attach_shader(&self, program: Program, shader: Shader);
        fn bind_attrib_location(&self, program: Program, location: u32, name: &str);
        fn link_program(&self, program: Program);
        fn get_program_link_status(&self, program: Program) -> bool;
        fn get_program_info_log(&self, program: Program) -> String;
        fn delete_program(&self, program: Program);
        fn use_program(&self, program: Option<Program>);
        fn get_uniform_location(&self, program: Program, name: &str) -> Option<UniformLocation>;
        fn uniform_1_i32(&self, location: Option<&UniformLocation>, value: i32);
        fn uniform_1_f32(&self, location: Option<&UniformLocation>, value: f32);
        fn uniform_3_f32_slice(&self, location: Option<&UniformLocation>, values: &[f32]);
        fn uniform_4_f32_slice(&self, location: Option<&UniformLocation>, values: &[f32]);
        fn uniform_matrix_4_f32_slice(&self, location: Option<&UniformLocation>, transpose: bool, values: &[f32]);

        fn create_texture(&self) -> Result<Texture, String>;
        fn delete_texture(&self, texture: Texture);
        fn active_texture(&self, unit: u32);
        fn bind_texture(&self, target: u32, texture: Option<Texture>);
        fn generate_mipmap(&self, target: u32);
        fn tex_parameter_i32(&self, target: u32, name: u32, value: i32);

        fn create_framebuffer(&self) -> Result<Framebuffer, String>;
        fn delete_framebuffer(&self, framebuffer: Framebuffer);
        fn bind_framebuffer(&self, target: u32, framebuffer: Option<Framebuffer>);
        fn check_framebuffer_status(&self, target: u32) -> u32;
        fn get_parameter_framebuffer(&self, name: u32) -> Option<Framebuffer>;
        fn get_parameter_i32(&self, name: u32) -> i32;
        fn framebuffer_renderbuffer(&self, target: u32, attachment: u32, kind: u32, buffer: Option<Renderbuffer>);
        fn framebuffer_texture_2d(&self, target: u32, attachment: u32, kind: u32, texture: Option<Texture>, level: i32);
        fn create_renderbuffer(&self) -> Result<Renderbuffer, String>;
        fn delete_renderbuffer(&self, buffer: Renderbuffer);
        fn bind_renderbuffer(&self, target: u32, buffer: Option<Renderbuffer>);
        fn renderbuffer_storage_multisample(&self, target: u32, samples: i32, format: u32, width: i32, height: i32);
        fn blit_framebuffer(
            &self, x0: i32, y0: i32, x1: i32, y1: i32, to_x0: i32, to_y0: i32, to_x1: i32, to_y1: i32, mask: u32, filter: u32
        );

        fn viewport(&self, x: i32, y: i32, width: i32, height: i32);
        fn enable(&self, what: u32);
        fn disable(&self, what: u32);
        fn clear_color(&self, red: f32, green: f32, blue: f32, alpha: f32);
        fn clear_depth_f32(&self, depth: f32);
        fn clear_stencil(&self, value: i32);
        fn clear(&self, mask: u32);
        fn depth_func(&self, comparison: u32);
        fn depth_mask(&self, writes: bool);
        fn color_mask(&self, red: bool, green: bool, blue: bool, alpha: bool);
        fn front_face(&self, winding: u32);
        fn stencil_func(&self, comparison: u32, value: i32, mask: u32);
        fn stencil_mask(&self, mask: u32);
        fn stencil_op(&self, stencil_fails: u32, depth_fails: u32, passes: u32);
        fn stencil_op_separate(&self, side: u32, stencil_fails: u32, depth_fails: u32, passes: u32);
        fn blend_func_separate(&self, color_from: u32, color_to: u32, alpha_from: u32, alpha_to: u32);
        fn polygon_offset(&self, factor: f32, units: f32);
        fn finish(&self);
    }

    /// Allocates the bound texture and fills it.
    pub(super) fn texture_image(&self, format: Format, [width, height]: [i32; 2], bytes: Option<&[u8]>) {
        let (inside, outside, kind, pixel) = match format {
            Format::Bytes => (glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE, 4),
            Format::Srgb => (glow::SRGB8_ALPHA8, glow::RGBA, glow::UNSIGNED_BYTE, 4),
            Format::Floats => (glow::RGBA32F, glow::RGBA, glow::FLOAT, 16),
        };
        let expected = width.max(0) as usize * height.max(0) as usize * pixel;
        assert!(bytes.is_none_or(|bytes| bytes.len() == expected), "the data has the size of the texture");
        let data = glow::PixelUnpackData::Slice(bytes);
        // SAFETY: the context is current, and the slice has exactly the bytes that the driver
        // reads.
        unsafe {
            self.0.tex_image_2d(glow::TEXTURE_2D, 0, inside as i32, width, height, 0, outside, kind, data);
        }
    }

    /// Reads the bound framebuffer: RGBA bytes, bottom row first.
    pub(super) fn read_pixels(&self, [width, height]: [i32; 2]) -> Vec<u8> {
        let mut bytes = vec![0; 4 * width.max(0) as usize * height.max(0) as usize];
        let data = glow::PixelPackData::Slice(Some(&mut bytes));
        // SAFETY: the context is current, and the slice has exactly the bytes that the driver
        // writes.
        unsafe { self.0.read_pixels(0, 0, width, height, glow::RGBA, glow::UNSIGNED_BYTE, data) };
        bytes
    }
}

/// The pixel format of a texture.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    /// Four bytes, for colors.
    Bytes,
    /// Four sRGB-encoded bytes; shaders read linear colors.
    Srgb,
    /// Four floats, for matrices.
    Floats,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renderer_on_the_cpu_is_known_by_its_name() {
        for name in [
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            "ANGLE (Google, Vulkan 1.3 (SwiftShader Device), SwiftShader driver)",
            "Microsoft Basic Render Driver",
        ] {
            assert_eq!(GlKind::from_renderer(name), GlKind::Software, "{name}");
        }
        for name in ["NVIDIA GeForce RTX 4070/PCIe/SSE2", "AMD Radeon RX 6600", "WebKit WebGL", ""] {
            assert_eq!(GlKind::from_renderer(name), GlKind::Hardware, "{name}");
        }
    }
}
