//! Meshes skinned into random vertex layouts: every attribute within half a unit of its format of
//! the
//! `f64` reference, every other byte as it was, whatever the split into windows; and in
//! reproducible mode the same bytes on every backend.

use std::collections::BTreeMap;

use sinew::kernels::reference::{half_to_number, octahedral_to_direction};
use sinew::skinning::{
    AttributeLayout, DirectionLength, FourthComponent, Target, VertexAttribute, VertexFormat, VertexLayout,
    VertexOrder, VertexOutput, VertexWriter,
};
use sinew::{Aabb, FloatMode, Mesh, Palette, Runtime, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::test_meshes::{JOINTS, TestMesh};
use crate::support::vec3_f64::{cross, dot, length};
use crate::support::vertex_cloud::MESH_SIZE;

const VERTICES: usize = if EMULATED { 43 } else { 203 };
const LAYOUTS: usize = if EMULATED { 10 } else { 40 };
/// The tolerance of `f32` results: of positions relative to the mesh's size, of directions.
const FLOAT: f64 = 2e-6;
const FORMATS: [VertexFormat; 6] = [
    VertexFormat::Float32x3,
    VertexFormat::Float32x4,
    VertexFormat::Float16x4,
    VertexFormat::Snorm16x4,
    VertexFormat::Snorm16x2Octahedral,
    VertexFormat::Snorm8x4,
];
const FOURTHS: [FourthComponent; 3] =
    [FourthComponent::Zero, FourthComponent::One, FourthComponent::TangentSign];

/// A position of floats or halves, and directions of smaller numbers side by side, behind it or
/// apart: most are stored straight from registers.
fn random_direct_layout(random: &mut Random) -> VertexLayout {
    let vectors = 1 + random.below(3);
    let position = FORMATS[random.below(3)];
    let directions =
        [VertexFormat::Float16x4, VertexFormat::Snorm16x4, VertexFormat::Snorm8x4][random.below(3)];
    let multiple = if position == VertexFormat::Float16x4 { 2 } else { 4 };
    let mut gap = |times| multiple * random.below(times);
    let (offset, between, behind) = (gap(5), if gap(2) == 0 { 0 } else { gap(5) }, gap(9));
    let first = offset + position.size() + between;
    let size = directions.size();
    let stride = (first + size * (vectors - 1) + behind).next_multiple_of(multiple);
    let mut layout = VertexLayout::interleaved(stride).with(VertexAttribute::Position, position, offset);
    for (i, attribute) in VertexAttribute::ALL.into_iter().take(vectors).skip(1).enumerate() {
        layout = layout.with(attribute, directions, first + i * size);
    }
    layout
}

/// A random sound layout: strides of 12 to 96 bytes, any offsets and formats, one buffer or
/// several.
fn random_layout(random: &mut Random) -> VertexLayout {
    if random.once_in(4) {
        return random_direct_layout(random);
    }
    loop {
        let interleaved = random.below(3) > 0;
        let mut layout = match interleaved {
            true => VertexLayout::interleaved(12 + random.below(85)),
            false => VertexLayout::separate(),
        };
        for attribute in VertexAttribute::ALL {
            if random.once_in(3) {
                continue;
            }
            let formats = if random.once_in(2) { 2 } else { FORMATS.len() };
            layout = layout.with(attribute, FORMATS[random.below(formats)], random.below(60));
            if !interleaved && random.once_in(2) {
                layout = layout.with_stride(attribute, 12 + random.below(85));
            }
            if random.once_in(3) {
                layout = layout.with_fourth(attribute, FOURTHS[random.below(3)]);
            }
        }
        if layout.check().is_ok() {
            return layout;
        }
    }
}

/// A layout and how it is filled.
struct Case {
    layout: VertexLayout,
    order: VertexOrder,
    directions: DirectionLength,
    bounded: bool,
}

impl Case {
    fn new(random: &mut Random) -> Self {
        Self {
            layout: random_layout(random),
            order: if random.once_in(2) { VertexOrder::Run } else { VertexOrder::Source },
            directions: if random.once_in(4) { DirectionLength::Unit } else { DirectionLength::AsBlended },
            bounded: random.once_in(3),
        }
    }

    /// Buffers of random bytes: a few before the first vertex and behind the last one.
    fn buffers(&self, vertices: usize) -> Vec<Vec<u32>> {
        let mut random = Random::new(77);
        let words = |buffer| self.layout.buffer_len(buffer, vertices).div_ceil(4) + 8;
        (0..self.layout.buffers())
            .map(|buffer| (0..words(buffer)).map(|_| random.bits() as u32).collect())
            .collect()
    }

    /// Skins windows in turn. Returns the bytes of all buffers.
    fn skin(&self, mesh: &Mesh, palette: &Palette, windows: &[std::ops::Range<usize>]) -> Vec<Vec<u8>> {
        let vertices = mesh.len_in(self.order);
        let mut buffers = self.buffers(vertices);
        let options = SkinOptions::default().with_directions(self.directions);
        let writer = VertexWriter::new(&self.layout, buffers.iter_mut(), vertices);
        let mut writer = writer.expect("a sound layout");
        for window in windows {
            let mut bounds = Aabb::EMPTY;
            let output = VertexOutput::Buffers(writer.slice(8 * window.start..8 * window.end));
            let target = Target {
                order: self.order,
                bounds: self.bounded.then_some(&mut bounds),
                window: Some(window.clone()),
                ..Target::new(sinew::mesh::Attributes::Positions, output)
            };
            mesh.skin_into(palette, &options, target).expect("a target that fits");
        }
        buffers.iter().map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect()).collect()
    }
}

