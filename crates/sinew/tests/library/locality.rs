//! Locality of index buffers, and triangles ordered for drawing.

use sinew::geometry::{GeometryError, Locality};
use sinew::mesh::{MeshError, TriangleRange};
use sinew::skinning::VertexOrder;
use sinew::{Influences, Mesh, MeshSource};
use sinew_testkit::random::Random;

use crate::support::backends::fast_runtime;
use crate::support::posed_figure::PosedFigure;
use crate::support::vertex_cloud::identity_skin_on;

const ORDERS: [VertexOrder; 2] = [VertexOrder::Run, VertexOrder::Source];

/// Squares of two triangles, row after row.
fn grid(side: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
        points.push([x as f32, y as f32, 0.0]);
        if x + 1 < side && y + 1 < side {
            let [a, b, c, d] = [0, 1, side, side + 1].map(|step| y * side + x + step);
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    (points, triangles)
}

fn shuffle(triangles: &mut [[u32; 3]], random: &mut Random) {
    for i in (1..triangles.len()).rev() {
        triangles.swap(i, random.below(i + 1));
    }
}

/// A mesh on four joints, in stripes.
fn mesh(points: &[[f32; 3]], triangles: &[[u32; 3]], ranges: &[TriangleRange<'_>]) -> Mesh {
    let joints: Vec<[u16; 4]> = points.iter().map(|p| [(p[0] as u16 / 5) % 4, 0, 0, 0]).collect();
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; points.len()];
    let influences = Influences::Four { joints: &joints, weights: &weights };
    let source = MeshSource { triangles, ranges, ..MeshSource::new(points, influences) };
    Mesh::new(&source, &identity_skin_on(fast_runtime(), 4)).expect("a valid mesh")
}

fn measure(triangles: &[[u32; 3]], vertices: usize) -> Locality {
    Locality::measure(triangles, vertices, 32).expect("indices in range")
}

#[test]
fn locality_of_small_lists_is_as_computed_by_hand() {
    let locality =
        |triangles: &[[u32; 3]], bytes| Locality::measure(triangles, 100, bytes).expect("in range");
    assert_eq!(locality(&[], 32), Locality { acmr: 0.0, overfetch: 0.0 });
    // Three vertices of 64 bytes are three lines.
    assert_eq!(locality(&[[0, 1, 2]], 64), Locality { acmr: 3.0, overfetch: 1.0 });
    // Half of the second line is not used.
    assert_eq!(locality(&[[0, 1, 2]], 32), Locality { acmr: 3.0, overfetch: 128.0 / 96.0 });
    assert_eq!(locality(&[[0, 1, 2], [2, 1, 3]], 32), Locality { acmr: 2.0, overfetch: 1.0 });
    // Seventeen other vertices push the first one out of the cache of sixteen; sixteen do not,
    // since the oldest goes first.
    let fan = |len: u32| (0..len).map(|i| [0, 3 * i + 1, 3 * i + 2]).collect::<Vec<_>>();
    assert_eq!(locality(&fan(8), 32).acmr, 17.0 / 8.0);
    assert_eq!(locality(&fan(9), 32).acmr, 20.0 / 9.0);
    // Lines that share a place of the cache evict each other: 128 KiB apart.
    let apart = [[0, 1, 2], [4096, 4097, 4098], [0, 1, 2]];
    assert_eq!(Locality::measure(&apart, 5000, 32).expect("in range").overfetch, 6.0 * 64.0 / (6.0 * 32.0));
    // Nothing is divided by zero.
    assert_eq!(locality(&[[5, 5, 5]], 0).acmr, 1.0 / 1.0);
}

#[test]
fn indices_out_of_range_are_errors() {
    let error = Locality::measure(&[[0, 1, 2], [2, u32::MAX, 0]], 3, 32).unwrap_err();
    let expected = MeshError::TriangleOutOfRange { triangle: 1, vertex: u32::MAX, len: 3 };
    assert_eq!(error, GeometryError::Mesh(expected));
    assert!(Locality::measure(&[[0, 0, 0]], 0, 32).is_err());
}

#[test]
fn drawing_order_transforms_fewer_vertices_and_never_more() {
    let mut random = Random::new(800);
    for side in [2, 3, 10, 200] {
        let (points, mut triangles) = grid(side);
        for shuffled in [false, true] {
            if shuffled {
                shuffle(&mut triangles, &mut random);
            }
            let mesh = mesh(&points, &triangles, &[]);
            for order in ORDERS {
                let (before, drawn) = (mesh.triangles_in(order), mesh.draw_triangles(order));
                let [was, is] = [&before[..], &drawn].map(|list| measure(list, mesh.len_in(order)));
                assert!(is.acmr <= was.acmr, "{side} {order:?}: {was:?} {is:?}");
                assert!(side < 200 || is.acmr < 0.8, "{side} {order:?} {shuffled}: {was:?} {is:?}");
                assert!(side < 200 || !shuffled || is.overfetch < 0.5 * was.overfetch, "{was:?} {is:?}");
                assert_eq!(sorted(&drawn), sorted(&before));
            }
        }
    }
}

fn sorted(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut sorted = triangles.to_vec();
    sorted.sort_unstable();
    sorted
}

#[test]
fn ranges_of_triangles_stay_where_they_are() {
    let mut random = Random::new(801);
    let (points, mut triangles) = grid(20);
    shuffle(&mut triangles, &mut random);
    let ranges = [("a", 0..100), ("b", 100..101), ("c", 300..500)];
    let ranges = ranges.map(|(material, triangles)| TriangleRange { triangles, material });
    let mesh = mesh(&points, &triangles, &ranges);
    for order in ORDERS {
        let (before, drawn) = (mesh.triangles_in(order), mesh.draw_triangles(order));
        for range in [0..100, 100..101, 101..300, 300..500, 500..triangles.len()] {
            assert_eq!(sorted(&drawn[range.clone()]), sorted(&before[range]));
        }
    }
}

#[test]
fn meshes_that_are_empty_degenerate_or_whole_figures_can_be_ordered() {
    assert!(mesh(&[], &[], &[]).draw_triangles(VertexOrder::Run).is_empty());
    let points = [[0.0; 3]; 4];
    let triangles = [[0, 0, 0], [1, 1, 2], [0, 1, 2], [0, 0, 0], [3, 3, 3]];
    let degenerate = mesh(&points, &triangles, &[]).draw_triangles(VertexOrder::Source);
    assert_eq!(sorted(&degenerate), sorted(&triangles));
    let figure = PosedFigure::with_vertices(5000).mesh;
    for order in ORDERS {
        let [was, is] = [&figure.triangles_in(order)[..], &figure.draw_triangles(order)]
            .map(|list| measure(list, figure.len_in(order)));
        assert!(is.acmr < 0.8 && is.acmr <= was.acmr, "{order:?}: {was:?} {is:?}");
    }
}
