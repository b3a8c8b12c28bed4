//! The papers' skinning methods against an independent linear blend skinning in `f64`, each within
//! its stated tolerance.

use sinew_kernels::Matrix;
use sinew_papers::{
    BindPose, Influences, JointWeight, Mesh, PositionNormal, TransposedMatrix, Vertex, WeightedPositions,
    plain,
};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

/// One implementation of *Fast Skinning*.
#[derive(Clone, Copy)]
struct Implementation {
    name: &'static str,
    skin_positions: fn(&WeightedPositions, &[Matrix], &mut [Vertex]),
    skin_vertices: fn(&BindPose, &[Matrix], &mut [Vertex]),
}

const PLAIN: Implementation = Implementation {
    name: "plain",
    skin_positions: plain::skin_positions,
    skin_vertices: plain::skin_vertices,
};

/// The plain implementation, and those that this CPU supports.
fn implementations() -> Vec<Implementation> {
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "only x86-64 has more"))]
    let mut implementations = vec![PLAIN];
    #[cfg(target_arch = "x86_64")]
    {
        use sinew_papers::{sse2, sse3};
        implementations.push(Implementation {
            name: "sse2",
            skin_positions: sse2::skin_positions,
            skin_vertices: sse2::skin_vertices,
        });
        if sse3::available() {
            implementations.push(Implementation {
                name: "sse3",
                skin_positions: sse3::skin_positions,
                skin_vertices: sse3::skin_vertices,
            });
        } else {
            eprintln!("skipped: sse3, which this CPU does not have");
        }
    }
    implementations
}

/// One of Davies' methods, and the relative error of its reciprocal square root.
#[derive(Clone, Copy)]
struct Method {
    name: &'static str,
    root_tolerance: f64,
    skin: fn(&Mesh, &[TransposedMatrix], &mut [PositionNormal]),
}

const METHODS: &[Method] = &[
    Method { name: "standard", root_tolerance: 3e-7, skin: plain::skin_standard },
    Method { name: "collapsed", root_tolerance: 3e-7, skin: plain::skin_collapsed },
    #[cfg(target_arch = "x86_64")]
    Method {
        name: "gathered",
        // 1.5 x 2^-12, plus rounding.
        root_tolerance: 3.7e-4,
        skin: sinew_papers::sse2::skin_gathered,
    },
    #[cfg(target_arch = "x86_64")]
    Method {
        name: "friendly",
        root_tolerance: 3.7e-4,
        skin: |mesh, palette, vertices| {
            use sinew_papers::{FriendlyMesh, sse2};
            let mut matrices = vec![Matrix::ZERO; palette.len()];
            sse2::friendly_matrices(palette, &mut matrices);
            sse2::skin_friendly(&FriendlyMesh::new(mesh), &matrices, vertices);
        },
    },
];

/// For positions within four meters.
const POSITIONS: f64 = 8e-7;
/// For positions that go through one more matrix, into joint space.
const POSITIONS_BY_JOINTS: f64 = 1.2e-6;
/// For unit directions.
const DIRECTIONS: f64 = 4e-7;

fn lengths() -> impl Iterator<Item = usize> {
    (0..=70).chain([999])
}

#[test]
fn positions_in_bind_pose_follow_their_joints() {
    for implementation in implementations() {
        for (len, influences) in lengths().flat_map(|len| (1..=6).map(move |influences| (len, influences))) {
            let mut random = Random::new(len as u64);
            let skin = Skin::random(len, influences, &mut random);
            let inverse_binds = rigs::rigid_matrices(JOINTS, &mut random);
            let positions = WeightedPositions::in_bind_pose(skin.list(), &skin.positions, &inverse_binds);
            let found = skin_between_guards(len, |vertices| {
                (implementation.skin_positions)(&positions, &skin.matrices, vertices)
            });
            for (i, vertex) in found.iter().enumerate() {
                let expected = sum(&skin.vertices[i], |joint| {
                    let [x, y, z] = transform(&inverse_binds[joint], with_w(skin.positions[i], 1.0));
                    transform(&skin.matrices[joint], [x, y, z, 1.0])
                });
                assert_near(&vertex.position, expected, POSITIONS_BY_JOINTS, implementation.name);
                assert_eq!(vertex.position[3], GUARD.position[3], "{}", implementation.name);
                assert_eq!(
                    (vertex.normal, vertex.tangent),
                    (GUARD.normal, GUARD.tangent),
                    "{}",
                    implementation.name
                );
            }
        }
    }
}

