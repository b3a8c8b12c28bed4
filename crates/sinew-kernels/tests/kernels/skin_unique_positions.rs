//! Skinning of positions that several vertices have: each vertex has the bits that its position has
//! as a vertex of its own, in every direct layout, whatever vertices are asked for.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, LayoutOutput, MAX_UNIQUE_POSITIONS, Matrix, PositionRemap, Segments, SkinIntoLayout, SkinSource,
    SkinUniquePositions, VertexAttribute, VertexFormat, VertexLayout, VertexWriter,
};
use sinew_testkit::backends::{BackendRun, EMULATED, every_backend};
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::skin_segments::{JOINTS, Vertices};

const MESHES: usize = if EMULATED { 4 } else { 30 };

/// Direct layouts of positions.
fn layouts() -> [VertexLayout; 5] {
    let interleaved = |stride: usize, format: VertexFormat, offset: usize| {
        VertexLayout::interleaved(stride).with(VertexAttribute::Position, format, offset)
    };
    [
        VertexLayout::packed(1),
        interleaved(12, VertexFormat::Float32x3, 0),
        interleaved(20, VertexFormat::Float32x3, 4),
        interleaved(16, VertexFormat::Float32x4, 0),
        interleaved(48, VertexFormat::Float32x4, 16),
    ]
}

/// All positions of some segments, in order.
fn skin_all(run: &BackendRun, segments: &Segments, palette: &[Matrix]) -> Vec<[f32; 3]> {
    let mut positions = vec![[0.0_f32; 3]; BLOCK * segments.blocks()];
    let vertices = positions.len();
    let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut positions], vertices);
    run.oracle().skin_into_layout(SkinIntoLayout {
        palette,
        source: SkinSource::Segments(segments),
        window: 0..segments.blocks(),
        vectors: 1,
        signs: &[],
        output: LayoutOutput::Buffers(writer.expect("sound buffers")),
    });
    positions
}

/// Skins some vertices into a layout, and asserts the bits of `expected` and that nothing else is
/// written.
fn check(
    run: &BackendRun,
    mut job: impl FnMut(VertexWriter<'_>),
    layout: &VertexLayout,
    expected: &[[f32; 3]],
) {
    let own = layout.attribute(VertexAttribute::Position).expect("positions");
    let mut buffer = Guarded::<f32>::new(layout.buffer_len(0, expected.len()) / 4, 3);
    job(VertexWriter::new(layout, [&mut buffer[..]], expected.len()).expect("a sound buffer"));
    buffer.check();
    let mut written = vec![false; buffer.len()];
    for (vertex, expected) in expected.iter().enumerate() {
        let at = (vertex * own.stride + own.offset) / 4;
        let found = &buffer[at..at + own.format.size() / 4];
        written[at..at + found.len()].fill(true);
        let same = found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "{run}: {layout:?}: vertex {vertex}: expected {expected:?}, found {found:?}");
        assert!(found.get(3).is_none_or(|&fourth| fourth == 1.0), "{run}: {layout:?}: fourth component");
    }
    for (float, written) in buffer.iter().zip(&written) {
        assert!(*written || *float == f32::GUARD, "{run}: {layout:?}: a float between positions was written");
    }
}

#[test]
fn every_vertex_has_the_bits_of_its_position() {
    every_backend(|run| {
        let mut random = Random::new(310);
        for mesh in 0..MESHES {
            let vertices = Vertices::random(&mut random);
            let palette = rigs::sheared_matrices(JOINTS, &mut random);
            let segments = vertices.segments(|index| (index + mesh) % 3 > 0);
            let positions = skin_all(&run, &segments, &palette);
            let start = random.below(segments.blocks());
            let window = start..start + 1 + random.below(segments.blocks() - start);
            for len in (0..=17).chain([64, 250]) {
                let indices: Vec<usize> = (0..len).map(|_| random.below(BLOCK * window.len())).collect();
                let remap = PositionRemap::new(indices.iter().copied());
                let expected: Vec<_> =
                    indices.iter().map(|index| positions[BLOCK * window.start + index]).collect();
                let cut = random.below(len + 1);
                for part in [0..len, cut..len, cut..(cut + 3).min(len)] {
                    for layout in layouts() {
                        let job = |output: VertexWriter<'_>| {
                            run.kernels.skin_unique_positions(SkinUniquePositions {
                                palette: &palette,
                                positions: &segments,
                                window: window.clone(),
                                remap: &remap,
                                vertices: part.clone(),
                                output,
                            });
                        };
                        check(&run, job, &layout, &expected[part.clone()]);
                    }
                }
            }
        }
    });
}

#[test]
fn as_many_positions_as_there_can_be() {
    every_backend(|run| {
        let mut random = Random::new(311);
        let mut base = Vec::new();
        for _ in 0..MAX_UNIQUE_POSITIONS {
            let [x, y, z] = random.vector(1.0);
            base.push([x, y, z, 1.0]);
        }
        let joints: Vec<u32> = base.iter().map(|_| random.below(JOINTS) as u32).collect();
        let mut segments = Segments::new(1);
        segments.push_columns(1, &joints, &vec![1.0; joints.len()], &base);
        let palette = rigs::rigid_matrices(JOINTS, &mut random);
        let positions = skin_all(&run, &segments, &palette);
        let indices: Vec<usize> = (0..MAX_UNIQUE_POSITIONS).rev().step_by(3).collect();
        let expected: Vec<_> = indices.iter().map(|&index| positions[index]).collect();
        let remap = PositionRemap::new(indices);
        assert_eq!((remap.len(), remap.required_positions()), (expected.len(), MAX_UNIQUE_POSITIONS));
        // All, and a few whose blocks are far from each other.
        for vertices in [0..remap.len(), 3..40, 900..930] {
            let job = |output: VertexWriter<'_>| {
                run.kernels.skin_unique_positions(SkinUniquePositions {
                    palette: &palette,
                    positions: &segments,
                    window: 0..segments.blocks(),
                    remap: &remap,
                    vertices: vertices.clone(),
                    output,
                });
            };
            check(&run, job, &VertexLayout::packed(1), &expected[vertices.clone()]);
        }
    });
}

#[test]
#[should_panic(expected = "an index that fits")]
fn an_index_past_the_most_positions_is_rejected() {
    let _remap = PositionRemap::new([0, MAX_UNIQUE_POSITIONS]);
}

#[test]
fn no_vertices_need_no_positions() {
    every_backend(|run| {
        let remap = PositionRemap::new([]);
        assert!(remap.is_empty());
        let none: Range<usize> = 0..0;
        run.kernels.skin_unique_positions(SkinUniquePositions {
            palette: &[],
            positions: &Segments::new(1),
            window: none.clone(),
            remap: &remap,
            vertices: none,
            output: VertexWriter::new(&VertexLayout::packed(1), [&mut [0.0_f32; 0][..]], 0)
                .expect("a buffer"),
        });
    });
}
