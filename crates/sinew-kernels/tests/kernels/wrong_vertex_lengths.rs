//! Slices of vertices with mismatched lengths are rejected before anything is written.

#![cfg(panic = "unwind")]

use std::ops::Range;

use crate::support::rejection::{assert_rejects, guarded};
use sinew_kernels::*;
use sinew_testkit::backends::every_backend;

const MATRICES: [Matrix; 10] = [Matrix::IDENTITY; 10];

/// Sizes that fit each other: base, base vectors, end of the window, output, vectors.
const VERTICES: [usize; 5] = [4, 2, 2, 2, 2];

/// Vertices of these sizes. Windows begin at the second block.
fn vertices(sizes: [usize; 5], output: &mut [VectorBlock]) -> SkinVertices<'_> {
    let [base, base_vectors, end, _, vectors] = sizes;
    SkinVertices {
        base: &[VectorBlock { rows: [[0.0; BLOCK]; 3] }; 5][..base],
        base_vectors,
        window: 1..end,
        output,
        vectors,
        directions: DirectionLength::Unit,
        normals: NormalTransform::Cofactor,
    }
}

/// A skinning kernel with two runs and as many joints and weights.
type Skin = fn(&Kernels, usize, [usize; 2], SkinVertices<'_>);

fn skin_shared_joints(
    kernels: &Kernels,
    influences: usize,
    [joints, weights]: [usize; 2],
    vertices: SkinVertices<'_>,
) {
    kernels.skin_shared_joints(SkinSharedJoints {
        palette: &MATRICES,
        influences,
        runs: &[Run::default(); 2],
        joints: &[0; 4][..joints],
        weights: &[ScalarBlock::default(); 4][..weights],
        vertices,
    });
}

fn skin_per_vertex_joints(
    kernels: &Kernels,
    influences: usize,
    [joints, weights]: [usize; 2],
    vertices: SkinVertices<'_>,
) {
    kernels.skin_per_vertex_joints(SkinPerVertexJoints {
        palette: &MATRICES,
        influences,
        runs: &[Run::default(); 2],
        joints: &[JointIndexBlock::default(); 4][..joints],
        weights: &[ScalarBlock::default(); 4][..weights],
        vertices,
    });
}

fn skin_pre_weighted(
    kernels: &Kernels,
    influences: usize,
    [joints, weights]: [usize; 2],
    vertices: SkinVertices<'_>,
) {
    kernels.skin_pre_weighted(SkinPreWeighted {
        palette: &MATRICES,
        influences,
        runs: &[Run::default(); 2],
        joints: &[0; 4][..joints],
        weighted: &[PreWeightedBlock::default(); 4][..weights],
        vertices,
    });
}

#[test]
fn skinning_rejects_mismatched_lengths() {
    let all: [Skin; 3] = [skin_shared_joints, skin_per_vertex_joints, skin_pre_weighted];
    every_backend(|run| {
        let refuses = |skin: Skin, message, influences, counts, sizes: [usize; 5]| {
            assert_rejects(&run, message, guarded(sizes[3]), |kernels, output| {
                skin(kernels, influences, counts, vertices(sizes, output));
            });
        };
        for (sizes, message) in [
            ([4, 2, 2, 0, 0], "one to four vectors"),
            ([4, 2, 2, 6, 3], "one to four vectors"),
            ([5, 5, 1, 5, 5], "one to four vectors"),
            ([3, 2, 1, 2, 2], "whole blocks of base vectors"),
            ([4, 2, 3, 6, 2], "a window in the mesh"),
            ([4, 2, 0, 0, 2], "a window in the mesh"),
            ([4, 2, 2, 1, 2], "as much output as the window"),
            ([4, 2, 2, 3, 2], "as much output as the window"),
        ] {
            for skin in all {
                refuses(skin, message, 1, [2, 2], sizes);
            }
        }
        for skin in all {
            refuses(skin, "one influence or more", 0, [0, 0], VERTICES);
        }
        for (influences, joints) in [(2, 3), (1, 1)] {
            refuses(skin_shared_joints, "the joints of every run", influences, [joints, 4], VERTICES);
            refuses(skin_pre_weighted, "the joints of every run", influences, [joints, 4], VERTICES);
        }
        for counts in [[3, 4], [4, 3]] {
            refuses(skin_per_vertex_joints, "as many blocks of joints as of weights", 1, counts, VERTICES);
        }
    });
}

/// Interleaved buffers for attributes of three floats each.
fn buffers(floats: &mut [f32], attributes: usize, vertices: usize) -> StoreOutput<'_> {
    let mut layout = VertexLayout::interleaved(12 * attributes);
    for (i, attribute) in VertexAttribute::ALL.into_iter().take(attributes).enumerate() {
        layout = layout.with(attribute, VertexFormat::Float32x3, 12 * i);
    }
    let writer = VertexWriter::new(&layout, [floats], vertices).expect("a buffer that fits");
    StoreOutput::Buffers(writer.into_parts())
}

