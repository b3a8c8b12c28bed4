//! Edges of any triangles: each is found once, and is classified by the triangles that use it.

use std::collections::HashMap;

use sinew::geometry::{Casters, Edges, PositionView, Topology, Weld};
use sinew::mesh::{Deltas, MeshError, MorphSource};
use sinew::{Bone, Influences, JointId, Mesh, MeshSource, Skeleton, Skin, Transform};
use sinew_figures::scene;
use sinew_testkit::random::Random;

use crate::support::triangle_meshes::TriangleMesh;

/// For each edge, lower vertex first, its triangles and their half-edge directions, ascending.
type Table = HashMap<(u32, u32), Vec<(u32, i32)>>;

/// The table of the edges that were found.
fn edge_table(edges: &Edges) -> Table {
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
    for edge in edges.boundary() {
        add(edge.from, edge.to, vec![(edge.triangle, 1)]);
    }
    for edge in edges.non_manifold() {
        assert!(edge.from < edge.to && edge.half_edges.is_sorted_by_key(|used| used.triangle));
        add(edge.from, edge.to, edge.half_edges.iter().map(|used| (used.triangle, used.direction)).collect());
    }
    table
}

/// The table computed from welded triangles.
fn expected_table(triangles: &[[u32; 3]]) -> Table {
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
fn every_half_edge_of_every_triangle_is_in_exactly_one_edge() {
    let random = &mut Random::new(1);
    for _ in 0..20 {
        for mesh in TriangleMesh::every_topology(random) {
            let edges = mesh.edges();
            assert_eq!(edge_table(&edges), expected_table(edges.triangles()), "{}", mesh.name);
            assert_eq!(edges.len(), edge_table(&edges).len());
        }
    }
}

#[test]
fn edges_are_classified_as_shared_boundary_or_non_manifold() {
    let random = &mut Random::new(2);
    for mesh in TriangleMesh::every_topology(random) {
        let edges = mesh.edges();
        let table = edge_table(&edges);
        let is = |edge: (u32, u32), uses: &[i32]| {
            let mut directions: Vec<i32> =
                table[&(edge.0.min(edge.1), edge.0.max(edge.1))].iter().map(|used| used.1).collect();
            directions.sort_unstable();
            directions == uses
        };
        assert!(edges.shared().iter().all(|edge| is((edge.from, edge.to), &[-1, 1])));
        assert!(
            edges
                .boundary()
                .iter()
                .all(|edge| is((edge.from, edge.to), &[1]) || is((edge.from, edge.to), &[-1]))
        );
        assert!(
            edges.non_manifold().all(|edge| edge.half_edges.len() > 2
                || edge.half_edges[0].direction == edge.half_edges[1].direction)
        );
    }
}

#[test]
fn the_report_names_the_topology_of_the_mesh() {
    let report = TriangleMesh::cube().edges().report();
    assert_eq!((report.shared, report.boundary, report.non_manifold), (18, 0, 0));
    assert_eq!((report.welded, report.degenerate, report.unbalanced), (16, 0, 0));
    assert_eq!((report.topology(), report.casters()), (Topology::Closed, Casters::Front));

    let report = TriangleMesh::open_box().edges().report();
    assert_eq!((report.shared, report.boundary, report.non_manifold), (13, 4, 0));
    assert_eq!((report.topology(), report.casters()), (Topology::Open, Casters::All));

    let report = TriangleMesh::non_manifold_fan().edges().report();
    assert_eq!((report.shared, report.boundary, report.non_manifold, report.unbalanced), (0, 6, 1, 7));
    assert_eq!((report.topology(), report.casters()), (Topology::NonManifold, Casters::All));

    // Two triangles in each direction on one edge: non-manifold, but closed.
    let report = TriangleMesh::touching_cubes().edges().report();
    assert_eq!((report.boundary, report.non_manifold, report.unbalanced), (0, 1, 0));
    assert_eq!((report.topology(), report.casters()), (Topology::NonManifold, Casters::Front));

    let report = TriangleMesh::default().edges().report();
    assert_eq!((report.topology(), report.casters()), (Topology::Closed, Casters::Front));
}

#[test]
fn triangles_with_two_welded_corners_are_skipped() {
    let mut mesh = TriangleMesh::cube();
    // One triangle repeats a vertex, another one has two vertices at one position.
    let twin = (1..).find(|&vertex| mesh.points[vertex as usize] == mesh.points[0]).unwrap();
    mesh.triangles.extend([[0, 0, 5], [9, 9, 9], [0, 1, twin]]);
    let (edges, cube) = (mesh.edges(), TriangleMesh::cube().edges());
    assert_eq!(edges.report().degenerate, 3);
    assert_eq!(edge_table(&edges), edge_table(&cube));
}

#[test]
fn a_triangle_without_area_between_three_positions_is_kept() {
    let mesh = TriangleMesh::new("needle", &[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[[0, 1, 2]]);
    let report = mesh.edges().report();
    assert_eq!((report.boundary, report.degenerate), (3, 0));
}

#[test]
fn a_vertex_out_of_range_is_rejected() {
    let weld = Weld::new(PositionView::Packed(&[[0.0; 3]; 2])).unwrap();
    let found = Edges::from_triangles(&[[0, 1, 1], [0, 1, 2]], &weld).map(|_| ());
    assert_eq!(found, Err(MeshError::TriangleOutOfRange { triangle: 1, vertex: 2, len: 2 }.into()));
}

#[test]
fn nan_positions_are_never_welded() {
    let points = [[f32::NAN, 0.0, 0.0], [f32::NAN, 0.0, 0.0], [1.0; 3]];
    let mesh = TriangleMesh::new("NaN", &points, &[[0, 1, 2]]);
    assert_eq!(mesh.edges().report().degenerate, 0);
}

#[test]
fn figures_and_cylinders_are_closed() {
    for name in ["@figure:600", "@figure", "@cylinder"] {
        let scene = scene(name).unwrap();
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
        let mesh = Mesh::new(&scene.mesh.source(), &skin).unwrap();
        let edges = Edges::new(&mesh).unwrap();
        let report = edges.report();
        assert_eq!(report.topology(), Topology::Closed, "{name}: {report:?}");
        assert_eq!(report.degenerate, 0, "{name}");
        assert_eq!(2 * report.shared, 3 * mesh.triangles().len(), "{name}");
        assert!(report.welded > 0, "{name} has seams");
        assert_eq!(edges.vertex_count(), mesh.padded_len());
    }
}

/// The topology of two triangles whose common edge has separate vertices in each of them.
fn seam_topology(weights: &[f32], morphs: &[MorphSource<'_>]) -> Topology {
    let bone = Bone::new("", None, Transform::IDENTITY);
    let skeleton = Skeleton::new(&[bone.clone(), bone]).expect("two roots");
    let skin = Skin::new(&skeleton, &[JointId::new(0), JointId::new(1)]).expect("joints of the skeleton");
    let (left, right) = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let positions = [left, right, [0.5, 1.0, 0.0], right, left, [0.5, -1.0, 0.0]];
    let weights: Vec<[f32; 4]> = weights.iter().map(|&upper| [upper, 1.0 - upper, 0.0, 0.0]).collect();
    let influences = Influences::Four { joints: &[[0, 1, 0, 0]; 6], weights: &weights };
    // Each triangle also with its back, so that only the seam decides about the topology.
    let triangles = [[0, 1, 2], [3, 4, 5], [0, 2, 1], [3, 5, 4]];
    let source = MeshSource { triangles: &triangles, morphs, ..MeshSource::new(&positions, influences) };
    let mesh = Mesh::new(&source, &skin).expect("a valid mesh");
    Edges::new(&mesh).expect("few vertices").report().topology()
}

#[test]
fn vertices_that_a_pose_can_separate_are_not_welded() {
    // The welded edge has four triangles; without welding there are two edges of two triangles
    // each.
    assert_eq!(seam_topology(&[0.5; 6], &[]), Topology::NonManifold);
    assert_eq!(seam_topology(&[0.25, 0.75, 0.5, 0.75, 0.25, 0.5], &[]), Topology::NonManifold);
    assert_eq!(seam_topology(&[0.5, 0.5, 0.5, 0.25, 0.25, 0.25], &[]), Topology::Closed);
    assert_eq!(seam_topology(&[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &[]), Topology::Closed);

    let deltas = [[0.0; 3], [0.0; 3], [0.0; 3], [0.0, -1.0, 0.0], [0.0, -1.0, 0.0], [0.0, -1.0, 0.0]];
    let open = MorphSource { positions: Deltas::Dense(&deltas), ..MorphSource::default() };
    assert_eq!(seam_topology(&[0.5; 6], &[open]), Topology::Closed);
    let all = MorphSource { positions: Deltas::Dense(&[[1.0; 3]; 6]), ..MorphSource::default() };
    assert_eq!(seam_topology(&[0.5; 6], &[all]), Topology::NonManifold);
}
