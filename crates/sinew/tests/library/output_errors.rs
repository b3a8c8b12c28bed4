//! Output memory that does not match is rejected with the expected and found sizes. Nothing is
//! written.

use sinew::mesh::{Attributes, VectorBlock};
use sinew::skinning::{
    Blending, DualQuaternionPalette, DualQuaternionWeights, Skinned, SkinningError, Target, VertexAttribute,
    VertexFormat, VertexLayout, VertexLayoutError, VertexOrder, VertexOutput, VertexWriter,
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
    Target::new(Attributes::Positions, output.output(None))
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
        let target = Target { order, ..Target::new(attributes, output.output(None)) };
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
                format!("vertices of the buffers: expected {fits}, found {found}")
            });
            for kind in OutputKind::every_kind(vectors) {
                if let OutputKind::Interleaved { .. } = kind {
                    assert_size_rejected(kind, attributes, more, |fits, found| {
                        format!("vertices of the buffers: expected {fits}, found {found}")
                    });
                }
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
        let form = VertexOutput::Streams(std::array::from_fn(|_| slices.next().unwrap()));
        let message = rejection(&mesh, &test_mesh, &options, Target::new(Attributes::Tangents, form));
        assert_eq!(message, format!("skinned stream: expected {slots}, found {}", slots - 1));
        assert!(streams.iter().flatten().all(|&float| float == 0.5), "nothing written");
    }
}

#[test]
fn buffers_that_do_not_fit_the_layout_are_rejected() {
    let attributes = [VertexAttribute::Position, VertexAttribute::Normal];
    let packed = VertexLayout::packed(2);
    let mut short = [vec![[0.0_f32; 3]; 5], vec![[0.0_f32; 3]; 4]];
    let error = VertexWriter::new(&packed, &mut short, 5).unwrap_err();
    assert_eq!(error.to_string(), "vertex buffer 1: expected at least 60 bytes, found 48");
    for count in [0, 1, 3] {
        let mut buffers = vec![vec![[0.0_f32; 3]; 5]; count];
        let error = VertexWriter::new(&packed, &mut buffers, 5).unwrap_err();
        assert_eq!(error.to_string(), format!("vertex buffers: expected 2, found {count}"));
    }
    let interleaved =
        attributes.iter().zip([0, 12]).fold(VertexLayout::interleaved(24), |layout, (&attribute, offset)| {
            layout.with(attribute, VertexFormat::Float32x3, offset)
        });
    let mut bytes = vec![0_u8; 24 * 6];
    let start = bytes.as_ptr().align_offset(4) + 1;
    let error = VertexWriter::new(&interleaved, [&mut bytes[start..]], 5).unwrap_err();
    assert_eq!(error.to_string(), "vertex buffer 0: expected an address that is a multiple of 4 bytes");
    for vertices in [7, usize::MAX / 24, usize::MAX] {
        let error = VertexWriter::new(&interleaved, [&mut bytes], vertices).unwrap_err();
        assert!(matches!(error, VertexLayoutError::BufferTooShort { .. }), "{error}");
    }
}

#[test]
fn invalid_strides_and_offsets_are_rejected() {
    const MAX: usize = usize::MAX - 3;
    let too_small = |expected: usize, vector: &str, stride: usize| {
        format!(
            "vertex layout: expected a stride of at least {expected} bytes for the {vector}, found {stride}"
        )
    };
    let overlap = |first: &str, second: &str| {
        format!(
            "vertex layout: expected attributes that do not overlap, found {first} and {second} overlapping"
        )
    };
    let misaligned = |vector: &str, offset: usize, stride: usize| {
        format!(
            "vertex layout: expected offset and stride of the {vector} to be multiples of 4 bytes, \
             found offset {offset} and stride {stride}"
        )
    };
    for (stride, offsets, expected) in [
        (0, [0, 12, 24, 40], too_small(12, "position", 0)),
        (8, [0, 12, 24, 40], too_small(12, "position", 8)),
        (20, [0, 12, 24, 40], too_small(24, "normal", 20)),
        (36, [0, 12, 24, 40], too_small(40, "tangent", 36)),
        (48, [0, 12, 24, 40], too_small(52, "bitangent", 48)),
        (52, [44, 12, 24, 0], too_small(56, "position", 52)),
        (64, [0, 8, 24, 40], overlap("position", "normal")),
        (64, [12, 12, 24, 40], overlap("position", "normal")),
        (64, [32, 12, 24, 40], overlap("position", "tangent")),
        (64, [0, 12, 24, 36], overlap("tangent", "bitangent")),
        (64, [0, 28, 12, 48], String::new()),
        (64, [0, 40, 12, 48], overlap("normal", "bitangent")),
        (64, [8, 20, 32, 0], overlap("position", "bitangent")),
        (64, [0, MAX, 24, 40], too_small(usize::MAX, "normal", 64)),
        (64, [MAX, 12, 24, 40], too_small(usize::MAX, "position", 64)),
        (MAX, [0, 12, MAX, 40], too_small(usize::MAX, "tangent", MAX)),
        (63, [0, 12, 24, 40], misaligned("position", 0, 63)),
        (64, [0, 14, 28, 44], misaligned("normal", 14, 64)),
    ] {
        let mut layout = VertexLayout::interleaved(stride);
        for (attribute, offset) in VertexAttribute::ALL.into_iter().zip(offsets) {
            let tangent = attribute == VertexAttribute::Tangent;
            let format = if tangent { VertexFormat::Float32x4 } else { VertexFormat::Float32x3 };
            layout = layout.with(attribute, format, offset);
        }
        let checked = layout.check().map_or_else(|error| error.to_string(), |()| String::new());
        assert_eq!(checked, expected, "{stride} {offsets:?}");
        let mut buffer = vec![0.0_f32; 4000];
        let writer = VertexWriter::new(&layout, [&mut buffer], 3);
        assert_eq!(writer.map_or_else(|error| error.to_string(), |_| String::new()), expected);
    }
    let none = VertexLayout::interleaved(16).check().unwrap_err();
    assert_eq!(none.to_string(), "vertex layout: expected at least one attribute, found none");
    let octahedral =
        VertexLayout::interleaved(16).with(VertexAttribute::Position, VertexFormat::Snorm16x2Octahedral, 0);
    let error = octahedral.check().unwrap_err().to_string();
    assert_eq!(error, "vertex layout: expected a direction for the octahedral format, found the position");
}