#[test]
fn storing_vertices_rejects_mismatched_lengths() {
    every_backend(|run| {
        // vectors, blocks, signs, remap entries, source of bitangents, blocks of output
        for (sizes, bitangents, message) in [
            ([0, 4, 0, 16, 4], BitangentSource::AsSkinned, "one to four vectors"),
            ([5, 5, 0, 8, 5], BitangentSource::AsSkinned, "one to four vectors"),
            (
                [2, 4, 0, 16, 6],
                BitangentSource::FromSigns(DirectionLength::Unit),
                "three vectors to compute bitangents from",
            ),
            (
                [4, 4, 0, 8, 5],
                BitangentSource::FromSigns(DirectionLength::Unit),
                "three vectors to compute bitangents from",
            ),
            ([3, 4, 0, 8, 3], BitangentSource::AsSkinned, "whole blocks"),
            ([2, 4, 1, 16, 4], BitangentSource::AsSkinned, "the signs of every block"),
            ([2, 4, 2, 15, 4], BitangentSource::AsSkinned, "a remap entry for every slot"),
            ([2, 4, 2, 16, 3], BitangentSource::AsSkinned, "as many output blocks as are written"),
            (
                [3, 3, 1, 8, 3],
                BitangentSource::FromSigns(DirectionLength::Unit),
                "as many output blocks as are written",
            ),
        ] {
            let [vectors, blocks, signs, places, output] = sizes;
            assert_rejects(&run, message, guarded(output), |kernels, output| {
                kernels.store_vertices(StoreVertices {
                    blocks: &[VectorBlock::default(); 5][..blocks],
                    vectors,
                    signs: &[ScalarBlock::default(); 2][..signs],
                    directions: DirectionLength::AsBlended,
                    bitangents,
                    layout: StoreOutput::Blocks(output),
                    remap: Some(&[0; 16][..places]),
                    bounds: None,
                });
            });
        }
        let rejects_layout = |message, len, layout: fn(&mut [f32]) -> StoreOutput<'_>| {
            assert_rejects(&run, message, guarded(len), |kernels, floats| {
                kernels.store_vertices(StoreVertices {
                    blocks: &[VectorBlock::default(); 3],
                    vectors: 3,
                    signs: &[],
                    directions: DirectionLength::AsBlended,
                    bitangents: BitangentSource::AsSkinned,
                    layout: layout(floats),
                    remap: None,
                    bounds: None,
                });
            });
        };
        rejects_layout("a vector for every attribute", 96, |floats| buffers(floats, 4, 8));
        rejects_layout("a block for every eight vertices", 9, |floats| buffers(floats, 3, 0));
        rejects_layout("a block for every eight vertices", 96, |floats| buffers(floats, 3, 9));
        rejects_layout("a stream element for every slot", 8, |floats| {
            let mut streams: [&mut [f32]; 12] = std::array::from_fn(|_| Default::default());
            streams[8] = floats;
            StoreOutput::Streams(streams)
        });
    });
}