#[test]
fn positions_in_joint_space_are_summed() {
    let vertices = [vec![(2, 0.25), (0, 0.75)], vec![(1, 1.0)]];
    let positions = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let positions = WeightedPositions::new(Influences::from_lists(&vertices), &positions);
    let moved = |by: f32| {
        let mut matrix = Matrix::IDENTITY;
        matrix.rows[1][3] = by;
        matrix
    };
    for implementation in implementations() {
        let mut found = [Vertex::default(); 2];
        (implementation.skin_positions)(&positions, &[moved(8.0), moved(32.0), moved(64.0)], &mut found);
        assert_eq!(found[0].position, [3.25, 26.25, 5.25, 0.0], "{}", implementation.name);
        assert_eq!(found[1].position, [7.0, 40.0, 9.0, 0.0], "{}", implementation.name);
    }
}

#[test]
fn vertices_follow_their_blended_matrix_and_keep_their_fourth_components() {
    for implementation in implementations() {
        for (len, influences) in lengths().flat_map(|len| (1..=6).map(move |influences| (len, influences))) {
            let skin = Skin::random(len, influences, &mut Random::new(len as u64));
            let bind = BindPose::new(skin.list(), &skin.positions, &skin.normals, &skin.tangents);
            let found = skin_between_guards(len, |vertices| {
                (implementation.skin_vertices)(&bind, &skin.matrices, vertices)
            });
            for (i, vertex) in found.iter().enumerate() {
                assert_near(
                    &vertex.position,
                    skin.expected(i, skin.positions[i], 1.0),
                    POSITIONS,
                    implementation.name,
                );
                assert_near(
                    &vertex.normal,
                    skin.expected(i, skin.normals[i], 0.0),
                    DIRECTIONS,
                    implementation.name,
                );
                assert_near(
                    &vertex.tangent,
                    skin.expected(i, skin.tangents[i], 0.0),
                    DIRECTIONS,
                    implementation.name,
                );
                let kept = [vertex.position[3], vertex.normal[3], vertex.tangent[3]];
                assert_eq!(
                    kept,
                    [GUARD.position[3], GUARD.normal[3], GUARD.tangent[3]],
                    "{}",
                    implementation.name
                );
            }
        }
    }
}

#[test]
fn every_method_of_davies_matches_with_unit_normals() {
    for method in METHODS {
        for len in lengths() {
            for influences in 1..=4 {
                let mut random = Random::new((len * 4 + influences) as u64);
                check(method, &Skin::random(len, influences, &mut random));
            }
        }
    }
}

#[test]
fn vertices_without_weight_go_to_the_origin() {
    let skin = Skin { vertices: vec![vec![], vec![(1, 0.0)]], ..Skin::random(2, 1, &mut Random::new(1)) };
    let bind = BindPose::new(skin.list(), &skin.positions, &skin.normals, &skin.tangents);
    let by_joints = WeightedPositions::in_bind_pose(skin.list(), &skin.positions, &skin.matrices);
    for implementation in implementations() {
        let mut vertices = [GUARD; 2];
        (implementation.skin_vertices)(&bind, &skin.matrices, &mut vertices);
        assert!(vertices.iter().all(|vertex| vertex.position[..3] == [0.0; 3]), "{}", implementation.name);
        vertices = [GUARD; 2];
        (implementation.skin_positions)(&by_joints, &skin.matrices, &mut vertices);
        assert!(vertices.iter().all(|vertex| vertex.position[..3] == [0.0; 3]), "{}", implementation.name);
    }
}

#[test]
fn lists_count_down_to_the_next_vertex() {
    let list = Influences::from_lists(&[vec![(1, 0.5), (0, 0.25), (2, 0.25)], vec![(2, 1.0)]]);
    let stored = |weight: f32, matrix_offset: u32, next_vertex_offset: u32| JointWeight {
        weight,
        matrix_offset,
        next_vertex_offset,
    };
    assert_eq!(list.vertices(), 2);
    assert_eq!(
        list.list(),
        [stored(0.5, 48, 36), stored(0.25, 0, 24), stored(0.25, 96, 12), stored(1.0, 96, 12)],
    );
    assert_eq!((size_of::<JointWeight>(), size_of::<Vertex>(), size_of::<PositionNormal>()), (12, 48, 24));
}

/// A guard value around outputs and in them before a call: it must stay where nothing is written.
const GUARD: Vertex =
    Vertex { position: [7.0, -7.0, 77.0, -77.0], normal: [8.0, -8.0, 88.0, -88.0], tangent: [9.0; 4] };

const LIT_GUARD: PositionNormal = PositionNormal { position: [7.0; 3], normal: [8.0; 3] };

