//! Triangle meshes without a skin: closed, open, non-manifold and random.

use std::collections::HashMap;

use sinew::geometry::{Edges, Facing, Light, PositionView, Side, Weld};
use sinew_testkit::random::Random;

use super::vec3_f64::{cross, dot, normalize, scale, sub, to_f64};

/// Positions and triangles over them. Counter-clockwise is front.
#[derive(Clone, Debug, Default)]
pub(crate) struct TriangleMesh {
    pub(crate) name: String,
    pub(crate) points: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    pub(crate) fn new(name: &str, points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Self {
        Self { name: name.to_owned(), points: points.to_vec(), triangles: triangles.to_vec() }
    }

    /// A cube from -1 to 1 with four vertices for each face, as files store it.
    pub(crate) fn cube() -> Self {
        let mut cube = Self { name: "cube".to_owned(), ..Self::default() };
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let first = cube.points.len() as u32;
                for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    let mut point = [0.0; 3];
                    point[axis] = side;
                    // Counter-clockwise seen from outside on either side.
                    point[(axis + 1) % 3] = u * side;
                    point[(axis + 2) % 3] = v;
                    cube.points.push(point);
                }
                cube.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|i| i + first)));
            }
        }
        cube
    }

    /// A cube from 0 to 1 with eight vertices, which its faces share.
    pub(crate) fn shared_vertex_cube() -> Self {
        let points: Vec<[f32; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| (i >> k & 1) as f32)).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Self { name: "cube of shared vertices".to_owned(), points, triangles }
    }

    /// A cube without its last face.
    pub(crate) fn open_box() -> Self {
        let mut mesh = Self::cube();
        mesh.triangles.truncate(10);
        Self { name: "open box".to_owned(), ..mesh }
    }

    /// Three triangles on one edge, two of which use it in the same direction.
    pub(crate) fn non_manifold_fan() -> Self {
        let points = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.5, 0.0], [-0.5, 0.5, 0.9], [-0.5, 0.5, -0.8]];
        Self::new("non-manifold fan", &points, &[[0, 1, 2], [0, 1, 3], [1, 0, 4]])
    }

    /// Two cubes that touch along an edge.
    pub(crate) fn touching_cubes() -> Self {
        let mut mesh = Self::cube();
        let cube = mesh.clone();
        mesh.triangles.extend(cube.triangles.iter().map(|t| t.map(|i| i + 24)));
        mesh.points.extend(cube.points.iter().map(|[x, y, z]| [x + 2.0, y + 2.0, *z]));
        Self { name: "touching cubes".to_owned(), ..mesh }
    }

    /// Random triangles over a few points. Corners and triangles repeat, and edges have many
    /// triangles.
    pub(crate) fn random_soup(points: usize, triangles: usize, random: &mut Random) -> Self {
        Self {
            name: format!("soup of {triangles} triangles"),
            points: (0..points).map(|_| random.vector(1.0)).collect(),
            triangles: (0..triangles).map(|_| [0; 3].map(|_| random.below(points) as u32)).collect(),
        }
    }

    /// A closed cube from 0 to `side`, each face divided into squares of one.
    pub(crate) fn grid_cube(side: usize) -> Self {
        let mut cube = Self { name: "grid cube".to_owned(), ..Self::default() };
        for axis in 0..3 {
            for (far, flipped) in [(0, true), (side, false)] {
                let first = cube.points.len() as u32;
                for i in 0..=side {
                    for j in 0..=side {
                        let mut point = [0.0; 3];
                        point[axis] = far as f32;
                        point[(axis + 1) % 3] = i as f32;
                        point[(axis + 2) % 3] = j as f32;
                        cube.points.push(point);
                    }
                }
                let index = |i: usize, j: usize| first + (i * (side + 1) + j) as u32;
                for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
                    let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
                    let halves = [[a, b, c], [a, c, d]];
                    let halves = if flipped { halves.map(|[a, b, c]| [a, c, b]) } else { halves };
                    cube.triangles.extend(halves);
                }
            }
        }
        cube
    }

    /// A grid cube projected onto a sphere. Vertices on common edges of faces have the same bits.
    pub(crate) fn sphere(center: [f32; 3], radius: f32, side: usize) -> Self {
        let mut sphere = Self { name: "sphere".to_owned(), ..Self::grid_cube(side) };
        for point in &mut sphere.points {
            let from = point.map(|x| 2.0 * f64::from(x) / side as f64 - 1.0);
            let on = scale(normalize(from), f64::from(radius));
            *point = [0, 1, 2].map(|axis| (f64::from(center[axis]) + on[axis]) as f32);
        }
        sphere
    }

    /// Meshes of every topology: empty, closed, open, non-manifold and random.
    pub(crate) fn every_topology(random: &mut Random) -> Vec<Self> {
        let soups = [(3, 1), (4, 9), (12, 30), (40, 64), (40, 65), (60, 300)];
        let mut meshes = vec![
            Self { name: "empty mesh".to_owned(), ..Self::default() },
            Self::cube(),
            Self::open_box(),
            Self::non_manifold_fan(),
            Self::touching_cubes(),
        ];
        meshes.extend(soups.map(|(points, triangles)| Self::random_soup(points, triangles, random)));
        meshes
    }

    /// The edges after welding.
    pub(crate) fn edges(&self) -> Edges {
        let weld = Weld::new(PositionView::Packed(&self.points)).expect("few points");
        Edges::from_triangles(&self.triangles, &weld).expect("triangles over the points")
    }

    /// Which triangles face a light, computed in `f64`.
    pub(crate) fn facing(&self, light: Light) -> Facing {
        compute_facing(PositionView::Packed(&self.points), &self.triangles, light)
    }

    /// The corners of all triangles.
    pub(crate) fn triangle_corners(&self) -> Vec<[[f32; 3]; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|corner| self.points[corner as usize])).collect()
    }
}

/// Which triangles face a light, computed in `f64`.
pub(crate) fn compute_facing(points: PositionView<'_>, triangles: &[[u32; 3]], light: Light) -> Facing {
    let mut facing = Facing::new(triangles.len());
    let [x, y, z, w] = light.homogeneous().map(f64::from);
    for (i, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|corner| to_f64(points.position(corner as usize)));
        let towards = [x - w * a[0], y - w * a[1], z - w * a[2]];
        if dot(cross(sub(b, a), sub(c, a)), towards) > 0.0 {
            facing.set(i, Side::Front);
        }
    }
    facing
}

/// Random facing bits.
pub(crate) fn random_facing(triangles: usize, random: &mut Random) -> Facing {
    let mut facing = Facing::new(triangles);
    (0..triangles).filter(|_| random.once_in(2)).for_each(|triangle| facing.set(triangle, Side::Front));
    facing
}

/// The edges that triangles use more often in one direction than in the other, each with the
/// surplus. A closed surface has none.
pub(crate) fn unbalanced_edges(triangles: &[[u32; 3]]) -> HashMap<(u32, u32), i32> {
    let mut sums = HashMap::new();
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *sums.entry((from.min(to), from.max(to))).or_insert(0) += (to > from) as i32 - (to < from) as i32;
        }
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

/// Whether as many edges end as start at every vertex.
pub(crate) fn loops_are_closed(edges: &[[u32; 2]], vertices: usize) -> bool {
    let mut sums = vec![0; vertices];
    for &[from, to] in edges {
        sums[from as usize] += 1;
        sums[to as usize] -= 1;
    }
    sums.iter().all(|&sum| sum == 0)
}
