//! The figure's mesh: closed, facing outward, with valid weights and the requested density.

use std::collections::{BTreeMap, BTreeSet};

use sinew::JointId;
use sinew_figures::{MeshArrays, Scene, figure, scene};

/// The tested numbers of vertices.
const DENSITIES: [usize; 4] = [1, 3000, 5000, 40_000];

fn for_each_density(mut check: impl FnMut(usize, &Scene)) {
    for density in DENSITIES {
        check(density, &figure::figure(density).expect("a valid SINEW_ISA"));
    }
}

/// For each vertex, the index of its position; vertices at equal positions share one.
fn weld(mesh: &MeshArrays) -> Vec<usize> {
    let mut indices = BTreeMap::new();
    let index = |position: &[f32; 3]| {
        let next = indices.len();
        *indices.entry(position.map(f32::to_bits)).or_insert(next)
    };
    mesh.positions.iter().map(index).collect()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The face normal, with twice the triangle's area as its length.
fn scaled_normal(mesh: &MeshArrays, triangle: [u32; 3]) -> [f64; 3] {
    let [a, b, c] = triangle.map(|vertex| mesh.positions[vertex as usize].map(f64::from));
    let to = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    cross(to(b), to(c))
}

#[test]
fn every_edge_joins_two_triangles_with_consistent_winding() {
    for_each_density(|density, scene| {
        let welded = weld(&scene.mesh);
        let mut edges = BTreeSet::new();
        for triangle in &scene.mesh.triangles {
            let [a, b, c] = triangle.map(|vertex| welded[vertex as usize]);
            for edge in [(a, b), (b, c), (c, a)] {
                assert!(edges.insert(edge), "density {density}: {edge:?} twice in one direction");
            }
        }
        assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))), "density {density}: an open edge");
    });
}

#[test]
fn the_surface_is_connected_and_has_no_handles() {
    for_each_density(|density, scene| {
        let welded = weld(&scene.mesh);
        let vertices = welded.iter().max().unwrap() + 1;
        let mut root: Vec<usize> = (0..vertices).collect();
        fn find(root: &mut [usize], mut vertex: usize) -> usize {
            while root[vertex] != vertex {
                root[vertex] = root[root[vertex]];
                vertex = root[vertex];
            }
            vertex
        }
        for triangle in &scene.mesh.triangles {
            let [a, b, c] = triangle.map(|vertex| find(&mut root, welded[vertex as usize]));
            root[b] = a;
            let c = find(&mut root, c);
            let a = find(&mut root, a);
            root[c] = a;
        }
        let pieces: BTreeSet<usize> = (0..vertices).map(|vertex| find(&mut root, vertex)).collect();
        assert_eq!(pieces.len(), 1, "density {density}");
        // Euler: vertices - edges + faces is 2 for a sphere. A closed triangle mesh has three edges
        // for every two faces.
        let faces = scene.mesh.triangles.len();
        assert_eq!(vertices + faces - faces / 2 * 3, 2, "density {density}");
    });
}

#[test]
fn triangles_have_area_and_face_outward() {
    for_each_density(|density, scene| {
        let mesh = &scene.mesh;
        let mut volume = 0.0;
        // A coarse mesh cannot resolve the folds between the fingers: two triangles there deviate
        // from their normals.
        let min = if density < 10_000 { -0.2 } else { 0.0 };
        for &triangle in &mesh.triangles {
            let face_normal = scaled_normal(mesh, triangle);
            let area = dot(face_normal, face_normal).sqrt();
            assert!(area > 0.0, "density {density}: {triangle:?} has no area");
            let [a, b, c] = triangle.map(|vertex| mesh.normals[vertex as usize].map(f64::from));
            let normal = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            assert!(dot(face_normal, normal) > min * area, "density {density}: {triangle:?} is flipped");
            volume += dot(face_normal, mesh.positions[triangle[0] as usize].map(f64::from)) / 6.0;
        }
        // In cubic meters. A person of this size weighs about 58 kg and is a little less dense than
        // water.
        assert!((0.05..0.062).contains(&volume), "density {density}: {volume}");
    });
}

