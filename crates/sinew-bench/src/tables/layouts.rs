//! Every vertex layout and order, on the model and on meshes that are harder, warm and cold.

use std::hint::black_box;
use std::time::Instant;

use sinew::Runtime;
use sinew::mesh::Attributes;
use sinew::runtime::{Backend, backend};
use sinew::skinning::{Blending, DirectionLength, NormalTransform, VertexFormat, VertexLayout, VertexOrder};
use sinew::{FloatMode, SkinOptions};

use super::bench_group::{BenchGroup, Context, UNIT, median};
use super::job::Job;
use super::layout_meshes::{LayoutMesh, Size};
use super::layout_runners::{
    Runner, blocks, blocks_past_caches, bounded_blocks, bounded_buffers, buffers, interleaved,
    morphed_buffers,
};
use super::measurement::{Amount, Measurement};
use super::mesh_arrays::{MeshArrays, Rig, copy_runner};
use crate::Error;

/// The table's name.
pub(super) const TABLE: &str = "layouts";

/// A method: a name and a layout.
type Method = (&'static str, Layout);

/// How a mesh is skinned.
#[derive(Clone, Copy, Debug)]
enum Layout {
    Blocks(Attributes),
    BlocksUnit,
    BlocksBounded,
    BlocksPastCaches,
    /// Packed arrays of so many attributes.
    Packed(VertexOrder, usize),
    PackedBounded(VertexOrder),
    PackedUnit(VertexOrder),
    /// Packed arrays in source order, with an option.
    Option(SkinOption),
    /// 48 bytes: [0, 12, 24], with the tangent's sign.
    Bytes48(VertexOrder),
    /// 48 bytes: [0, 16, 32], as in the papers.
    Bytes48Padded(VertexOrder),
    /// 32 bytes: position and normal.
    Bytes32(VertexOrder),
    /// 24 bytes: position and normal, as Davies has them.
    Bytes24(VertexOrder),
    /// 24 bytes: three of four half floats.
    Halves(VertexOrder),
    /// 24 bytes: half position, 16-bit normal and tangent.
    HalfSnorm(VertexOrder),
    /// Other interleaved vertices.
    Interleaved(VertexOrder, Interleaved),
}

/// Interleaved vertices: a stride, and the formats and offsets of position, normal and tangent.
#[derive(Clone, Copy, Debug)]
struct Interleaved(usize, [VertexFormat; 3], [usize; 3]);

/// 48 bytes: three vectors of four floats.
const FOURS: Interleaved = Interleaved(48, [Float32x4; 3], [0, 16, 32]);
/// 48 bytes: 8 bytes of texture coordinates between normal and tangent.
const FLOATS_UV: Interleaved = Interleaved(48, [Float32x3, Float32x3, Float32x4], [0, 12, 32]);
/// 28 bytes: position in floats, 16-bit directions.
const FLOAT_SNORM16: Interleaved = Interleaved(28, [Float32x3, Snorm16x4, Snorm16x4], [0, 12, 20]);
/// 20 bytes: position in floats, 8-bit directions.
const FLOAT_SNORM8: Interleaved = Interleaved(20, [Float32x3, Snorm8x4, Snorm8x4], [0, 12, 16]);
/// 20 bytes: position in floats, octahedral directions.
const FLOAT_OCTAHEDRAL: Interleaved =
    Interleaved(20, [Float32x3, Snorm16x2Octahedral, Snorm16x2Octahedral], [0, 12, 16]);
/// 16 bytes: position in halves, 8-bit directions.
const HALF_SNORM8: Interleaved = Interleaved(16, [Float16x4, Snorm8x4, Snorm8x4], [0, 8, 12]);
/// 32 bytes: position in halves, 8 bytes of texture coordinates, 16-bit directions.
const HALF_UV_SNORM16: Interleaved = Interleaved(32, [Float16x4, Snorm16x4, Snorm16x4], [0, 16, 24]);

/// An option that has its own way to source order.
#[derive(Clone, Copy, Debug)]
enum SkinOption {
    /// At most so many influences.
    Level(usize),
    Cofactors,
    DualQuaternions,
    /// Morphed by nothing, in source order.
    Morphed,
}

use Layout::{
    Blocks, BlocksBounded, BlocksPastCaches, BlocksUnit, Bytes24, Bytes32, Bytes48, Bytes48Padded, HalfSnorm,
    Halves, Packed, PackedBounded, PackedUnit,
};
use VertexFormat::{Float16x4, Float32x3, Float32x4, Snorm8x4, Snorm16x2Octahedral, Snorm16x4};
use VertexOrder::{Run, Source};

/// What is measured of each kind of mesh.
const ALL: &[Method] = &[
    ("blocks", Blocks(Attributes::Tangents)),
    ("blocks, bounds", BlocksBounded),
    ("blocks, unit", BlocksUnit),
    ("packed, run", Packed(Run, 3)),
    ("packed, source", Packed(Source, 3)),
    ("packed, source, bounds", PackedBounded(Source)),
    ("packed, source, unit", PackedUnit(Source)),
    ("48 bytes, run", Bytes48(Run)),
    ("48 bytes, source", Bytes48(Source)),
    ("48 bytes padded, run", Bytes48Padded(Run)),
    ("48 bytes padded, source", Bytes48Padded(Source)),
    ("halves, run", Halves(Run)),
    ("halves, source", Halves(Source)),
    ("half and snorm, run", HalfSnorm(Run)),
    ("half and snorm, source", HalfSnorm(Source)),
    ("48 bytes of f32x4, run", Layout::Interleaved(Run, FOURS)),
    ("48 bytes of f32x4, source", Layout::Interleaved(Source, FOURS)),
    ("48 bytes, uv inside, run", Layout::Interleaved(Run, FLOATS_UV)),
    ("48 bytes, uv inside, source", Layout::Interleaved(Source, FLOATS_UV)),
    ("f32 and snorm16, run", Layout::Interleaved(Run, FLOAT_SNORM16)),
    ("f32 and snorm16, source", Layout::Interleaved(Source, FLOAT_SNORM16)),
    ("f32 and snorm8, run", Layout::Interleaved(Run, FLOAT_SNORM8)),
    ("f32 and snorm8, source", Layout::Interleaved(Source, FLOAT_SNORM8)),
    ("f32 and octahedral, run", Layout::Interleaved(Run, FLOAT_OCTAHEDRAL)),
    ("f32 and octahedral, source", Layout::Interleaved(Source, FLOAT_OCTAHEDRAL)),
    ("half and snorm8, run", Layout::Interleaved(Run, HALF_SNORM8)),
    ("half and snorm8, source", Layout::Interleaved(Source, HALF_SNORM8)),
    ("half, uv, snorm16, run", Layout::Interleaved(Run, HALF_UV_SNORM16)),
    ("half, uv, snorm16, source", Layout::Interleaved(Source, HALF_UV_SNORM16)),
];
const NORMALS: &[Method] = &[
    ("blocks", Blocks(Attributes::Normals)),
    ("packed, run", Packed(Run, 2)),
    ("packed, source", Packed(Source, 2)),
    ("32 bytes, run", Bytes32(Run)),
    ("32 bytes, source", Bytes32(Source)),
    ("24 bytes, run", Bytes24(Run)),
    ("24 bytes, source", Bytes24(Source)),
];
const POSITIONS: &[Method] = &[
    ("blocks", Blocks(Attributes::Positions)),
    ("packed, run", Packed(Run, 1)),
    ("packed, source", Packed(Source, 1)),
];
const OPTIONS: &[Method] = &[
    ("packed, source", Packed(Source, 3)),
    ("level 1, source", Layout::Option(SkinOption::Level(1))),
    ("level 2, source", Layout::Option(SkinOption::Level(2))),
    ("cofactors, source", Layout::Option(SkinOption::Cofactors)),
    ("dual quaternions, source", Layout::Option(SkinOption::DualQuaternions)),
    ("morphed, source", Layout::Option(SkinOption::Morphed)),
];
const MAIN: &[Method] = &[
    ("blocks", Blocks(Attributes::Tangents)),
    ("packed, run", Packed(Run, 3)),
    ("packed, source", Packed(Source, 3)),
];
const LARGE: &[Method] = &[
    ("blocks", Blocks(Attributes::Tangents)),
    ("blocks, past caches", BlocksPastCaches),
    ("packed, run", Packed(Run, 3)),
    ("packed, source", Packed(Source, 3)),
];

/// A mesh, its routine's name, the attributes that are skinned, and how.
#[derive(Clone, Copy)]
struct Case {
    routine: &'static [&'static str; 1],
    mesh: LayoutMesh,
    vectors: usize,
    methods: &'static [Method],
    /// Levels of detail, which change the order of runs.
    levels: &'static [usize],
    caches: Caches,
}