/// The vertices that `skin` writes between two guards.
fn skin_between_guards(len: usize, skin: impl FnOnce(&mut [Vertex])) -> Vec<Vertex> {
    let mut vertices = vec![GUARD; len + 2];
    skin(&mut vertices[1..=len]);
    assert_eq!([vertices[0], vertices[len + 1]], [GUARD; 2], "{len} vertices");
    vertices[1..=len].to_vec()
}

fn check(method: &Method, skin: &Skin) {
    let len = skin.vertices.len();
    let mut vertices = vec![LIT_GUARD; len + 2];
    (method.skin)(&skin.mesh(), &skin.palette(), &mut vertices[1..=len]);
    assert_eq!([vertices[0], vertices[len + 1]], [LIT_GUARD; 2], "{}, {len} vertices", method.name);
    for (i, vertex) in vertices[1..=len].iter().enumerate() {
        assert_near(&vertex.position, skin.expected(i, skin.positions[i], 1.0), POSITIONS, method.name);
        let normal = skin.expected(i, skin.normals[i], 0.0);
        let length = length(normal);
        // The shorter the sum of the normals, the larger its relative rounding error.
        let tolerance = method.root_tolerance + DIRECTIONS / length;
        assert_near(&vertex.normal, normal.map(|component| component / length), tolerance, method.name);
        let off = (self::length(vertex.normal.map(f64::from)) - 1.0).abs();
        assert!(off <= method.root_tolerance, "{}: length off by {off:e}", method.name);
    }
}

const JOINTS: usize = 40;

/// A mesh, its influences and the matrices of a pose.
struct Skin {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 3]>,
    vertices: Vec<Vec<(u32, f32)>>,
    matrices: Vec<Matrix>,
}

impl Skin {
    /// Each vertex has 1 to `influences` joints, at least one vertex has all; weights sum to one.
    fn random(len: usize, influences: usize, random: &mut Random) -> Self {
        let direction = |random: &mut Random| {
            let [x, y, z, w] = rigs::rotation(random).map(f64::from);
            // A rotated axis.
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)].map(|c| c as f32)
        };
        let pairs = |i: usize, random: &mut Random| -> Vec<(u32, f32)> {
            let count = if i == 0 { influences } else { 1 + random.below(influences) };
            let shares: Vec<f32> = (0..count).map(|_| random.between(0.1, 1.0)).collect();
            let all: f32 = shares.iter().sum();
            shares.iter().map(|share| (random.below(JOINTS) as u32, share / all)).collect()
        };
        Self {
            positions: (0..len).map(|_| random.vector(1.0)).collect(),
            normals: (0..len).map(|_| direction(random)).collect(),
            tangents: (0..len).map(|_| direction(random)).collect(),
            vertices: (0..len).map(|i| pairs(i, random)).collect(),
            matrices: rigs::rigid_matrices(JOINTS, random),
        }
    }

    fn list(&self) -> Influences {
        Influences::from_lists(&self.vertices)
    }

    fn mesh(&self) -> Mesh {
        Mesh::new(&self.positions, &self.normals, &self.vertices)
    }

    fn palette(&self) -> Vec<TransposedMatrix> {
        self.matrices.iter().map(TransposedMatrix::from).collect()
    }

    /// Linear blend skinning of one vector of a vertex: the sum of weight x (matrix x vector).
    fn expected(&self, vertex: usize, vector: [f32; 3], w: f64) -> [f64; 3] {
        sum(&self.vertices[vertex], |joint| transform(&self.matrices[joint], with_w(vector, w)))
    }
}

fn sum(pairs: &[(u32, f32)], moved: impl Fn(usize) -> [f64; 3]) -> [f64; 3] {
    pairs.iter().fold([0.0; 3], |[x, y, z], &(joint, weight)| {
        let [a, b, c] = moved(joint as usize).map(|component| component * f64::from(weight));
        [x + a, y + b, z + c]
    })
}

fn with_w([x, y, z]: [f32; 3], w: f64) -> [f64; 4] {
    [f64::from(x), f64::from(y), f64::from(z), w]
}

fn transform(matrix: &Matrix, vector: [f64; 4]) -> [f64; 3] {
    matrix.rows.map(|row| row.iter().zip(vector).map(|(&element, v)| f64::from(element) * v).sum())
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}

/// Compares the first three components.
fn assert_near(found: &[f32], expected: [f64; 3], tolerance: f64, name: &str) {
    for (&found, expected) in found.iter().zip(expected) {
        let off = (f64::from(found) - expected).abs();
        assert!(off <= tolerance, "{name}: {found} instead of {expected}, off by {off:e}");
    }
}

