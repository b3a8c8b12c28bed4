//! A model as it is: everything that can be asked of its skin, beside the papers' methods on the same vertices.

use std::hint::black_box;

use sinew::{
    Aabb, Attributes, Blending, DirectionLength, FloatMode, NormalTransform, Order, SkinOptions, Skinned,
    Target, VertexLayout, backend,
};

use super::contest::{Contest, Context, UNIT};
use super::plan::Job;
use super::row::Row;
use super::surface::{Papers, Rig, Surface, copy};
use crate::Failure;

pub(super) const TABLE: &str = "models";

/// What is asked of the skin. The names are those of the routines.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Blocks,
    Packed,
    Interleaved,
    Positions,
    Unit,
    Cofactors,
    Bounded,
    Source,
    Duals,
    Level(usize),
}

const ASKED: [(Asked, &[&str; 1]); 11] = [
    (Asked::Blocks, &["blocks"]),
    (Asked::Packed, &["packed"]),
    (Asked::Interleaved, &["interleaved"]),
    (Asked::Positions, &["positions"]),
    (Asked::Unit, &["unit"]),
    (Asked::Cofactors, &["cofactors"]),
    (Asked::Bounded, &["bounded"]),
    (Asked::Source, &["source"]),
    (Asked::Duals, &["duals"]),
    (Asked::Level(2), &["influences2"]),
    (Asked::Level(1), &["influences1"]),
];

/// A race for each that can be asked.
pub(super) fn jobs() -> Vec<Job> {
    let job = |(asked, routines): (Asked, &'static [&'static str; 1])| Job {
        tables: &[TABLE],
        routines,
        run: Box::new(move |context: &Context| measure(asked, routines[0], context)),
    };
    ASKED.map(job).into()
}

fn measure(asked: Asked, routine: &'static str, context: &Context) -> Result<Vec<Row>, Failure> {
    let Some(model) = &context.model else { return Ok(Vec::new()) };
    let surface = Surface::of_model(model);
    let row = |method, isa| Row { elements: surface.len(), ..Row::new(TABLE, routine, method, isa) };
    let papers = surface.papers();
    let rigs = rigs(asked, &surface)?;
    let mut contest = Contest::default();
    if cfg!(target_arch = "x86_64") {
        contest.add(row(UNIT, Some("sse2")), papers_contender(asked, &papers));
    }
    for (isa, method, rig) in &rigs {
        let error = if asked == Asked::Blocks { Some(surface.error(rig)?) } else { None };
        let mut run = contender(asked, rig)?;
        // What is refused would be the fastest of all.
        run()?;
        contest.add(Row { error, ..row(method, Some(isa.name())) }, move || {
            let _ = black_box(run());
        });
    }
    if let (Asked::Blocks, Some((_, _, rig))) = (asked, rigs.last()) {
        contest.add(row("copy", None), copy(rig.bytes(3)));
    }
    Ok(contest.run(context))
}

/// The mesh on every instruction set.
fn rigs(
    asked: Asked,
    surface: &Surface,
) -> Result<Vec<(&'static sinew::Backend, &'static str, Rig)>, Failure> {
    let float_modes: &[_] = match asked {
        Asked::Blocks => &[(FloatMode::Fast, "sinew"), (FloatMode::Reproducible, "sinew-reproducible")],
        _ => &[(FloatMode::Fast, "sinew")],
    };
    let mut rigs = Vec::new();
    for isa in backend::available() {
        for &(float_mode, method) in float_modes {
            rigs.push((isa, method, surface.rig(isa.kernels(float_mode), &[1, 2])?));
        }
    }
    Ok(rigs)
}

fn papers_contender(asked: Asked, papers: &Papers) -> Box<dyn FnMut() + '_> {
    match asked {
        Asked::Positions => Box::new(papers.positions()),
        _ => Box::new(papers.vertices()),
    }
}

type Contender<'a> = Box<dyn FnMut() -> Result<(), sinew::Error> + 'a>;

fn contender(asked: Asked, rig: &Rig) -> Result<Contender<'_>, Failure> {
    let (usual, all) = (SkinOptions::default(), Attributes::Tangents);
    match asked {
        Asked::Blocks => blocks(rig, all, usual),
        Asked::Positions => blocks(rig, Attributes::Positions, usual),
        Asked::Unit => blocks(rig, all, SkinOptions { directions: DirectionLength::Unit, ..usual }),
        Asked::Cofactors => blocks(rig, all, SkinOptions { normals: NormalTransform::Cofactor, ..usual }),
        Asked::Duals => blocks(rig, all, SkinOptions { blending: Blending::Duals(&rig.duals), ..usual }),
        Asked::Level(most) => blocks(rig, all, SkinOptions { max_influences: most, ..usual }),
        Asked::Packed => Ok(packed(rig, Order::Run)),
        Asked::Source => Ok(packed(rig, Order::Source)),
        Asked::Interleaved => Ok(interleaved(rig)),
        Asked::Bounded => bounded(rig),
    }
}

fn blocks<'a>(
    rig: &'a Rig,
    attributes: Attributes,
    options: SkinOptions<'a>,
) -> Result<Contender<'a>, Failure> {
    let mut to = Skinned::new(&rig.mesh, attributes)?;
    Ok(Box::new(move || rig.mesh.skin(black_box(&rig.palette), &options, &mut to)))
}

fn bounded(rig: &Rig) -> Result<Contender<'_>, Failure> {
    let mut to = Skinned::new(&rig.mesh, Attributes::Tangents)?.blocks().to_vec();
    Ok(Box::new(move || {
        let mut bounds = Aabb::EMPTY;
        let target = Target::new(Attributes::Tangents, VertexLayout::Blocks(&mut to));
        let target = Target { bounds: Some(&mut bounds), ..target };
        let done = rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target);
        black_box(bounds);
        done
    }))
}

fn packed(rig: &Rig, order: Order) -> Contender<'_> {
    let len = if order == Order::Run { rig.mesh.padded_len() } else { rig.mesh.len() };
    let mut to = [0; 3].map(|_| vec![[0.0; 3]; len]);
    Box::new(move || {
        let [positions, normals, tangents] = &mut to;
        let form = VertexLayout::Packed([positions, normals, tangents, &mut []]);
        let target = Target { order, ..Target::new(Attributes::Tangents, form) };
        rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target)
    })
}

/// Vertices of 48 bytes.
fn interleaved(rig: &Rig) -> Contender<'_> {
    let mut floats = vec![0.0; 12 * rig.mesh.padded_len()];
    Box::new(move || {
        let form = VertexLayout::Interleaved { floats: &mut floats, stride: 12, offsets: [0, 3, 6, 0] };
        let target = Target::new(Attributes::Tangents, form);
        rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target)
    })
}
