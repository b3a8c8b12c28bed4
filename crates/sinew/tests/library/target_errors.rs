//! Targets that do not fit: each refused with what was expected and found, and nothing written.

use crate::cloud;

use crate::memory::{Kind, Memory};
use crate::subjects::Subject;
use sinew::{
    Aabb, Attributes, Blending, DualPalette, DualShares, Error, FloatMode, Kernels, Mesh, MeshSource, Order,
    Palette, SkinOptions, Skinned, Target, VectorBlock, VertexLayout, backend,
};
use sinew_testkit::random::Random;

const VERTICES: usize = 100;

fn kernels() -> &'static Kernels {
    backend::default().expect("an instruction set").kernels(FloatMode::Fast)
}

fn subject() -> Subject {
    Subject::grouped(kernels(), VERTICES, &mut Random::new(250))
}

fn packed(memory: &mut Memory) -> Target<'_> {
    Target::new(Attributes::Positions, memory.form(None))
}

/// Skins into a target, which must be refused; with bounds, which must stay empty.
fn refused(mesh: &Mesh, subject: &Subject, options: &SkinOptions<'_>, target: Target<'_>) -> String {
    let palette = Palette::new(&subject.skin);
    let mut bounds = Aabb::EMPTY;
    let target = Target { bounds: Some(&mut bounds), ..target };
    let error = mesh.skin_into(&palette, options, target).expect_err("a target that does not fit");
    assert!(bounds.is_empty(), "{error}: bounds were grown");
    error.to_string()
}

/// Demands the message for memory of another size than the mesh, in both orders.
fn check_size(kind: Kind, attributes: Attributes, more: isize, expected: impl Fn(usize, usize) -> String) {
    let (subject, vectors) = (subject(), attributes.vectors());
    let mesh = subject.mesh(&[]);
    for order in [Order::Run, Order::Source] {
        if !kind.allows(order) {
            continue;
        }
        let fits = if order == Order::Source { mesh.len() } else { mesh.padded_len() };
        let found = fits.checked_add_signed(more).expect("some vertices");
        let mut memory = Memory::new(kind, vectors, found);
        let target = Target { order, ..Target::new(attributes, memory.form(None)) };
        let message = refused(&mesh, &subject, &SkinOptions::default(), target);
        assert_eq!(message, expected(fits, found), "{kind:?}, {order:?}");
        memory.check_untouched();
    }
}

#[test]
fn memory_of_another_size_is_refused() {
    for attributes in [Attributes::Positions, Attributes::Tangents, Attributes::Bitangents] {
        let vectors = attributes.vectors();
        for more in [-8, 8] {
            for kind in [Kind::Blocks, Kind::NonTemporalBlocks] {
                check_size(kind, attributes, more, |fits, found| {
                    let [fits, found] = [fits, found].map(|places| places / 8 * vectors);
                    format!("skinned blocks: expected {fits}, found {found}")
                });
            }
        }
        for more in [-8, -1, 1, 8] {
            check_size(Kind::Streams, attributes, more, |fits, found| {
                format!("skinned stream: expected {fits}, found {found}")
            });
            check_size(Kind::Packed, attributes, more, |fits, found| {
                format!("skinned vectors: expected {fits}, found {found}")
            });
        }
        for kind in Kind::every(vectors) {
            if let Kind::Interleaved { stride, .. } = kind {
                check_size(kind, attributes, -1, |fits, found| {
                    format!("interleaved floats: expected {}, found {}", stride * fits, stride * found)
                });
            }
        }
    }
}

#[test]
fn each_stream_and_array_must_fit() {
    let subject = subject();
    let mesh = subject.mesh(&[]);
    let places = mesh.padded_len();
    let options = SkinOptions::default();
    for wrong in 0..9 {
        let mut streams: Vec<Vec<f32>> = vec![vec![0.5; places]; 12];
        streams[wrong].pop();
        let mut slices = streams.iter_mut().map(Vec::as_mut_slice);
        let form = VertexLayout::Streams(std::array::from_fn(|_| slices.next().unwrap()));
        let message = refused(&mesh, &subject, &options, Target::new(Attributes::Tangents, form));
        assert_eq!(message, format!("skinned stream: expected {places}, found {}", places - 1));
        assert!(streams.iter().flatten().all(|&float| float == 0.5), "nothing written");
    }
    for wrong in 0..3 {
        let mut arrays: Vec<Vec<[f32; 3]>> = vec![vec![[0.5; 3]; places]; 4];
        arrays[wrong].push([0.5; 3]);
        let mut slices = arrays.iter_mut().map(Vec::as_mut_slice);
        let form = VertexLayout::Packed(std::array::from_fn(|_| slices.next().unwrap()));
        let message = refused(&mesh, &subject, &options, Target::new(Attributes::Tangents, form));
        assert_eq!(message, format!("skinned vectors: expected {places}, found {}", places + 1));
        assert!(arrays.iter().flatten().all(|&vector| vector == [0.5; 3]), "nothing written");
    }
}