#[cfg(panic = "unwind")]
mod refused {
    use super::*;

    fn assert_refused(what: &str, call: impl FnOnce() + std::panic::UnwindSafe) {
        assert!(std::panic::catch_unwind(call).is_err(), "{what}");
    }

    #[test]
    fn lists_with_wrong_offsets_are_refused() {
        // Matrix offset and offset to the next vertex.
        let lists: [(&str, &[(u32, u32)]); 8] = [
            ("between two matrices", &[(16, 12)]),
            ("no step", &[(0, 0)]),
            ("half a step", &[(0, 18)]),
            ("ends within a vertex", &[(0, 24)]),
            ("jumps over one", &[(0, 36), (0, 12)]),
            ("never ends", &[(0, 24), (0, 24)]),
            ("goes up", &[(0, 24), (0, 36), (0, 24), (0, 12)]),
            ("wraps around", &[(0, u32::MAX - 3)]),
        ];
        for (what, offsets) in lists {
            let stored = |&(matrix_offset, next_vertex_offset): &(u32, u32)| JointWeight {
                weight: 1.0,
                matrix_offset,
                next_vertex_offset,
            };
            let list: Vec<JointWeight> = offsets.iter().map(stored).collect();
            assert_refused(what, || drop(Influences::new(list)));
        }
        assert_refused("more than 32 bits", || drop(Influences::from_lists(&[vec![(u32::MAX, 1.0)]])));
    }

    #[test]
    fn vectors_of_another_length_are_refused() {
        let list = || Influences::from_lists(&[vec![(0, 0.5), (1, 0.5)], vec![(0, 1.0)]]);
        let (two, three) = ([[1.0; 3]; 2], [[1.0; 3]; 3]);
        let binds = [Matrix::IDENTITY; 2];
        assert_refused("positions", || drop(WeightedPositions::new(list(), &two)));
        assert_refused("bind", || drop(WeightedPositions::in_bind_pose(list(), &three, &binds)));
        assert_refused("binds", || drop(WeightedPositions::in_bind_pose(list(), &two, &binds[..1])));
        assert_refused("positions", || drop(BindPose::new(list(), &three, &two, &two)));
        assert_refused("normals", || drop(BindPose::new(list(), &two, &three, &two)));
        assert_refused("tangents", || drop(BindPose::new(list(), &two, &two, &three)));
    }

    #[test]
    fn matrices_and_vertices_of_another_length_are_refused() {
        let skin = Skin::random(9, 3, &mut Random::new(1));
        let reached = skin.vertices.iter().flatten().map(|&(joint, _)| joint as usize).max().unwrap();
        let bind = BindPose::new(skin.list(), &skin.positions, &skin.normals, &skin.tangents);
        let positions = WeightedPositions::in_bind_pose(skin.list(), &skin.positions, &skin.matrices);
        for implementation in implementations() {
            for (matrices, vertices) in [(reached, 9), (JOINTS, 8), (JOINTS, 10)] {
                let matrices = &skin.matrices[..matrices];
                assert_refused(implementation.name, || {
                    (implementation.skin_vertices)(&bind, matrices, &mut vec![GUARD; vertices])
                });
                assert_refused(implementation.name, || {
                    (implementation.skin_positions)(&positions, matrices, &mut vec![GUARD; vertices]);
                });
            }
        }
        let mesh = skin.mesh();
        let palette = skin.palette();
        for method in METHODS {
            for (matrices, vertices) in [(reached, 9), (JOINTS, 8), (JOINTS, 10)] {
                assert_refused(method.name, || {
                    (method.skin)(&mesh, &palette[..matrices], &mut vec![LIT_GUARD; vertices]);
                });
            }
        }
    }

    #[test]
    fn meshes_beyond_the_limits_are_refused() {
        let one = [[1.0; 3]];
        assert_refused("positions", || drop(Mesh::new(&[], &one, &[vec![(0, 1.0)]])));
        assert_refused("normals", || drop(Mesh::new(&one, &[], &[vec![(0, 1.0)]])));
        assert_refused("five influences", || drop(Mesh::new(&one, &one, &[vec![(0, 0.2); 5]])));
        assert_refused("joint 256", || drop(Mesh::new(&one, &one, &[vec![(256, 1.0)]])));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn palettes_of_another_length_are_refused() {
        use sinew_papers::sse2::friendly_matrices;
        let palette = [TransposedMatrix::from(&Matrix::IDENTITY); 2];
        assert_refused("matrices", || friendly_matrices(&palette, &mut [Matrix::ZERO; 3]));
    }
}
