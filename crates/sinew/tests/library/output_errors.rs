//! Output memory that does not match is rejected with the expected and found sizes. Nothing is
//! written.

use sinew::mesh::{Attributes, VectorBlock};
use sinew::skinning::{
    Blending, DualQuaternionPalette, DualQuaternionWeights, Skinned, SkinningError, Target, VertexLayout,
    VertexOrder,
};
use sinew::{Aabb, Mesh, MeshSource, Palette, SkinOptions};
use sinew_testkit::random::Random;

use crate::support::backends::fast_runtime;
use crate::support::guarded_output::{GuardedOutput, OutputKind};
use crate::support::test_meshes::TestMesh;
use crate::support::vertex_cloud::identity_skin;

const VERTICES: usize = 100;

/// A mesh of shared joints.
fn small_test_mesh() -> TestMesh {
    TestMesh::shared_joints(fast_runtime(), VERTICES, &mut Random::new(250))
}

/// A target for positions in all of the memory.
fn positions_target(output: &mut GuardedOutput) -> Target<'_> {
    Target::new(Attributes::Positions, output.form(None))
}

/// The error message of skinning into a target. Asserts that bounds stay empty.
fn rejection(mesh: &Mesh, test_mesh: &TestMesh, options: &SkinOptions<'_>, target: Target<'_>) -> String {
    let palette = Palette::new(&test_mesh.skin);
    let mut bounds = Aabb::EMPTY;
    let target = Target { bounds: Some(&mut bounds), ..target };
    let error = mesh.skin_into(&palette, options, target).expect_err("a target that does not fit");
    assert!(bounds.is_empty(), "{error}: bounds were grown");
    error.to_string()
}

/// Asserts the error message for memory of another size than the mesh, in both orders.
fn assert_size_rejected(
    kind: OutputKind,
    attributes: Attributes,
    more: isize,
    expected: impl Fn(usize, usize) -> String,
) {
    let (test_mesh, vectors) = (small_test_mesh(), attributes.vectors());
    let mesh = test_mesh.mesh(&[]);
    for order in [VertexOrder::Run, VertexOrder::Source] {
        if !kind.supports(order) {
            continue;
        }
        let fits = if order == VertexOrder::Source { mesh.len() } else { mesh.padded_len() };
        let found = fits.checked_add_signed(more).expect("some vertices");
        let mut output = GuardedOutput::new(kind, vectors, found);
        let target = Target { order, ..Target::new(attributes, output.form(None)) };
        let message = rejection(&mesh, &test_mesh, &SkinOptions::default(), target);
        assert_eq!(message, expected(fits, found), "{kind:?}, {order:?}");
        output.assert_untouched();
    }
}

#[test]
fn output_memory_of_the_wrong_size_is_rejected() {
    for attributes in [Attributes::Positions, Attributes::Tangents, Attributes::Bitangents] {
        let vectors = attributes.vectors();
        for more in [-8, 8] {
            for kind in [OutputKind::Blocks, OutputKind::NonTemporalBlocks] {
                assert_size_rejected(kind, attributes, more, |fits, found| {
                    let [fits, found] = [fits, found].map(|slots| slots / 8 * vectors);
                    format!("skinned blocks: expected {fits}, found {found}")
                });
            }
        }
        for more in [-8, -1, 1, 8] {
            assert_size_rejected(OutputKind::Streams, attributes, more, |fits, found| {
                format!("skinned stream: expected {fits}, found {found}")
            });
            assert_size_rejected(OutputKind::Packed, attributes, more, |fits, found| {
                format!("skinned vectors: expected {fits}, found {found}")
            });
        }
        for kind in OutputKind::every_kind(vectors) {
            if let OutputKind::Interleaved { stride, .. } = kind {
                assert_size_rejected(kind, attributes, -1, |fits, found| {
                    format!("interleaved floats: expected {}, found {}", stride * fits, stride * found)
                });
            }
        }
    }
}

