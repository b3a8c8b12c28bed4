//! Silhouettes: edges between front and back faces, in closed loops.

use sinew::LengthError;
use std::collections::HashMap;

use sinew::geometry::{Edges, Facing, Light, PositionView, Side, Silhouette, Weld};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

use crate::support::posed_figure::PosedFigure;
use crate::support::triangle_meshes::{TriangleMesh, loops_are_closed, random_facing};

/// Lights in each frame, and frames of the walk.
const LIGHTS: usize = if EMULATED { 10 } else { 100 };
const FRAMES: usize = if EMULATED { 6 } else { 24 };

#[test]
fn silhouette_edges_of_a_walking_figure_separate_front_from_back_in_closed_loops() {
    let mut figure = PosedFigure::load(if EMULATED { "@figure:600" } else { "@figure" });
    let random = &mut Random::new(1);
    let edges = Edges::new(&figure.mesh).unwrap();
    let by_sides: HashMap<[u32; 2], u32> = (0..)
        .zip(edges.triangles())
        .flat_map(|(triangle, &[a, b, c])| [([a, b], triangle), ([b, c], triangle), ([c, a], triangle)])
        .collect();
    let mut silhouette = Silhouette::new(&edges);
    for frame in 0..FRAMES {
        figure.walk_to(frame as f32 / FRAMES as f32);
        for _ in 0..LIGHTS {
            let light = figure.random_light(random);
            let facing = figure.facing(light);
            edges.silhouette(&facing, &mut silhouette).unwrap();
            for &[from, to] in silhouette.edges() {
                let (front, back) = (by_sides[&[from, to]], by_sides[&[to, from]]);
                assert!(facing.is_front(front as usize) && !facing.is_front(back as usize), "{light:?}");
            }
            let parting = |edge: &&sinew::geometry::SharedEdge| {
                facing.is_front(edge.left as usize) != facing.is_front(edge.right as usize)
            };
            assert_eq!(silhouette.edges().len(), edges.shared().iter().filter(parting).count());
            assert!(loops_are_closed(silhouette.edges(), edges.vertex_count()), "{light:?}");
            assert!(silhouette.boundary().is_empty() && !silhouette.outline().is_empty());
        }
    }
}

#[test]
fn loops_are_closed_for_any_mesh_and_any_facing_bits() {
    let random = &mut Random::new(2);
    for mesh in TriangleMesh::every_topology(random) {
        let edges = mesh.edges();
        let mut silhouette = Silhouette::new(&edges);
        for _ in 0..20 {
            let facing = random_facing(mesh.triangles.len(), random);
            edges.silhouette(&facing, &mut silhouette).unwrap();
            assert!(loops_are_closed(silhouette.edges(), edges.vertex_count()), "{}", mesh.name);
        }
    }
}

#[test]
fn the_silhouette_of_a_cube_is_its_visible_face() {
    let mesh = TriangleMesh::cube();
    let edges = mesh.edges();
    let mut silhouette = Silhouette::default();
    edges.silhouette(&mesh.facing(Light::Point([0.0, 0.0, 5.0])), &mut silhouette).unwrap();
    assert_eq!(silhouette.edges().len(), 4);
    for &[from, to] in silhouette.edges() {
        let ([x, y, z], [to_x, to_y, to_z]) = (mesh.points[from as usize], mesh.points[to as usize]);
        assert_eq!((z, to_z), (1.0, 1.0));
        // Counter-clockwise around the face: it is to the left of the edge.
        assert!(x * to_y - y * to_x > 0.0);
    }
}

#[test]
fn boundary_edges_of_front_faces_come_last() {
    let mesh = TriangleMesh::open_box();
    let edges = mesh.edges();
    let mut silhouette = Silhouette::new(&edges);
    // The open side faces +z. From there no triangle is front-facing: the floor faces down.
    edges.silhouette(&mesh.facing(Light::Direction([0.0, 0.0, 1.0])), &mut silhouette).unwrap();
    assert_eq!((silhouette.outline().len(), silhouette.boundary().len()), (0, 0));
    edges.silhouette(&mesh.facing(Light::Direction([1.0, 0.0, 0.0])), &mut silhouette).unwrap();
    assert_eq!((silhouette.outline().len(), silhouette.boundary().len()), (3, 1));
    assert_eq!(silhouette.edges().len(), 4);
}

#[test]
fn facing_bits_of_degenerate_triangles_are_ignored() {
    let mesh = TriangleMesh::new("degenerate", &[[0.0; 3], [1.0; 3], [0.0; 3]], &[[0, 1, 1], [0, 1, 2]]);
    let edges = mesh.edges();
    let mut facing = Facing::new(2);
    (0..2).for_each(|triangle| facing.set(triangle, Side::Front));
    let mut silhouette = Silhouette::new(&edges);
    edges.silhouette(&facing, &mut silhouette).unwrap();
    assert!(silhouette.edges().is_empty());
}

#[test]
fn a_wrong_number_of_facing_bits_is_rejected() {
    let edges = TriangleMesh::cube().edges();
    for found in [0, 11, 13] {
        let rejection = edges.silhouette(&Facing::new(found), &mut Silhouette::default());
        assert_eq!(rejection, Err(LengthError { what: "facing bits", expected: 12, found }.into()));
    }
}

#[test]
fn an_empty_mesh_has_no_silhouette() {
    let edges = Edges::from_triangles(&[], &Weld::new(PositionView::Packed(&[])).unwrap()).unwrap();
    let mut silhouette = Silhouette::new(&edges);
    edges.silhouette(&Facing::default(), &mut silhouette).unwrap();
    assert!(edges.is_empty() && silhouette.edges().is_empty());
}

#[test]
fn silhouettes_allocate_nothing() {
    let random = &mut Random::new(3);
    for mesh in TriangleMesh::every_topology(random) {
        let edges = mesh.edges();
        let mut silhouette = Silhouette::new(&edges);
        for _ in 0..5 {
            let facing = random_facing(mesh.triangles.len(), random);
            let counted = allocation_counter::measure(|| {
                edges.silhouette(&facing, &mut silhouette).expect("a bit for each triangle");
            });
            assert_eq!(counted.count_total, 0, "{}", mesh.name);
        }
    }
}
