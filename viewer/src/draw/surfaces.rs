//! Surfaces: what of them stays the same from frame to frame.

use std::sync::Arc;

use super::buffers::{Indices, Vertices};
use super::frame::{Moved, Order};
use super::gl::{Format, Gl};
use super::program::place;
use super::target::nearest;

/// A surface in both orders.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// As sinew has the vertices.
    pub run: Layout,
    /// As the file has them.
    pub source: Layout,
    /// In the order of the file; `None` where the shader cannot skin it.
    pub rigged: Option<Rigged>,
    /// What colours are multiplied with.
    pub texture: Option<Arc<Texture>>,
}

/// A picture on a surface.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// Width and height.
    pub size: [u32; 2],
    /// Red, green, blue and alpha in codes of sRGB, the highest line first.
    pub texels: Vec<[u8; 4]>,
}

/// The vertices of a surface in one order.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
    /// The sides of triangles, each once.
    pub edges: Vec<[u32; 2]>,
    /// Of each vertex: red, green, blue and alpha, linear.
    pub colours: Vec<[u8; 4]>,
    /// Of each vertex, in the picture; empty where there is none.
    pub coordinates: Vec<[f32; 2]>,
}

/// What the shader skins: an element for each vertex.
#[derive(Clone, Debug, Default)]
pub struct Rigged {
    /// Position and normal at rest.
    pub rest: Vec<[f32; 6]>,
    /// Those of the skin.
    pub joints: Vec<[u16; 4]>,
    /// Zero where there are fewer than four.
    pub weights: Vec<[f32; 4]>,
}

/// A surface in memory of the graphics processor.
pub(super) struct Uploaded {
    run: Ordered,
    source: Ordered,
    rigged: Option<[Vertices; 3]>,
    moving: Vertices,
    palette: glow::Texture,
    palette_size: [i32; 2],
    texture: Option<glow::Texture>,
}

struct Ordered {
    triangles: Indices,
    edges: Indices,
    colours: Vertices,
    coordinates: Option<Vertices>,
    len: usize,
}

/// Bytes of a vertex that is skinned.
const STRIDE: usize = 24;

impl Uploaded {
    pub(super) fn new(gl: Gl<'_>, surface: &Surface) -> Result<Self, String> {
        let rigged = match &surface.rigged {
            None => None,
            Some(rigged) => Some([
                Vertices::holding(gl, &rigged.rest)?,
                Vertices::holding(gl, &rigged.joints)?,
                Vertices::holding(gl, &rigged.weights)?,
            ]),
        };
        Ok(Self {
            run: Ordered::new(gl, &surface.run)?,
            source: Ordered::new(gl, &surface.source)?,
            rigged,
            moving: Vertices::new(gl)?,
            palette: gl.create_texture()?,
            palette_size: [0, 0],
            texture: surface.texture.as_ref().map(|texture| put_texture(gl, texture)).transpose()?,
        })
    }

    /// Gives the vertices other colours.
    pub(super) fn colour(&self, gl: Gl<'_>, surface: &Surface) {
        self.run.colours.write(gl, &surface.run.colours);
        self.source.colours.write(gl, &surface.source.colours);
    }

    /// Takes what has moved.
    pub(super) fn write(&mut self, gl: Gl<'_>, moved: &Moved) {
        match moved {
            Moved::Vertices { floats, .. } => self.moving.write(gl, floats),
            Moved::Palette { joints, floats } => {
                let width = 3 * joints.max(&1);
                let size = [width as i32, (floats.len() / (4 * width)) as i32];
                gl.active_texture(glow::TEXTURE0);
                gl.bind_texture(glow::TEXTURE_2D, Some(self.palette));
                let whole = 4 * width * size[1] as usize;
                gl.texture_of(Format::Floats, size, Some(bytemuck::cast_slice(&floats[..whole])));
                if self.palette_size != size {
                    nearest(gl);
                    self.palette_size = size;
                }
            }
        }
    }

