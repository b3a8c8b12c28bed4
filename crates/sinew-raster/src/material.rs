//! Surfaces that are lit per pixel: their vertices, materials and lights.

use crate::CullMode;

/// A vertex of a surface that is lit per pixel. Directions are in the space of the
/// [`Lighting`](crate::Lighting) and need not have length one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceVertex {
    /// Position in clip space; see [`ViewProjection`](crate::ViewProjection).
    pub position: [f32; 4],
    /// Linear RGBA, by which the base texture is multiplied.
    pub color: [f32; 4],
    /// The normal. It is reversed on back faces.
    pub normal: [f32; 3],
    /// The tangent of the normal texture, and the sign of the bitangent: glTF's `TANGENT`.
    pub tangent: [f32; 4],
    /// The direction to the eye.
    pub to_eye: [f32; 3],
    /// The fraction of the key light that reaches the vertex, from 0 to 1. At 0 the surface is the
    /// same in light and in shadow.
    pub key: f32,
    /// Texture coordinates: (0, 0) is the top left of the textures, (1, 1) the bottom right.
    pub uv: [f32; 2],
}

/// The number of interpolated elements of a [`SurfaceVertex`], including 1 / w, which is the last.
pub(crate) const SURFACE_VARYINGS: usize = 18;

impl SurfaceVertex {
    /// All elements but the position.
    pub(crate) fn attributes(&self) -> [f32; SURFACE_VARYINGS - 1] {
        let ([r, g, b, a], [nx, ny, nz], [u, v]) = (self.color, self.normal, self.uv);
        let ([tx, ty, tz, sign], [ex, ey, ez]) = (self.tangent, self.to_eye);
        [r, g, b, a, nx, ny, nz, tx, ty, tz, sign, ex, ey, ez, self.key, u, v]
    }

    /// The inverse of [`attributes`](Self::attributes), without a position.
    #[inline(always)]
    pub(crate) fn from_varyings(values: &[f32; SURFACE_VARYINGS]) -> Self {
        let [r, g, b, a, nx, ny, nz, tx, ty, tz, sign, ex, ey, ez, key, u, v, _] = *values;
        Self {
            position: [0.0; 4],
            color: [r, g, b, a],
            normal: [nx, ny, nz],
            tangent: [tx, ty, tz, sign],
            to_eye: [ex, ey, ez],
            key,
            uv: [u, v],
        }
    }
}

/// Triangles that are lit per pixel. Where two opaque ones have the same depth, the one added first
/// is visible. Transparent ones must be added after all opaque surfaces, the farthest first.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// The vertices.
    pub vertices: &'a [SurfaceVertex],
    /// Three vertex indices per triangle.
    pub triangles: &'a [[u32; 3]],
    /// Which facing is culled.
    pub cull_mode: CullMode,
    /// What it is made of.
    pub material: Material,
}

/// What the alpha of a surface means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing: the surface is opaque.
    #[default]
    Opaque,
    /// A pixel is drawn if its alpha is not below this.
    Mask(f32),
    /// How much the surface covers what is behind it. It hides nothing that is added later.
    Blend,
}

/// What a surface is made of: the metallic-roughness model of glTF. Textures are indices among
/// those given to [`Canvas::render`](crate::Canvas::render); an index out of range acts as no
/// texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// The texture that is multiplied with the color of the vertices.
    pub base_texture: Option<usize>,
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// From 0, a dielectric, to 1, a metal.
    pub metallic: f32,
    /// From 0, a mirror, to 1.
    pub roughness: f32,
    /// The texture that is multiplied with roughness (green) and metallic (blue).
    pub metallic_roughness_texture: Option<usize>,
    /// Normals in tangent space.
    pub normal_texture: Option<usize>,
    /// The scale of the normal texture's x and y.
    pub normal_scale: f32,
    /// The ambient light that reaches each point (red).
    pub occlusion_texture: Option<usize>,
    /// How much the occlusion texture darkens, from 0 to 1.
    pub occlusion_strength: f32,
    /// Linear RGB of emitted light.
    pub emissive: [f32; 3],
    /// The texture that is multiplied with the emitted light.
    pub emissive_texture: Option<usize>,
}

impl Default for Material {
    /// Opaque and rough, without textures.
    fn default() -> Self {
        Self {
            base_texture: None,
            alpha_mode: AlphaMode::Opaque,
            metallic: 0.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
        }
    }
}

/// A light from one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DirectionalLight {
    /// The direction towards the light, of length one.
    pub towards: [f32; 3],
    /// Linear RGB that a white surface has where it faces the light.
    pub color: [f32; 3],
}

/// The light on all surfaces of a canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lighting {
    /// The light that shadow volumes block.
    pub key: DirectionalLight,
    /// Lights that nothing blocks.
    pub others: [DirectionalLight; 2],
    /// The diffuse light from +Y and from -Y.
    pub ambient: [[f32; 3]; 2],
    /// What surfaces reflect from +Y and from -Y.
    pub reflected: [[f32; 3]; 2],
}
