//! Silhouettes: where front meets back, in closed loops.

use std::collections::HashMap;

use crate::solids::{Solid, loops_close, random_facing};
use crate::walkers::Walker;
use sinew::{Edges, Error, Facing, Light, Points, Side, Silhouette, Weld};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

/// The lights of a frame, and the frames of the walk.
const LIGHTS: usize = if EMULATED { 10 } else { 100 };
const FRAMES: usize = if EMULATED { 6 } else { 24 };

#[test]
fn on_a_walking_figure_each_edge_is_between_front_and_back_and_loops_close() {
    let mut figure = Walker::new(if EMULATED { "@figure:600" } else { "@figure" });
    let random = &mut Random::new(1);
    let edges = Edges::new(&figure.mesh).unwrap();
    let by_sides: HashMap<[u32; 2], u32> = (0..)
        .zip(edges.triangles())
        .flat_map(|(triangle, &[a, b, c])| [([a, b], triangle), ([b, c], triangle), ([c, a], triangle)])
        .collect();
    let mut silhouette = Silhouette::new(&edges);
    for frame in 0..FRAMES {
        figure.walk(frame as f32 / FRAMES as f32);
        for _ in 0..LIGHTS {
            let light = figure.light(random);
            let facing = figure.facing(light);
            edges.silhouette(&facing, &mut silhouette).unwrap();
            for &[from, to] in silhouette.edges() {
                let (front, back) = (by_sides[&[from, to]], by_sides[&[to, from]]);
                assert!(facing.is_front(front as usize) && !facing.is_front(back as usize), "{light:?}");
            }
            let parting = |edge: &&sinew::SharedEdge| {
                facing.is_front(edge.left as usize) != facing.is_front(edge.right as usize)
            };
            assert_eq!(silhouette.edges().len(), edges.shared().iter().filter(parting).count());
            assert!(loops_close(silhouette.edges(), edges.places()), "{light:?}");
            assert!(silhouette.border().is_empty() && !silhouette.outline().is_empty());
        }
    }
}

#[test]
fn loops_close_for_any_surface_and_any_bits() {
    let random = &mut Random::new(2);
    for solid in Solid::every(random) {
        let edges = solid.edges();
        let mut silhouette = Silhouette::new(&edges);
        for _ in 0..20 {
            let facing = random_facing(solid.triangles.len(), random);
            edges.silhouette(&facing, &mut silhouette).unwrap();
            assert!(loops_close(silhouette.edges(), edges.places()), "{}", solid.name);
        }
    }
}

#[test]
fn the_silhouette_of_a_cube_is_the_face_that_is_seen() {
    let solid = Solid::cube();
    let edges = solid.edges();
    let mut silhouette = Silhouette::default();
    edges.silhouette(&solid.facing(Light::Point([0.0, 0.0, 5.0])), &mut silhouette).unwrap();
    assert_eq!(silhouette.edges().len(), 4);
    for &[from, to] in silhouette.edges() {
        let ([x, y, z], [to_x, to_y, to_z]) = (solid.points[from as usize], solid.points[to as usize]);
        assert_eq!((z, to_z), (1.0, 1.0));
        // Counter-clockwise around the face, which so lies on the left.
        assert!(x * to_y - y * to_x > 0.0);
    }
}

#[test]
fn borders_of_what_is_in_front_come_last() {
    let solid = Solid::box_without_lid();
    let edges = solid.edges();
    let mut silhouette = Silhouette::new(&edges);
    // The open face looks along z: nothing else is seen from there, not even the floor from within, which looks down.
    edges.silhouette(&solid.facing(Light::Direction([0.0, 0.0, 1.0])), &mut silhouette).unwrap();
    assert_eq!((silhouette.outline().len(), silhouette.border().len()), (0, 0));
    edges.silhouette(&solid.facing(Light::Direction([1.0, 0.0, 0.0])), &mut silhouette).unwrap();
    assert_eq!((silhouette.outline().len(), silhouette.border().len()), (3, 1));
    assert_eq!(silhouette.edges().len(), 4);
}

#[test]
fn bits_of_degenerate_triangles_count_for_nothing() {
    let solid = Solid::new("degenerate", &[[0.0; 3], [1.0; 3], [0.0; 3]], &[[0, 1, 1], [0, 1, 2]]);
    let edges = solid.edges();
    let mut facing = Facing::new(2);
    (0..2).for_each(|triangle| facing.set(triangle, Side::Front));
    let mut silhouette = Silhouette::new(&edges);
    edges.silhouette(&facing, &mut silhouette).unwrap();
    assert!(silhouette.edges().is_empty());
}

#[test]
fn another_number_of_bits_is_refused() {
    let edges = Solid::cube().edges();
    for found in [0, 11, 13] {
        let refused = edges.silhouette(&Facing::new(found), &mut Silhouette::default());
        assert_eq!(refused, Err(Error::Length { what: "facing bits", expected: 12, found }));
    }
}

#[test]
fn nothing_has_no_silhouette() {
    let edges = Edges::welded(&[], &Weld::new(Points::Packed(&[])).unwrap()).unwrap();
    let mut silhouette = Silhouette::new(&edges);
    edges.silhouette(&Facing::default(), &mut silhouette).unwrap();
    assert!(edges.is_empty() && silhouette.edges().is_empty());
}

#[test]
fn silhouettes_allocate_nothing() {
    let random = &mut Random::new(3);
    for solid in Solid::every(random) {
        let edges = solid.edges();
        let mut silhouette = Silhouette::new(&edges);
        for _ in 0..5 {
            let facing = random_facing(solid.triangles.len(), random);
            let counted = allocation_counter::measure(|| {
                edges.silhouette(&facing, &mut silhouette).expect("a bit for each triangle");
            });
            assert_eq!(counted.count_total, 0, "{}", solid.name);
        }
    }
}
