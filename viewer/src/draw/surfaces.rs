//! The parts of a surface that stay the same from frame to frame, in CPU and GPU memory.

use std::sync::Arc;

use sinew::model::AlphaMode;

use super::buffers::{IndexBuffer, VertexBuffer};
use super::frame::{BlendedSurface, Order, SurfaceInput};
use super::gl::{Format, Gl};
use super::program::attribute;
use super::target::set_nearest_filter;

/// A surface, with its vertices in both orders.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// In sinew's run order.
    pub run: SurfaceLayout,
    /// In the order of the file.
    pub source: SurfaceLayout,
    /// Input of the vertex shader's skinning, in the order of the file; `None` if the shader cannot
    /// skin the surface.
    pub gpu_skin: Option<GpuSkin>,
    /// Texture that the colors are multiplied with.
    pub texture: Option<Arc<Texture>>,
    /// What the alpha of color and texture means.
    pub alpha_mode: AlphaMode,
    /// Whether triangles are drawn that face away.
    pub double_sided: bool,
}

/// A base color texture.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// Width and height.
    pub size: [u32; 2],
    /// sRGB-encoded red, green, blue and linear alpha, top row first.
    pub texels: Vec<[u8; 4]>,
}

/// The vertices of a surface in one order.
#[derive(Clone, Debug, Default)]
pub struct SurfaceLayout {
    /// Three vertex indices per triangle.
    pub triangles: Vec<[u32; 3]>,
    /// The edges of the triangles, each once.
    pub edges: Vec<[u32; 2]>,
    /// Linear red, green, blue and alpha per vertex.
    pub colors: Vec<[u8; 4]>,
    /// Texture coordinates per vertex; empty without a texture.
    pub coordinates: Vec<[f32; 2]>,
}

/// What the vertex shader skins: one element per vertex.
#[derive(Clone, Debug, Default)]
pub struct GpuSkin {
    /// Position and normal in the bind pose.
    pub rest: Vec<[f32; 6]>,
    /// Indices into the skin's joints.
    pub joints: Vec<[u16; 4]>,
    /// Weights; unused ones are zero.
    pub weights: Vec<[f32; 4]>,
}

/// A surface in GPU memory.
pub(super) struct GpuSurface {
    run: GpuLayout,
    source: GpuLayout,
    gpu_skin: Option<[VertexBuffer; 3]>,
    skinned: VertexBuffer,
    palette: glow::Texture,
    palette_size: [i32; 2],
    texture: Option<glow::Texture>,
    /// Triangles sorted for a frame, if the surface is blended.
    sorted: IndexBuffer,
    alpha_mode: AlphaMode,
    double_sided: bool,
}

struct GpuLayout {
    triangles: IndexBuffer,
    edges: IndexBuffer,
    colors: VertexBuffer,
    coordinates: Option<VertexBuffer>,
    len: usize,
}

/// Bytes per skinned vertex.
const STRIDE: usize = 24;

impl GpuSurface {
    pub(super) fn new(gl: Gl<'_>, surface: &Surface) -> Result<Self, String> {
        let gpu_skin = match &surface.gpu_skin {
            None => None,
            Some(gpu_skin) => Some([
                VertexBuffer::with_data(gl, &gpu_skin.rest)?,
                VertexBuffer::with_data(gl, &gpu_skin.joints)?,
                VertexBuffer::with_data(gl, &gpu_skin.weights)?,
            ]),
        };
        Ok(Self {
            run: GpuLayout::new(gl, &surface.run)?,
            source: GpuLayout::new(gl, &surface.source)?,
            gpu_skin,
            skinned: VertexBuffer::new(gl)?,
            palette: gl.create_texture()?,
            palette_size: [0, 0],
            texture: surface.texture.as_ref().map(|texture| create_texture(gl, texture)).transpose()?,
            sorted: IndexBuffer::new(gl)?,
            alpha_mode: surface.alpha_mode,
            double_sided: surface.double_sided,
        })
    }

    /// Replaces the vertex colors.
    pub(super) fn recolor(&self, gl: Gl<'_>, surface: &Surface) {
        self.run.colors.write(gl, &surface.run.colors);
        self.source.colors.write(gl, &surface.source.colors);
    }

    /// Uploads the vertices or palettes of a frame.
    pub(super) fn write(&mut self, gl: Gl<'_>, input: &SurfaceInput) {
        match input {
            SurfaceInput::Skinned { floats, .. } => self.skinned.write(gl, floats),
            SurfaceInput::Palette { joints, floats } => {
                let width = 3 * joints.max(&1);
                let size = [width as i32, (floats.len() / (4 * width)) as i32];
                gl.active_texture(glow::TEXTURE0);
                gl.bind_texture(glow::TEXTURE_2D, Some(self.palette));
                let whole = 4 * width * size[1] as usize;
                gl.texture_image(Format::Floats, size, Some(bytemuck::cast_slice(&floats[..whole])));
                if self.palette_size != size {
                    set_nearest_filter(gl);
                    self.palette_size = size;
                }
            }
        }
    }