#[test]
fn interleaved_vertices_that_cannot_be_are_refused() {
    const MAX: usize = usize::MAX;
    let too_small = |expected: usize, vector: &str, stride: usize| {
        format!("stride: expected at least {expected} floats for the {vector}, found {stride}")
    };
    let overlap = |first: &str, second: &str| {
        format!("interleaved vertex: expected each vector apart, found {first} and {second} in one place")
    };
    let floats = |subject_places: usize, stride: usize| {
        let expected = subject_places.saturating_mul(stride);
        format!("interleaved floats: expected {expected}, found 4000")
    };
    let subject = subject();
    let mesh = subject.mesh(&[]);
    for order in [Order::Run, Order::Source] {
        let vertices = if order == Order::Source { mesh.len() } else { mesh.padded_len() };
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
            let mut memory = vec![0.5; 4000];
            let form = VertexLayout::Interleaved { floats: &mut memory, stride, offsets };
            let target = Target { order, ..Target::new(Attributes::Bitangents, form) };
            if expected.is_empty() {
                // Neighbours may touch, in any order.
                mesh.skin_into(&Palette::new(&subject.skin), &SkinOptions::default(), target).unwrap();
                continue;
            }
            let message = refused(&mesh, &subject, &SkinOptions::default(), target);
            assert_eq!(message, expected, "{stride} {offsets:?} {order:?}");
            assert!(memory.iter().all(|&float| float == 0.5), "nothing written");
        }
    }
}

#[test]
fn interleaved_memory_may_be_longer_and_keeps_what_is_behind() {
    let subject = subject();
    let mesh = subject.mesh(&[]);
    let palette = Palette::new(&subject.skin);
    for (stride, attributes) in
        [(8, Attributes::Normals), (12, Attributes::Tangents), (13, Attributes::Bitangents)]
    {
        for order in [Order::Run, Order::Source] {
            let vertices = if order == Order::Source { mesh.len() } else { mesh.padded_len() };
            let mut memory = vec![77.0; stride * vertices + 30];
            let form = VertexLayout::Interleaved { floats: &mut memory, stride, offsets: [0, 3, 6, 10] };
            let target = Target { order, ..Target::new(attributes, form) };
            mesh.skin_into(&palette, &SkinOptions::default(), target).unwrap();
            assert!(memory[stride * vertices..].iter().all(|&float| float == 77.0), "{stride} {order:?}");
        }
    }
}

#[test]
fn offsets_of_vectors_that_are_not_asked_for_do_not_matter() {
    let subject = subject();
    let mesh = subject.mesh(&[]);
    let mut memory = vec![0.5; 8 * mesh.padded_len()];
    let form =
        VertexLayout::Interleaved { floats: &mut memory, stride: 8, offsets: [5, 1, usize::MAX, usize::MAX] };
    let target = Target::new(Attributes::Normals, form);
    mesh.skin_into(&Palette::new(&subject.skin), &SkinOptions::default(), target).unwrap();
}

#[test]
fn windows_must_lie_in_the_mesh() {
    let subject = subject();
    let mesh = subject.mesh(&[]);
    let blocks = mesh.blocks();
    #[expect(clippy::reversed_empty_ranges, reason = "they are what is refused")]
    let windows = [0..blocks + 1, blocks + 1..blocks + 1, 2..1, usize::MAX..0, 0..usize::MAX];
    for window in windows {
        for order in [Order::Run, Order::Source] {
            let mut memory = Memory::new(Kind::Packed, 1, mesh.padded_len());
            let target = Target { order, window: Some(window.clone()), ..packed(&mut memory) };
            let message = refused(&mesh, &subject, &SkinOptions::default(), target);
            let expected = format!("expected a window of blocks within 0..{blocks}, found {window:?}");
            assert_eq!(message, expected);
            memory.check_untouched();
        }
    }
    // Room for all is too much for a window.
    let mut memory = Memory::new(Kind::Packed, 1, mesh.padded_len());
    let target = Target { window: Some(1..3), ..packed(&mut memory) };
    let message = refused(&mesh, &subject, &SkinOptions::default(), target);
    assert_eq!(message, format!("skinned vectors: expected 16, found {}", mesh.padded_len()));
    memory.check_untouched();
    // A window of nothing writes nothing.
    for empty in [0..0, blocks..blocks] {
        let mut memory = Memory::new(Kind::Packed, 1, 0);
        let target = Target { window: Some(empty), ..packed(&mut memory) };
        mesh.skin_into(&Palette::new(&subject.skin), &SkinOptions::default(), target).unwrap();
        memory.check_untouched();
    }
}