#[test]
fn every_stream_and_array_must_have_the_right_length() {
    let test_mesh = small_test_mesh();
    let mesh = test_mesh.mesh(&[]);
    let slots = mesh.padded_len();
    let options = SkinOptions::default();
    for wrong in 0..9 {
        let mut streams: Vec<Vec<f32>> = vec![vec![0.5; slots]; 12];
        streams[wrong].pop();
        let mut slices = streams.iter_mut().map(Vec::as_mut_slice);
        let form = VertexLayout::Streams(std::array::from_fn(|_| slices.next().unwrap()));
        let message = rejection(&mesh, &test_mesh, &options, Target::new(Attributes::Tangents, form));
        assert_eq!(message, format!("skinned stream: expected {slots}, found {}", slots - 1));
        assert!(streams.iter().flatten().all(|&float| float == 0.5), "nothing written");
    }
    for wrong in 0..3 {
        let mut arrays: Vec<Vec<[f32; 3]>> = vec![vec![[0.5; 3]; slots]; 4];
        arrays[wrong].push([0.5; 3]);
        let mut slices = arrays.iter_mut().map(Vec::as_mut_slice);
        let form = VertexLayout::Packed(std::array::from_fn(|_| slices.next().unwrap()));
        let message = rejection(&mesh, &test_mesh, &options, Target::new(Attributes::Tangents, form));
        assert_eq!(message, format!("skinned vectors: expected {slots}, found {}", slots + 1));
        assert!(arrays.iter().flatten().all(|&vector| vector == [0.5; 3]), "nothing written");
    }
}

#[test]
fn invalid_strides_and_offsets_are_rejected() {
    const MAX: usize = usize::MAX;
    let too_small = |expected: usize, vector: &str, stride: usize| {
        format!("stride: expected at least {expected} floats for the {vector}, found {stride}")
    };
    let overlap = |first: &str, second: &str| {
        format!(
            "interleaved vertex: expected vectors that do not overlap, found {first} and {second} overlapping"
        )
    };
    let floats = |subject_places: usize, stride: usize| {
        let expected = subject_places.saturating_mul(stride);
        format!("interleaved floats: expected {expected}, found 4000")
    };
    let test_mesh = small_test_mesh();
    let mesh = test_mesh.mesh(&[]);
    for order in [VertexOrder::Run, VertexOrder::Source] {
        let vertices = if order == VertexOrder::Source { mesh.len() } else { mesh.padded_len() };
        for (stride, offsets, expected) in [
            (0, [0, 3, 6, 10], too_small(3, "position", 0)),
            (2, [0, 3, 6, 10], too_small(3, "position", 2)),
            (5, [0, 3, 6, 10], too_small(6, "normal", 5)),
            (9, [0, 3, 6, 10], too_small(10, "tangent", 9)),
            (12, [0, 3, 6, 10], too_small(13, "bitangent", 12)),
            (13, [11, 3, 6, 0], too_small(14, "position", 13)),
            (16, [0, 2, 6, 10], overlap("position", "normal")),
            (16, [3, 3, 6, 10], overlap("position", "normal")),
            (16, [8, 3, 6, 10], overlap("position", "tangent")),
            (16, [0, 3, 6, 9], overlap("tangent", "bitangent")),
            (16, [0, 7, 3, 12], String::new()),
            (16, [0, 10, 3, 12], overlap("normal", "bitangent")),
            (16, [2, 5, 8, 0], overlap("position", "bitangent")),
            (16, [0, MAX, 6, 10], too_small(MAX, "normal", 16)),
            (16, [MAX - 2, 3, 6, 10], too_small(MAX, "position", 16)),
            (16, [0, 3, 6, MAX - 3], too_small(MAX, "bitangent", 16)),
            (MAX - 1, [0, 3, MAX - 2, 10], too_small(MAX, "tangent", MAX - 1)),
            (MAX, [MAX - 2, MAX - 1, 6, 10], overlap("position", "normal")),
            (MAX, [0, 3, 6, 10], floats(vertices, MAX)),
            (MAX / 8, [0, 3, 6, 10], floats(vertices, MAX / 8)),
            (MAX, [0, 3, 6, MAX - 3], floats(vertices, MAX)),
        ] {
            let mut output = vec![0.5; 4000];
            let form = VertexLayout::Interleaved { floats: &mut output, stride, offsets };
            let target = Target { order, ..Target::new(Attributes::Bitangents, form) };
            if expected.is_empty() {
                // Vectors may be adjacent, in any order.
                mesh.skin_into(&Palette::new(&test_mesh.skin), &SkinOptions::default(), target).unwrap();
                continue;
            }
            let message = rejection(&mesh, &test_mesh, &SkinOptions::default(), target);
            assert_eq!(message, expected, "{stride} {offsets:?} {order:?}");
            assert!(output.iter().all(|&float| float == 0.5), "nothing written");
        }
    }
}