/// The exact vectors of a vertex, the sign, and the tolerance of each vector.
struct Exact {
    vectors: [[f64; 3]; 4],
    sign: f64,
    tolerances: [f64; 4],
}

fn exact_vertices(test_mesh: &TestMesh, matrices: &[sinew::Matrix], case: &Case) -> Vec<Exact> {
    let [positions, normals, tangents] = test_mesh.skin_reference(matrices, usize::MAX);
    let exact = |vertex: usize| {
        let sign = f64::from(test_mesh.cloud.tangents[vertex][3]);
        let (mut normal, mut tangent) = (normals[vertex], tangents[vertex]);
        let mut tolerances = [FLOAT * MESH_SIZE, FLOAT, FLOAT, 0.0];
        if case.directions == DirectionLength::Unit {
            for (vector, tolerance) in [(&mut normal, 1), (&mut tangent, 2)] {
                let length = length(*vector);
                *vector = vector.map(|component| component / length);
                tolerances[tolerance] /= length.min(1.0);
            }
        }
        let mut bitangent = cross(normal, tangent).map(|component| sign * component);
        tolerances[3] = tolerances[1] + tolerances[2];
        if case.directions == DirectionLength::Unit {
            let length = length(bitangent);
            bitangent = bitangent.map(|component| component / length);
            tolerances[3] /= length.min(1.0);
        }
        Exact { vectors: [positions[vertex], normal, tangent, bitangent], sign, tolerances }
    };
    (0..test_mesh.cloud.positions.len()).map(exact).collect()
}

/// Half a unit of a half float at a number.
fn half_unit(number: f64) -> f64 {
    let exponent = number.abs().max(2.0_f64.powi(-14)).log2().floor();
    0.5 * (exponent - 10.0).exp2()
}

