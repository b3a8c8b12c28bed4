//! The table of the papers: their routines, 1024 elements in a hot cache.

use sinew_testkit::rigs::Shape;
use sinew_testkit::routines::{Method, Palettes, Routine, SkinScene, Spaces, ToJoints, ToMatrices, Way};

use super::contest::{Contest, Context};
use super::plan::Job;
use super::row::Row;

const TABLE: &str = "papers";

/// As in the papers.
const LEN: usize = 1024;

/// Vertices that share their joints.
const RUN: usize = 64;

/// A routine, and what the papers have for it: clock cycles on a Pentium 4 of 130 nm / 90 nm.
struct Published {
    routine: &'static [&'static str; 1],
    plain: &'static str,
    sse: &'static str,
    sse3: Option<&'static str>,
    make: fn(usize) -> Box<dyn Routine>,
    /// From one to four influences of a vertex; two is what the papers have.
    weighted: bool,
}

const ROUTINES: [Published; 7] = [
    joints(&["ConvertJointQuatsToJointMats"], "54 / 62", "30 / 34", |_| Box::new(ToMatrices::new(LEN))),
    joints(&["ConvertJointMatsToJointQuats"], "172 / 173", "61 / 72", |_| Box::new(ToJoints::new(LEN))),
    joints(&["TransformSkeleton"], "130 / 163", "53 / 53", |_| {
        Box::new(Spaces::new(Way::ToModel, Shape::Figures, LEN))
    }),
    joints(&["UntransformSkeleton"], "131 / 154", "55 / 56", |_| {
        Box::new(Spaces::new(Way::ToLocal, Shape::Figures, LEN))
    }),
    joints(&["TransformJoints"], "135 / 148", "36 / 48", |_| Box::new(Palettes::new(LEN))),
    Published {
        routine: &["TransformVerts"],
        plain: "105 / 127",
        sse: "33 / 43",
        sse3: Some("- / 41"),
        make: |weights| Box::new(SkinScene::new(LEN, RUN, weights, 1)),
        weighted: true,
    },
    Published {
        routine: &["TransformVertsAndTangents"],
        plain: "192 / 225",
        sse: "75 / 88",
        sse3: Some("- / 80"),
        make: |weights| Box::new(SkinScene::new(LEN, RUN, weights, 3)),
        weighted: true,
    },
];

const fn joints(
    routine: &'static [&'static str; 1],
    plain: &'static str,
    sse: &'static str,
    make: fn(usize) -> Box<dyn Routine>,
) -> Published {
    Published { routine, plain, sse, sse3: None, make, weighted: false }
}

/// A race for each routine and number of weights.
pub(super) fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for published in &ROUTINES {
        let weights: &[Option<usize>] =
            if published.weighted { &[Some(1), Some(2), Some(3), Some(4)] } else { &[None] };
        for &weights in weights {
            let run = move |context: &Context| Ok(measure(published, weights, context));
            jobs.push(Job { tables: &[TABLE], routines: published.routine, run: Box::new(run) });
        }
    }
    jobs
}

fn measure(published: &Published, weights: Option<usize>, context: &Context) -> Vec<Row> {
    let routine = (published.make)(weights.unwrap_or(1));
    let mut contest = Contest::default();
    for method in Method::present().into_iter().filter(|&method| routine.has(method)) {
        let row = Row {
            elements: routine.elements(),
            weights,
            error: Some(routine.error(method)),
            published: published.cycles(method).filter(|_| weights.is_none_or(|weights| weights == 2)),
            ..Row::new(TABLE, published.routine[0], method.name(), Some(method.isa()))
        };
        contest.add(row, routine.contender(method));
    }
    contest.run(context)
}

impl Published {
    fn cycles(&self, method: Method) -> Option<&'static str> {
        match method {
            Method::Plain => Some(self.plain),
            Method::Sse2 => Some(self.sse),
            Method::Sse3 => self.sse3,
            Method::Sinew(..) => None,
        }
    }
}