/// What is in the caches before a call.
#[derive(Clone, Copy, PartialEq)]
enum Caches {
    Warm,
    /// Neither vertices nor their output.
    Cold,
}

const fn random(vertices: Size, joints: usize, influences: usize) -> LayoutMesh {
    LayoutMesh::Random { vertices, joints, influences }
}

const fn case(
    routine: &'static [&'static str; 1],
    mesh: LayoutMesh,
    vectors: usize,
    methods: &'static [Method],
) -> Case {
    Case { routine, mesh, vectors, methods, levels: &[], caches: Caches::Warm }
}

const CASES: [Case; 25] = [
    case(&["model"], LayoutMesh::Model, 3, ALL),
    case(&["model-normals"], LayoutMesh::Model, 2, NORMALS),
    case(&["model-positions"], LayoutMesh::Model, 1, POSITIONS),
    Case { levels: &[1, 2], ..case(&["model-options"], LayoutMesh::Model, 3, OPTIONS) },
    case(&["few1"], LayoutMesh::Few { joints: 64, influences: 1 }, 3, MAIN),
    case(&["few2"], LayoutMesh::Few { joints: 64, influences: 2 }, 3, MAIN),
    case(&["few4"], LayoutMesh::Few { joints: 64, influences: 4 }, 3, MAIN),
    case(&["few8"], LayoutMesh::Few { joints: 64, influences: 8 }, 3, MAIN),
    case(&["random1"], random(Size::Usual, 64, 1), 3, MAIN),
    case(&["random2"], random(Size::Usual, 64, 2), 3, MAIN),
    case(&["random3"], random(Size::Usual, 64, 3), 3, MAIN),
    case(&["random4"], random(Size::Usual, 64, 4), 3, MAIN),
    case(&["random8"], random(Size::Usual, 64, 8), 3, MAIN),
    case(&["random4-positions"], random(Size::Usual, 64, 4), 1, POSITIONS),
    case(&["one-joint"], random(Size::Usual, 1, 1), 3, MAIN),
    case(&["joints300"], random(Size::Usual, 300, 4), 3, MAIN),
    case(&["joints65000"], random(Size::Joints, 65_000, 4), 3, MAIN),
    case(&["tiny8"], LayoutMesh::Tiny(8), 3, MAIN),
    case(&["tiny50"], LayoutMesh::Tiny(50), 3, MAIN),
    case(&["tiny200"], LayoutMesh::Tiny(200), 3, MAIN),
    case(&["large"], LayoutMesh::Tiled, 3, LARGE),
    case(&["large-random4"], random(Size::Large, 64, 4), 3, LARGE),
    Case { caches: Caches::Cold, ..case(&["model-cold"], LayoutMesh::Model, 3, MAIN) },
    Case { caches: Caches::Cold, ..case(&["large-cold"], LayoutMesh::Tiled, 3, LARGE) },
    Case { caches: Caches::Cold, ..case(&["large-random4-cold"], random(Size::Large, 64, 4), 3, LARGE) },
];

