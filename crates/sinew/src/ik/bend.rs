//! How far a limb must bend for its end to be at a distance from its start.
//!
//! While the middle joint turns about an axis, the end runs along an ellipse seen from the start:
//! `centre + cosine * across + sine * beyond`. It is a circle where nothing scales unevenly. An angle is a point of the
//! unit circle, (cosine, sine), so that no sine or arc needs to be taken.

use crate::vector::{Vector, add, dot, scale};

/// Cosine and sine.
pub(super) type Angle = [f64; 2];

/// The end's path as the middle joint turns, relative to the start.
pub(super) struct Path {
    /// What does not turn.
    pub(super) centre: Vector,
    /// Where the end is from there before any turn.
    pub(super) across: Vector,
    /// Where it is after a quarter turn.
    pub(super) beyond: Vector,
}

/// Which angles a limb may take.
#[derive(Clone, Copy)]
pub(super) enum Angles {
    /// Those on this side of straight, as the limb is bent now.
    AsItIs,
    /// Those that a positive turn from straight leads to.
    Positive,
}

/// What came of the wish for a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bent {
    /// The end is at the distance.
    To(Angle),
    /// The distance is more than the limb has: this stretches it.
    Stretched(Angle),
    /// The distance is less than the limb can fold to: this folds it.
    Folded(Angle),
}

impl Path {
    /// Where the end is at an angle.
    pub(super) fn at(&self, [cosine, sine]: Angle) -> Vector {
        add(self.centre, add(scale(self.across, cosine), scale(self.beyond, sine)))
    }

    fn squared(&self, angle: Angle) -> f64 {
        let end = self.at(angle);
        dot(end, end)
    }

    /// The angle at which the end is at a distance from the start.
    pub(super) fn bend(&self, distance: f64, side: Angles) -> Bent {
        let wanted = distance * distance;
        let (straight, folded) = (self.extreme(1.0), self.extreme(-1.0));
        if wanted >= self.squared(straight) {
            return Bent::Stretched(straight);
        }
        if wanted <= self.squared(folded) {
            return Bent::Folded(folded);
        }
        let middle = match side {
            Angles::AsItIs => [1.0, 0.0],
            // A quarter turn from straight lies between it and folded, less than half a turn from either.
            Angles::Positive => [-straight[1], straight[0]],
        };
        let other = if wanted > self.squared(middle) { straight } else { folded };
        Bent::To(self.search(middle, other, wanted))
    }

    /// The angle of the greatest distance (`sign` 1) or the least (-1).
    ///
    /// The squared distance is `u B u + 2 g u` and a constant. With `top` along the greater eigenvalue of B, which is `spread`
    /// above the lesser, it is greatest where `u = (g1 / (x - spread), g2 / x)` has length one, for the only such x above
    /// `spread`. One over that length is concave in x, so Newton's steps from below never pass it. Where nothing scales
    /// unevenly `spread` is zero and one step is enough.
    fn extreme(&self, sign: f64) -> Angle {
        let Self { centre, across, beyond } = *self;
        let half = 0.5 * sign * (dot(across, across) - dot(beyond, beyond));
        let mixed = sign * dot(across, beyond);
        let half_spread = (half * half + mixed * mixed).sqrt();
        let top = if half < 0.0 { [mixed, half_spread - half] } else { [half_spread + half, mixed] };
        let top = unit(top).unwrap_or([1.0, 0.0]);
        let g = [sign * dot(centre, across), sign * dot(centre, beyond)];
        let g = [g[0] * top[0] + g[1] * top[1], g[1] * top[0] - g[0] * top[1]];
        let x = secular(g, 2.0 * half_spread);
        // Of two that are equally far the first is taken, and where all are, no turn.
        let u2 = if x > 0.0 { (g[1] / x).clamp(-1.0, 1.0) } else { 0.0 };
        let u1 = if g[0] < 0.0 { -(1.0 - u2 * u2).sqrt() } else { (1.0 - u2 * u2).sqrt() };
        [top[0] * u1 - top[1] * u2, top[1] * u1 + top[0] * u2]
    }

    /// The angle at which the squared distance is the one wanted, between two on either side of it and less than half a turn
    /// apart. False position, with the weight of an end that stays halved, so that it cannot linger.
    fn search(&self, mut a: Angle, mut b: Angle, wanted: f64) -> Angle {
        let (mut at_a, mut at_b) = (self.squared(a) - wanted, self.squared(b) - wanted);
        let mut angle = a;
        for _ in 0..STEPS {
            let part = at_a / (at_a - at_b);
            let between = [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
            let Some(next) = unit(between) else { break };
            angle = next;
            let found = self.squared(angle) - wanted;
            if found.abs() <= 1e-13 * wanted {
                break;
            }
            if (found < 0.0) == (at_a < 0.0) {
                (a, at_a, at_b) = (angle, found, 0.5 * at_b);
            } else {
                (b, at_b, at_a) = (angle, found, 0.5 * at_a);
            }
        }
        angle
    }
}

/// The most steps of a search. Commonly one or a few are taken.
const STEPS: usize = 100;

/// The x, at least `spread`, at which `(g1 / (x - spread), g2 / x)` has length one, or less than one at `spread`.
fn secular([g1, g2]: Angle, spread: f64) -> f64 {
    // Nothing of nothing is nothing, here.
    let over = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let mut x = (spread + g1.abs()).max(g2.abs());
    for _ in 0..STEPS {
        let (first, second) = (over(g1, x - spread), over(g2, x));
        let squared = first * first + second * second;
        let slope = over(first * first, x - spread) + over(second * second, x);
        let next = x + over((squared.sqrt() - 1.0) * squared, slope);
        // Written so that a NaN ends it too.
        if !(squared > 1.0 && next > x) {
            break;
        }
        x = next;
    }
    x
}

fn unit([x, y]: Angle) -> Option<Angle> {
    let length = (x * x + y * y).sqrt();
    (length > f64::MIN_POSITIVE && length.is_finite()).then(|| [x / length, y / length])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ellipses of every shape, the same every time.
    fn paths() -> impl Iterator<Item = Path> {
        let mut state = 1_u32;
        let mut element = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 23) - 1.0
        };
        (0..2000).map(move |_| {
            let mut vector = || [element(), element(), element()];
            Path { centre: vector(), across: vector(), beyond: vector() }
        })
    }

    fn circle(steps: u32) -> impl Iterator<Item = Angle> {
        (0..steps).map(move |step| {
            let (sine, cosine) = (f64::from(step) * std::f64::consts::TAU / f64::from(steps)).sin_cos();
            [cosine, sine]
        })
    }

    #[test]
    fn nothing_on_the_path_is_beyond_the_extremes() {
        for path in paths() {
            let (most, least) = (path.squared(path.extreme(1.0)), path.squared(path.extreme(-1.0)));
            for angle in circle(64) {
                let squared = path.squared(angle);
                assert!(squared <= most + 1e-9 && squared >= least - 1e-9, "{least} {squared} {most}");
            }
        }
    }

    #[test]
    fn every_distance_on_the_path_is_found_on_either_side() {
        for path in paths() {
            for angle in circle(16) {
                let distance = path.squared(angle).sqrt();
                for side in [Angles::AsItIs, Angles::Positive] {
                    let found = match path.bend(distance, side) {
                        Bent::To(angle) | Bent::Stretched(angle) | Bent::Folded(angle) => angle,
                    };
                    assert!((path.squared(found).sqrt() - distance).abs() < 1e-6, "{distance}");
                }
            }
        }
    }
}
