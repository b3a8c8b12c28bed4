//! Vertex normals from planes: against sums in `f64`, on shapes with known normals, and errors.

use sinew::geometry::{
    GeometryError, NormalInput, NormalWeights, PlaneNormals, Planes, PositionView, Triangles, VertexNormals,
    Weld,
};
use sinew::{Error, FloatMode, Runtime};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::triangle_meshes::TriangleMesh;
use crate::support::vec3_f64::length;

const WEIGHTS: [NormalWeights; 2] = [NormalWeights::Area, NormalWeights::Angle];

/// Derives planes, then normals.
fn derive_normals(
    runtime: Runtime,
    points: &[[f32; 3]],
    triangles: &[[u32; 3]],
    weld: &Weld,
    weights: NormalWeights,
) -> Vec<[f32; 3]> {
    let (triangles, points) = (Triangles::narrowest(triangles), PositionView::Packed(points));
    let mut planes = Planes::new(&triangles, runtime);
    planes.derive(points, &triangles, weights.planes()).expect("points for all triangles");
    let mut normals = VertexNormals::new(&triangles, weld, runtime).expect("vertices for all triangles");
    let mut found = vec![[9.0; 3]; weld.len()];
    let around = NormalInput { positions: points, triangles: &triangles, planes: &planes, weights };
    normals.derive(around, &mut found).expect("lengths that fit");
    found
}

/// The normals before normalization, in `f64`.
fn sum_normals(
    points: &[[f32; 3]],
    triangles: &[[u32; 3]],
    weld: &Weld,
    weights: NormalWeights,
) -> Vec<[f64; 3]> {
    let first = |vertex: u32| weld.remap()[vertex as usize] as usize;
    let mut sums = vec![[0.0; 3]; weld.len()];
    for triangle in triangles {
        let corners = triangle.map(|vertex| points[vertex as usize].map(f64::from));
        for k in 0..3 {
            let [a, b, c] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
            let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
            let (b, c) = (edge(b), edge(c));
            let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
            let (sine, cosine) = (length(cross), b[0] * c[0] + b[1] * c[1] + b[2] * c[2]);
            if sine == 0.0 {
                continue;
            }
            let weight = if weights == NormalWeights::Angle { sine.atan2(cosine) / sine } else { 1.0 };
            for axis in 0..3 {
                sums[first(triangle[k])][axis] += cross[axis] * weight;
            }
        }
    }
    (0..weld.len() as u32).map(|vertex| sums[first(vertex)]).collect()
}

#[test]
fn normals_match_f64_sums_on_every_backend() {
    let random = &mut Random::new(1);
    for len in [3, 20, 200] {
        let mut points: Vec<[f32; 3]> = (0..len).map(|_| random.vector(2.0)).collect();
        // Some vertices have the same position.
        for i in 0..len / 4 {
            points[len - 1 - i] = points[i];
        }
        let triangles: Vec<[u32; 3]> =
            (0..2 * len).map(|_| [0; 3].map(|_| random.below(len) as u32)).collect();
        for weld in [Weld::new(PositionView::Packed(&points)).unwrap(), Weld::none(len).unwrap()] {
            for weights in WEIGHTS {
                let expected = sum_normals(&points, &triangles, &weld, weights);
                every_backend(|run| {
                    let found = derive_normals(runtime(run), &points, &triangles, &weld, weights);
                    for (found, sum) in found.iter().zip(&expected) {
                        let size = length(*sum);
                        // Where normals nearly cancel, the sum is mostly rounding error.
                        let allowed = 4e-5 / size.min(1.0);
                        for axis in 0..3 {
                            let unit = if size > 0.0 { sum[axis] / size } else { 0.0 };
                            let error = (f64::from(found[axis]) - unit).abs();
                            assert!(error <= allowed, "{run}: {weights:?}: {found:?} for {sum:?}");
                        }
                    }
                });
            }
        }
    }
}

#[test]
fn angle_weighted_cube_normals_point_away_from_the_center() {
    let TriangleMesh { points, triangles, .. } = TriangleMesh::shared_vertex_cube();
    let weld = Weld::none(8).unwrap();
    for (point, normal) in
        points.iter().zip(derive_normals(fast_runtime(), &points, &triangles, &weld, NormalWeights::Angle))
    {
        for axis in 0..3 {
            let expected = (point[axis] - 0.5) * 2.0 / 3.0_f32.sqrt();
            assert!((normal[axis] - expected).abs() < 1e-6, "{point:?}: {normal:?}");
        }
    }
    // Some corners have two triangles of one side and one of another, so that area weights do not
    // give the diagonal.
    let by_area = derive_normals(fast_runtime(), &points, &triangles, &weld, NormalWeights::Area);
    assert!(by_area.iter().any(|n| (n[0].abs() - n[1].abs()).abs() > 0.1));
}