    /// Binds what all copies have in common.
    pub(super) fn begin(&self, gl: Gl<'_>, moved: &Moved) {
        let ordered = self.ordered(moved);
        ordered.colours.bytes(gl, place::COLOUR, 4, 0);
        match &ordered.coordinates {
            Some(coordinates) => coordinates.floats(gl, place::COORDINATES, 2, 8, 0),
            None => gl.disable_vertex_attrib_array(place::COORDINATES),
        }
        gl.active_texture(glow::TEXTURE1);
        gl.bind_texture(glow::TEXTURE_2D, self.texture);
        match (moved, &self.rigged) {
            (Moved::Palette { .. }, Some([rest, joints, weights])) => {
                rest.floats(gl, place::POSITION, 3, STRIDE, 0);
                rest.floats(gl, place::NORMAL, 3, STRIDE, 12);
                joints.wholes(gl, place::JOINTS);
                weights.floats(gl, place::WEIGHTS, 4, 16, 0);
                gl.active_texture(glow::TEXTURE0);
                gl.bind_texture(glow::TEXTURE_2D, Some(self.palette));
            }
            _ => {
                gl.disable_vertex_attrib_array(place::JOINTS);
                gl.disable_vertex_attrib_array(place::WEIGHTS);
            }
        }
    }

    /// Draws one copy: triangles, or edges.
    pub(super) fn draw(&self, gl: Gl<'_>, moved: &Moved, copy: usize, mode: u32) {
        let ordered = self.ordered(moved);
        if let Moved::Vertices { floats, .. } = moved {
            let first = copy * ordered.len;
            if floats.len() < 6 * (first + ordered.len) {
                return;
            }
            self.moving.floats(gl, place::POSITION, 3, STRIDE, STRIDE * first);
            self.moving.floats(gl, place::NORMAL, 3, STRIDE, STRIDE * first + 12);
        }
        match mode {
            glow::LINES => ordered.edges.draw(gl, mode),
            _ => ordered.triangles.draw(gl, mode),
        }
    }

    /// Whether it has a picture.
    pub(super) fn has_texture(&self) -> bool {
        self.texture.is_some()
    }

    /// Whether there is something to draw from.
    pub(super) fn can(&self, moved: &Moved) -> bool {
        self.rigged.is_some() || matches!(moved, Moved::Vertices { .. })
    }

    fn ordered(&self, moved: &Moved) -> &Ordered {
        match moved {
            Moved::Vertices { order: Order::Run, .. } => &self.run,
            _ => &self.source,
        }
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        for Ordered { triangles, edges, colours, coordinates, .. } in [&self.run, &self.source] {
            coordinates.iter().for_each(|coordinates| coordinates.delete(gl));
            triangles.delete(gl);
            edges.delete(gl);
            colours.delete(gl);
        }
        for vertices in self.rigged.iter().flatten() {
            vertices.delete(gl);
        }
        self.moving.delete(gl);
        gl.delete_texture(self.palette);
        self.texture.into_iter().for_each(|texture| gl.delete_texture(texture));
    }
}

fn put_texture(gl: Gl<'_>, texture: &Texture) -> Result<glow::Texture, String> {
    let made = gl.create_texture()?;
    gl.active_texture(glow::TEXTURE1);
    gl.bind_texture(glow::TEXTURE_2D, Some(made));
    let size = texture.size.map(|side| side as i32);
    gl.texture_of(Format::Codes, size, Some(texture.texels.as_flattened()));
    gl.generate_mipmap(glow::TEXTURE_2D);
    let least = glow::LINEAR_MIPMAP_LINEAR as i32;
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, least);
    Ok(made)
}

impl Ordered {
    fn new(gl: Gl<'_>, layout: &Layout) -> Result<Self, String> {
        let len = layout.colours.len();
        let inside = |vertex: &u32| (*vertex as usize) < len;
        if !layout.triangles.as_flattened().iter().chain(layout.edges.as_flattened()).all(inside) {
            return Err("a triangle has a vertex that is not there".to_owned());
        }
        Ok(Self {
            triangles: Indices::holding(gl, layout.triangles.as_flattened())?,
            edges: Indices::holding(gl, layout.edges.as_flattened())?,
            colours: Vertices::holding(gl, &layout.colours)?,
            coordinates: match layout.coordinates.len() == len && len > 0 {
                true => Some(Vertices::holding(gl, &layout.coordinates)?),
                false => None,
            },
            len,
        })
    }
}
