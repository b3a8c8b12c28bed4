//! Skinning in source order with every option: equal to run order up to rounding, the same bits for
//! equal vertices wherever they are, and morphed without a detour through run order.

use sinew::mesh::{Deltas, MorphSource, Morphed};
use sinew::skinning::{
    Blending, DirectionLength, DualQuaternionPalette, NormalTransform, Skinned, SkinningError, Target,
    VertexAttribute, VertexFormat, VertexLayout, VertexOrder, VertexWriter,
};
use sinew::{
    Bone, FloatMode, Influences, JointId, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin, SkinOptions,
    Transform,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::test_meshes::{JOINTS, TestMesh};

const VERTICES: usize = if EMULATED { 50 } else { 330 };

/// Position, normal and tangent of each vertex in source order.
fn skin_into(
    mesh: &Mesh,
    palette: &Palette,
    options: &SkinOptions<'_>,
    order: VertexOrder,
) -> Vec<[[f32; 3]; 3]> {
    let len = mesh.len_in(order);
    let mut arrays = [0; 3].map(|_| vec![[f32::NAN; 3]; len]);
    let writer = VertexWriter::new(&VertexLayout::packed(3), &mut arrays, len).expect("sound buffers");
    mesh.skin_into(palette, options, Target::vertices(writer).in_order(order)).expect("sound input");
    let place = |vertex: usize| match order {
        VertexOrder::Run => mesh.remap()[vertex] as usize,
        VertexOrder::Source => vertex,
    };
    (0..mesh.len()).map(|vertex| [0, 1, 2].map(|vector: usize| arrays[vector][place(vertex)])).collect()
}

/// Options that skin in source order in other ways than the usual one.
fn every_options() -> [(&'static str, SkinOptions<'static>); 5] {
    let plain = SkinOptions::default();
    let cofactors = plain.with_normals(NormalTransform::Cofactor);
    [
        ("level 1", plain.with_max_influences(1)),
        ("level 2, unit", plain.with_max_influences(2).with_directions(DirectionLength::Unit)),
        ("cofactors", cofactors),
        ("cofactors, unit", cofactors.with_directions(DirectionLength::Unit)),
        ("cofactors, level 2", cofactors.with_max_influences(2)),
    ]
}

/// Compares vectors. Those that are renormalized have errors relative to the length of `blended`.
fn assert_close(
    found: &[[[f32; 3]; 3]],
    expected: &[[[f32; 3]; 3]],
    blended: &[[[f32; 3]; 3]],
    context: &str,
) {
    assert_eq!(found.len(), expected.len());
    for (vertex, (a, b)) in found.iter().zip(expected).enumerate() {
        for ((a, b), blended) in a.iter().zip(b).zip(&blended[vertex]) {
            let length = blended.iter().map(|x| x * x).sum::<f32>().sqrt();
            let renormalized = if length > 0.0 { 1.0 / length } else { 0.0 };
            let scale = b.iter().fold(renormalized.max(1.0), |scale, x| scale.max(x.abs()));
            let close = a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 4e-6 * scale);
            assert!(close, "{context}: vertex {vertex}: {a:?} {b:?}");
        }
    }
}

#[test]
fn every_option_in_source_order_differs_from_run_order_by_rounding_only() {
    every_backend(|run| {
        let mut random = Random::new(700);
        for vertices in [VERTICES, 1, 9] {
            for mut test_mesh in TestMesh::every_layout(runtime(run), vertices, &mut random) {
                test_mesh.grouping = None;
                let mesh = test_mesh.mesh(&[1, 2]);
                let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
                for (name, options) in every_options() {
                    let [found, expected] = [VertexOrder::Source, VertexOrder::Run]
                        .map(|order| skin_into(&mesh, &palette, &options, order));
                    let blended = options.with_directions(DirectionLength::AsBlended);
                    let blended = skin_into(&mesh, &palette, &blended, VertexOrder::Run);
                    let context = format!("{run}: {}, {name}", test_mesh.name);
                    assert_close(&found, &expected, &blended, &context);
                }
            }
        }
    });
}