#[test]
fn longer_interleaved_memory_is_accepted_and_its_tail_not_written() {
    let test_mesh = small_test_mesh();
    let mesh = test_mesh.mesh(&[]);
    let palette = Palette::new(&test_mesh.skin);
    for (stride, vectors) in [(8, 2), (12, 3), (13, 4)] {
        for order in [VertexOrder::Run, VertexOrder::Source] {
            let vertices = if order == VertexOrder::Source { mesh.len() } else { mesh.padded_len() };
            let mut output = vec![77.0_f32; stride * vertices + 30];
            let mut layout = VertexLayout::interleaved(4 * stride);
            for (attribute, offset) in VertexAttribute::ALL.into_iter().zip([0, 12, 24, 36]).take(vectors) {
                layout = layout.with(attribute, VertexFormat::Float32x3, offset);
            }
            let writer = VertexWriter::new(&layout, [&mut output], vertices).unwrap();
            let target = Target::vertices(writer).in_order(order);
            mesh.skin_into(&palette, &SkinOptions::default(), target).unwrap();
            assert!(output[stride * vertices..].iter().all(|&float| float == 77.0), "{stride} {order:?}");
        }
    }
}

#[test]
fn windows_must_lie_within_the_mesh() {
    let test_mesh = small_test_mesh();
    let mesh = test_mesh.mesh(&[]);
    let blocks = mesh.blocks();
    for order in [VertexOrder::Run, VertexOrder::Source] {
        let blocks = if order == VertexOrder::Source { mesh.len().div_ceil(8) } else { blocks };
        #[expect(clippy::reversed_empty_ranges, reason = "these ranges are rejected")]
        let windows = [0..blocks + 1, blocks + 1..blocks + 1, 2..1, usize::MAX..0, 0..usize::MAX];
        for window in windows {
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
    assert_eq!(message, format!("vertices of the buffers: expected 16, found {}", mesh.padded_len()));
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
        let target = Target::new(attributes, output.output(None));
        assert_eq!(rejection(&mesh, &test_mesh, &SkinOptions::default(), target), expected);
        output.assert_untouched();
        assert_eq!(Skinned::new(&mesh, attributes).unwrap_err().to_string(), expected);
    }
}

#[test]
fn mismatched_options_and_palettes_are_rejected_before_anything_is_written() {
    let (test_mesh, other) = (small_test_mesh(), identity_skin(3));
    let mesh = test_mesh.mesh(&[]);
    let dual_quaternions = [DualQuaternionPalette::new(&other), DualQuaternionPalette::new(&test_mesh.skin)];
    let small = TestMesh::shared_joints(fast_runtime(), 9, &mut Random::new(251)).mesh(&[]);
    let dual_weights = DualQuaternionWeights::new(&small, &[1.0; 9]).unwrap();
    let plain = SkinOptions::default();
    let blocks = (mesh.blocks(), small.blocks());
    for (options, expected) in [
        (plain.with_max_influences(1), SkinningError::NoLevel { requested: 1 }.to_string()),
        (
            plain.with_blending(Blending::DualQuaternion(&dual_quaternions[0])),
            "dual-quaternion palette: expected 40, found 3".to_owned(),
        ),
        (
            plain.with_blending(Blending::Mixed(&dual_quaternions[1], &dual_weights)),
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