#[test]
fn longer_interleaved_memory_is_accepted_and_its_tail_not_written() {
    let test_mesh = small_test_mesh();
    let mesh = test_mesh.mesh(&[]);
    let palette = Palette::new(&test_mesh.skin);
    for (stride, attributes) in
        [(8, Attributes::Normals), (12, Attributes::Tangents), (13, Attributes::Bitangents)]
    {
        for order in [VertexOrder::Run, VertexOrder::Source] {
            let vertices = if order == VertexOrder::Source { mesh.len() } else { mesh.padded_len() };
            let mut output = vec![77.0; stride * vertices + 30];
            let form = VertexLayout::Interleaved { floats: &mut output, stride, offsets: [0, 3, 6, 10] };
            let target = Target { order, ..Target::new(attributes, form) };
            mesh.skin_into(&palette, &SkinOptions::default(), target).unwrap();
            assert!(output[stride * vertices..].iter().all(|&float| float == 77.0), "{stride} {order:?}");
        }
    }
}

#[test]
fn offsets_of_unrequested_attributes_are_ignored() {
    let test_mesh = small_test_mesh();
    let mesh = test_mesh.mesh(&[]);
    let mut output = vec![0.5; 8 * mesh.padded_len()];
    let form =
        VertexLayout::Interleaved { floats: &mut output, stride: 8, offsets: [5, 1, usize::MAX, usize::MAX] };
    let target = Target::new(Attributes::Normals, form);
    mesh.skin_into(&Palette::new(&test_mesh.skin), &SkinOptions::default(), target).unwrap();
}

#[test]
fn windows_must_lie_within_the_mesh() {
    let test_mesh = small_test_mesh();
    let mesh = test_mesh.mesh(&[]);
    let blocks = mesh.blocks();
    #[expect(clippy::reversed_empty_ranges, reason = "these ranges are rejected")]
    let windows = [0..blocks + 1, blocks + 1..blocks + 1, 2..1, usize::MAX..0, 0..usize::MAX];
    for window in windows {
        for order in [VertexOrder::Run, VertexOrder::Source] {
            let mut output = GuardedOutput::new(OutputKind::Packed, 1, mesh.padded_len());
            let target = Target { order, window: Some(window.clone()), ..positions_target(&mut output) };
            let message = rejection(&mesh, &test_mesh, &SkinOptions::default(), target);
            let expected = format!("expected a window of blocks within 0..{blocks}, found {window:?}");
            assert_eq!(message, expected);
            output.assert_untouched();
        }
    }
    // Memory for all vertices is too much for a window.
    let mut output = GuardedOutput::new(OutputKind::Packed, 1, mesh.padded_len());
    let target = Target { window: Some(1..3), ..positions_target(&mut output) };
    let message = rejection(&mesh, &test_mesh, &SkinOptions::default(), target);
    assert_eq!(message, format!("skinned vectors: expected 16, found {}", mesh.padded_len()));
    output.assert_untouched();
    // An empty window writes nothing.
    for empty in [0..0, blocks..blocks] {
        let mut output = GuardedOutput::new(OutputKind::Packed, 1, 0);
        let target = Target { window: Some(empty), ..positions_target(&mut output) };
        mesh.skin_into(&Palette::new(&test_mesh.skin), &SkinOptions::default(), target).unwrap();
        output.assert_untouched();
    }
}