/// Seams repeat vertices: if the bits of a vertex depended on its neighbors, cracks would open.
#[test]
fn permuting_vertices_permutes_the_result_in_source_order_bit_for_bit() {
    every_backend(|run| {
        let mut random = Random::new(701);
        let test_meshes = [
            TestMesh::shared_joints(runtime(run), VERTICES, &mut random),
            TestMesh::per_vertex_joints(runtime(run), VERTICES, &mut random),
        ];
        for test_mesh in test_meshes {
            let mut order: Vec<usize> = (0..VERTICES).collect();
            for i in (1..VERTICES).rev() {
                order.swap(i, random.below(i + 1));
            }
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
            dual_quaternions.update(&palette).expect("a palette of the skin");
            let (mesh, shuffled) = (test_mesh.mesh(&[1, 2]), test_mesh.reordered(&order).mesh(&[1, 2]));
            let plain = SkinOptions::default();
            let more = [
                ("plain", plain),
                ("dual quaternions", plain.with_blending(Blending::DualQuaternion(&dual_quaternions))),
            ];
            for (name, options) in every_options().into_iter().chain(more) {
                let straight = skin_into(&mesh, &palette, &options, VertexOrder::Source);
                let shuffled = skin_into(&shuffled, &palette, &options, VertexOrder::Source);
                for (new, &old) in order.iter().enumerate() {
                    let bits = |vectors: [[f32; 3]; 3]| vectors.map(|vector| vector.map(f32::to_bits));
                    assert_eq!(bits(shuffled[new]), bits(straight[old]), "{run}: {}, {name}", test_mesh.name);
                }
            }
        }
    });
}

/// A mesh with a dense and a sparse morph target.
fn morphing_mesh(test_mesh: &TestMesh, random: &mut Random) -> Mesh {
    let dense: Vec<[f32; 3]> = (0..VERTICES).map(|_| random.vector(0.5)).collect();
    let normals: Vec<[f32; 3]> = (0..VERTICES).map(|_| random.vector(0.1)).collect();
    let vertices: Vec<u32> = (0..VERTICES as u32).filter(|_| random.once_in(9)).collect();
    let sparse: Vec<[f32; 3]> = vertices.iter().map(|_| random.vector(1.0)).collect();
    let morphs = [
        MorphSource {
            name: "dense",
            positions: Deltas::Dense(&dense),
            normals: Deltas::Dense(&normals),
            tangents: Deltas::None,
        },
        MorphSource {
            name: "sparse",
            positions: Deltas::Sparse { vertices: &vertices, deltas: &sparse },
            ..MorphSource::default()
        },
    ];
    let source = MeshSource { morphs: &morphs, levels: &[2], ..test_mesh.source() };
    Mesh::new(&source, &test_mesh.skin).expect("a valid mesh")
}

#[test]
fn morphing_in_source_order_gives_the_bits_of_run_order_and_skins_alike() {
    every_backend(|run| {
        let mut random = Random::new(702);
        let test_meshes = [
            TestMesh::shared_joints(runtime(run), VERTICES, &mut random),
            TestMesh::per_vertex_joints(runtime(run), VERTICES, &mut random),
        ];
        for test_mesh in test_meshes {
            let mesh = morphing_mesh(&test_mesh, &mut random);
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let mut in_runs = Morphed::new(&mesh);
            let mut in_source = Morphed::in_order(&mesh, VertexOrder::Source);
            for weights in [[0.0, 0.0], [0.7, -1.5], [0.0, 1.0]] {
                mesh.morph(&weights, &mut in_runs).expect("two weights");
                mesh.morph(&weights, &mut in_source).expect("two weights");
                let vectors = in_runs.vectors();
                for (vertex, &slot) in mesh.remap().iter().enumerate() {
                    let slot = slot as usize;
                    for vector in 0..vectors {
                        let a = in_source.blocks()[vertex / 8 * vectors + vector].vector(vertex % 8);
                        let b = in_runs.blocks()[slot / 8 * vectors + vector].vector(slot % 8);
                        assert_eq!(a.map(f32::to_bits), b.map(f32::to_bits), "{run}: vertex {vertex}");
                    }
                }
                for plain in [SkinOptions::default(), SkinOptions::default().with_max_influences(2)] {
                    let source = plain.with_morphed(&in_source);
                    let found = skin_into(&mesh, &palette, &source, VertexOrder::Source);
                    let runs = plain.with_morphed(&in_runs);
                    // Morphed in run order, vertices are scattered to source order.
                    for order in [VertexOrder::Run, VertexOrder::Source] {
                        let expected = skin_into(&mesh, &palette, &runs, order);
                        assert_close(&found, &expected, &expected, &format!("{run}: {}", test_mesh.name));
                    }
                }
            }
        }
    });
}

