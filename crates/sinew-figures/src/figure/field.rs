//! A surface as the zero of a field: round cones, flattened where asked, joined and cut with soft edges.

use crate::portable::{Vector, add, along, dot, greatest, least, length, scale, sub};

/// A value and its gradient.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) value: f64,
    pub(super) gradient: Vector,
}

/// Centre and radius.
pub(super) type Sphere = (Vector, f64);

/// Two spheres and what they wrap, flattened along an axis: about the distance from it, negative inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    from: Vector,
    /// Direction of the axis, after flattening, of length one.
    axis: Vector,
    length: f64,
    radius: f64,
    /// How the radius grows along the axis, and the same as the tangent of the cone's angle.
    growth: f64,
    lean: f64,
    flat: Vector,
    /// The inverse of the flattening factor, less one.
    stretch: f64,
}

impl Cone {
    /// Two spheres: centre and radius of each.
    pub(super) fn new(from: Sphere, to: Sphere) -> Self {
        Self::flat(from, to, [0.0; 3], 1.0)
    }

    /// The same, thinner by `factor` along the unit vector `flat`, or thicker when it is above one.
    pub(super) fn flat(
        (from, from_radius): Sphere,
        (to, to_radius): Sphere,
        flat: Vector,
        factor: f64,
    ) -> Self {
        let stretch = 1.0 / factor - 1.0;
        let across = sub(to, from);
        let across = along(across, flat, stretch * dot(across, flat));
        let length = length(across);
        let (axis, growth) = if length > 0.0 {
            (scale(across, 1.0 / length), (to_radius - from_radius) / length)
        } else {
            ([0.0; 3], 0.0)
        };
        let lean = growth / (1.0 - growth * growth).sqrt();
        Self { from, axis, length, radius: from_radius, growth, lean, flat, stretch }
    }

    pub(super) fn sample(&self, point: Vector) -> Sample {
        let offset = sub(point, self.from);
        let offset = along(offset, self.flat, self.stretch * dot(offset, self.flat));
        let height = dot(offset, self.axis);
        let from_axis = length(along(offset, self.axis, -height));
        let nearest = greatest(0.0, least(self.length, height + self.lean * from_axis));
        let across = along(offset, self.axis, -nearest);
        let distance = length(across);
        let direction = scale(across, 1.0 / greatest(distance, 1e-12));
        Sample {
            value: distance - self.radius - self.growth * nearest,
            gradient: along(direction, self.flat, self.stretch * dot(direction, self.flat)),
        }
    }

    /// The most that the value can change per metre.
    fn steepness(&self) -> f64 {
        1.0 + greatest(0.0, self.stretch)
    }
}

/// What a part does to the field of the parts before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Act {
    Join,
    Cut,
}

/// A cone with the width of the zone in which its surface flows into the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) cone: Cone,
    pub(super) softness: f64,
    pub(super) act: Act,
}

/// The left half of a body, mirrored, standing on the ground.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) parts: Vec<Part>,
}

/// How far from the middle plane the two halves flow into each other.
const MIDDLE: f64 = 0.008;
/// The same for the soles.
const SOLE: f64 = 0.012;

impl Field {
    pub(super) fn sample(&self, point: Vector) -> Sample {
        let [x, y, z] = point;
        let mirrored = (x * x + MIDDLE * MIDDLE).sqrt();
        let folded = [mirrored, y, z];
        let mut sum = Sample { value: 1.0, gradient: [0.0; 3] };
        for part in &self.parts {
            let sample = part.cone.sample(folded);
            sum = match part.act {
                Act::Join => joined(sum, sample, part.softness),
                Act::Cut => negated(joined(negated(sum), sample, part.softness)),
            };
        }
        let ground = Sample { value: y, gradient: [0.0, 1.0, 0.0] };
        sum = negated(joined(negated(sum), ground, SOLE));
        sum.gradient[0] *= x / mirrored;
        sum
    }

    /// The field of the parts that matter within `radius` of a point.
    pub(super) fn near(&self, point: Vector, radius: f64) -> Self {
        let folded = [(point[0] * point[0] + MIDDLE * MIDDLE).sqrt(), point[1], point[2]];
        // Joining only lowers the field and cutting only raises it, so what is left out needs a margin both
        // ways.
        let reach =
            |part: &Part| part.cone.sample(folded).value - part.softness - part.cone.steepness() * radius;
        let nearest =
            self.parts.iter().filter(|part| part.act == Act::Join).fold(f64::INFINITY, |least, part| {
                let farthest = part.cone.sample(folded).value + part.cone.steepness() * radius;
                if farthest < least { farthest } else { least }
            });
        let limit = greatest(nearest, radius);
        Self { parts: self.parts.iter().filter(|part| reach(part) < limit).copied().collect() }
    }

    /// The nearest point of the surface, about; the start must be near to it. Ends within `tolerance`.
    pub(super) fn project(&self, mut point: Vector, steps: usize, tolerance: f64) -> Vector {
        for _ in 0..steps {
            let Sample { value, gradient } = self.sample(point);
            let square = greatest(dot(gradient, gradient), 0.05);
            // A long step would leave the region where the gradient says anything.
            let step = greatest(-0.03, least(0.03, value)) / square;
            point = along(point, gradient, -step);
            if value.abs() < tolerance {
                break;
            }
        }
        point
    }

    /// The point of the surface on a line. The start must be near to the surface and the line must go through
    /// it.
    pub(super) fn project_along(&self, start: Vector, direction: Vector) -> Vector {
        let mut point = start;
        for _ in 0..16 {
            let Sample { value, gradient } = self.sample(point);
            let slope = greatest(dot(gradient, direction), 0.25);
            let step = greatest(-0.01, least(0.01, value / slope));
            point = along(point, direction, -step);
            if value.abs() < 1e-7 {
                break;
            }
        }
        point
    }
}

/// The lower of two fields, with a cubic transition where they differ by less than `softness`.
fn joined(a: Sample, b: Sample, softness: f64) -> Sample {
    let overlap = softness - (a.value - b.value).abs();
    let (low, high) = if a.value < b.value { (a, b) } else { (b, a) };
    if overlap <= 0.0 {
        return low;
    }
    let share = overlap / softness;
    let other = 0.5 * share * share;
    Sample {
        value: low.value - share * share * share * softness / 6.0,
        gradient: add(scale(low.gradient, 1.0 - other), scale(high.gradient, other)),
    }
}

fn negated(a: Sample) -> Sample {
    Sample { value: -a.value, gradient: scale(a.gradient, -1.0) }
}