#[test]
fn welding_smooths_seams_and_no_welding_keeps_them() {
    // Two triangles at a right angle, whose common edge has separate vertices.
    let points = [
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, -0.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    let triangles = [[0, 1, 2], [3, 4, 5]];
    let split =
        derive_normals(fast_runtime(), &points, &triangles, &Weld::none(6).unwrap(), NormalWeights::Area);
    assert!(split[..3].iter().all(|n| n[1] > 0.999_999) && split[3..].iter().all(|n| n[0] > 0.999_999));
    let weld = Weld::new(PositionView::Packed(&points)).unwrap();
    let smooth = derive_normals(fast_runtime(), &points, &triangles, &weld, NormalWeights::Area);
    assert_eq!(smooth[0], smooth[4]);
    assert_eq!(smooth[1], smooth[3]);
    let half = 0.5_f32.sqrt();
    assert!((smooth[0][0] - half).abs() < 1e-6 && (smooth[0][1] - half).abs() < 1e-6);
    assert!(smooth[2][1] > 0.999_999 && smooth[5][0] > 0.999_999);
}

#[test]
fn vertices_without_a_valid_triangle_have_zero_normals() {
    let nan = f32::NAN;
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [nan, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0; 3]];
    // A triangle without area, one with a NaN vertex, and one with its own back. The last vertex
    // has no triangle.
    let triangles = [[0, 1, 2], [0, 1, 3], [1, 1, 1], [0, 1, 4], [0, 4, 1]];
    for weights in WEIGHTS {
        let found = derive_normals(fast_runtime(), &points, &triangles, &Weld::none(6).unwrap(), weights);
        assert_eq!(found, [[0.0; 3]; 6], "{weights:?}");
    }
    for weights in WEIGHTS {
        assert!(derive_normals(fast_runtime(), &[], &[], &Weld::none(0).unwrap(), weights).is_empty());
    }
}

#[test]
fn tiny_and_huge_triangles_have_normals() {
    for size in [1e-8_f32, 1.0, 1e8] {
        let points = [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0]];
        for weights in WEIGHTS {
            let found =
                derive_normals(fast_runtime(), &points, &[[0, 1, 2]], &Weld::none(3).unwrap(), weights);
            assert!(found.iter().all(|n| (n[2] - 1.0).abs() < 1e-6), "{size}: {found:?}");
        }
    }
}

#[test]
fn reproducible_mode_gives_the_same_bits_on_every_backend() {
    let random = &mut Random::new(2);
    let points: Vec<[f32; 3]> = (0..99).map(|_| random.vector(2.0)).collect();
    let triangles: Vec<[u32; 3]> = (0..200).map(|_| [0; 3].map(|_| random.below(99) as u32)).collect();
    let weld = Weld::none(99).unwrap();
    for weights in WEIGHTS {
        let mut first = None;
        every_backend(|run| {
            if run.float_mode == FloatMode::Reproducible {
                let found = derive_normals(runtime(run), &points, &triangles, &weld, weights);
                let bits: Vec<u32> = found.as_flattened().iter().map(|x| x.to_bits()).collect();
                assert_eq!(*first.get_or_insert_with(|| bits.clone()), bits, "{run}");
            }
        });
    }
}

#[test]
fn normals_allocate_nothing_after_the_first_frame() {
    let mut blocks = [sinew::mesh::VectorBlock::default(); 2];
    for lane in 0..8 {
        blocks[0].set_vector(lane, [lane as f32, (lane * lane) as f32, (lane % 3) as f32]);
    }
    let (points, triangles) = (
        PositionView::Blocks { blocks: &blocks, vectors: 2 },
        Triangles::from(vec![[0_u16, 1, 2], [5, 6, 7]]),
    );
    let weld = Weld::new(points).unwrap();
    let mut planes = Planes::new(&triangles, fast_runtime());
    let mut normals = VertexNormals::new(&triangles, &weld, fast_runtime()).unwrap();
    let mut to = [[0.0; 3]; 8];
    let mut frame = || -> Result<(), Error> {
        for weights in WEIGHTS {
            planes.derive(points, &triangles, weights.planes())?;
            normals.derive(
                NormalInput { positions: points, triangles: &triangles, planes: &planes, weights },
                &mut to,
            )?;
        }
        Ok(())
    };
    frame().unwrap();
    assert_eq!(allocation_counter::measure(|| frame().expect("as before")).count_total, 0);
}

#[test]
fn mismatched_lengths_are_rejected() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let triangles = Triangles::from(vec![[0_u32, 1, 2]]);
    let error = VertexNormals::new(&triangles, &Weld::none(2).unwrap(), fast_runtime()).unwrap_err();
    assert_eq!(error.to_string(), "positions: expected at least 3, which the triangles require, found 2");
    let mut planes = Planes::new(&triangles, fast_runtime());
    planes.derive(PositionView::Packed(&points), &triangles, PlaneNormals::Unit).unwrap();
    let mut normals = VertexNormals::new(&triangles, &Weld::none(3).unwrap(), fast_runtime()).unwrap();
    let around = NormalInput {
        positions: PositionView::Packed(&points),
        triangles: &triangles,
        planes: &planes,
        weights: NormalWeights::Area,
    };
    let error = normals.derive(around, &mut [[0.0; 3]; 3]).unwrap_err();
    assert_eq!(error.to_string(), "planes: expected normals of length twice the area, found one");
    let around = NormalInput { weights: NormalWeights::Angle, ..around };
    let error = normals.derive(around, &mut [[0.0; 3]; 4]).unwrap_err();
    assert_eq!(error.to_string(), "vertex normals: expected 3, found 4");
    let error = normals
        .derive(NormalInput { positions: PositionView::Packed(&points[..2]), ..around }, &mut [[0.0; 3]; 3])
        .unwrap_err();
    assert_eq!(error, GeometryError::TooFewPositions { expected: 3, found: 2 });
    let others = Triangles::from(vec![[0_u32, 1, 2]; 2]);
    let error = normals.derive(NormalInput { triangles: &others, ..around }, &mut [[0.0; 3]; 3]).unwrap_err();
    assert_eq!(error.to_string(), "triangles: expected 1, found 2");
    let farther = Triangles::from(vec![[0_u32, 1, 1]]);
    let error =
        normals.derive(NormalInput { triangles: &farther, ..around }, &mut [[0.0; 3]; 3]).unwrap_err();
    assert_eq!(error.to_string(), "vertices required by triangles: expected 3, found 2");
    normals.derive(around, &mut [[0.0; 3]; 3]).unwrap();
}