#[test]
fn skinning_into_layouts_rejects_mismatched_lengths() {
    every_backend(|run| {
        // influences, joints of two runs, base, base vectors, end of the window, vectors, positions
        for (sizes, message) in [
            ([0, 0, 4, 2, 2, 2, 8], "one influence or more"),
            ([2, 3, 4, 2, 2, 2, 8], "the joints of every run"),
            ([1, 2, 4, 2, 2, 0, 8], "one to three vectors"),
            ([1, 2, 4, 2, 2, 3, 8], "one to three vectors"),
            ([1, 2, 4, 4, 1, 4, 0], "one to three vectors"),
            ([1, 2, 3, 2, 1, 1, 8], "whole blocks of base vectors"),
            ([1, 2, 4, 2, 3, 1, 8], "a window in the mesh"),
            ([1, 2, 4, 2, 0, 1, 8], "a window in the mesh"),
            ([1, 2, 4, 2, 2, 1, 0], "a vertex for every vertex of the window"),
            ([1, 2, 4, 2, 2, 1, 9], "a vertex for every vertex of the window"),
            ([1, 2, 4, 2, 2, 2, 8], "a layout that is stored directly"),
        ] {
            let [influences, joints, base, base_vectors, end, vectors, positions] = sizes;
            // Windows begin at the second block.
            assert_rejects(&run, message, guarded(3 * positions), |kernels, floats: &mut [f32]| {
                kernels.skin_into_layout(SkinIntoLayout {
                    palette: &MATRICES,
                    source: SkinSource::Runs {
                        groups: &[RunGroup {
                            influences,
                            runs: &[Run::default(); 2],
                            joints: &[0; 10][..joints],
                            weights: &[ScalarBlock::default(); 4],
                        }],
                        base: &[VectorBlock::default(); 5][..base],
                        base_vectors,
                    },
                    window: 1..end,
                    vectors,
                    signs: &[],
                    output: LayoutOutput::Buffers(
                        VertexWriter::new(&VertexLayout::packed(1), [floats], positions)
                            .expect("a sound buffer"),
                    ),
                });
            });
        }
        for blocks in [2, 4] {
            assert_rejects(&run, "the vectors of every block", guarded(blocks), |kernels, blocks| {
                kernels.skin_into_layout(SkinIntoLayout {
                    palette: &MATRICES,
                    source: one_run(),
                    window: 1..2,
                    vectors: 3,
                    signs: &[],
                    output: LayoutOutput::NonTemporalBlocks(blocks),
                });
            });
        }
        // The signs of one block too few, and a layout that must keep what is between its vectors.
        let interleaved =
            |offset: usize| {
                VertexLayout::interleaved(48)
                    .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
                    .with(VertexAttribute::Normal, VertexFormat::Float32x3, offset)
            };
        for (layout, signs, message) in [
            (interleaved(12), 1, "the signs of every block"),
            (interleaved(16), 2, "a layout that is stored directly"),
        ] {
            assert_rejects(&run, message, guarded(12 * 8), |kernels, floats: &mut [f32]| {
                kernels.skin_into_layout(SkinIntoLayout {
                    palette: &MATRICES,
                    source: one_run(),
                    window: 1..2,
                    vectors: 2,
                    signs: &[ScalarBlock::default(); 2][..signs],
                    output: LayoutOutput::Buffers(
                        VertexWriter::new(&layout, [floats], 8).expect("a sound buffer"),
                    ),
                });
            });
        }
    });
}

