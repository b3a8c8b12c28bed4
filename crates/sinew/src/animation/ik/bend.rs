//! The bend angle that puts the end of a limb at a given distance from its start.
//!
//! While the middle joint rotates about an axis, the end moves on an ellipse relative to the start:
//! `center + cosine * cosine_axis + sine * sine_axis`. It is a circle if there is no non-uniform
//! scale. An angle is a point on the unit circle, (cosine, sine), so no trigonometric functions are
//! needed.

use crate::math::vector::Vector;

/// An angle as its cosine and sine.
pub(super) type Angle = [f64; 2];

/// The path of the limb's end while the middle joint rotates, relative to the start.
pub(super) struct EndEllipse {
    /// The part that does not depend on the angle.
    pub(super) center: Vector,
    /// From the center to the end at angle zero.
    pub(super) cosine_axis: Vector,
    /// From the center to the end at a quarter turn.
    pub(super) sine_axis: Vector,
}

/// Which way a limb may bend.
#[derive(Clone, Copy)]
pub(super) enum BendSide {
    /// The way that it is bent now.
    Current,
    /// A positive rotation from straight.
    Positive,
}

/// The bend angle for a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BendResult {
    /// The end is at the distance.
    Reached(Angle),
    /// The distance is longer than the limb; the angle stretches it.
    Stretched(Angle),
    /// The distance is shorter than the folded limb; the angle folds it.
    Folded(Angle),
}

impl EndEllipse {
    /// The end's position at an angle.
    pub(super) fn point_at(&self, [cosine, sine]: Angle) -> Vector {
        self.center + (self.cosine_axis * cosine + self.sine_axis * sine)
    }

    fn squared_distance(&self, angle: Angle) -> f64 {
        let end = self.point_at(angle);
        end.dot(end)
    }

    /// The angle at which the end has a given distance from the start.
    pub(super) fn solve_distance(&self, distance: f64, side: BendSide) -> BendResult {
        let target = distance * distance;
        if let Some(angle) = self.circle_angle(target, side) {
            return BendResult::Reached(angle);
        }
        let (straight, folded) = (self.extreme_angle(1.0), self.extreme_angle(-1.0));
        if target >= self.squared_distance(straight) {
            return BendResult::Stretched(straight);
        }
        if target <= self.squared_distance(folded) {
            return BendResult::Folded(folded);
        }
        let middle = match side {
            BendSide::Current => [1.0, 0.0],
            // A quarter turn from straight lies between straight and folded, less than half a turn
            // from either.
            BendSide::Positive => [-straight[1], straight[0]],
        };
        let other = if target > self.squared_distance(middle) { straight } else { folded };
        BendResult::Reached(self.search_angle(middle, other, target))
    }

    /// The angle of the greatest distance (`sign` 1) or the least distance (`sign` -1).
    ///
    /// The squared distance is `u B u + 2 g u` plus a constant. Let `top` be the eigenvector of the
    /// greater eigenvalue of B, and `spread` the difference of the eigenvalues. The maximum is
    /// where `u = (g1 / (x - spread), g2 / x)` has length one, for the only such x above `spread`.
    /// The reciprocal of that length is concave in x, so Newton's method from below never
    /// overshoots. Without non-uniform scale `spread` is zero and one step is enough.
    fn extreme_angle(&self, sign: f64) -> Angle {
        let Self { center, cosine_axis, sine_axis } = *self;
        let half = 0.5 * sign * (cosine_axis.dot(cosine_axis) - sine_axis.dot(sine_axis));
        let mixed = sign * cosine_axis.dot(sine_axis);
        let half_spread = (half * half + mixed * mixed).sqrt();
        let top = if half < 0.0 { [mixed, half_spread - half] } else { [half_spread + half, mixed] };
        let top = try_normalize(top).unwrap_or([1.0, 0.0]);
        let g = [sign * center.dot(cosine_axis), sign * center.dot(sine_axis)];
        let g = [g[0] * top[0] + g[1] * top[1], g[1] * top[0] - g[0] * top[1]];
        let x = solve_secular(g, 2.0 * half_spread);
        // Of two equal maxima the first is used. If all angles are equal, the angle is zero.
        let u2 = if x > 0.0 { (g[1] / x).clamp(-1.0, 1.0) } else { 0.0 };
        let u1 = if g[0] < 0.0 { -(1.0 - u2 * u2).sqrt() } else { (1.0 - u2 * u2).sqrt() };
        [top[0] * u1 - top[1] * u2, top[1] * u1 + top[0] * u2]
    }

    /// The angle with a given squared distance, if the ellipse is a circle, as without non-uniform
    /// scale. `None` if it is not, if no angle has the distance, or if rounding spoils the result.
    ///
    /// On a circle, the squared distance is `2 g u` plus a constant: the angle is where a line
    /// crosses the unit circle, on either side of `g`, which is the straight limb.
    fn circle_angle(&self, target: f64, side: BendSide) -> Option<Angle> {
        let Self { center, cosine_axis, sine_axis } = *self;
        let g = [center.dot(cosine_axis), center.dot(sine_axis)];
        let squared = g[0] * g[0] + g[1] * g[1];
        let radius_squared = 0.5 * (cosine_axis.dot(cosine_axis) + sine_axis.dot(sine_axis));
        let along = 0.5 * (target - center.dot(center) - radius_squared) / squared;
        let side = match side {
            // A limb that is straight now is bent to neither side.
            BendSide::Current if g[1] * g[1] <= 1e-12 * squared => return None,
            BendSide::Current => -g[1],
            BendSide::Positive => 1.0,
        };
        let across = (1.0 / squared - along * along).max(0.0).sqrt().copysign(side);
        let angle = try_normalize([along * g[0] - across * g[1], along * g[1] + across * g[0]])?;
        self.is_at(angle, target).then_some(angle)
    }

