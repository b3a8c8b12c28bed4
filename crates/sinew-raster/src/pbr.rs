//! The light that a point of a surface sends to the eye: diffuse light, a microfacet highlight per
//! light (GGX), and a reflection of the surroundings.
//!
//! Only exactly rounded operations are used, so that colors have the same bits on every machine.

use crate::material::{DirectionalLight, Lighting};

/// A point of a surface. Directions have length one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfacePoint {
    /// Linear RGB.
    pub(crate) base: [f32; 3],
    pub(crate) metallic: f32,
    pub(crate) roughness: f32,
    pub(crate) normal: [f32; 3],
    pub(crate) to_eye: [f32; 3],
    /// The fraction of the key light that arrives outside shadows.
    pub(crate) key: f32,
    /// The fraction of the ambient light that arrives.
    pub(crate) occlusion: f32,
}

/// The reflectance of dielectrics that are seen at a right angle.
const DIELECTRIC: f32 = 0.04;
/// The least roughness, so that highlights are not smaller than a pixel.
const MIN_ROUGHNESS: f32 = 0.1;

/// The colors of a point: lit by the key light, and in its shadow.
#[inline(always)]
pub(crate) fn shade(point: &SurfacePoint, lighting: &Lighting) -> [[f32; 3]; 2] {
    let brdf = Brdf::new(point);
    let mut shadowed = brdf.ambient(lighting);
    for light in &lighting.others {
        let reflected = brdf.reflect(light);
        shadowed = [0, 1, 2].map(|i| shadowed[i] + reflected[i]);
    }
    let key = brdf.reflect(&lighting.key);
    [[0, 1, 2].map(|i| shadowed[i] + key[i] * point.key), shadowed]
}

/// A point with what does not depend on the light.
struct Brdf<'a> {
    point: &'a SurfacePoint,
    diffuse: [f32; 3],
    /// The reflectance at a right angle.
    specular: [f32; 3],
    /// The fourth power of the roughness.
    alpha_squared: f32,
    eye_cosine: f32,
}

impl<'a> Brdf<'a> {
    #[inline(always)]
    fn new(point: &'a SurfacePoint) -> Self {
        let metallic = unit_interval(point.metallic);
        let roughness = unit_interval(point.roughness);
        let roughness = if roughness > MIN_ROUGHNESS { roughness } else { MIN_ROUGHNESS };
        let alpha = roughness * roughness;
        let eye_cosine = dot(point.normal, point.to_eye);
        Self {
            point,
            diffuse: point.base.map(|base| base * (1.0 - metallic)),
            specular: point.base.map(|base| DIELECTRIC + (base - DIELECTRIC) * metallic),
            alpha_squared: alpha * alpha,
            eye_cosine: if eye_cosine > 1e-3 { eye_cosine } else { 1e-3 },
        }
    }

    /// The light of one direction that is sent to the eye.
    #[inline(always)]
    fn reflect(&self, light: &DirectionalLight) -> [f32; 3] {
        let cosine = dot(self.point.normal, light.towards);
        if cosine.is_nan() || cosine <= 0.0 {
            return [0.0; 3];
        }
        let half = normalize([0, 1, 2].map(|i| light.towards[i] + self.point.to_eye[i]));
        let half_cosine = dot(self.point.normal, half);
        // The distribution of microfacets times pi, because the light's color is that of a white
        // surface.
        let spread = half_cosine * half_cosine * (self.alpha_squared - 1.0) + 1.0;
        let distribution = self.alpha_squared / (spread * spread);
        // Masking and shadowing by Smith, divided by four cosines.
        let slope = |cosine: f32| (cosine * cosine * (1.0 - self.alpha_squared) + self.alpha_squared).sqrt();
        let visibility = 0.5 / (cosine * slope(self.eye_cosine) + self.eye_cosine * slope(cosine));
        let highlight = distribution * visibility;
        let fresnel = fifth_power(1.0 - unit_interval(dot(half, light.towards)));
        [0, 1, 2].map(|i| {
            let specular = self.specular[i] + (1.0 - self.specular[i]) * fresnel;
            (self.diffuse[i] + specular * highlight) * light.color[i] * cosine
        })
    }

    /// The light from all around that is sent to the eye.
    #[inline(always)]
    fn ambient(&self, lighting: &Lighting) -> [f32; 3] {
        let SurfacePoint { normal, to_eye, roughness, occlusion, .. } = *self.point;
        let upward = 0.5 + 0.5 * normal[1];
        let reflection = 2.0 * dot(normal, to_eye) * normal[1] - to_eye[1];
        // A rough surface mixes what is above and below; a mirror shows an edge between them.
        let reflected_upward =
            unit_interval(0.5 + 0.5 * reflection / (0.15 + 0.85 * unit_interval(roughness)));
        let smooth = 1.0 - unit_interval(roughness);
        let fresnel = fifth_power(1.0 - unit_interval(self.eye_cosine));
        [0, 1, 2].map(|i| {
            let [sky, ground] = lighting.ambient.map(|color| color[i]);
            let [above, below] = lighting.reflected.map(|color| color[i]);
            let grazing = if smooth > self.specular[i] { smooth } else { self.specular[i] };
            let specular = self.specular[i] + (grazing - self.specular[i]) * fresnel;
            let diffuse = self.diffuse[i] * (ground + (sky - ground) * upward);
            (diffuse + specular * (below + (above - below) * reflected_upward)) * occlusion
        })
    }
}

