//! The figure as a surface: closed, outwards, well weighted, of the density that was asked for.

use std::collections::{BTreeMap, BTreeSet};

use sinew_figures::{Scene, Shape, figure, scene};

/// The densities under test; the debug build is optimised enough for them.
const DENSITIES: [usize; 4] = [1, 3000, 5000, 40_000];

fn each(mut check: impl FnMut(usize, &Scene)) {
    for density in DENSITIES {
        check(density, &figure::figure(density).expect("the machine has kernels"));
    }
}

/// The number of each vertex's position; vertices at equal positions have the same.
fn welded(shape: &Shape) -> Vec<usize> {
    let mut places = BTreeMap::new();
    let place = |position: &[f32; 3]| {
        let next = places.len();
        *places.entry(position.map(f32::to_bits)).or_insert(next)
    };
    shape.positions.iter().map(place).collect()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Twice the area, in the direction of the front.
fn front(shape: &Shape, triangle: [u32; 3]) -> [f64; 3] {
    let [a, b, c] = triangle.map(|vertex| shape.positions[vertex as usize].map(f64::from));
    let to = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    cross(to(b), to(c))
}

#[test]
fn every_edge_has_two_triangles_that_face_the_same_way() {
    each(|density, scene| {
        let places = welded(&scene.shape);
        let mut edges = BTreeSet::new();
        for triangle in &scene.shape.triangles {
            let [a, b, c] = triangle.map(|vertex| places[vertex as usize]);
            for edge in [(a, b), (b, c), (c, a)] {
                assert!(edges.insert(edge), "density {density}: {edge:?} twice in one direction");
            }
        }
        assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))), "density {density}: an open edge");
    });
}

#[test]
fn the_surface_is_one_piece_without_handles() {
    each(|density, scene| {
        let places = welded(&scene.shape);
        let vertices = places.iter().max().unwrap() + 1;
        let mut root: Vec<usize> = (0..vertices).collect();
        fn find(root: &mut [usize], mut place: usize) -> usize {
            while root[place] != place {
                root[place] = root[root[place]];
                place = root[place];
            }
            place
        }
        for triangle in &scene.shape.triangles {
            let [a, b, c] = triangle.map(|vertex| find(&mut root, places[vertex as usize]));
            root[b] = a;
            let c = find(&mut root, c);
            let a = find(&mut root, a);
            root[c] = a;
        }
        let pieces: BTreeSet<usize> = (0..vertices).map(|place| find(&mut root, place)).collect();
        assert_eq!(pieces.len(), 1, "density {density}");
        // Euler: vertices - edges + faces is 2 for a sphere; a closed surface has three edges for two faces.
        let faces = scene.shape.triangles.len();
        assert_eq!(vertices + faces - faces / 2 * 3, 2, "density {density}");
    });
}

#[test]
fn triangles_have_area_and_face_outwards() {
    each(|density, scene| {
        let shape = &scene.shape;
        let mut volume = 0.0;
        // Where the mesh is too coarse for the folds between the fingers, two triangles there stand across
        // their normals.
        let least = if density < 10_000 { -0.2 } else { 0.0 };
        for &triangle in &shape.triangles {
            let front = front(shape, triangle);
            let area = dot(front, front).sqrt();
            assert!(area > 0.0, "density {density}: {triangle:?} has no area");
            let [a, b, c] = triangle.map(|vertex| shape.normals[vertex as usize].map(f64::from));
            let normal = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            assert!(dot(front, normal) > least * area, "density {density}: {triangle:?} is turned over");
            volume += dot(front, shape.positions[triangle[0] as usize].map(f64::from)) / 6.0;
        }
        // A person of this size weighs some 58 kilograms, and people float.
        assert!((0.05..0.062).contains(&volume), "density {density}: {volume}");
    });
}

#[test]
fn normals_and_tangents_have_length_one_and_right_angles() {
    each(|density, scene| {
        let shape = &scene.shape;
        for (normal, tangent) in shape.normals.iter().zip(&shape.tangents) {
            let [x, y, z, sign] = tangent.map(f64::from);
            let (normal, tangent) = (normal.map(f64::from), [x, y, z]);
            assert!((dot(normal, normal) - 1.0).abs() < 1e-6, "density {density}");
            assert!((dot(tangent, tangent) - 1.0).abs() < 1e-6, "density {density}");
            assert!(dot(normal, tangent).abs() < 1e-6, "density {density}");
            assert!(sign.abs() == 1.0, "density {density}");
        }
        let sign = shape.tangents[0][3];
        assert!(shape.tangents.iter().all(|tangent| tangent[3] == sign), "the texture is nowhere mirrored");
    });
}

