//! A table for each instruction set: everything that can be asked of the skin of one surface.

use std::error::Error;
use std::hint::black_box;

use sinew::{
    Attributes, Blending, Bounds, Directions, Form, Grouping, Normals, Order, Rounding, Row, SkinOptions,
    Skinned, Target, isa,
};
use sinew_testkit::timer::{Length, Race, Timing};

use crate::papers::{Papers, copy};
use crate::say;
use crate::surface::{Rig, Surface};

/// The name of each contender, and what runs.
type Contender<'a> = (&'static str, Box<dyn FnMut() -> Result<(), sinew::Error> + 'a>);

const ALL: &str = "blocks";
const POSITIONS: &str = "blocks, positions alone";
const LEVELS: [&str; 2] = ["blocks, at most 1 influence", "blocks, at most 2 influences"];

pub(crate) fn print(surface: &Surface, length: Length) -> Result<(), Box<dyn Error>> {
    let papers = Papers::new(surface);
    for (i, row) in isa::rows().enumerate() {
        let fast = surface.rig(row.kernels(Rounding::Fast), &[1, 2])?;
        let exact = surface.rig(row.kernels(Rounding::Reproducible), &[])?;
        papers.check(&fast)?;
        papers.check(&exact)?;
        if i == 0 {
            let (mesh, layout) = (&fast.mesh, fast.mesh.layout());
            let form = match layout.form {
                Grouping::Runs => "runs",
                Grouping::Counts => "groups by number of influences",
                Grouping::Weighted => "runs in joint space",
            };
            let influences = layout.average_influences;
            say(&format!(
                "{}: {} vertices in {} places, {} {form}, {influences:.2} influences of a vertex",
                surface.name,
                mesh.len(),
                mesh.padded_len(),
                layout.runs,
            ));
        }
        print_row(row, &papers, &fast, &exact, length)?;
    }
    Ok(())
}

fn print_row(
    row: &Row,
    papers: &Papers,
    fast: &Rig,
    exact: &Rig,
    length: Length,
) -> Result<(), Box<dyn Error>> {
    let mut race = Race::new();
    race.add("papers", papers.vertices());
    race.add("papers, positions alone", papers.positions());
    race.add("copy", copy(fast.bytes(3)));
    race.add("copy, positions alone", copy(fast.bytes(1)));
    for (name, mut run) in contenders(fast, exact)? {
        // What is refused would be the fastest of all.
        run()?;
        race.add(name, move || {
            let _ = black_box(run());
        });
    }
    let timings = race.run(length);
    let nanoseconds = |timing: &Timing| timing.seconds * 1e9 / fast.mesh.len() as f64;
    if let [papers, papers_positions, copy, copy_positions, contenders @ ..] = timings.as_slice() {
        let full = contenders.iter().find(|timing| timing.name == ALL).map_or(1.0, |full| full.speed);
        say(&format!(
            "  {:<38} ns/vertex  x papers              x copy   papers {:.2} ns, positions {:.2}; copy {:.2}, \
             positions {:.2}",
            row.name(),
            nanoseconds(papers),
            nanoseconds(papers_positions),
            nanoseconds(copy),
            nanoseconds(copy_positions)
        ));
        for timing in contenders {
            let (unit, copy) = match timing.name.as_str() {
                POSITIONS => (papers_positions.speed, copy_positions.speed),
                _ => (1.0, copy.speed),
            };
            let (speed, (low, high)) = (timing.speed, timing.spread);
            let mut line = format!(
                "    {:<36} {:9.2}  {:5.2} ({:5.2} - {:5.2})  {:6.2}",
                timing.name,
                nanoseconds(timing),
                speed / unit,
                low / unit,
                high / unit,
                copy / speed
            );
            if LEVELS.contains(&timing.name.as_str()) {
                line += &format!("   {:.2} of the time of all influences", full / speed);
            }
            say(&line);
        }
    }
    Ok(())
}

fn contenders<'a>(fast: &'a Rig, exact: &'a Rig) -> Result<Vec<Contender<'a>>, sinew::Error> {
    let usual = SkinOptions::default();
    let all = Attributes::Tangents;
    Ok(vec![
        blocks(ALL, fast, all, usual)?,
        blocks("blocks, reproducible", exact, all, usual)?,
        packed("packed", fast, Order::Run),
        of_48_bytes("48-byte vertices", fast),
        blocks(POSITIONS, fast, Attributes::Positions, usual)?,
        blocks("blocks, unit directions", fast, all, SkinOptions { directions: Directions::Unit, ..usual })?,
        blocks("blocks, cofactor normals", fast, all, SkinOptions { normals: Normals::Cofactor, ..usual })?,
        with_bounds("blocks and bounds", fast)?,
        packed("packed, source order", fast, Order::Source),
        blocks(
            "blocks, dual quaternions",
            fast,
            all,
            SkinOptions { blending: Blending::Duals(&fast.duals), ..usual },
        )?,
        blocks(LEVELS[1], fast, all, SkinOptions { max_influences: 2, ..usual })?,
        blocks(LEVELS[0], fast, all, SkinOptions { max_influences: 1, ..usual })?,
    ])
}

fn blocks<'a>(
    name: &'static str,
    rig: &'a Rig,
    attributes: Attributes,
    options: SkinOptions<'a>,
) -> Result<Contender<'a>, sinew::Error> {
    let mut to = Skinned::new(&rig.mesh, attributes)?;
    Ok((name, Box::new(move || rig.mesh.skin(black_box(&rig.palette), &options, &mut to))))
}

fn with_bounds<'a>(name: &'static str, rig: &'a Rig) -> Result<Contender<'a>, sinew::Error> {
    let mut to = Skinned::new(&rig.mesh, Attributes::Tangents)?.blocks().to_vec();
    let run = move || {
        let mut bounds = Bounds::EMPTY;
        let target = Target::new(Attributes::Tangents, Form::Blocks(&mut to));
        let target = Target { bounds: Some(&mut bounds), ..target };
        let done = rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target);
        black_box(bounds);
        done
    };
    Ok((name, Box::new(run)))
}

fn packed<'a>(name: &'static str, rig: &'a Rig, order: Order) -> Contender<'a> {
    let len = if order == Order::Run { rig.mesh.padded_len() } else { rig.mesh.len() };
    let mut to = [0; 3].map(|_| vec![[0.0; 3]; len]);
    let run = move || {
        let [positions, normals, tangents] = &mut to;
        let form = Form::Packed([positions, normals, tangents, &mut []]);
        let target = Target { order, ..Target::new(Attributes::Tangents, form) };
        rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target)
    };
    (name, Box::new(run))
}

fn of_48_bytes<'a>(name: &'static str, rig: &'a Rig) -> Contender<'a> {
    let mut floats = vec![0.0; 12 * rig.mesh.padded_len()];
    let run = move || {
        let form = Form::Interleaved { floats: &mut floats, stride: 12, offsets: [0, 3, 6, 0] };
        let target = Target::new(Attributes::Tangents, form);
        rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target)
    };
    (name, Box::new(run))
}