    /// Whether the squared distance at an angle is the target, up to rounding.
    fn is_at(&self, angle: Angle, target: f64) -> bool {
        (self.squared_distance(angle) - target).abs() <= 1e-13 * target
    }

    /// The angle with a given squared distance, between two angles that bracket it and are less
    /// than half a turn apart. Uses the Illinois variant of the false position method: the value at
    /// an end that stays is halved, which guarantees progress.
    fn search_angle(&self, mut a: Angle, mut b: Angle, target: f64) -> Angle {
        let (mut at_a, mut at_b) = (self.squared_distance(a) - target, self.squared_distance(b) - target);
        let mut angle = a;
        for _ in 0..MAX_STEPS {
            let factor = at_a / (at_a - at_b);
            let between = [a[0] + factor * (b[0] - a[0]), a[1] + factor * (b[1] - a[1])];
            let Some(next) = try_normalize(between) else { break };
            angle = next;
            if self.is_at(angle, target) {
                break;
            }
            let found = self.squared_distance(angle) - target;
            if (found < 0.0) == (at_a < 0.0) {
                (a, at_a, at_b) = (angle, found, 0.5 * at_b);
            } else {
                (b, at_b, at_a) = (angle, found, 0.5 * at_a);
            }
        }
        angle
    }
}

/// The maximum number of iterations.
const MAX_STEPS: usize = 100;

/// The x, at least `spread`, at which `(g1 / (x - spread), g2 / x)` has length one; `spread` itself
/// if the length is less than one there.
fn solve_secular([g1, g2]: Angle, spread: f64) -> f64 {
    // Division by zero gives zero.
    let divide = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
    let mut x = (spread + g1.abs()).max(g2.abs());
    for _ in 0..MAX_STEPS {
        let (first, second) = (divide(g1, x - spread), divide(g2, x));
        let squared = first * first + second * second;
        let slope = divide(first * first, x - spread) + divide(second * second, x);
        let next = x + divide((squared.sqrt() - 1.0) * squared, slope);
        // The comparison is false for a NaN, which ends the loop.
        if !(squared > 1.0 && next > x) {
            break;
        }
        x = next;
    }
    x
}

fn try_normalize([x, y]: Angle) -> Option<Angle> {
    let length = (x * x + y * y).sqrt();
    (length > f64::MIN_POSITIVE && length.is_finite()).then(|| [x / length, y / length])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random ellipses from a fixed seed.
    fn ellipses() -> impl Iterator<Item = EndEllipse> {
        let mut state = 1_u32;
        let mut element = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 23) - 1.0
        };
        (0..2000).map(move |_| {
            let mut vector = || Vector::new(element(), element(), element());
            EndEllipse { center: vector(), cosine_axis: vector(), sine_axis: vector() }
        })
    }

    fn circle(steps: u32) -> impl Iterator<Item = Angle> {
        (0..steps).map(move |step| {
            let (sine, cosine) = (f64::from(step) * std::f64::consts::TAU / f64::from(steps)).sin_cos();
            [cosine, sine]
        })
    }

    #[test]
    fn no_angle_is_beyond_the_extremes() {
        for ellipse in ellipses() {
            let (most, least) = (
                ellipse.squared_distance(ellipse.extreme_angle(1.0)),
                ellipse.squared_distance(ellipse.extreme_angle(-1.0)),
            );
            for angle in circle(64) {
                let squared = ellipse.squared_distance(angle);
                assert!(squared <= most + 1e-9 && squared >= least - 1e-9, "{least} {squared} {most}");
            }
        }
    }

    #[test]
    fn a_circle_needs_no_search_and_gives_the_angle_that_the_search_finds() {
        let (mut found, mut all) = (0, 0);
        for EndEllipse { center, cosine_axis, sine_axis } in ellipses() {
            // The same length, and at right angles.
            let Some(normal) = cosine_axis.cross(sine_axis).try_normalize() else { continue };
            let ellipse = EndEllipse { center, cosine_axis, sine_axis: normal.cross(cosine_axis) };
            let straight = ellipse.extreme_angle(1.0);
            for (side, middle) in
                [(BendSide::Current, [1.0, 0.0]), (BendSide::Positive, [-straight[1], straight[0]])]
            {
                for angle in circle(16) {
                    let target = ellipse.squared_distance(angle);
                    let other = if target > ellipse.squared_distance(middle) { 1.0 } else { -1.0 };
                    let searched = ellipse.search_angle(middle, ellipse.extreme_angle(other), target);
                    all += 1;
                    if let Some([cosine, sine]) = ellipse.circle_angle(target, side) {
                        found += 1;
                        // Near the straight limb, the distance hardly depends on the angle.
                        let difference = (cosine - searched[0]).hypot(sine - searched[1]);
                        assert!(difference < 1e-6, "{difference}: {cosine} {sine} {searched:?}");
                    }
                }
            }
        }
        assert!(found * 10 > all * 9, "{found} of {all}");
    }

    #[test]
    fn every_distance_on_the_ellipse_is_found_on_both_sides() {
        for ellipse in ellipses() {
            for angle in circle(16) {
                let distance = ellipse.squared_distance(angle).sqrt();
                for side in [BendSide::Current, BendSide::Positive] {
                    let found = match ellipse.solve_distance(distance, side) {
                        BendResult::Reached(angle)
                        | BendResult::Stretched(angle)
                        | BendResult::Folded(angle) => angle,
                    };
                    assert!((ellipse.squared_distance(found).sqrt() - distance).abs() < 1e-6, "{distance}");
                }
            }
        }
    }
}