#[test]
fn texture_coordinates_stay_in_the_square() {
    each(|_, scene| {
        let mut elements = scene.shape.texture_coordinates.as_flattened().iter();
        assert!(elements.all(|element| (0.0..=1.0).contains(element)));
    });
}

#[test]
fn weights_sum_to_one_and_use_every_joint_but_the_root() {
    each(|density, scene| {
        let shape = &scene.shape;
        assert_eq!(shape.influence_counts.iter().sum::<u32>() as usize, shape.influences().count());
        let all: Vec<_> = shape.influences().collect();
        let mut rest = all.as_slice();
        for &count in &shape.influence_counts {
            assert!((1..=4).contains(&count));
            let (own, others) = rest.split_at(count as usize);
            rest = others;
            let sum: f64 = own.iter().map(|influence| f64::from(influence.1)).sum();
            assert!((sum - 1.0).abs() < 1e-6, "density {density}: {own:?}");
            assert!(own.iter().all(|influence| influence.1 > 0.0), "density {density}: {own:?}");
            assert!(own.is_sorted_by(|a, b| a.1 >= b.1), "density {density}: {own:?}");
            let joints: BTreeSet<u32> = own.iter().map(|influence| influence.0).collect();
            assert_eq!(joints.len(), own.len(), "density {density}: {own:?}");
        }
        let used: BTreeSet<u32> = shape.joints.iter().copied().collect();
        assert_eq!(used, (1..64).collect(), "density {density}");
    });
}

#[test]
fn the_skeleton_has_64_joints_with_names_of_their_own() {
    let scene = scene("@figure").unwrap();
    assert_eq!(scene.skeleton.len(), figure::JOINTS);
    assert_eq!(scene.skeleton.len(), 64);
    assert_eq!(scene.skin_joints, (0..64).collect::<Vec<_>>());
    let names: BTreeSet<&str> = (0..64).map(|joint| scene.skeleton.name(joint)).collect();
    assert_eq!(names.len(), 64);
    assert_eq!(scene.skeleton.roots().collect::<Vec<_>>(), [0]);
}

#[test]
fn the_number_of_vertices_is_about_what_was_asked() {
    for (vertices, percent) in [(3000, 85), (5000, 97), (12_345, 97), (100_000, 99), (1_000_000, 99)] {
        let found = figure::figure(vertices).unwrap().shape.positions.len();
        assert!(found <= vertices && found * 100 >= vertices * percent, "{vertices} asked, {found} found");
    }
    assert!(figure::figure(1).unwrap().shape.positions.len() < 2000);
}

#[test]
fn the_figure_stands_on_the_ground_and_is_as_tall_as_people() {
    let shape = scene("@figure").unwrap().shape;
    let range = |axis: usize| {
        let elements = shape.positions.iter().map(|position| position[axis]);
        elements.fold((f32::MAX, f32::MIN), |(low, high), element| (low.min(element), high.max(element)))
    };
    let (low, high) = range(1);
    assert!(low.abs() < 0.002 && (1.73..1.77).contains(&high), "{low} {high}");
    let (left, right) = range(0);
    assert!((left + right).abs() < 1e-5, "both halves are alike");
    let (back, front) = range(2);
    assert!(front > -back, "toes point forward: {back} {front}");
}

#[test]
fn seams_keep_normals_and_weights_together() {
    let scene = scene("@figure").unwrap();
    let shape = &scene.shape;
    let mut starts = vec![0];
    for &count in &shape.influence_counts {
        starts.push(starts[starts.len() - 1] + count as usize);
    }
    let mut first = BTreeMap::new();
    for vertex in 0..shape.positions.len() {
        let twin = *first.entry(shape.positions[vertex].map(f32::to_bits)).or_insert(vertex);
        assert_eq!(shape.normals[vertex], shape.normals[twin]);
        let own = |vertex: usize| starts[vertex]..starts[vertex + 1];
        let influences = |vertex: usize| (&shape.joints[own(vertex)], &shape.weights[own(vertex)]);
        assert_eq!(influences(vertex), influences(twin));
    }
    assert!(first.len() < shape.positions.len(), "there are seams");
}
