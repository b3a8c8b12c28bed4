//! Skinning of segments: shared joints and columns give the same bits, close to the reference, into
//! every direct layout and into blocks, whatever the window.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, LayoutOutput, Matrix, NO_JOINT, ScalarBlock, Segments, SkinIntoLayout, SkinSource, VectorBlock,
    VertexAttribute, VertexFormat, VertexLayout, VertexWriter,
};
use sinew_testkit::backends::{BackendRun, EMULATED, every_backend};
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

pub(crate) const JOINTS: usize = 9;
const MESHES: usize = if EMULATED { 6 } else { 40 };

/// Vertices in blocks of random influences, and how they are cut into segments.
pub(crate) struct Vertices {
    /// Position, normal and tangent with sign of each vertex.
    pub(crate) base: Vec<[[f32; 4]; 3]>,
    /// Joints in ascending order, with weights.
    influences: Vec<Vec<(u32, f32)>>,
    /// The ends of the segments, in blocks.
    ends: Vec<usize>,
}

impl Vertices {
    pub(crate) fn random(random: &mut Random) -> Self {
        let blocks = 1 + random.below(9);
        let mut ends: Vec<usize> = (0..random.below(5)).map(|_| random.below(blocks)).collect();
        ends.extend([blocks]);
        ends.sort_unstable();
        ends.dedup();
        ends.retain(|&end| end > 0);
        let most = 1 + random.below(7);
        let vector = |random: &mut Random| std::array::from_fn::<f32, 4, _>(|_| random.between(-1.0, 1.0));
        let mut vertices = Self { base: Vec::new(), influences: Vec::new(), ends };
        for _ in 0..BLOCK * blocks {
            let mut base = [vector(random), vector(random), vector(random)];
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            [base[0][3], base[1][3], base[2][3]] = [1.0, 0.0, sign];
            vertices.base.push(base);
            let mut joints: Vec<u32> =
                (0..1 + random.below(most)).map(|_| random.below(JOINTS) as u32).collect();
            joints.sort_unstable();
            joints.dedup();
            let weights: Vec<f32> = joints.iter().map(|_| random.between(0.1, 1.0)).collect();
            let sum: f32 = weights.iter().sum();
            let one = joints.len() == 1;
            let weight = |w: f32| if one { 1.0 } else { w / sum };
            vertices.influences.push(joints.into_iter().zip(weights.into_iter().map(weight)).collect());
        }
        vertices
    }

    fn len(&self) -> usize {
        self.base.len()
    }

    /// The segments, each with shared joints or as columns, as the function chooses.
    pub(crate) fn segments(&self, mut shared: impl FnMut(usize) -> bool) -> Segments {
        let (mut segments, mut start) = (Segments::new(3), 0);
        for (index, &end) in self.ends.iter().enumerate() {
            let vertices = BLOCK * start..BLOCK * end;
            if shared(index) {
                self.push_shared(&mut segments, vertices)
            } else {
                self.push_columns(&mut segments, vertices)
            }
            start = end;
        }
        segments
    }

    fn push_shared(&self, to: &mut Segments, vertices: Range<usize>) {
        let own = &self.influences[vertices.clone()];
        let mut joints: Vec<u32> = own.iter().flatten().map(|&(joint, _)| joint).collect();
        joints.sort_unstable();
        joints.dedup();
        let weight = |vertex: &Vec<(u32, f32)>, joint: u32| {
            vertex.iter().find(|(own, _)| *own == joint).map_or(0.0, |(_, weight)| *weight)
        };
        let (mut weights, mut base) = (Vec::new(), Vec::new());
        let rigid = joints.len() == 1;
        for (block, own) in own.chunks(BLOCK).enumerate() {
            if !rigid {
                for &joint in &joints {
                    weights.push(ScalarBlock(std::array::from_fn(|lane| weight(&own[lane], joint))));
                }
            }
            for v in 0..3 {
                let mut vectors = VectorBlock::default();
                for lane in 0..BLOCK {
                    let [x, y, z, _] = self.base[vertices.start + block * BLOCK + lane][v];
                    vectors.set_vector(lane, [x, y, z]);
                }
                base.push(vectors);
            }
        }
        if !rigid {
            joints.push(NO_JOINT);
        }
        to.push_shared(&joints, &weights, &base);
    }

    fn push_columns(&self, to: &mut Segments, vertices: Range<usize>) {
        let own = &self.influences[vertices.clone()];
        let influences = own.iter().map(Vec::len).max().unwrap_or(1);
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for vertex in own {
            for k in 0..influences {
                let &(joint, weight) = vertex.get(k).unwrap_or(&(vertex[0].0, 0.0));
                joints.push(joint);
                weights.push(weight);
            }
        }
        to.push_columns(influences, &joints, &weights, self.base[vertices].as_flattened());
    }

