//! Shading of a surface with a material, pixel by pixel.

use crate::Texture;
use crate::material::{AlphaMode, Lighting, Material, SURFACE_VARYINGS, SurfaceVertex};
use crate::pbr::{SurfacePoint, dot, normalize, shade, unit_interval};
use crate::triangle_setup::Varyings;

/// The varyings of a triangle of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceTriangle {
    pub(crate) varyings: Varyings<SURFACE_VARYINGS>,
    /// Index of the material.
    pub(crate) material: u32,
    pub(crate) is_front: bool,
}

/// What the triangles of a surface are shaded with.
#[derive(Clone, Copy)]
pub(crate) struct SurfaceShader<'a> {
    pub(crate) triangle: &'a SurfaceTriangle,
    pub(crate) material: &'a Material,
    pub(crate) textures: &'a [Texture],
    pub(crate) lighting: &'a Lighting,
}

/// A shaded pixel: linear RGB lit and in shadow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceColor {
    pub(crate) lit: [f32; 3],
    pub(crate) shadowed: [f32; 3],
    /// From 0 to 1; 1 for opaque materials.
    pub(crate) alpha: f32,
}

/// Indices of the texture coordinates and of 1 / w among the varyings.
const UV: usize = 15;
const INV_W: usize = SURFACE_VARYINGS - 1;

impl SurfaceShader<'_> {
    /// Shades a point, given in pixels from the triangle's origin.
    pub(crate) fn shade(&self, x: f32, y: f32) -> SurfaceColor {
        let Varyings { base, dx, dy } = &self.triangle.varyings;
        let mut values = [0.0; SURFACE_VARYINGS];
        for index in 0..SURFACE_VARYINGS {
            values[index] = base[index] + (dx[index] * x + dy[index] * y);
        }
        let w = 1.0 / values[INV_W];
        let values = values.map(|value| value * w);
        let vertex = SurfaceVertex::from_varyings(&values);
        // The derivative of a quotient of two linear functions.
        let derivative = |of: &[f32; SURFACE_VARYINGS]| {
            [0, 1].map(|axis| (of[UV + axis] - vertex.uv[axis] * of[INV_W]) * w)
        };
        let derivatives = [derivative(dx), derivative(dy)];
        let sample = |texture: Option<usize>| {
            let texture = self.textures.get(texture?)?;
            Some(texture.sample(vertex.uv, derivatives[0], derivatives[1]))
        };
        self.shade_vertex(&vertex, sample)
    }

    fn shade_vertex(
        &self,
        vertex: &SurfaceVertex,
        sample: impl Fn(Option<usize>) -> Option<[f32; 4]>,
    ) -> SurfaceColor {
        let material = self.material;
        let [r, g, b, alpha] = vertex.color;
        let texel = sample(material.base_texture).unwrap_or([1.0; 4]);
        let alpha = match material.alpha_mode {
            AlphaMode::Opaque => 1.0,
            AlphaMode::Mask(_) | AlphaMode::Blend => unit_interval(alpha * texel[3]),
        };
        let [_, rough, metal, _] = sample(material.metallic_roughness_texture).unwrap_or([1.0; 4]);
        let occlusion = sample(material.occlusion_texture)
            .map_or(1.0, |[red, ..]| 1.0 + (red - 1.0) * unit_interval(material.occlusion_strength));
        let point = SurfacePoint {
            base: [r * texel[0], g * texel[1], b * texel[2]],
            metallic: material.metallic * metal,
            roughness: material.roughness * rough,
            normal: self.normal(vertex, sample(material.normal_texture)),
            to_eye: normalize(vertex.to_eye),
            key: unit_interval(vertex.key),
            occlusion,
        };
        let [lit, shadowed] = shade(&point, self.lighting);
        let glow = sample(material.emissive_texture).unwrap_or([1.0; 4]);
        let emit = |color: [f32; 3]| [0, 1, 2].map(|i| color[i] + material.emissive[i] * glow[i]);
        SurfaceColor { lit: emit(lit), shadowed: emit(shadowed), alpha }
    }

    /// The normal of a point, bent by a texel of the normal texture.
    fn normal(&self, vertex: &SurfaceVertex, texel: Option<[f32; 4]>) -> [f32; 3] {
        let side = if self.triangle.is_front { 1.0 } else { -1.0 };
        let normal = normalize(vertex.normal);
        let Some([x, y, z, _]) = texel else { return normal.map(|n| n * side) };
        let [tx, ty, tz, sign] = vertex.tangent;
        let along = dot(normal, [tx, ty, tz]);
        let tangent = normalize([tx - normal[0] * along, ty - normal[1] * along, tz - normal[2] * along]);
        // Without a direction there is no tangent space, and the texture means nothing.
        if tangent == [0.0; 3] {
            return normal.map(|n| n * side);
        }
        let sign = if sign < 0.0 { -1.0 } else { 1.0 };
        let bitangent = [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            sign * (normal[j] * tangent[k] - normal[k] * tangent[j])
        });
        let scale = self.material.normal_scale;
        let [x, y, z] = [(2.0 * x - 1.0) * scale, (2.0 * y - 1.0) * scale, 2.0 * z - 1.0];
        let bent = normalize([0, 1, 2].map(|i| tangent[i] * x + bitangent[i] * y + normal[i] * z));
        bent.map(|n| n * side)
    }
}
