//! Edges are found once each, whatever the triangles, and told apart by how their triangles use them.

use std::collections::HashMap;

use crate::solids::Solid;
use sinew::{
    Bone, Casters, Deltas, Edges, Error, Influences, Mesh, MeshSource, MorphSource, Points, Skeleton, Skin,
    Topology, Transform, Weld,
};
use sinew_figures::scene;
use sinew_testkit::random::Random;

/// For each edge, low place first, its triangles and their senses, in ascending order.
type Table = HashMap<(u32, u32), Vec<(u32, i32)>>;

/// What the table of edges says.
fn found(edges: &Edges) -> Table {
    let mut table = Table::new();
    let mut add = |from: u32, to: u32, mut uses: Vec<(u32, i32)>| {
        if from > to {
            uses.iter_mut().for_each(|used| used.1 = -used.1);
        }
        uses.sort_unstable();
        assert_eq!(table.insert((from.min(to), from.max(to)), uses), None, "an edge twice");
    };
    for edge in edges.shared() {
        add(edge.from, edge.to, vec![(edge.left, 1), (edge.right, -1)]);
    }
    for edge in edges.border() {
        add(edge.from, edge.to, vec![(edge.triangle, 1)]);
    }
    for edge in edges.knots() {
        assert!(edge.from < edge.to && edge.uses.is_sorted_by_key(|used| used.triangle));
        add(edge.from, edge.to, edge.uses.iter().map(|used| (used.triangle, used.sense)).collect());
    }
    table
}

/// What triangles after welding say.
fn expected(triangles: &[[u32; 3]]) -> Table {
    let mut table = Table::new();
    for (triangle, &[a, b, c]) in (0..).zip(triangles) {
        if a != b && b != c && c != a {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let uses = table.entry((from.min(to), from.max(to))).or_default();
                uses.push((triangle, if from < to { 1 } else { -1 }));
            }
        }
    }
    table
}

#[test]
fn every_side_of_every_triangle_is_in_one_edge() {
    let random = &mut Random::new(1);
    for _ in 0..20 {
        for solid in Solid::every(random) {
            let edges = solid.edges();
            assert_eq!(found(&edges), expected(edges.triangles()), "{}", solid.name);
            assert_eq!(edges.len(), found(&edges).len());
        }
    }
}

#[test]
fn edges_are_told_apart_by_their_triangles() {
    let random = &mut Random::new(2);
    for solid in Solid::every(random) {
        let edges = solid.edges();
        let table = found(&edges);
        let is = |edge: (u32, u32), uses: &[i32]| {
            let mut senses: Vec<i32> =
                table[&(edge.0.min(edge.1), edge.0.max(edge.1))].iter().map(|used| used.1).collect();
            senses.sort_unstable();
            senses == uses
        };
        assert!(edges.shared().iter().all(|edge| is((edge.from, edge.to), &[-1, 1])));
        assert!(
            edges
                .border()
                .iter()
                .all(|edge| is((edge.from, edge.to), &[1]) || is((edge.from, edge.to), &[-1]))
        );
        assert!(edges.knots().all(|edge| edge.uses.len() > 2 || edge.uses[0].sense == edge.uses[1].sense));
    }
}

#[test]
fn a_mesh_says_what_kind_of_surface_it_is() {
    let report = Solid::cube().edges().report();
    assert_eq!((report.shared, report.border, report.knots), (18, 0, 0));
    assert_eq!((report.welded, report.degenerate, report.unbalanced), (16, 0, 0));
    assert_eq!((report.topology(), report.casters()), (Topology::Closed, Casters::Front));

    let report = Solid::box_without_lid().edges().report();
    assert_eq!((report.shared, report.border, report.knots), (13, 4, 0));
    assert_eq!((report.topology(), report.casters()), (Topology::Open, Casters::All));

    let report = Solid::book().edges().report();
    assert_eq!((report.shared, report.border, report.knots, report.unbalanced), (0, 6, 1, 7));
    assert_eq!((report.topology(), report.casters()), (Topology::NonManifold, Casters::All));

    // Two triangles each way on one edge: not manifold, and without a gap all the same.
    let report = Solid::touching_cubes().edges().report();
    assert_eq!((report.border, report.knots, report.unbalanced), (0, 1, 0));
    assert_eq!((report.topology(), report.casters()), (Topology::NonManifold, Casters::Front));

    let report = Solid::default().edges().report();
    assert_eq!((report.topology(), report.casters()), (Topology::Closed, Casters::Front));
}

