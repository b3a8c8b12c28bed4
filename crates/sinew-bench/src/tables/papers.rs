//! The papers' routines on 1024 elements in a warm cache.

use crate::SkeletonShape;
use crate::routines::{
    Direction, Implementation, Palettes, Planes, Routine, SkinMesh, Spaces, ToJoints, ToMatrices,
};

use super::bench_group::{BenchGroup, Context};
use super::job::Job;
use super::measurement::Measurement;

const TABLE: &str = "papers";

/// The number of elements, as in the papers.
const LEN: usize = 1024;

/// The number of consecutive vertices that share their joints.
const RUN: usize = 64;

/// A routine and its published clock cycles, on a Pentium 4 of 130 nm / 90 nm.
struct Published {
    routine: &'static [&'static str; 1],
    plain: &'static str,
    sse: &'static str,
    sse3: Option<&'static str>,
    make: fn(usize) -> Box<dyn Routine>,
    /// Whether it is measured with one to four influences per vertex; the papers have two.
    weighted: bool,
}

const ROUTINES: [Published; 8] = [
    unweighted(&["ConvertJointQuatsToJointMats"], "54 / 62", "30 / 34", |_| Box::new(ToMatrices::new(LEN))),
    unweighted(&["ConvertJointMatsToJointQuats"], "172 / 173", "61 / 72", |_| Box::new(ToJoints::new(LEN))),
    unweighted(&["TransformSkeleton"], "130 / 163", "53 / 53", |_| {
        Box::new(Spaces::new(Direction::ToModel, SkeletonShape::Humanoids, LEN))
    }),
    unweighted(&["UntransformSkeleton"], "131 / 154", "55 / 56", |_| {
        Box::new(Spaces::new(Direction::ToLocal, SkeletonShape::Humanoids, LEN))
    }),
    unweighted(&["TransformJoints"], "135 / 148", "36 / 48", |_| Box::new(Palettes::new(LEN))),
    Published {
        routine: &["TransformVerts"],
        plain: "105 / 127",
        sse: "33 / 43",
        sse3: Some("- / 41"),
        make: |weights| Box::new(SkinMesh::new(LEN, RUN, weights, 1)),
        weighted: true,
    },
    Published {
        routine: &["TransformVertsAndTangents"],
        plain: "192 / 225",
        sse: "75 / 88",
        sse3: Some("- / 80"),
        make: |weights| Box::new(SkinMesh::new(LEN, RUN, weights, 3)),
        weighted: true,
    },
    unweighted(&["DeriveTrianglePlanes"], "138 / 146", "33 / 35", |_| Box::new(Planes::new(LEN))),
];

const fn unweighted(
    routine: &'static [&'static str; 1],
    plain: &'static str,
    sse: &'static str,
    make: fn(usize) -> Box<dyn Routine>,
) -> Published {
    Published { routine, plain, sse, sse3: None, make, weighted: false }
}

/// One job per routine and number of weights.
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

fn measure(published: &Published, weights: Option<usize>, context: &Context) -> Vec<Measurement> {
    let routine = (published.make)(weights.unwrap_or(1));
    let mut group = BenchGroup::default();
    for implementation in
        Implementation::supported().into_iter().filter(|&implementation| routine.has(implementation))
    {
        let row = Measurement {
            elements: routine.elements(),
            weights,
            error: Some(routine.error(implementation)),
            published: published
                .cycles(implementation)
                .filter(|_| weights.is_none_or(|weights| weights == 2)),
            ..Measurement::new(TABLE, published.routine[0], implementation.name(), Some(implementation.isa()))
        };
        group.add(row, routine.runner(implementation));
    }
    group.run(context)
}

impl Published {
    fn cycles(&self, implementation: Implementation) -> Option<&'static str> {
        match implementation {
            Implementation::Plain => Some(self.plain),
            Implementation::Sse2 => Some(self.sse),
            Implementation::Sse3 => self.sse3,
            Implementation::Sinew(..) => None,
        }
    }
}