#[test]
fn skinning_unique_positions_rejects_mismatched_lengths() {
    let mut positions = Segments::new(1);
    positions.push_shared(&[0], &[], &[VectorBlock::default(); 3]);
    let remap = PositionRemap::new([0, 15, 3]);
    every_backend(|run| {
        // the window, the range of vertices, the number of output vertices
        for (window, vertices, len, message) in [
            (Range { start: 2, end: 1 }, 0..3, 3, "a window of the positions"),
            (1..4, 0..3, 3, "a window of the positions"),
            (1..2, 0..3, 3, "a position for every index"),
            (0..0, 0..0, 0, "a position for every index"),
            (0..2, 0..4, 4, "an index for every vertex"),
            (0..2, Range { start: 2, end: 1 }, 0, "an index for every vertex"),
            (0..2, 0..3, 2, "as many vertices as output"),
            (0..2, 1..3, 3, "as many vertices as output"),
        ] {
            assert_rejects(&run, message, guarded(3 * len), |kernels, floats: &mut [f32]| {
                let output = VertexWriter::new(&VertexLayout::packed(1), [floats], len);
                kernels.skin_unique_positions(SkinUniquePositions {
                    palette: &MATRICES,
                    positions: &positions,
                    window: window.clone(),
                    remap: &remap,
                    vertices: vertices.clone(),
                    output: output.expect("a sound buffer"),
                });
            });
        }
        // Normals too, and halves.
        let halves = VertexLayout::interleaved(8).with(VertexAttribute::Position, VertexFormat::Float16x4, 0);
        let both = VertexLayout::interleaved(24)
            .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
            .with(VertexAttribute::Normal, VertexFormat::Float32x3, 12);
        for layout in [halves, both] {
            let message = "positions that are stored directly";
            assert_rejects(&run, message, guarded(18), |kernels, floats: &mut [f32]| {
                kernels.skin_unique_positions(SkinUniquePositions {
                    palette: &MATRICES,
                    positions: &positions,
                    window: 0..3,
                    remap: &remap,
                    vertices: 0..3,
                    output: VertexWriter::new(&layout, [floats], 3).expect("a sound buffer"),
                });
            });
        }
    });
}

/// A run of two blocks of three vectors.
fn one_run() -> SkinSource<'static> {
    const GROUPS: &[RunGroup<'_>] = &[RunGroup {
        influences: 1,
        runs: &[Run { first: 0, blocks: 2, weights: 0 }],
        joints: &[0],
        weights: &[],
    }];
    SkinSource::Runs { groups: GROUPS, base: &[VectorBlock { rows: [[0.0; 8]; 3] }; 6], base_vectors: 3 }
}

#[test]
fn morphing_rejects_mismatched_lengths() {
    // Two targets, the second one given: vectors, first block, blocks, first delta.
    const SOUND: [usize; 4] = [2, 1, 2, 1];
    const DELTAS: &str = "the blocks and deltas of every target";
    const VECTORS: &str = "one vector of a target or more, of the base";
    every_backend(|run| {
        // base, base vectors, end of the window, output, weights
        for (sizes, target, message) in [
            ([4, 0, 2, 2, 2], SOUND, "one to four base vectors"),
            ([5, 5, 1, 0, 2], SOUND, "one to four base vectors"),
            ([5, 2, 2, 2, 2], SOUND, "whole blocks of base vectors"),
            ([4, 2, 3, 4, 2], SOUND, "a window in the mesh"),
            ([4, 2, 0, 0, 2], SOUND, "a window in the mesh"),
            ([4, 2, 2, 1, 2], SOUND, "as much output as the window"),
            ([4, 2, 2, 3, 2], SOUND, "as much output as the window"),
            ([4, 2, 2, 2, 1], SOUND, "a weight for every target"),
            ([4, 2, 2, 2, 3], SOUND, "a weight for every target"),
            ([4, 2, 2, 2, 2], [0, 1, 2, 1], VECTORS),
            ([4, 2, 2, 2, 2], [3, 1, 1, 1], VECTORS),
            ([4, 2, 2, 2, 2], [2, 2, 2, 1], DELTAS),
            ([4, 2, 2, 2, 2], [2, usize::MAX, 2, 1], DELTAS),
            ([4, 2, 2, 2, 2], [2, 1, usize::MAX, 1], DELTAS),
            ([4, 2, 2, 2, 2], [2, 1, 2, 2], DELTAS),
            ([4, 2, 2, 2, 2], [2, 1, 2, usize::MAX], DELTAS),
        ] {
            let [base, base_vectors, end, output, weights] = sizes;
            let [vectors, first, blocks, deltas] = target;
            // Windows begin at the second block. Even targets with zero weights are checked.
            assert_rejects(&run, message, guarded(output), |kernels, output| {
                kernels.morph_blocks(MorphBlocks {
                    base: &[VectorBlock::default(); 5][..base],
                    base_vectors,
                    targets: &[
                        MorphTarget { vectors: 1, first: 0, blocks: 1, deltas: 0 },
                        MorphTarget { vectors, first, blocks, deltas },
                    ],
                    blocks: &[0, 0, 1],
                    deltas: &[VectorBlock::default(); 5],
                    weights: &[0.0; 3][..weights],
                    window: 1..end,
                    output,
                });
            });
        }
    });
}