#[test]
fn blocks_are_in_run_order_only() {
    let subject = subject();
    let mesh = subject.mesh(&[]);
    for kind in [Kind::Blocks, Kind::NonTemporalBlocks] {
        let mut memory = Memory::new(kind, 1, mesh.padded_len());
        let target = Target { order: Order::Source, ..packed(&mut memory) };
        let message = refused(&mesh, &subject, &SkinOptions::default(), target);
        assert_eq!(message, "blocks: expected run order, found source order");
        memory.check_untouched();
    }
}

#[test]
fn attributes_that_the_mesh_does_not_have_are_refused() {
    let subject = subject();
    let bare = MeshSource { normals: None, tangents: None, ..subject.source() };
    let with_normals = MeshSource { tangents: None, ..subject.source() };
    for (source, attributes, expected) in [
        (&bare, Attributes::Normals, "expected normals, found none"),
        (&bare, Attributes::Tangents, "expected normals, found none"),
        (&bare, Attributes::Bitangents, "expected normals, found none"),
        (&with_normals, Attributes::Tangents, "expected tangents, found none"),
        (&with_normals, Attributes::Bitangents, "expected tangents, found none"),
    ] {
        let mesh = Mesh::new(source, &subject.skin).unwrap();
        let mut memory = Memory::new(Kind::Packed, attributes.vectors(), mesh.padded_len());
        let target = Target::new(attributes, memory.form(None));
        assert_eq!(refused(&mesh, &subject, &SkinOptions::default(), target), expected);
        memory.check_untouched();
        assert_eq!(Skinned::new(&mesh, attributes).unwrap_err().to_string(), expected);
    }
}

#[test]
fn options_and_palettes_of_others_are_refused_before_anything_is_written() {
    let (subject, other) = (subject(), cloud::skin(3));
    let mesh = subject.mesh(&[]);
    let duals = [DualPalette::new(&other), DualPalette::new(&subject.skin)];
    let small = Subject::grouped(kernels(), 9, &mut Random::new(251)).mesh(&[]);
    let shares = DualShares::new(&small, &[1.0; 9]).unwrap();
    let plain = SkinOptions::default();
    let blocks = (mesh.blocks(), small.blocks());
    for (options, expected) in [
        (SkinOptions { max_influences: 1, ..plain }, Error::NoLevel { asked: 1 }.to_string()),
        (
            SkinOptions { blending: Blending::Duals(&duals[0]), ..plain },
            "dual palette: expected 40, found 3".to_owned(),
        ),
        (
            SkinOptions { blending: Blending::Mixed(&duals[1], &shares), ..plain },
            format!("blocks of dual shares: expected {}, found {}", blocks.0, blocks.1),
        ),
    ] {
        let mut memory = Memory::new(Kind::Packed, 1, mesh.padded_len());
        assert_eq!(refused(&mesh, &subject, &options, packed(&mut memory)), expected);
        memory.check_untouched();
    }
    let mut memory = Memory::new(Kind::Packed, 1, mesh.padded_len());
    let error = mesh.skin_into(&Palette::new(&other), &plain, packed(&mut memory)).unwrap_err();
    assert_eq!(error.to_string(), "palette: expected 40, found 3");
    memory.check_untouched();

    let mut of_another = Skinned::new(&small, Attributes::Positions).unwrap();
    let error = mesh.skin(&Palette::new(&subject.skin), &plain, &mut of_another).unwrap_err();
    assert_eq!(error.to_string(), format!("skinned vertices: expected {VERTICES}, found 9"));
    assert!(of_another.blocks().iter().all(|block| *block == VectorBlock::default()), "nothing written");
}