#[test]
fn blocks_accept_run_order_only() {
    let test_mesh = small_test_mesh();
    let mesh = test_mesh.mesh(&[]);
    for kind in [OutputKind::Blocks, OutputKind::NonTemporalBlocks] {
        let mut output = GuardedOutput::new(kind, 1, mesh.padded_len());
        let target = Target { order: VertexOrder::Source, ..positions_target(&mut output) };
        let message = rejection(&mesh, &test_mesh, &SkinOptions::default(), target);
        assert_eq!(message, "blocks: expected run order, found source order");
        output.assert_untouched();
    }
}

#[test]
fn attributes_missing_from_the_mesh_are_rejected() {
    let test_mesh = small_test_mesh();
    let bare = MeshSource { normals: None, tangents: None, ..test_mesh.source() };
    let with_normals = MeshSource { tangents: None, ..test_mesh.source() };
    for (source, attributes, expected) in [
        (&bare, Attributes::Normals, "expected normals, found none"),
        (&bare, Attributes::Tangents, "expected normals, found none"),
        (&bare, Attributes::Bitangents, "expected normals, found none"),
        (&with_normals, Attributes::Tangents, "expected tangents, found none"),
        (&with_normals, Attributes::Bitangents, "expected tangents, found none"),
    ] {
        let mesh = Mesh::new(source, &test_mesh.skin).unwrap();
        let mut output = GuardedOutput::new(OutputKind::Packed, attributes.vectors(), mesh.padded_len());
        let target = Target::new(attributes, output.form(None));
        assert_eq!(rejection(&mesh, &test_mesh, &SkinOptions::default(), target), expected);
        output.assert_untouched();
        assert_eq!(Skinned::new(&mesh, attributes).unwrap_err().to_string(), expected);
    }
}

#[test]
fn mismatched_options_and_palettes_are_rejected_before_anything_is_written() {
    let (test_mesh, other) = (small_test_mesh(), identity_skin(3));
    let mesh = test_mesh.mesh(&[]);
    let duals = [DualQuaternionPalette::new(&other), DualQuaternionPalette::new(&test_mesh.skin)];
    let small = TestMesh::shared_joints(fast_runtime(), 9, &mut Random::new(251)).mesh(&[]);
    let dual_weights = DualQuaternionWeights::new(&small, &[1.0; 9]).unwrap();
    let plain = SkinOptions::default();
    let blocks = (mesh.blocks(), small.blocks());
    for (options, expected) in [
        (plain.with_max_influences(1), SkinningError::NoLevel { requested: 1 }.to_string()),
        (
            plain.with_blending(Blending::DualQuaternion(&duals[0])),
            "dual-quaternion palette: expected 40, found 3".to_owned(),
        ),
        (
            plain.with_blending(Blending::Mixed(&duals[1], &dual_weights)),
            format!("blocks of dual-quaternion weights: expected {}, found {}", blocks.0, blocks.1),
        ),
    ] {
        let mut output = GuardedOutput::new(OutputKind::Packed, 1, mesh.padded_len());
        assert_eq!(rejection(&mesh, &test_mesh, &options, positions_target(&mut output)), expected);
        output.assert_untouched();
    }
    let mut output = GuardedOutput::new(OutputKind::Packed, 1, mesh.padded_len());
    let error = mesh.skin_into(&Palette::new(&other), &plain, positions_target(&mut output)).unwrap_err();
    assert_eq!(error.to_string(), "palette: expected 40, found 3");
    output.assert_untouched();

    let mut other = Skinned::new(&small, Attributes::Positions).unwrap();
    let error = mesh.skin(&Palette::new(&test_mesh.skin), &plain, &mut other).unwrap_err();
    assert_eq!(error.to_string(), format!("skinned vertices: expected {VERTICES}, found 9"));
    assert!(other.blocks().iter().all(|block| *block == VectorBlock::default()), "nothing written");
}
