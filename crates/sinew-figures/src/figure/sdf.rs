//! A signed distance field (SDF): round cones, optionally flattened, combined by smooth union.
//! Values are negative inside.

use crate::math::{Vec3, add, add_scaled, dot, length, max, min, scale, sub};

/// The field's value and gradient at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) value: f64,
    pub(super) gradient: Vec3,
}

/// Center and radius.
pub(super) type Sphere = (Vec3, f64);

/// A round cone: the convex hull of two spheres, optionally flattened along an axis. Where it is
/// flattened, its value only approximates the distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundCone {
    from: Vec3,
    /// Unit direction of the axis, in flattened space.
    axis: Vec3,
    length: f64,
    radius: f64,
    /// Change of the radius per unit of length.
    slope: f64,
    /// The tangent of the angle whose sine is `slope`.
    slope_tangent: f64,
    /// Unit direction of flattening.
    flat_axis: Vec3,
    /// The inverse of the flattening factor, minus one.
    stretch: f64,
}

impl RoundCone {
    /// A round cone between two spheres.
    pub(super) fn new(from: Sphere, to: Sphere) -> Self {
        Self::flattened(from, to, [0.0; 3], 1.0)
    }

    /// A round cone scaled by `factor` along the unit vector `flat_axis`.
    pub(super) fn flattened(
        (from, from_radius): Sphere,
        (to, to_radius): Sphere,
        flat_axis: Vec3,
        factor: f64,
    ) -> Self {
        let stretch = 1.0 / factor - 1.0;
        let across = sub(to, from);
        let across = add_scaled(across, flat_axis, stretch * dot(across, flat_axis));
        let length = length(across);
        let (axis, slope) = if length > 0.0 {
            (scale(across, 1.0 / length), (to_radius - from_radius) / length)
        } else {
            ([0.0; 3], 0.0)
        };
        let slope_tangent = slope / (1.0 - slope * slope).sqrt();
        Self { from, axis, length, radius: from_radius, slope, slope_tangent, flat_axis, stretch }
    }

    pub(super) fn sample(&self, point: Vec3) -> Sample {
        let offset = sub(point, self.from);
        let offset = add_scaled(offset, self.flat_axis, self.stretch * dot(offset, self.flat_axis));
        let height = dot(offset, self.axis);
        let from_axis = length(add_scaled(offset, self.axis, -height));
        let nearest = max(0.0, min(self.length, height + self.slope_tangent * from_axis));
        let across = add_scaled(offset, self.axis, -nearest);
        let distance = length(across);
        let direction = scale(across, 1.0 / max(distance, 1e-12));
        Sample {
            value: distance - self.radius - self.slope * nearest,
            gradient: add_scaled(direction, self.flat_axis, self.stretch * dot(direction, self.flat_axis)),
        }
    }

    /// The maximum change of the value per meter.
    fn lipschitz(&self) -> f64 {
        1.0 + max(0.0, self.stretch)
    }
}

/// A round cone, and the width of the zone in which its surface blends into the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Primitive {
    pub(super) cone: RoundCone,
    pub(super) smoothness: f64,
}

/// The field of a body that stands on the ground. It holds the left half; the right is its mirror
/// image.
#[derive(Clone, Debug)]
pub(super) struct Sdf {
    pub(super) primitives: Vec<Primitive>,
}

/// The distance from the mirror plane within which the two halves blend.
const MIRROR_BLEND: f64 = 0.008;
/// The distance from the ground within which the soles are rounded.
const SOLE_BLEND: f64 = 0.012;

impl Sdf {
    pub(super) fn sample(&self, point: Vec3) -> Sample {
        let [x, y, z] = point;
        let mirrored = (x * x + MIRROR_BLEND * MIRROR_BLEND).sqrt();
        let folded = [mirrored, y, z];
        let mut sum = Sample { value: 1.0, gradient: [0.0; 3] };
        for primitive in &self.primitives {
            sum = smooth_union(sum, primitive.cone.sample(folded), primitive.smoothness);
        }
        let ground = Sample { value: y, gradient: [0.0, 1.0, 0.0] };
        sum = negate(smooth_union(negate(sum), ground, SOLE_BLEND));
        sum.gradient[0] *= x / mirrored;
        sum
    }

    /// The same field within `radius` of a point, without the primitives that do not affect it
    /// there.
    pub(super) fn local(&self, point: Vec3, radius: f64) -> Self {
        let folded = [(point[0] * point[0] + MIRROR_BLEND * MIRROR_BLEND).sqrt(), point[1], point[2]];
        // Blending lowers the field by less than the smoothness.
        let lowest = |Primitive { cone, smoothness }: &Primitive| {
            cone.sample(folded).value - smoothness - cone.lipschitz() * radius
        };
        let nearest = self.primitives.iter().fold(f64::INFINITY, |nearest, Primitive { cone, .. }| {
            let highest = cone.sample(folded).value + cone.lipschitz() * radius;
            if highest < nearest { highest } else { nearest }
        });
        let limit = max(nearest, radius);
        let affecting = self.primitives.iter().filter(|primitive| lowest(primitive) < limit);
        Self { primitives: affecting.copied().collect() }
    }

    /// Approximates the nearest point of the surface, to within `tolerance`. The start must be near
    /// it.
    pub(super) fn project(&self, mut point: Vec3, steps: usize, tolerance: f64) -> Vec3 {
        for _ in 0..steps {
            let Sample { value, gradient } = self.sample(point);
            let square = max(dot(gradient, gradient), 0.05);
            // A long step would leave the region where the gradient is valid.
            let step = max(-0.03, min(0.03, value)) / square;
            point = add_scaled(point, gradient, -step);
            if value.abs() < tolerance {
                break;
            }
        }
        point
    }

    /// The intersection of a line with the surface. The start must be near the surface.
    pub(super) fn project_along(&self, start: Vec3, direction: Vec3) -> Vec3 {
        let mut point = start;
        for _ in 0..16 {
            let Sample { value, gradient } = self.sample(point);
            let slope = max(dot(gradient, direction), 0.25);
            let step = max(-0.01, min(0.01, value / slope));
            point = add_scaled(point, direction, -step);
            if value.abs() < 1e-7 {
                break;
            }
        }
        point
    }
}

/// The minimum of two fields, with a cubic transition where they differ by less than `smoothness`.
fn smooth_union(a: Sample, b: Sample, smoothness: f64) -> Sample {
    let overlap = smoothness - (a.value - b.value).abs();
    let (low, high) = if a.value < b.value { (a, b) } else { (b, a) };
    if overlap <= 0.0 {
        return low;
    }
    let t = overlap / smoothness;
    let high_weight = 0.5 * t * t;
    Sample {
        value: low.value - t * t * t * smoothness / 6.0,
        gradient: add(scale(low.gradient, 1.0 - high_weight), scale(high.gradient, high_weight)),
    }
}

fn negate(a: Sample) -> Sample {
    Sample { value: -a.value, gradient: scale(a.gradient, -1.0) }
}
