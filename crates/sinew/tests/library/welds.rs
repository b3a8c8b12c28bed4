//! Places with the same point are one, and no others.

use sinew::{Points, VectorBlock, Weld};
use sinew_testkit::random::Random;

#[test]
fn welding_is_what_comparing_all_pairs_gives() {
    let random = &mut Random::new(1);
    for len in [0, 1, 7, 64, 300] {
        // Few different numbers, so that many points meet.
        let points: Vec<[f32; 3]> =
            (0..len).map(|_| [0; 3].map(|_| [0.0, -0.0, 1.0, f32::NAN, 1e-45][random.below(5)])).collect();
        let weld = Weld::new(Points::Packed(&points)).unwrap();
        assert_eq!(weld.len(), len);
        for (place, &first) in weld.first().iter().enumerate() {
            let expected = points.iter().position(|point| *point == points[place]).unwrap_or(place);
            assert_eq!(first as usize, expected, "{:?}", points[place]);
        }
        let firsts = weld.first().iter().enumerate().filter(|(place, first)| *place == **first as usize);
        assert_eq!(weld.distinct(), firsts.count());
    }
}

#[test]
fn every_form_of_points_is_welded_alike() {
    let packed =
        [[1.0, 2.0, 3.0], [0.0; 3], [1.0, 2.0, 3.0], [-0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3], [5.0; 3]];
    let padded = packed.map(|[x, y, z]: [f32; 3]| [x, y, z, f32::NAN]);
    let mut blocks = [VectorBlock::default(); 2];
    for (lane, point) in packed.into_iter().enumerate() {
        blocks[0].set_vector(lane, point);
        blocks[1].set_vector(lane, [lane as f32; 3]);
    }
    for points in
        [Points::Packed(&packed), Points::Padded(&padded), Points::Blocks { blocks: &blocks, vectors: 2 }]
    {
        let weld = Weld::new(points).unwrap();
        assert_eq!(weld.first(), [0, 1, 0, 1, 1, 1, 1, 7]);
        assert_eq!(weld.distinct(), 3);
    }
}

#[test]
fn without_welding_every_place_is_its_own() {
    let none = Weld::none(3).unwrap();
    assert_eq!((none.first(), none.distinct()), (&[0, 1, 2][..], 3));
    assert!(Weld::new(Points::Packed(&[])).unwrap().is_empty());
}