    /// Binds what all copies share.
    pub(super) fn bind(&self, gl: Gl<'_>, input: &SurfaceInput) {
        let layout = self.layout(input);
        layout.colors.bind_bytes(gl, attribute::COLOR, 4, 0);
        match &layout.coordinates {
            Some(coordinates) => coordinates.bind_floats(gl, attribute::COORDINATES, 2, 8, 0),
            None => gl.disable_vertex_attrib_array(attribute::COORDINATES),
        }
        gl.active_texture(glow::TEXTURE1);
        gl.bind_texture(glow::TEXTURE_2D, self.texture);
        match (input, &self.gpu_skin) {
            (SurfaceInput::Palette { .. }, Some([rest, joints, weights])) => {
                rest.bind_floats(gl, attribute::POSITION, 3, STRIDE, 0);
                rest.bind_floats(gl, attribute::NORMAL, 3, STRIDE, 12);
                joints.bind_u16s(gl, attribute::JOINTS);
                weights.bind_floats(gl, attribute::WEIGHTS, 4, 16, 0);
                gl.active_texture(glow::TEXTURE0);
                gl.bind_texture(glow::TEXTURE_2D, Some(self.palette));
            }
            _ => {
                gl.disable_vertex_attrib_array(attribute::JOINTS);
                gl.disable_vertex_attrib_array(attribute::WEIGHTS);
            }
        }
    }

    /// Draws one copy, as triangles or as edges.
    pub(super) fn draw(&self, gl: Gl<'_>, input: &SurfaceInput, copy: usize, mode: u32) {
        let layout = self.layout(input);
        if !self.bind_copy(gl, input, copy) {
            return;
        }
        match mode {
            glow::LINES => layout.edges.draw(gl, mode),
            _ => layout.triangles.draw(gl, mode),
        }
    }

    /// Draws the triangles of one copy in the order given, which refers to its vertices.
    pub(super) fn draw_sorted(&mut self, gl: Gl<'_>, input: &SurfaceInput, sorted: &BlendedSurface) {
        let len = self.layout(input).len;
        let inside = sorted.triangles.as_flattened().iter().all(|&vertex| (vertex as usize) < len);
        if sorted.triangles.is_empty() || !inside {
            return self.draw(gl, input, sorted.copy, glow::TRIANGLES);
        }
        if self.bind_copy(gl, input, sorted.copy) {
            self.sorted.write(gl, sorted.triangles.as_flattened());
            self.sorted.draw(gl, glow::TRIANGLES);
        }
    }

    /// Binds the vertices of a copy. Returns whether they are there.
    fn bind_copy(&self, gl: Gl<'_>, input: &SurfaceInput, copy: usize) -> bool {
        let layout = self.layout(input);
        if let SurfaceInput::Skinned { floats, .. } = input {
            let first = copy * layout.len;
            if floats.len() < 6 * (first + layout.len) {
                return false;
            }
            self.skinned.bind_floats(gl, attribute::POSITION, 3, STRIDE, STRIDE * first);
            self.skinned.bind_floats(gl, attribute::NORMAL, 3, STRIDE, STRIDE * first + 12);
        }
        true
    }

    /// What its alpha means.
    pub(super) fn alpha_mode(&self) -> AlphaMode {
        self.alpha_mode
    }

    /// Whether triangles are drawn that face away.
    pub(super) fn is_double_sided(&self) -> bool {
        self.double_sided
    }

    /// Whether it has a texture.
    pub(super) fn has_texture(&self) -> bool {
        self.texture.is_some()
    }

    /// Whether the surface can be drawn from this input.
    pub(super) fn can_draw(&self, input: &SurfaceInput) -> bool {
        self.gpu_skin.is_some() || matches!(input, SurfaceInput::Skinned { .. })
    }

    fn layout(&self, input: &SurfaceInput) -> &GpuLayout {
        match input {
            SurfaceInput::Skinned { order: Order::Run, .. } => &self.run,
            _ => &self.source,
        }
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        for GpuLayout { triangles, edges, colors, coordinates, .. } in [&self.run, &self.source] {
            coordinates.iter().for_each(|coordinates| coordinates.delete(gl));
            triangles.delete(gl);
            edges.delete(gl);
            colors.delete(gl);
        }
        for vertices in self.gpu_skin.iter().flatten() {
            vertices.delete(gl);
        }
        self.skinned.delete(gl);
        self.sorted.delete(gl);
        gl.delete_texture(self.palette);
        self.texture.into_iter().for_each(|texture| gl.delete_texture(texture));
    }
}

fn create_texture(gl: Gl<'_>, texture: &Texture) -> Result<glow::Texture, String> {
    let created = gl.create_texture()?;
    gl.active_texture(glow::TEXTURE1);
    gl.bind_texture(glow::TEXTURE_2D, Some(created));
    let size = texture.size.map(|side| side as i32);
    gl.texture_image(Format::Srgb, size, Some(texture.texels.as_flattened()));
    gl.generate_mipmap(glow::TEXTURE_2D);
    let least = glow::LINEAR_MIPMAP_LINEAR as i32;
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, least);
    Ok(created)
}

impl GpuLayout {
    fn new(gl: Gl<'_>, layout: &SurfaceLayout) -> Result<Self, String> {
        let len = layout.colors.len();
        let inside = |vertex: &u32| (*vertex as usize) < len;
        if !layout.triangles.as_flattened().iter().chain(layout.edges.as_flattened()).all(inside) {
            return Err("a triangle refers to a vertex that does not exist".to_owned());
        }
        Ok(Self {
            triangles: IndexBuffer::with_data(gl, layout.triangles.as_flattened())?,
            edges: IndexBuffer::with_data(gl, layout.edges.as_flattened())?,
            colors: VertexBuffer::with_data(gl, &layout.colors)?,
            coordinates: match layout.coordinates.len() == len && len > 0 {
                true => Some(VertexBuffer::with_data(gl, &layout.coordinates)?),
                false => None,
            },
            len,
        })
    }
}