/// Attributes of 16-bit numbers: side by side, where they are stored straight from registers, and in
/// another order, where they go through blocks.
fn layouts_16_bit(directions: VertexFormat) -> [VertexLayout; 2] {
    [[0, 8, 16], [16, 8, 0]].map(|offsets| {
        let mut layout = VertexLayout::interleaved(28);
        for (v, offset) in offsets.into_iter().enumerate() {
            let format = if v == 0 { VertexFormat::Float16x4 } else { directions };
            layout = layout.with(VertexAttribute::ALL[v], format, offset);
        }
        layout
    })
}

#[test]
fn numbers_of_16_bits_are_the_same_straight_from_registers_and_through_blocks() {
    every_backend(|run| {
        let mut random = Random::new(705);
        let test_meshes = [
            TestMesh::shared_joints(runtime(run), VERTICES, &mut random),
            TestMesh::per_vertex_joints(runtime(run), VERTICES, &mut random),
        ];
        for test_mesh in test_meshes {
            let mesh = morphing_mesh(&test_mesh, &mut random);
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let [mut in_runs, mut in_source] =
                [VertexOrder::Run, VertexOrder::Source].map(|order| Morphed::in_order(&mesh, order));
            mesh.morph(&[0.7, -1.5], &mut in_runs).expect("two weights");
            mesh.morph(&[0.7, -1.5], &mut in_source).expect("two weights");
            let (plain, level) = (SkinOptions::default(), SkinOptions::default().with_max_influences(2));
            let unit = plain.with_directions(DirectionLength::Unit);
            for (order, morphed) in [(VertexOrder::Run, &in_runs), (VertexOrder::Source, &in_source)] {
                let morphed = [plain.with_morphed(morphed), level.with_morphed(morphed)];
                for options in [plain, level, unit].into_iter().chain(morphed) {
                    for directions in [VertexFormat::Float16x4, VertexFormat::Snorm16x4] {
                        let [direct, other] = layouts_16_bit(directions).map(|layout| {
                            let len = mesh.len_in(order);
                            let mut words = vec![[7_u16; 14]; len];
                            let writer = VertexWriter::new(&layout, [&mut words], len).expect("sound");
                            let target = Target::vertices(writer).in_order(order);
                            mesh.skin_into(&palette, &options, target).expect("sound input");
                            words
                        });
                        for (vertex, (direct, other)) in direct.iter().zip(&other).enumerate() {
                            let moved = [&other[8..12], &other[4..8], &other[..4], &[7; 2]].concat();
                            let context = || format!("{run}: {}, {options:?}", test_mesh.name);
                            assert_eq!(direct[..], moved, "{}, {vertex}", context());
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn vertices_morphed_in_source_order_cannot_be_skinned_in_run_order() {
    let mut random = Random::new(703);
    let test_mesh = TestMesh::shared_joints(fast_runtime(), VERTICES, &mut random);
    let mesh = morphing_mesh(&test_mesh, &mut random);
    let morphed = Morphed::in_order(&mesh, VertexOrder::Source);
    let options = SkinOptions::default().with_morphed(&morphed);
    let palette = Palette::new(&test_mesh.skin);
    let mut skinned = Skinned::new(&mesh, sinew::mesh::Attributes::Positions).unwrap();
    let error = mesh.skin(&palette, &options, &mut skinned).unwrap_err();
    assert_eq!(error, SkinningError::MorphedInSourceOrder);
    assert_eq!(error.to_string(), "morphed vertices: expected run order, found source order");
    // Dual quaternions are blended in run order, whatever the order of the output.
    let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
    dual_quaternions.update(&palette).unwrap();
    let options = options.with_blending(Blending::DualQuaternion(&dual_quaternions));
    let layout = VertexLayout::interleaved(12).with(VertexAttribute::Position, VertexFormat::Float32x3, 0);
    let mut buffer = vec![0_u8; 12 * mesh.len()];
    let writer = VertexWriter::new(&layout, [&mut buffer[..]], mesh.len()).unwrap();
    let error = mesh.skin_into(&palette, &options, Target::vertices(writer)).unwrap_err();
    assert_eq!(error, SkinningError::MorphedInSourceOrder);
}

/// Neither NaN nor infinity may panic, and they stay where their joint has influence or may have.
#[test]
fn a_palette_that_is_not_finite_does_not_panic_in_source_order() {
    every_backend(|run| {
        let mut random = Random::new(704);
        for mut test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            test_mesh.grouping = None;
            let mesh = test_mesh.mesh(&[1, 2]);
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
                for joints in [vec![0], vec![JOINTS - 1], (0..JOINTS).collect()] {
                    let mut matrices: Vec<Matrix> = rigs::rigid_matrices(JOINTS, &mut random);
                    for joint in joints {
                        matrices[joint].rows[random.below(3)][random.below(4)] = bad;
                    }
                    let palette = Palette::from_matrices(matrices);
                    let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
                    dual_quaternions.update(&palette).expect("a palette of the skin");
                    let plain = SkinOptions::default();
                    let unit = plain.with_directions(DirectionLength::Unit);
                    let dual_quaternions = plain.with_blending(Blending::DualQuaternion(&dual_quaternions));
                    let more = [("plain", plain), ("unit", unit), ("dual quaternions", dual_quaternions)];
                    for (name, options) in every_options().into_iter().chain(more) {
                        if name != "dual quaternions" || test_mesh.joint_space_vectors.is_none() {
                            skin_into(&mesh, &palette, &options, VertexOrder::Source);
                        }
                    }
                }
            }
        }
    });
}

/// What a joint without weight adds must not show, as segments may share it or not: neither NaN nor
/// a zero's sign depends on the backend.
#[test]
fn reproducible_mode_gives_zeros_and_nan_the_same_bits_on_every_backend() {
    let mut first: Option<Vec<Option<u32>>> = None;
    every_backend(|run| {
        if run.float_mode != FloatMode::Reproducible {
            return;
        }
        let bones = [0; 2].map(|_| Bone::new("", None, Transform::IDENTITY));
        let skeleton = Skeleton::new(&bones).expect("two roots").with_runtime(runtime(run));
        let skin = Skin::new(&skeleton, &[JointId::new(0), JointId::new(1)]).expect("its joints");
        let positions: Vec<[f32; 3]> = (0..8).map(|i| [i as f32, 1.0, 0.0]).collect();
        let normals = vec![[0.0, 1.0, 0.0]; 8];
        let (joints, counts): (Vec<u32>, _) = ((0..8).map(|i| i % 2).collect(), vec![1; 8]);
        let influences = Influences::Variable { counts: &counts, joints: &joints, weights: &[1.0; 8] };
        let source = MeshSource { normals: Some(&normals), ..MeshSource::new(&positions, influences) };
        let mesh = Mesh::new(&source, &skin).expect("a sound mesh");
        let mut bits = Vec::new();
        for element in [1.0, f32::NAN, f32::INFINITY] {
            let turned =
                Matrix { rows: [[-1.0, -0.0, -0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };
            let mut other = Matrix::IDENTITY;
            other.rows[0] = [1.0, element, 1.0, 1.0];
            let palette = Palette::from_matrices(vec![other, turned]);
            let mut arrays = [0; 2].map(|_| vec![[f32::NAN; 3]; 8]);
            let writer = VertexWriter::new(&VertexLayout::packed(2), &mut arrays, 8).expect("sound buffers");
            mesh.skin_into(&palette, &SkinOptions::default(), Target::vertices(writer)).expect("sound input");
            let numbers = arrays.iter().flatten().flatten();
            bits.extend(numbers.map(|number| (!number.is_nan()).then_some(number.to_bits())));
        }
        assert_eq!(&bits, first.get_or_insert_with(|| bits.clone()), "{run}");
    });
}
