//! A given model: every variant of skinning beside the papers' methods on the same vertices.

use std::hint::black_box;

use sinew::Runtime;
use sinew::mesh::Attributes;
use sinew::runtime::backend;
use sinew::skinning::{Blending, DirectionLength, NormalTransform, VertexFormat, VertexLayout, VertexOrder};
use sinew::{FloatMode, SkinOptions};

use super::bench_group::{BenchGroup, Context, UNIT};
use super::job::Job;
use super::layout_runners::{Runner, blocks, bounded_blocks, buffers, interleaved};
use super::measurement::Measurement;
use super::mesh_arrays::{MeshArrays, PublishedMesh, Rig, copy_runner};
use crate::Error;

/// The table that needs a model.
pub(super) const TABLE: &str = "models";

/// The variants of skinning. Each is a routine of the table.
#[derive(Clone, Copy, PartialEq)]
enum SkinVariant {
    Blocks,
    Packed,
    Interleaved,
    Positions,
    Unit,
    Cofactors,
    Bounded,
    Source,
    DualQuaternions,
    Level(usize),
}

const SKIN_VARIANTS: [(SkinVariant, &[&str; 1]); 11] = [
    (SkinVariant::Blocks, &["blocks"]),
    (SkinVariant::Packed, &["packed"]),
    (SkinVariant::Interleaved, &["interleaved"]),
    (SkinVariant::Positions, &["positions"]),
    (SkinVariant::Unit, &["unit"]),
    (SkinVariant::Cofactors, &["cofactors"]),
    (SkinVariant::Bounded, &["bounded"]),
    (SkinVariant::Source, &["source"]),
    (SkinVariant::DualQuaternions, &["dual-quaternions"]),
    (SkinVariant::Level(2), &["influences2"]),
    (SkinVariant::Level(1), &["influences1"]),
];

/// One job per variant.
pub(super) fn jobs() -> Vec<Job> {
    let job = |(variant, routines): (SkinVariant, &'static [&'static str; 1])| Job {
        tables: &[TABLE],
        routines,
        run: Box::new(move |context: &Context| measure(variant, routines[0], context)),
    };
    SKIN_VARIANTS.map(job).into()
}

fn measure(
    variant: SkinVariant,
    routine: &'static str,
    context: &Context,
) -> Result<Vec<Measurement>, Error> {
    let Some(model) = &context.model else { return Ok(Vec::new()) };
    let arrays = MeshArrays::from_model(model);
    let row =
        |method, isa| Measurement { elements: arrays.len(), ..Measurement::new(TABLE, routine, method, isa) };
    let papers = arrays.papers();
    let rigs = rigs(variant, &arrays)?;
    let mut group = BenchGroup::default();
    if cfg!(target_arch = "x86_64") {
        group.add(row(UNIT, Some("sse2")), papers_runner(variant, &papers));
    }
    for (isa, method, rig) in &rigs {
        let error = if variant == SkinVariant::Blocks { Some(arrays.error(rig)?) } else { None };
        let mut run = runner(variant, rig)?;
        // A call that returns an error at once would be the fastest of all.
        run()?;
        group.add(Measurement { error, ..row(method, Some(isa.name())) }, move || {
            let _ = black_box(run());
        });
    }
    if let (SkinVariant::Blocks, Some((_, _, rig))) = (variant, rigs.last()) {
        group.add(row("copy", None), copy_runner(rig.bytes(3)));
    }
    Ok(group.run(context))
}

/// The mesh on every backend.
fn rigs(
    variant: SkinVariant,
    arrays: &MeshArrays,
) -> Result<Vec<(&'static sinew::runtime::Backend, &'static str, Rig)>, Error> {
    let float_modes: &[_] = match variant {
        SkinVariant::Blocks => &[(FloatMode::Fast, "sinew"), (FloatMode::Reproducible, "sinew-reproducible")],
        _ => &[(FloatMode::Fast, "sinew")],
    };
    let mut rigs = Vec::new();
    for isa in backend::available() {
        for &(float_mode, method) in float_modes {
            rigs.push((isa, method, arrays.rig(Runtime::with_backend(isa, float_mode), &[1, 2])?));
        }
    }
    Ok(rigs)
}

fn papers_runner(variant: SkinVariant, papers: &PublishedMesh) -> Box<dyn FnMut() + '_> {
    match variant {
        SkinVariant::Positions => Box::new(papers.position_runner()),
        _ => Box::new(papers.vertex_runner()),
    }
}

fn runner(variant: SkinVariant, rig: &Rig) -> Result<Runner<'_>, Error> {
    let (usual, all) = (SkinOptions::default(), Attributes::Tangents);
    let to = |layout, order| buffers(rig, layout, order, usual);
    match variant {
        SkinVariant::Blocks => blocks(rig, all, usual),
        SkinVariant::Positions => blocks(rig, Attributes::Positions, usual),
        SkinVariant::Unit => blocks(rig, all, usual.with_directions(DirectionLength::Unit)),
        SkinVariant::Cofactors => blocks(rig, all, usual.with_normals(NormalTransform::Cofactor)),
        SkinVariant::DualQuaternions => {
            blocks(rig, all, usual.with_blending(Blending::DualQuaternion(&rig.dual_quaternions)))
        }
        SkinVariant::Level(most) => blocks(rig, all, usual.with_max_influences(most)),
        SkinVariant::Packed => Ok(to(VertexLayout::packed(3), VertexOrder::Run)),
        SkinVariant::Source => Ok(to(VertexLayout::packed(3), VertexOrder::Source)),
        SkinVariant::Interleaved => {
            let [three, four] = [VertexFormat::Float32x3, VertexFormat::Float32x4];
            Ok(to(interleaved(48, &[three, three, four], &[0, 12, 24]), VertexOrder::Run))
        }
        SkinVariant::Bounded => bounded_blocks(rig),
    }
}