fn fifth_power(x: f32) -> f32 {
    let square = x * x;
    square * square * x
}

#[inline(always)]
pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Normalizes a vector; one without a direction becomes zero.
#[inline(always)]
pub(crate) fn normalize(a: [f32; 3]) -> [f32; 3] {
    let squared = dot(a, a);
    if squared > 0.0 && squared < f32::INFINITY {
        let inverse = 1.0 / squared.sqrt();
        a.map(|x| x * inverse)
    } else {
        [0.0; 3]
    }
}

/// Clamps to the range from 0 to 1; NaN becomes 0.
#[inline(always)]
pub(crate) fn unit_interval(x: f32) -> f32 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: SurfacePoint = SurfacePoint {
        base: [0.8, 0.4, 0.2],
        metallic: 0.0,
        roughness: 1.0,
        normal: [0.0, 0.0, 1.0],
        to_eye: [0.0, 0.0, 1.0],
        key: 1.0,
        occlusion: 1.0,
    };

    fn key_alone(towards: [f32; 3]) -> Lighting {
        Lighting {
            key: DirectionalLight { towards: normalize(towards), color: [1.0; 3] },
            ..Lighting::default()
        }
    }

    /// The light that a surface sends into all directions, of one that arrives from `towards`.
    fn albedo(point: &SurfacePoint, towards: [f32; 3]) -> f64 {
        const STEPS: usize = 200;
        let lighting = key_alone(towards);
        let mut sum = 0.0;
        for step in 0..STEPS * STEPS {
            let (z, angle) = (((step / STEPS) as f64 + 0.5) / STEPS as f64, (step % STEPS) as f64 + 0.5);
            let angle = angle / STEPS as f64 * std::f64::consts::TAU;
            let radius = (1.0 - z * z).sqrt();
            let to_eye = [(radius * angle.cos()) as f32, (radius * angle.sin()) as f32, z as f32];
            let [lit, _] = shade(&SurfacePoint { to_eye, ..*point }, &lighting);
            // The mean over the hemisphere of twice the cosine times the light.
            sum += 2.0 * z * f64::from(lit[0]);
        }
        sum / (STEPS * STEPS) as f64 / f64::from(normalize(towards)[2])
    }

    #[test]
    fn no_more_light_leaves_than_arrives() {
        for roughness in [0.2, 0.5, 1.0] {
            for towards in [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [2.0, 0.0, 1.0]] {
                let metal = SurfacePoint { base: [1.0; 3], metallic: 1.0, roughness, ..FRONT };
                let found = albedo(&metal, towards);
                assert!((0.3..1.02).contains(&found), "{roughness} {towards:?} {found}");
            }
        }
        let rough = albedo(&FRONT, [0.0, 0.0, 1.0]);
        assert!((0.8..0.86).contains(&rough), "{rough}");
    }

    #[test]
    fn metals_tint_their_highlights_and_have_no_diffuse_light() {
        let lighting = key_alone([0.0, 0.0, 1.0]);
        let smooth = SurfacePoint { roughness: 0.3, ..FRONT };
        let [[r, g, b], _] = shade(&SurfacePoint { metallic: 1.0, ..smooth }, &lighting);
        assert!((g / r - 0.5).abs() < 1e-3 && (b / r - 0.25).abs() < 1e-3 && r > 1.0, "{r} {g} {b}");
        let aside = key_alone([1.0, 0.0, 0.3]);
        let [[metal, ..], _] = shade(&SurfacePoint { metallic: 1.0, ..smooth }, &aside);
        let [[dielectric, ..], _] = shade(&smooth, &aside);
        assert!(metal < 0.05 && dielectric > 0.2, "{metal} {dielectric}");
    }

    #[test]
    fn a_smoother_surface_has_a_brighter_and_smaller_highlight() {
        let at = |roughness: f32, x: f32| {
            let point = SurfacePoint { base: [0.0; 3], roughness, ..FRONT };
            shade(&point, &key_alone([x, 0.0, 1.0]))[0][0]
        };
        assert!(at(0.2, 0.0) > 5.0 * at(0.5, 0.0) && at(0.5, 0.0) > 2.0 * at(1.0, 0.0));
        assert!(at(0.2, 1.5) < at(0.5, 1.5));
    }

    #[test]
    fn without_the_key_light_both_colors_are_equal() {
        let mut lighting = key_alone([0.0, 0.5, 1.0]);
        lighting.ambient = [[0.3; 3], [0.1; 3]];
        let [lit, shadowed] = shade(&SurfacePoint { key: 0.0, ..FRONT }, &lighting);
        assert!(lit == shadowed && lit[0] > 0.1);
    }

    #[test]
    fn invalid_numbers_do_not_spread_into_valid_ones() {
        assert_eq!(normalize([f32::NAN; 3]), [0.0; 3]);
        assert_eq!(normalize([f32::MAX; 3]), [0.0; 3]);
        assert_eq!([f32::NAN, -1.0, 2.0, 0.5].map(unit_interval), [0.0, 0.0, 1.0, 0.5]);
    }
}
