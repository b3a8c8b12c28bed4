//! Vectors of three numbers, in `f64` so that one rounding remains. Only + - x / and square root: the same bits on
//! every machine.

pub(crate) type Vector = [f64; 3];

pub(crate) fn wide(a: [f32; 3]) -> Vector {
    a.map(f64::from)
}

pub(crate) fn narrow(a: Vector) -> [f32; 3] {
    a.map(|element| element as f32)
}

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vector, factor: f64) -> Vector {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// Element by element.
pub(crate) fn stretch(a: Vector, factors: Vector) -> Vector {
    [a[0] * factors[0], a[1] * factors[1], a[2] * factors[2]]
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// At length one; `None` where it has no direction or a number that is not finite.
pub(crate) fn unit(a: Vector) -> Option<Vector> {
    let length = length(a);
    (length > f64::MIN_POSITIVE && length.is_finite()).then(|| scale(a, 1.0 / length))
}

/// What of `a` stands at right angles to `axis`, which has length one.
pub(crate) fn beside(a: Vector, axis: Vector) -> Vector {
    sub(a, scale(axis, dot(a, axis)))
}

/// The part of [`beside`] at length one; `None` where the sine of the angle between the two is not above `least`.
pub(crate) fn unit_beside(a: Vector, axis: Vector, least: f64) -> Option<Vector> {
    let part = beside(unit(a)?, axis);
    if length(part) > least { unit(part) } else { None }
}

/// Some direction at right angles to `axis`, which has length one; always the same.
pub(crate) fn any_beside(axis: Vector) -> Vector {
    let [x, y, z] = axis;
    let other = if x.abs() < 0.6 { [0.0, -z, y] } else { [z, 0.0, -x] };
    scale(other, 1.0 / length(other))
}