#[test]
fn normals_and_tangents_are_unit_and_perpendicular() {
    for_each_density(|density, scene| {
        let mesh = &scene.mesh;
        for (normal, tangent) in mesh.normals.iter().zip(&mesh.tangents) {
            let [x, y, z, sign] = tangent.map(f64::from);
            let (normal, tangent) = (normal.map(f64::from), [x, y, z]);
            assert!((dot(normal, normal) - 1.0).abs() < 1e-6, "density {density}");
            assert!((dot(tangent, tangent) - 1.0).abs() < 1e-6, "density {density}");
            assert!(dot(normal, tangent).abs() < 1e-6, "density {density}");
            assert!(sign.abs() == 1.0, "density {density}");
        }
        let sign = mesh.tangents[0][3];
        assert!(mesh.tangents.iter().all(|tangent| tangent[3] == sign), "the texture is mirrored somewhere");
    });
}

#[test]
fn texture_coordinates_are_from_zero_to_one() {
    for_each_density(|_, scene| {
        let mut elements = scene.mesh.texture_coordinates.as_flattened().iter();
        assert!(elements.all(|element| (0.0..=1.0).contains(element)));
    });
}

#[test]
fn weights_sum_to_one_and_use_every_joint_but_the_root() {
    for_each_density(|density, scene| {
        let mesh = &scene.mesh;
        assert_eq!(mesh.influence_counts.iter().sum::<u32>() as usize, mesh.influences().count());
        let all: Vec<_> = mesh.influences().collect();
        let mut rest = all.as_slice();
        for &count in &mesh.influence_counts {
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
        let used: BTreeSet<u32> = mesh.joints.iter().copied().collect();
        assert_eq!(used, (1..64).collect(), "density {density}");
    });
}

#[test]
fn the_skeleton_has_64_joints_with_distinct_names() {
    let scene = scene("@figure").unwrap();
    assert_eq!(scene.skeleton.len(), figure::JOINTS);
    assert_eq!(scene.skeleton.len(), 64);
    assert_eq!(scene.skin_joints, scene.skeleton.joints().collect::<Vec<_>>());
    let names: BTreeSet<&str> = scene.skeleton.joints().map(|joint| scene.skeleton.name(joint)).collect();
    assert_eq!(names.len(), 64);
    assert_eq!(scene.skeleton.roots().map(JointId::index).collect::<Vec<_>>(), [0]);
}

#[test]
fn the_number_of_vertices_is_close_to_the_request() {
    for (vertices, percent) in [(3000, 85), (5000, 97), (12_345, 97), (100_000, 99), (1_000_000, 99)] {
        let found = figure::figure(vertices).unwrap().mesh.positions.len();
        assert!(
            found <= vertices && found * 100 >= vertices * percent,
            "requested {vertices}, found {found}"
        );
    }
    assert!(figure::figure(1).unwrap().mesh.positions.len() < 2000);
}

#[test]
fn the_figure_stands_on_the_ground_and_has_human_height() {
    let mesh = scene("@figure").unwrap().mesh;
    let range = |axis: usize| {
        let elements = mesh.positions.iter().map(|position| position[axis]);
        elements.fold((f32::MAX, f32::MIN), |(low, high), element| (low.min(element), high.max(element)))
    };
    let (low, high) = range(1);
    assert!(low.abs() < 0.002 && (1.73..1.77).contains(&high), "{low} {high}");
    let (left, right) = range(0);
    assert!((left + right).abs() < 1e-5, "the halves differ: {left} {right}");
    let (back, front) = range(2);
    assert!(front > -back, "toes do not point forward: {back} {front}");
}

#[test]
fn vertices_split_at_seams_share_normals_and_weights() {
    let scene = scene("@figure").unwrap();
    let mesh = &scene.mesh;
    let mut starts = vec![0];
    for &count in &mesh.influence_counts {
        starts.push(starts[starts.len() - 1] + count as usize);
    }
    let mut first = BTreeMap::new();
    for vertex in 0..mesh.positions.len() {
        let twin = *first.entry(mesh.positions[vertex].map(f32::to_bits)).or_insert(vertex);
        assert_eq!(mesh.normals[vertex], mesh.normals[twin]);
        let own = |vertex: usize| starts[vertex]..starts[vertex + 1];
        let influences = |vertex: usize| (&mesh.joints[own(vertex)], &mesh.weights[own(vertex)]);
        assert_eq!(influences(vertex), influences(twin));
    }
    assert!(first.len() < mesh.positions.len(), "no seams found");
}
