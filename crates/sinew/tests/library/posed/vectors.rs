//! Vectors in `f64` for oracles, and closed meshes by rule.

pub(crate) type Vector = [f64; 3];

pub(crate) fn wide(a: [f32; 3]) -> Vector {
    a.map(f64::from)
}

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|i| a[i] + b[i])
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|i| a[i] - b[i])
}

pub(crate) fn scale(a: Vector, by: f64) -> Vector {
    a.map(|x| x * by)
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn unit(a: Vector) -> Vector {
    scale(a, 1.0 / length(a))
}

/// A closed mesh, its fronts outside.
pub(crate) struct Closed {
    pub(crate) points: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Closed {
    /// A cube from 0 to `side`, each face in squares of one.
    pub(crate) fn block(side: usize) -> Self {
        let mut block = Self { points: Vec::new(), triangles: Vec::new() };
        for axis in 0..3 {
            for (far, turned) in [(0, true), (side, false)] {
                let first = block.points.len() as u32;
                for i in 0..=side {
                    for j in 0..=side {
                        let mut point = [0.0; 3];
                        point[axis] = far as f32;
                        point[(axis + 1) % 3] = i as f32;
                        point[(axis + 2) % 3] = j as f32;
                        block.points.push(point);
                    }
                }
                let place = |i: usize, j: usize| first + (i * (side + 1) + j) as u32;
                for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
                    let [a, b, c, d] = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
                    let halves = [[a, b, c], [a, c, d]];
                    let halves = if turned { halves.map(|[a, b, c]| [a, c, b]) } else { halves };
                    block.triangles.extend(halves);
                }
            }
        }
        block
    }

    /// The cube, blown up to a ball. Corners on common edges of faces have the same bits.
    pub(crate) fn ball(centre: [f32; 3], radius: f32, side: usize) -> Self {
        let mut ball = Self::block(side);
        for point in &mut ball.points {
            let from = point.map(|x| 2.0 * f64::from(x) / side as f64 - 1.0);
            let on = scale(unit(from), f64::from(radius));
            *point = [0, 1, 2].map(|axis| (f64::from(centre[axis]) + on[axis]) as f32);
        }
        ball
    }

    pub(crate) fn corners(&self) -> Vec<[[f32; 3]; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|corner| self.points[corner as usize])).collect()
    }
}
