//! Positions alone, skinned into source order, where each is skinned once however many vertices
//! have it: the bits are those of skinning all attributes.

use sinew::skinning::{Target, VertexAttribute, VertexFormat, VertexLayout, VertexOrder, VertexWriter};
use sinew::{Aabb, FloatMode, Matrix, Mesh, Palette, SkinOptions};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::test_meshes::{JOINTS, TestMesh};

/// More than a window of 4096, and not whole blocks.
const VERTICES: usize = 9003;

/// A mesh whose vertices are repeated, with copies near and far.
fn mesh_with_copies(mesh: TestMesh, copies: usize, random: &mut Random) -> TestMesh {
    let own = mesh.cloud.positions.len();
    let mut order: Vec<usize> = (0..own * copies).map(|i| i % own).collect();
    for i in 1..order.len() {
        let near = i - random.below(i.min(3000) + 1);
        order.swap(i, near);
    }
    order.truncate(VERTICES);
    mesh.reordered(&order)
}

/// The positions, skinned with normals and tangents.
fn positions_of_all_attributes(mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> Vec<[f32; 3]> {
    let mut arrays = [0; 3].map(|_| vec![[f32::NAN; 3]; mesh.len()]);
    let writer = VertexWriter::new(&VertexLayout::packed(3), &mut arrays, mesh.len()).expect("sound buffers");
    mesh.skin_into(palette, options, Target::vertices(writer)).expect("a target that fits");
    let [positions, ..] = arrays;
    positions
}

#[test]
fn positions_alone_have_the_bits_of_all_attributes_in_any_layout_and_split() {
    every_backend(|run| {
        let mut random = Random::new(930);
        let runtime = runtime(run);
        for (mesh, pays) in [
            (TestMesh::shared_joints(runtime, VERTICES / 3, &mut random), true),
            (TestMesh::stored_weights(runtime, VERTICES / 3, &mut random), true),
            (TestMesh::joint_space(runtime, VERTICES / 3, &mut random), false),
        ] {
            let test_mesh = mesh_with_copies(mesh, 3, &mut random);
            let mesh = test_mesh.mesh(&[2]);
            assert_eq!(mesh.source_positions_bytes() > 0, pays, "{run}: {}", test_mesh.name);
            let palette = test_mesh.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            let blocks = mesh.len().div_ceil(8);
            for max_influences in [usize::MAX, 2] {
                let options = SkinOptions::default().with_max_influences(max_influences);
                let expected = positions_of_all_attributes(&mesh, &palette, &options);
                let at_40 = VertexLayout::interleaved(40);
                for layout in [
                    VertexLayout::packed(1),
                    at_40.with(VertexAttribute::Position, VertexFormat::Float32x4, 16),
                    at_40.with(VertexAttribute::Position, VertexFormat::Float32x3, 28),
                ] {
                    let own = layout.attribute(VertexAttribute::Position).expect("positions");
                    // A part of a window, the ends of two windows, and a single block.
                    let cuts = [0, 1 + random.below(500), 513 + random.below(300), blocks - 1, blocks];
                    for cuts in [&[0, blocks][..], &cuts] {
                        let windows: Vec<_> = cuts.windows(2).map(|ends| ends[0]..ends[1]).collect();
                        let mut floats = vec![f32::NAN; layout.buffer_len(0, mesh.len()) / 4];
                        let mut bounds = Aabb::EMPTY;
                        for (i, window) in windows.iter().enumerate() {
                            let mut writer = VertexWriter::new(&layout, [&mut floats], mesh.len())
                                .expect("a sound buffer");
                            let writer = writer.slice(8 * window.start..8 * window.end);
                            let target = Target::vertices(writer).with_window(window.clone());
                            let target = if i == 1 { target } else { target.with_bounds(&mut bounds) };
                            mesh.skin_into(&palette, &options, target).expect("a target that fits");
                        }
                        for (vertex, expected) in expected.iter().enumerate() {
                            let at = (vertex * own.stride + own.offset) / 4;
                            let same = (0..3).all(|c| floats[at + c].to_bits() == expected[c].to_bits());
                            assert!(same, "{run}: {}: {layout:?}: {vertex}", test_mesh.name);
                        }
                        let left_out = windows.get(1).map_or(0..0, |window| 8 * window.start..8 * window.end);
                        let bounded: Vec<[f32; 3]> = (0..mesh.len())
                            .filter(|vertex| !left_out.contains(vertex))
                            .map(|vertex| expected[vertex])
                            .collect();
                        assert_eq!(bounds, Aabb::from_points(&bounded), "{run}: {}", test_mesh.name);
                    }
                }
            }
        }
    });
}

/// By neighbors of their own, which are the same on every backend.
#[test]
fn reproducible_mode_gives_zeros_and_nan_of_positions_alone_the_same_bits_on_every_backend() {
    let mut first: Option<Vec<Option<u32>>> = None;
    every_backend(|run| {
        if run.float_mode != FloatMode::Reproducible {
            return;
        }
        let mut random = Random::new(933);
        let mesh = TestMesh::shared_joints(runtime(run), 1000, &mut random);
        let test_mesh = mesh_with_copies(mesh, 3, &mut random);
        let mesh = test_mesh.mesh(&[]);
        assert!(mesh.source_positions_bytes() > 0, "{run}");
        // Zeros of both signs in every vertex.
        let mut matrices = vec![Matrix::IDENTITY; JOINTS];
        matrices.iter_mut().step_by(2).for_each(|matrix| matrix.rows[0] = [0.0; 4]);
        matrices.iter_mut().skip(1).step_by(2).for_each(|matrix| matrix.rows[0] = [-0.0; 4]);
        matrices[2].rows[1] = [1.0, f32::NAN, 0.0, 0.0];
        matrices[3].rows[2] = [f32::INFINITY, -1.0, 0.0, 0.0];
        let palette = test_mesh.palette(&matrices);
        let mut positions = vec![[0.0_f32; 3]; mesh.len()];
        let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut positions], mesh.len());
        let target = Target::vertices(writer.expect("a sound buffer"));
        mesh.skin_into(&palette, &SkinOptions::default(), target).expect("a target that fits");
        let numbers = positions.as_flattened().iter();
        let bits: Vec<_> = numbers.map(|number| (!number.is_nan()).then_some(number.to_bits())).collect();
        let zeros = [0.0_f32, -0.0].map(|zero| bits.contains(&Some(zero.to_bits())));
        assert!(bits.contains(&None) && zeros.contains(&true), "{run}: zeros and NaN");
        assert!(&bits == first.get_or_insert_with(|| bits.clone()), "{run}");
    });
}

