//! Surfaces for the tests of what follows the skin: closed, open, knotted, and of chance.

use std::collections::HashMap;

use sinew::{Edges, Facing, Light, Points, Side, Weld};
use sinew_testkit::random::Random;

/// Points and triangles over them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solid {
    pub(crate) name: String,
    pub(crate) points: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Solid {
    pub(crate) fn new(name: &str, points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Self {
        Self { name: name.to_owned(), points: points.to_vec(), triangles: triangles.to_vec() }
    }

    /// A cube around the origin with four vertices for each face, as files have it.
    pub(crate) fn cube() -> Self {
        let mut cube = Self { name: "cube".to_owned(), ..Self::default() };
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let first = cube.points.len() as u32;
                for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    let mut point = [0.0; 3];
                    point[axis] = side;
                    // Seen from outside counter-clockwise on either side.
                    point[(axis + 1) % 3] = u * side;
                    point[(axis + 2) % 3] = v;
                    cube.points.push(point);
                }
                cube.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|i| i + first)));
            }
        }
        cube
    }

    /// A cube without its last face.
    pub(crate) fn box_without_lid() -> Self {
        let mut solid = Self::cube();
        solid.triangles.truncate(10);
        Self { name: "box without lid".to_owned(), ..solid }
    }

    /// Three pages on one spine, of which two go in the same direction.
    pub(crate) fn book() -> Self {
        let points = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.5, 0.0], [-0.5, 0.5, 0.9], [-0.5, 0.5, -0.8]];
        Self::new("book", &points, &[[0, 1, 2], [0, 1, 3], [1, 0, 4]])
    }

    /// Two cubes that touch along an edge.
    pub(crate) fn touching_cubes() -> Self {
        let mut solid = Self::cube();
        let cube = solid.clone();
        solid.triangles.extend(cube.triangles.iter().map(|t| t.map(|i| i + 24)));
        solid.points.extend(cube.points.iter().map(|[x, y, z]| [x + 2.0, y + 2.0, *z]));
        Self { name: "touching cubes".to_owned(), ..solid }
    }

    /// Any triangles over a few points: corners twice, triangles twice, edges with many triangles.
    pub(crate) fn soup(points: usize, triangles: usize, random: &mut Random) -> Self {
        Self {
            name: format!("soup of {triangles} triangles"),
            points: (0..points).map(|_| random.vector(1.0)).collect(),
            triangles: (0..triangles).map(|_| [0; 3].map(|_| random.below(points) as u32)).collect(),
        }
    }

    pub(crate) fn every(random: &mut Random) -> Vec<Self> {
        let soups = [(3, 1), (4, 9), (12, 30), (40, 64), (40, 65), (60, 300)];
        let mut every = vec![
            Self { name: "nothing".to_owned(), ..Self::default() },
            Self::cube(),
            Self::box_without_lid(),
            Self::book(),
            Self::touching_cubes(),
        ];
        every.extend(soups.map(|(points, triangles)| Self::soup(points, triangles, random)));
        every
    }

    pub(crate) fn edges(&self) -> Edges {
        let weld = Weld::new(Points::Packed(&self.points)).expect("few points");
        Edges::welded(&self.triangles, &weld).expect("triangles over the points")
    }

    /// Which triangles face a light, in `f64`.
    pub(crate) fn facing(&self, light: Light) -> Facing {
        facing(Points::Packed(&self.points), &self.triangles, light)
    }
}

/// Which triangles face a light, in `f64`.
pub(crate) fn facing(points: Points<'_>, triangles: &[[u32; 3]], light: Light) -> Facing {
    let mut facing = Facing::new(triangles.len());
    let [x, y, z, w] = light.homogeneous().map(f64::from);
    for (i, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|corner| points.point(corner as usize).map(f64::from));
        let towards = [x - w * a[0], y - w * a[1], z - w * a[2]];
        if dot(cross(sub(b, a), sub(c, a)), towards) > 0.0 {
            facing.set(i, Side::Front);
        }
    }
    facing
}

/// Any bits.
pub(crate) fn random_facing(triangles: usize, random: &mut Random) -> Facing {
    let mut facing = Facing::new(triangles);
    (0..triangles).filter(|_| random.once_in(2)).for_each(|triangle| facing.set(triangle, Side::Front));
    facing
}

/// How often a directed edge is used more than its opposite, for the edges where it is.
pub(crate) fn open_edges(triangles: &[[u32; 3]]) -> HashMap<(u32, u32), i32> {
    let mut sums = HashMap::new();
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *sums.entry((from.min(to), from.max(to))).or_insert(0) += (to > from) as i32 - (to < from) as i32;
        }
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

/// Whether at every place as many edges end as begin.
pub(crate) fn loops_close(edges: &[[u32; 2]], places: usize) -> bool {
    let mut sums = vec![0; places];
    for &[from, to] in edges {
        sums[from as usize] += 1;
        sums[to as usize] -= 1;
    }
    sums.iter().all(|&sum| sum == 0)
}

pub(crate) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