#[test]
fn planes_reject_mismatched_lengths() {
    let triangles = Triangles::from(vec![[0_u16, 3, 4]; 10]);
    let blocks = [VectorBlock::default(); 2];
    every_backend(|run| {
        for (points, end, planes, message) in [
            (4, 10, 10, "a point for every vertex of the triangles"),
            (0, 10, 10, "a point for every vertex of the triangles"),
            (5, 11, 11, "a range of the triangles"),
            (5, 1, 0, "a range of the triangles"),
            (5, 10, 9, "as many planes as triangles"),
        ] {
            let range = 2..end;
            for padded in [false, true] {
                assert_rejects(&run, message, guarded(planes - planes.min(2)), |kernels, planes| {
                    let (packed, with_pads) = ([[0.0; 3]; 5], [[0.0; 4]; 5]);
                    let points = if padded {
                        TrianglePoints::Padded(&with_pads[..points])
                    } else {
                        TrianglePoints::Strided(packed[..points].into())
                    };
                    let (range, normals) = (range.clone(), PlaneNormals::Unit);
                    kernels.planes(ToPlanes { points, triangles: &triangles, range, normals, planes });
                });
            }
        }
        for (blocks, vectors, room, message) in [
            (&blocks[..], 0, 8, "one vector or more"),
            (&blocks, 1, 8, "a scratch element for every vertex"),
            (&blocks, 2, 16, "a scratch element for every vertex"),
            (&blocks[..0], 1, 0, "a point for every vertex of the triangles"),
        ] {
            assert_rejects(&run, message, guarded(room), |kernels, scratch| {
                kernels.planes(ToPlanes {
                    points: TrianglePoints::Blocks { blocks, vectors, scratch },
                    triangles: &triangles,
                    range: 0..10,
                    normals: PlaneNormals::TwiceArea,
                    planes: &mut [Plane::NONE; 10],
                });
            });
        }
    });
}

#[test]
fn facing_rejects_mismatched_lengths() {
    every_backend(|run| {
        for (planes, words) in [(0, 1), (1, 0), (64, 2), (65, 1)] {
            assert_rejects(&run, "a bit for every plane", guarded(words), |kernels, words| {
                let planes = &[Plane::NONE; 65][..planes];
                kernels.facing(ToFacing { planes, light: [1.0; 4], words });
            });
        }
    });
}

#[test]
fn angles_reject_mismatched_lengths() {
    let triangles = Triangles::from(vec![[0_u32, 3, 4]; 10]);
    every_backend(|run| {
        for (points, end, angles, message) in [
            (4, 10, 10, "a point for every vertex of the triangles"),
            (5, 11, 11, "a range of the triangles"),
            (5, 10, 9, "as many angles as triangles"),
        ] {
            assert_rejects(&run, message, guarded(angles), |kernels, angles| {
                let points = TrianglePoints::Padded(&[[0.0; 4]; 5][..points]);
                kernels.corner_angles(ToAngles { points, triangles: &triangles, range: 0..end, angles });
            });
        }
    });
}
