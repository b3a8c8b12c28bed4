//! The AABB of positions in vertex buffers.

use sinew_kernels::{
    Aabb, PositionBounds, StridedPositions, VertexAttribute, VertexFormat, VertexLayout, VertexWriter,
};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;

/// Layouts with positions of floats: without gaps, with a few floats between them, and far apart.
fn layouts() -> Vec<VertexLayout> {
    let at = |stride: usize, format: VertexFormat, offset: usize| {
        VertexLayout::interleaved(stride).with(VertexAttribute::Position, format, offset)
    };
    let (three, four) = (VertexFormat::Float32x3, VertexFormat::Float32x4);
    vec![VertexLayout::packed(1), at(16, three, 0), at(16, three, 4), at(16, four, 0), at(52, three, 40)]
}

/// A buffer with these positions, and large numbers everywhere else.
fn buffer(layout: &VertexLayout, positions: &[[f32; 3]]) -> Vec<f32> {
    let own = layout.attribute(VertexAttribute::Position).expect("positions");
    let mut floats = vec![9e9; layout.buffer_len(0, positions.len()) / 4];
    for (vertex, position) in positions.iter().enumerate() {
        let at = (vertex * own.stride + own.offset) / 4;
        floats[at..at + 3].copy_from_slice(position);
    }
    floats
}

#[test]
fn bounds_are_the_aabb_of_positions_at_any_stride_and_length() {
    every_backend(|run| {
        let mut random = Random::new(320);
        for layout in layouts() {
            for len in (0..=70).chain([999]) {
                let positions: Vec<[f32; 3]> = (0..len).map(|_| random.vector(3.0)).collect();
                let floats = buffer(&layout, &positions);
                let strided = StridedPositions::new(&layout, &floats, len).expect("a sound buffer");
                let mut bounds = Aabb::EMPTY;
                run.kernels.position_bounds(PositionBounds { positions: strided, bounds: &mut bounds });
                assert_eq!(bounds, Aabb::from_points(&positions), "{run}: {layout:?}: {len}");
                let grown = Aabb { min: [-9.0; 3], max: [-8.0; 3] };
                let mut extended = grown;
                run.kernels.position_bounds(PositionBounds { positions: strided, bounds: &mut extended });
                assert_eq!(extended, grown.union(&bounds), "{run}: {layout:?}: {len}");
            }
        }
    });
}

#[test]
fn bounds_have_positive_zeros_and_ignore_nan() {
    every_backend(|run| {
        for layout in layouts() {
            for len in [1, 7, 8, 9, 23] {
                for odd in 0..len {
                    let mut positions = vec![[-0.0, 5.0, f32::NAN]; len];
                    positions[odd] = [f32::NAN, 5.0, f32::INFINITY];
                    let floats = buffer(&layout, &positions);
                    let positions = StridedPositions::new(&layout, &floats, len).expect("a sound buffer");
                    let mut bounds = Aabb::EMPTY;
                    run.kernels.position_bounds(PositionBounds { positions, bounds: &mut bounds });
                    let zero = if len > 1 { [0.0_f32; 2] } else { [f32::INFINITY, f32::NEG_INFINITY] };
                    let found = [bounds.min[0], bounds.max[0]];
                    assert_eq!(found.map(f32::to_bits), zero.map(f32::to_bits), "{run}: {layout:?}: {odd}");
                    assert_eq!((bounds.min[1], bounds.max[1]), (5.0, 5.0), "{run}: {layout:?}: {odd}");
                    assert_eq!(bounds.max[2], f32::INFINITY, "{run}: {layout:?}: {odd}");
                }
            }
        }
    });
}

#[test]
fn a_writer_reads_back_positions_of_floats_only() {
    for layout in layouts() {
        let expected: Vec<[f32; 3]> = (0..9).map(|i| [i as f32, 1.0, -2.0]).collect();
        let mut floats = buffer(&layout, &expected);
        for len in [0, 1, 9] {
            let writer = VertexWriter::new(&layout, [&mut floats], len).expect("a sound buffer");
            let positions = writer.positions().expect("floats");
            assert_eq!(positions.iter().copied().collect::<Vec<_>>(), expected[..len], "{layout:?}");
        }
    }
    let halves = VertexLayout::interleaved(8).with(VertexAttribute::Position, VertexFormat::Float16x4, 0);
    let normals = VertexLayout::interleaved(12).with(VertexAttribute::Normal, VertexFormat::Float32x3, 0);
    for layout in [halves, normals] {
        let mut floats = [0.0_f32; 30];
        let writer = VertexWriter::new(&layout, [&mut floats[..]], 2).expect("a sound buffer");
        assert!(writer.positions().is_none(), "{layout:?}");
    }
}