/// One job per case.
pub(super) fn jobs() -> Vec<Job> {
    let job = |case: Case| Job {
        tables: &[TABLE],
        routines: case.routine,
        run: Box::new(move |context: &Context| measure(&case, context)),
    };
    CASES.map(job).into()
}

fn measure(case: &Case, context: &Context) -> Result<Vec<Measurement>, Error> {
    let Some(arrays) = case.mesh.arrays(context) else { return Ok(Vec::new()) };
    // Large meshes one backend at a time, which needs a third of the memory.
    let large = arrays.len() > 1 << 18;
    let backends: Vec<_> = backend::available().collect();
    let mut rows: Vec<Measurement> = Vec::new();
    for backends in backends.chunks(if large { 1 } else { backends.len().max(1) }) {
        let measured = measure_on(case, &arrays, backends, context)?;
        // The papers' method and the copy are the same for all backends.
        let is_new =
            |row: &Measurement| rows.is_empty() || row.method.contains(',') || row.method == "blocks";
        rows.extend(measured.into_iter().filter(is_new).collect::<Vec<_>>());
    }
    Ok(rows)
}

fn measure_on(
    case: &Case,
    arrays: &MeshArrays,
    backends: &[&'static Backend],
    context: &Context,
) -> Result<Vec<Measurement>, Error> {
    let row = |method, isa| Measurement {
        elements: arrays.len(),
        ..Measurement::new(TABLE, case.routine[0], method, isa)
    };
    let papers = (cfg!(target_arch = "x86_64") && case.vectors != 2).then(|| arrays.papers());
    let mut rigs = Vec::new();
    for &backend in backends {
        rigs.push((backend, arrays.rig(Runtime::with_backend(backend, FloatMode::Fast), case.levels)?));
    }
    let mut runs: Vec<(Measurement, Box<dyn FnMut() + '_>)> = Vec::new();
    match &papers {
        Some(papers) if case.vectors == 1 => {
            runs.push((row(UNIT, Some("sse2")), Box::new(papers.position_runner())));
        }
        Some(papers) => runs.push((row(UNIT, Some("sse2")), Box::new(papers.vertex_runner()))),
        None => {}
    }
    for &(name, layout) in case.methods {
        for (backend, rig) in &rigs {
            let mut run = runner(layout, rig)?;
            // A call that returns an error at once would be the fastest of all.
            run()?;
            let run = move || {
                let _ = black_box(run());
            };
            runs.push((row(name, Some(backend.name())), Box::new(run)));
        }
    }
    runs.push((row("copy", None), Box::new(copy_runner(2 * 12 * case.vectors * arrays.len()))));
    let mut rows = match case.caches {
        Caches::Warm => {
            let mut group = BenchGroup::default();
            runs.into_iter().for_each(|(row, run)| group.add(row, run));
            group.run(context)
        }
        Caches::Cold => measure_cold(runs, context),
    };
    let copied = rows.last().map_or(0.0, |copy| copy.ns);
    for row in &mut rows {
        row.amount = Some(Amount { value: row.ns / copied, unit: "x copy" });
    }
    Ok(rows)
}

/// Times single calls, each after other memory has filled the caches.
fn measure_cold(mut runs: Vec<(Measurement, Box<dyn FnMut() + '_>)>, context: &Context) -> Vec<Measurement> {
    let (rounds, bytes) = if context.quick { (2, 1 << 25) } else { (9, 400 << 20) };
    let mut other = vec![1_u64; bytes / size_of::<u64>()];
    let mut seconds = vec![Vec::new(); runs.len()];
    for _ in 0..rounds {
        for ((_, run), seconds) in runs.iter_mut().zip(&mut seconds) {
            // Twice, since caches replace only almost by age.
            for _ in 0..2 {
                other.iter_mut().step_by(8).for_each(|word| *word = word.wrapping_add(1));
            }
            black_box(&mut other);
            let start = Instant::now();
            run();
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let unit = runs.first().filter(|(row, _)| row.method == UNIT).map(|_| median(seconds[0].clone()));
    let measured = |((row, _), seconds): ((Measurement, _), Vec<f64>)| {
        let each = median(seconds.clone());
        let ns = each * 1e9 / row.elements as f64;
        let spread = seconds.iter().fold(0.0_f64, |most, &time| most.max((time - each).abs())) / each;
        let (cycles, ratio) = (context.cycles(ns), unit.map(|unit| unit / each));
        Measurement { ns, cycles, ratio, spread, ..row }
    };
    runs.into_iter().zip(seconds).map(measured).collect()
}

fn runner(layout: Layout, rig: &Rig) -> Result<Runner<'_>, Error> {
    let usual = SkinOptions::default();
    let unit = usual.with_directions(DirectionLength::Unit);
    let [three, four] = [Float32x3, Float32x4];
    let [half, snorm] = [Float16x4, Snorm16x4];
    let to = |order, layout| Ok(buffers(rig, layout, order, usual));
    match layout {
        Blocks(attributes) => blocks(rig, attributes, usual),
        BlocksUnit => blocks(rig, Attributes::Tangents, unit),
        BlocksBounded => bounded_blocks(rig),
        BlocksPastCaches => blocks_past_caches(rig),
        Packed(order, vectors) => to(order, VertexLayout::packed(vectors)),
        PackedBounded(order) => Ok(bounded_buffers(rig, VertexLayout::packed(3), order)),
        PackedUnit(order) => Ok(buffers(rig, VertexLayout::packed(3), order, unit)),
        Layout::Option(option) => option_runner(option, rig),
        Bytes48(order) => to(order, interleaved(48, &[three, three, four], &[0, 12, 24])),
        Bytes48Padded(order) => to(order, interleaved(48, &[three; 3], &[0, 16, 32])),
        Bytes32(order) => to(order, interleaved(32, &[three; 2], &[0, 12])),
        Bytes24(order) => to(order, interleaved(24, &[three; 2], &[0, 12])),
        Halves(order) => to(order, interleaved(24, &[half; 3], &[0, 8, 16])),
        HalfSnorm(order) => to(order, interleaved(24, &[half, snorm, snorm], &[0, 8, 16])),
        Layout::Interleaved(order, Interleaved(stride, formats, offsets)) => {
            to(order, interleaved(stride, &formats, &offsets))
        }
    }
}

fn option_runner(option: SkinOption, rig: &Rig) -> Result<Runner<'_>, Error> {
    let usual = SkinOptions::default();
    let layout = VertexLayout::packed(3);
    let options = match option {
        SkinOption::Level(most) => usual.with_max_influences(most),
        SkinOption::Cofactors => usual.with_normals(NormalTransform::Cofactor),
        SkinOption::DualQuaternions => usual.with_blending(Blending::DualQuaternion(&rig.dual_quaternions)),
        SkinOption::Morphed => return Ok(morphed_buffers(rig, layout, Source)),
    };
    Ok(buffers(rig, layout, Source, options))
}
