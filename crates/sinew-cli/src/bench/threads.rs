//! The skin on one thread, two, and so on to as many as the machine has.

use std::ops::Range;
use std::thread;

use sinew::{
    Attributes, FloatMode, Mesh, Palette, SkinOptions, Skinned, Target, VectorBlock, VertexLayout, backend,
};

use super::contest::{Contest, Context};
use super::meeting::Meeting;
use super::plan::Job;
use super::row::{Amount, Row};
use super::surface::{Rig, Surface};
use crate::Failure;

const TABLE: &str = "threads";

/// In each run, so that starting threads does not count.
const FRAMES: usize = 8;

/// Enough for every thread, each in its cache.
const FIGURES: usize = 64;

const CHECKED: &str = "the memory was made for this mesh";

pub(super) fn jobs() -> Vec<Job> {
    vec![
        Job { tables: &[TABLE], routines: &["figures"], run: Box::new(figures) },
        Job { tables: &[TABLE], routines: &["mesh"], run: Box::new(mesh) },
    ]
}

/// Many figures: each thread has some of them, and memory of its own that is used again for each.
fn figures(context: &Context) -> Result<Vec<Row>, Failure> {
    let rig = rig("@figure")?;
    let elements = FIGURES * rig.mesh.len();
    race("figures", elements, context, |threads, contest, row| {
        let rig = &rig;
        let mut teams = Vec::new();
        for range in parts(FIGURES, threads) {
            teams.push((range, Skinned::new(&rig.mesh, Attributes::Tangents)?));
        }
        contest.add_many(row, FRAMES, move || {
            each_thread(&mut teams, |(range, to)| {
                for _ in range.clone() {
                    rig.mesh.skin(&rig.palette, &SkinOptions::default(), to).expect(CHECKED);
                }
            });
        });
        Ok(())
    })
}

/// One large mesh: each thread has a window of its blocks.
fn mesh(context: &Context) -> Result<Vec<Row>, Failure> {
    let rig = rig("@figure:65536")?;
    race("mesh", rig.mesh.len(), context, |threads, contest, row| {
        let (mesh, palette) = (&rig.mesh, &rig.palette);
        let vectors = Attributes::Tangents.vectors();
        let mut windows: Vec<(Range<usize>, Vec<VectorBlock>)> = parts(mesh.blocks(), threads)
            .map(|window| (window.clone(), vec![VectorBlock::default(); vectors * window.len()]))
            .collect();
        contest.add_many(row, FRAMES, move || {
            each_thread(&mut windows, |(window, to)| skin_window(mesh, palette, window, to));
        });
        Ok(())
    })
}

fn skin_window(mesh: &Mesh, palette: &Palette, window: &Range<usize>, to: &mut [VectorBlock]) {
    let target = Target::new(Attributes::Tangents, VertexLayout::Blocks(to));
    let target = Target { window: Some(window.clone()), ..target };
    mesh.skin_into(palette, &SkinOptions::default(), target).expect(CHECKED);
}

fn rig(scene: &str) -> Result<Rig, Failure> {
    let scene = sinew_figures::scene(scene).map_err(|error| Failure::Usage(error.to_string()))?;
    Surface::of_model(&scene.model()?).rig(backend::fastest().kernels(FloatMode::Fast), &[])
}

/// A race between numbers of threads, with the speed of each beside that of one.
fn race<'a>(
    routine: &'static str,
    elements: usize,
    context: &Context,
    add: impl Fn(usize, &mut Contest<'a>, Row) -> Result<(), Failure>,
) -> Result<Vec<Row>, Failure> {
    let mut contest = Contest::default();
    for threads in numbers(context.machine.threads) {
        let method = format!("sinew-threads-{threads}");
        let row = Row::new(TABLE, routine, method, Some(backend::fastest().name()));
        add(threads, &mut contest, Row { elements, ..row })?;
    }
    let mut rows = contest.run(context);
    let one = rows.first().map_or(0.0, |row| row.ns);
    for row in &mut rows {
        row.amount = Some(Amount { value: one / row.ns, unit: "x one thread" });
    }
    Ok(rows)
}

/// All up to eight, then twice as many each time, and the last.
fn numbers(most: usize) -> impl Iterator<Item = usize> {
    (1..=most).filter(move |&threads| threads <= 8 || threads.is_power_of_two() || threads == most)
}

/// So many things in as many parts of about one size.
fn parts(len: usize, parts: usize) -> impl Iterator<Item = Range<usize>> {
    (0..parts).map(move |part| part * len / parts..(part + 1) * len / parts)
}

/// Some frames, each part on a thread of its own. All wait for each other after every frame.
fn each_thread<T: Send>(parts: &mut [T], act: impl Fn(&mut T) + Sync) {
    let meeting = Meeting::new(parts.len());
    let frames = |part: &mut T| {
        for _ in 0..FRAMES {
            act(part);
            meeting.wait();
        }
    };
    let Some((first, others)) = parts.split_first_mut() else { return };
    thread::scope(|scope| {
        for part in others {
            scope.spawn(|| frames(part));
        }
        frames(first);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_threads_are_not_all_tried() {
        assert_eq!(numbers(24).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 16, 24]);
    }

    #[test]
    fn parts_leave_nothing_out() {
        for (len, count) in [(64, 1), (64, 7), (3, 5)] {
            let all: Vec<usize> = parts(len, count).flatten().collect();
            assert_eq!(all, (0..len).collect::<Vec<_>>());
        }
    }
}