#[test]
fn triangles_with_two_corners_in_one_place_are_left_out() {
    let mut solid = Solid::cube();
    // A corner of the first face twice, and two vertices of different faces in one place.
    let twin = (1..).find(|&place| solid.points[place as usize] == solid.points[0]).unwrap();
    solid.triangles.extend([[0, 0, 5], [9, 9, 9], [0, 1, twin]]);
    let (edges, cube) = (solid.edges(), Solid::cube().edges());
    assert_eq!(edges.report().degenerate, 3);
    assert_eq!(found(&edges), found(&cube));
}

#[test]
fn a_triangle_without_area_between_three_places_stays() {
    let solid = Solid::new("needle", &[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[[0, 1, 2]]);
    let report = solid.edges().report();
    assert_eq!((report.border, report.degenerate), (3, 0));
}

#[test]
fn a_place_that_is_not_there_is_refused() {
    let weld = Weld::new(Points::Packed(&[[0.0; 3]; 2])).unwrap();
    let found = Edges::welded(&[[0, 1, 1], [0, 1, 2]], &weld).map(|_| ());
    assert_eq!(found, Err(Error::TriangleOutOfRange { triangle: 1, vertex: 2, len: 2 }));
}

#[test]
fn points_that_are_no_numbers_are_welded_to_none() {
    let points = [[f32::NAN, 0.0, 0.0], [f32::NAN, 0.0, 0.0], [1.0; 3]];
    let solid = Solid::new("NaN", &points, &[[0, 1, 2]]);
    assert_eq!(solid.edges().report().degenerate, 0);
}

#[test]
fn figures_and_cylinders_are_closed() {
    for name in ["@figure:600", "@figure", "@cylinder"] {
        let scene = scene(name).unwrap();
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
        let mesh = Mesh::new(&scene.shape.source(), &skin).unwrap();
        let edges = Edges::new(&mesh).unwrap();
        let report = edges.report();
        assert_eq!(report.topology(), Topology::Closed, "{name}: {report:?}");
        assert_eq!(report.degenerate, 0, "{name}");
        assert_eq!(2 * report.shared, 3 * mesh.triangles().len(), "{name}");
        assert!(report.welded > 0, "{name} has seams");
        assert_eq!(edges.places(), mesh.padded_len());
    }
}

/// Two triangles with one edge in common at rest, each with vertices of its own there.
fn mouth(weights: &[f32], morphs: &[MorphSource<'_>]) -> Topology {
    let bone = Bone::new("", None, Transform::IDENTITY);
    let skeleton = Skeleton::new(&[bone.clone(), bone]).expect("two roots");
    let skin = Skin::new(&skeleton, &[0, 1]).expect("joints of the skeleton");
    let (left, right) = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let positions = [left, right, [0.5, 1.0, 0.0], right, left, [0.5, -1.0, 0.0]];
    let weights: Vec<[f32; 4]> = weights.iter().map(|&upper| [upper, 1.0 - upper, 0.0, 0.0]).collect();
    let influences = Influences::Four { joints: &[[0, 1, 0, 0]; 6], weights: &weights };
    // Turned over and once more, so that nothing is open but what comes of the seam.
    let triangles = [[0, 1, 2], [3, 4, 5], [0, 2, 1], [3, 5, 4]];
    let source = MeshSource { triangles: &triangles, morphs, ..MeshSource::new(&positions, influences) };
    let mesh = Mesh::new(&source, &skin).expect("a sound mesh");
    Edges::new(&mesh).expect("few places").report().topology()
}

#[test]
fn what_a_pose_can_part_is_not_welded() {
    // Four triangles on one edge where it is welded, two and two where it is not.
    assert_eq!(mouth(&[0.5; 6], &[]), Topology::NonManifold);
    assert_eq!(mouth(&[0.25, 0.75, 0.5, 0.75, 0.25, 0.5], &[]), Topology::NonManifold);
    assert_eq!(mouth(&[0.5, 0.5, 0.5, 0.25, 0.25, 0.25], &[]), Topology::Closed);
    assert_eq!(mouth(&[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &[]), Topology::Closed);

    let deltas = [[0.0; 3], [0.0; 3], [0.0; 3], [0.0, -1.0, 0.0], [0.0, -1.0, 0.0], [0.0, -1.0, 0.0]];
    let open = MorphSource { positions: Deltas::Dense(&deltas), ..MorphSource::default() };
    assert_eq!(mouth(&[0.5; 6], &[open]), Topology::Closed);
    let all = MorphSource { positions: Deltas::Dense(&[[1.0; 3]; 6]), ..MorphSource::default() };
    assert_eq!(mouth(&[0.5; 6], &[all]), Topology::NonManifold);
}