/// Bounds of parts of 512 blocks, in both orders, of vertices that are stored directly.
#[test]
fn bounds_of_large_meshes_contain_every_part() {
    every_backend(|run| {
        let mut random = Random::new(934);
        let mesh = TestMesh::shared_joints(runtime(run), VERTICES / 3, &mut random);
        let test_mesh = mesh_with_copies(mesh, 3, &mut random);
        let mesh = test_mesh.mesh(&[2]);
        let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
        for (order, max_influences) in
            [(VertexOrder::Source, usize::MAX), (VertexOrder::Run, usize::MAX), (VertexOrder::Run, 2)]
        {
            let options = SkinOptions::default().with_max_influences(max_influences);
            let len = mesh.len_in(order);
            let mut arrays = [0; 2].map(|_| vec![[f32::NAN; 3]; len]);
            let writer = VertexWriter::new(&VertexLayout::packed(2), &mut arrays, len);
            let mut bounds = Aabb::EMPTY;
            let target = Target::vertices(writer.expect("sound buffers")).in_order(order);
            mesh.skin_into(&palette, &options, target.with_bounds(&mut bounds)).expect("a target that fits");
            assert!(arrays[0].as_flattened().iter().all(|number| number.is_finite()), "{run}");
            assert_eq!(bounds, Aabb::from_points(&arrays[0]), "{run}: {order:?}, {max_influences}");
        }
    });
}

/// WebAssembly has no threads here, and one stack.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_stack_of_128_kib_is_enough() {
    let mut random = Random::new(935);
    let mesh = TestMesh::shared_joints(fast_runtime(), VERTICES / 3, &mut random);
    let test_mesh = mesh_with_copies(mesh, 3, &mut random);
    let mesh = test_mesh.mesh(&[]);
    let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
    assert!(mesh.source_positions_bytes() > 0);
    let skin = || {
        let mut positions = vec![[0.0_f32; 3]; mesh.len()];
        let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut positions], mesh.len());
        let target = Target::vertices(writer.expect("a sound buffer"));
        mesh.skin_into(&palette, &SkinOptions::default(), target).expect("a target that fits");
        positions
    };
    std::thread::scope(|scope| {
        let small = std::thread::Builder::new().stack_size(128 << 10).spawn_scoped(scope, skin);
        let positions = small.expect("a thread").join().expect("no panic");
        assert_eq!(positions, skin());
    });
}

#[test]
fn meshes_of_few_vertices_are_skinned_as_they_are() {
    let mut random = Random::new(931);
    for vertices in [0, 1, 8, 9, 50] {
        let few = TestMesh::shared_joints(fast_runtime(), vertices, &mut random).mesh(&[]);
        assert_eq!(few.source_positions_bytes(), 0, "{vertices} vertices");
    }
}

#[test]
fn positions_alone_allocate_nothing_once_prepared() {
    let mut random = Random::new(932);
    let mesh = TestMesh::shared_joints(fast_runtime(), VERTICES / 3, &mut random);
    let test_mesh = mesh_with_copies(mesh, 3, &mut random);
    let mesh = test_mesh.mesh(&[]);
    let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
    mesh.prepare_source_order(&SkinOptions::default()).expect("no levels");
    let (layout, mut positions) = (VertexLayout::packed(1), vec![[0.0_f32; 3]; mesh.len()]);
    let counted = allocation_counter::measure(|| {
        let mut bounds = Aabb::EMPTY;
        let writer = VertexWriter::new(&layout, [&mut positions], mesh.len()).expect("a sound buffer");
        let target = Target::vertices(writer).with_bounds(&mut bounds);
        mesh.skin_into(&palette, &SkinOptions::default(), target).expect("a target that fits");
    });
    assert_eq!(counted.count_total, 0);
    assert!(mesh.source_positions_bytes() > 0);
}
