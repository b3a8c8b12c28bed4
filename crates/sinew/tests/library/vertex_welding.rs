//! Welding: vertices with equal positions are merged, and no others.

use sinew::geometry::{PositionView, Weld};
use sinew::mesh::VectorBlock;
use sinew_testkit::random::Random;

#[test]
fn welding_matches_brute_force_comparison() {
    let random = &mut Random::new(1);
    for len in [0, 1, 7, 64, 300] {
        // Few different numbers, so that many positions are equal.
        let points: Vec<[f32; 3]> =
            (0..len).map(|_| [0; 3].map(|_| [0.0, -0.0, 1.0, f32::NAN, 1e-45][random.below(5)])).collect();
        let weld = Weld::new(PositionView::Packed(&points)).unwrap();
        assert_eq!(weld.len(), len);
        for (vertex, &first) in weld.remap().iter().enumerate() {
            let expected = points.iter().position(|point| *point == points[vertex]).unwrap_or(vertex);
            assert_eq!(first as usize, expected, "{:?}", points[vertex]);
        }
        let firsts = weld.remap().iter().enumerate().filter(|(vertex, first)| *vertex == **first as usize);
        assert_eq!(weld.distinct(), firsts.count());
    }
}

#[test]
fn every_position_layout_welds_alike() {
    let packed =
        [[1.0, 2.0, 3.0], [0.0; 3], [1.0, 2.0, 3.0], [-0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3], [5.0; 3]];
    let padded = packed.map(|[x, y, z]: [f32; 3]| [x, y, z, f32::NAN]);
    let mut blocks = [VectorBlock::default(); 2];
    for (lane, point) in packed.into_iter().enumerate() {
        blocks[0].set_vector(lane, point);
        blocks[1].set_vector(lane, [lane as f32; 3]);
    }
    for points in [
        PositionView::Packed(&packed),
        PositionView::Padded(&padded),
        PositionView::Blocks { blocks: &blocks, vectors: 2 },
    ] {
        let weld = Weld::new(points).unwrap();
        assert_eq!(weld.remap(), [0, 1, 0, 1, 1, 1, 1, 7]);
        assert_eq!(weld.distinct(), 3);
    }
}

#[test]
fn without_welding_every_vertex_is_distinct() {
    let none = Weld::none(3).unwrap();
    assert_eq!((none.remap(), none.distinct()), (&[0, 1, 2][..], 3));
    assert!(Weld::new(PositionView::Packed(&[])).unwrap().is_empty());
}