    pub(crate) fn signs(&self) -> Vec<ScalarBlock> {
        self.base
            .chunks(BLOCK)
            .map(|block| ScalarBlock(std::array::from_fn(|lane| block[lane][2][3])))
            .collect()
    }

    /// A vector of a vertex in doubles, and the sum of absolute products.
    fn exact(&self, palette: &[Matrix], vertex: usize, v: usize) -> [(f64, f64); 3] {
        let base = self.base[vertex][v].map(f64::from);
        std::array::from_fn(|r| {
            let (mut sum, mut size) = (0.0, 0.0);
            for &(joint, weight) in &self.influences[vertex] {
                let row = palette[joint as usize].rows[r].map(f64::from);
                for c in 0..4 {
                    let factor = if c < 3 { base[c] } else { f64::from(u8::from(v == 0)) };
                    let product = f64::from(weight) * row[c] * factor;
                    sum += product;
                    size += product.abs();
                }
            }
            (sum, size)
        })
    }
}

/// Layouts that are stored directly, with the place of each vector in a vertex of all buffers.
fn layouts(vectors: usize) -> Vec<VertexLayout> {
    let (three, four) = (VertexFormat::Float32x3, VertexFormat::Float32x4);
    let interleaved = |stride: usize, formats: [VertexFormat; 3]| {
        let (mut layout, mut offset) = (VertexLayout::interleaved(stride), 0);
        for (v, format) in formats.into_iter().enumerate().take(vectors) {
            layout = layout.with(VertexAttribute::ALL[v], format, offset);
            offset += format.size();
        }
        layout
    };
    let mut layouts = vec![VertexLayout::packed(vectors), interleaved(64, [four; 3])];
    layouts.push(interleaved(12 * vectors, [three; 3]));
    layouts.push(interleaved(12 * vectors + 8, [three; 3]));
    if vectors == 3 {
        layouts.push(interleaved(48, [three, three, four]));
    }
    layouts
}

/// The vectors of all vertices as floats, after skinning windows into a layout. Checks that nothing
/// else is written.
fn skin_into(
    run: &BackendRun,
    kernels: &sinew_kernels::Kernels,
    segments: &Segments,
    input: (&[Matrix], &[ScalarBlock]),
    layout: &VertexLayout,
    vertices: usize,
    windows: &[Range<usize>],
) -> Vec<Vec<f32>> {
    let vectors = layout.vectors();
    let mut buffers: Vec<Guarded<f32>> =
        (0..layout.buffers()).map(|b| Guarded::new(layout.buffer_len(b, vertices) / 4, 1 + b)).collect();
    for window in windows {
        let first = BLOCK * window.start;
        let count = (BLOCK * window.end).min(vertices).saturating_sub(first);
        let parts = buffers.iter_mut().enumerate().map(|(buffer, floats)| {
            let own = VertexAttribute::ALL.into_iter().filter_map(|a| layout.attribute(a));
            let stride = own.filter(|own| own.buffer == buffer).map(|own| own.stride).next().unwrap_or(4);
            &mut floats[(first * stride / 4).min(layout.buffer_len(buffer, vertices) / 4)..]
        });
        let writer = VertexWriter::new(layout, parts, count).expect("sound buffers");
        assert!(writer.is_direct());
        kernels.skin_into_layout(SkinIntoLayout {
            palette: input.0,
            source: SkinSource::Segments(segments),
            window: window.clone(),
            vectors,
            signs: input.1,
            output: LayoutOutput::Buffers(writer),
        });
    }
    let mut written: Vec<Vec<bool>> = buffers.iter().map(|floats| vec![false; floats.len()]).collect();
    let mut found = Vec::new();
    for v in 0..vectors {
        let own = layout.attribute(VertexAttribute::ALL[v]).expect("all vectors");
        let mut all = Vec::new();
        for vertex in 0..vertices {
            let at = (vertex * own.stride + own.offset) / 4;
            let floats = &buffers[own.buffer][at..at + own.format.size() / 4];
            written[own.buffer][at..at + floats.len()].fill(true);
            all.extend(&floats[..3]);
            if let Some(&fourth) = floats.get(3) {
                let sign = input.1[vertex / BLOCK].0[vertex % BLOCK];
                assert_eq!(fourth, [1.0, 0.0, sign][v], "{run}: fourth component of vertex {vertex}");
            }
        }
        found.push(all);
    }
    for (floats, written) in buffers.iter().zip(&written) {
        floats.check();
        for (float, written) in floats.iter().zip(written) {
            assert!(*written || *float == f32::GUARD, "{run}: a float between vectors was written");
        }
    }
    found
}

fn bits(vectors: &[Vec<f32>]) -> Vec<Vec<u32>> {
    vectors.iter().map(|floats| floats.iter().map(|x| x.to_bits()).collect()).collect()
}