/// Compares the bytes of an attribute with exact components.
fn check_attribute(own: &AttributeLayout, bytes: &[u8], exact: &Exact, attribute: usize, context: &str) {
    let (vector, tolerance) = (exact.vectors[attribute], exact.tolerances[attribute]);
    let w = match own.fourth {
        FourthComponent::Zero => 0.0,
        FourthComponent::One => 1.0,
        FourthComponent::TangentSign => exact.sign,
    };
    let halves = || bytes.chunks(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    let (found, unit): (Vec<f64>, fn(f64) -> f64) = match own.format {
        VertexFormat::Float32x3 | VertexFormat::Float32x4 => {
            let float = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            (bytes.chunks(4).map(|four| f64::from(float(four))).collect(), |_| 0.0)
        }
        VertexFormat::Float16x4 => (halves().map(half_to_number).collect(), half_unit),
        VertexFormat::Snorm16x4 => {
            (halves().map(|bits| f64::from(bits as i16) / 32767.0).collect(), |_| 0.51 / 32767.0)
        }
        VertexFormat::Snorm8x4 => {
            (bytes.iter().map(|&byte| f64::from(byte as i8) / 127.0).collect(), |_| 0.51 / 127.0)
        }
        _ => {
            let encoded: Vec<i16> = halves().map(|bits| bits as i16).collect();
            let found = octahedral_to_direction([encoded[0], encoded[1]]);
            let sine = length(cross(found, vector)) / (length(found) * length(vector));
            let allowed = 0.02_f64.to_radians() + 2.0 * tolerance / length(vector);
            assert!(allowed > 1.0 || (sine < allowed && dot(found, vector) > 0.0), "{context}: {sine}");
            return;
        }
    };
    let normalized = matches!(own.format, VertexFormat::Snorm16x4 | VertexFormat::Snorm8x4);
    let exact = vector.into_iter().map(|x| (x, tolerance)).chain([(w, 0.0)]);
    for (found, (exact, tolerance)) in found.into_iter().zip(exact) {
        let exact = if normalized { exact.clamp(-1.0, 1.0) } else { exact };
        let error = (found - exact).abs();
        assert!(error <= unit(exact) + tolerance, "{context}: expected {exact}, found {found}");
    }
}

fn check(case: &Case, mesh: &Mesh, bytes: &[Vec<u8>], exact: &[Exact], context: &str) {
    let vertices = mesh.len_in(case.order);
    let mut is_named: Vec<Vec<bool>> = bytes.iter().map(|bytes| vec![false; bytes.len()]).collect();
    for attribute in VertexAttribute::ALL {
        let Some(own) = case.layout.attribute(attribute) else { continue };
        for place in 0..vertices {
            let from = place * own.stride + own.offset;
            let range = from..from + own.format.size();
            is_named[own.buffer][range.clone()].fill(true);
            let vertex = match case.order {
                VertexOrder::Run => mesh.inverse_remap()[place] as usize,
                VertexOrder::Source => place,
            };
            let context = format!("{context}, {} of {place}", attribute.name());
            check_attribute(own, &bytes[own.buffer][range], &exact[vertex], attribute as usize, &context);
        }
    }
    // Bytes between attributes, before the first vertex and behind the last one are not touched.
    for ((bytes, before), is_named) in bytes.iter().zip(case.buffers(vertices)).zip(is_named) {
        let before = before.iter().flat_map(|word| word.to_le_bytes());
        for (at, ((&byte, before), is_named)) in bytes.iter().zip(before).zip(is_named).enumerate() {
            assert!(is_named || byte == before, "{context}: byte {at} was changed");
        }
    }
}

/// Random windows that cover all blocks, in random order.
fn random_windows(blocks: usize, random: &mut Random) -> Vec<std::ops::Range<usize>> {
    let mut ends: Vec<usize> = (0..4).map(|_| random.below(blocks + 1)).chain([0, blocks]).collect();
    ends.sort_unstable();
    let mut windows: Vec<_> = ends.windows(2).map(|ends| ends[0]..ends[1]).collect();
    for i in (1..windows.len()).rev() {
        windows.swap(i, random.below(i + 1));
    }
    windows
}

fn test_meshes(runtime: Runtime, random: &mut Random) -> Vec<TestMesh> {
    let mut test_meshes: Vec<TestMesh> = TestMesh::every_layout(runtime, VERTICES, random).into();
    // So many joints that columns need several tables would take too long; a few vertices only.
    for vertices in [1, 9] {
        let mut tiny = TestMesh::shared_joints(runtime, vertices, random);
        tiny.grouping = None;
        test_meshes.push(tiny);
    }
    test_meshes
}

#[test]
fn random_layouts_match_the_f64_reference_and_keep_all_other_bytes() {
    every_backend(|run| {
        let mut random = Random::new(900);
        for test_mesh in test_meshes(runtime(run), &mut random) {
            let mesh = test_mesh.mesh(&[]);
            let matrices = rigs::rigid_matrices(JOINTS, &mut random);
            let palette = test_mesh.palette(&matrices);
            for _ in 0..LAYOUTS {
                let case = Case::new(&mut random);
                let context = format!("{run}: {}, {:?}, {:?}", test_mesh.name, case.order, case.layout);
                let blocks = mesh.len_in(case.order).div_ceil(8);
                let bytes = case.skin(&mesh, &palette, std::slice::from_ref(&(0..blocks)));
                check(&case, &mesh, &bytes, &exact_vertices(&test_mesh, &matrices, &case), &context);
                let windows = random_windows(blocks, &mut random);
                assert!(case.skin(&mesh, &palette, &windows) == bytes, "{context}: {windows:?}");
            }
        }
    });
}

#[test]
fn random_layouts_have_the_same_bytes_on_every_backend_in_reproducible_mode() {
    let mut expected: BTreeMap<usize, Vec<Vec<u8>>> = BTreeMap::new();
    every_backend(|run| {
        if run.float_mode != FloatMode::Reproducible {
            return;
        }
        let mut random = Random::new(901);
        let mut index = 0;
        for test_mesh in test_meshes(runtime(run), &mut random) {
            let mesh = test_mesh.mesh(&[]);
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            for _ in 0..LAYOUTS {
                let case = Case::new(&mut random);
                let all = 0..mesh.len_in(case.order).div_ceil(8);
                let found = case.skin(&mesh, &palette, std::slice::from_ref(&all));
                index += 1;
                let expected = expected.entry(index).or_insert_with(|| found.clone());
                assert!(found == *expected, "{run}: {}, {:?}", test_mesh.name, case.layout);
            }
        }
    });
    assert!(!expected.is_empty());
}

#[test]
fn random_layouts_allocate_nothing() {
    let mut random = Random::new(902);
    for test_mesh in test_meshes(fast_runtime(), &mut random) {
        let mesh = test_mesh.mesh(&[]);
        mesh.prepare_source_order(&SkinOptions::default()).expect("no levels");
        let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
        for _ in 0..LAYOUTS {
            let Case { layout, order, directions, bounded } = Case::new(&mut random);
            let case = Case { layout, order, directions, bounded };
            let vertices = mesh.len_in(order);
            let mut buffers = case.buffers(vertices);
            let options = SkinOptions::default().with_directions(directions);
            let counted = allocation_counter::measure(|| {
                let mut bounds = Aabb::EMPTY;
                let writer = VertexWriter::new(&layout, buffers.iter_mut(), vertices).expect("sound");
                let target = Target::vertices(writer).in_order(order);
                let target = if bounded { target.with_bounds(&mut bounds) } else { target };
                mesh.skin_into(&palette, &options, target).expect("a target that fits");
            });
            assert_eq!(counted.count_total, 0, "{order:?} {layout:?}");
        }
    }
}