#[test]
fn segments_of_every_kind_have_the_same_bits_in_every_layout_and_split() {
    every_backend(|run| {
        let mut random = Random::new(300);
        for _ in 0..MESHES {
            let mesh = Vertices::random(&mut random);
            let palette = rigs::sheared_matrices(JOINTS, &mut random);
            let signs = mesh.signs();
            let input = (&palette[..], &signs[..]);
            let blocks = mesh.len() / BLOCK;
            // The last block may have fewer vertices.
            let vertices = mesh.len() - random.below(BLOCK);
            let cut = random.below(blocks + 1);
            let (whole, split) = ([0..blocks, blocks..blocks], [0..cut, cut..blocks]);
            let columns = mesh.segments(|_| false);
            let expected =
                skin_into(&run, run.oracle(), &columns, input, &VertexLayout::packed(3), vertices, &whole);
            for segments in [columns, mesh.segments(|_| true), mesh.segments(|index| index % 2 == 0)] {
                for vectors in 1..=3 {
                    for layout in layouts(vectors) {
                        for windows in [&whole, &split] {
                            let found =
                                skin_into(&run, run.kernels, &segments, input, &layout, vertices, windows);
                            assert!(
                                bits(&found) == bits(&expected[..vectors]),
                                "{run}: {layout:?} {windows:?}"
                            );
                        }
                    }
                    let mut skinned = vec![VectorBlock::default(); vectors * blocks];
                    run.kernels.skin_into_layout(SkinIntoLayout {
                        palette: &palette,
                        source: SkinSource::Segments(&segments),
                        window: 0..blocks,
                        vectors,
                        signs: &[],
                        output: LayoutOutput::Blocks(&mut skinned),
                    });
                    for vertex in 0..vertices {
                        for v in 0..vectors {
                            let found = skinned[vertex / BLOCK * vectors + v].vector(vertex % BLOCK);
                            let expected = &expected[v][3 * vertex..3 * vertex + 3];
                            let same = found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits());
                            assert!(same, "{run}: vector {v} of {vertex}: {expected:?} {found:?}");
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn segments_match_the_reference() {
    every_backend(|run| {
        let mut random = Random::new(301);
        for _ in 0..MESHES {
            let mesh = Vertices::random(&mut random);
            let palette = rigs::sheared_matrices(JOINTS, &mut random);
            let signs = mesh.signs();
            let segments = mesh.segments(|index| index % 2 == 1);
            let blocks = mesh.len() / BLOCK;
            let whole = [0..blocks, blocks..blocks];
            let input = (&palette[..], &signs[..]);
            let found =
                skin_into(&run, run.kernels, &segments, input, &VertexLayout::packed(3), mesh.len(), &whole);
            for vertex in 0..mesh.len() {
                for (v, found) in found.iter().enumerate() {
                    for (r, (exact, size)) in mesh.exact(&palette, vertex, v).into_iter().enumerate() {
                        let error = (f64::from(found[3 * vertex + r]) - exact).abs();
                        // At most twelve roundings of products and sums.
                        assert!(error <= 12.0 * 6e-8 * size, "{run}: {error} of {size}");
                    }
                }
            }
        }
    });
}

#[test]
fn more_joints_than_fit_one_table_are_spread_over_several() {
    every_backend(|run| {
        let mut random = Random::new(302);
        const MANY: usize = 1500;
        let palette = rigs::sheared_matrices(MANY, &mut random);
        let blocks = if EMULATED { 50 } else { 120 };
        let (mut joints, mut weights, mut base) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..BLOCK * blocks {
            joints.extend([random.below(MANY) as u32, random.below(MANY) as u32]);
            weights.extend([0.25, 0.75]);
            base.push([random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.5, 1.0]);
        }
        let mut segments = Segments::new(1);
        segments.push_columns(2, &joints, &weights, &base);
        assert_eq!((segments.blocks(), segments.column_blocks()), (blocks, blocks));
        assert!(segments.len() > 1);
        let mut positions = vec![[0.0_f32; 3]; BLOCK * blocks];
        let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut positions], BLOCK * blocks);
        run.kernels.skin_into_layout(SkinIntoLayout {
            palette: &palette,
            source: SkinSource::Segments(&segments),
            window: 0..blocks,
            vectors: 1,
            signs: &[],
            output: LayoutOutput::Buffers(writer.expect("a sound buffer")),
        });
        for (vertex, position) in positions.iter().enumerate() {
            for (r, &found) in position.iter().enumerate() {
                let expected: f64 = (0..2)
                    .map(|k| {
                        let row = palette[joints[2 * vertex + k] as usize].rows[r].map(f64::from);
                        let [x, y, z, _] = base[vertex].map(f64::from);
                        f64::from(weights[2 * vertex + k]) * (row[0] * x + row[1] * y + row[2] * z + row[3])
                    })
                    .sum();
                assert!((f64::from(found) - expected).abs() < 1e-4, "{run}: vertex {vertex}");
            }
        }
    });
}
