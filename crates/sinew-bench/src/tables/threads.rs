//! Skinning on one thread up to as many as the machine has.

use std::ops::Range;
use std::thread;

use sinew::Runtime;
use sinew::mesh::{Attributes, VectorBlock};
use sinew::runtime::backend;
use sinew::skinning::{Skinned, Target, VertexOutput};
use sinew::{FloatMode, Mesh, Palette, SkinOptions};

use super::bench_group::{BenchGroup, Context};
use super::job::Job;
use super::measurement::{Amount, Measurement};
use super::mesh_arrays::{MeshArrays, Rig};
use super::spin_barrier::SpinBarrier;
use crate::Error;

const TABLE: &str = "threads";

/// Frames per run, so that the start of threads is negligible.
const FRAMES: usize = 8;

/// Enough figures for every thread, each in its cache.
const FIGURES: usize = 64;

const CHECKED: &str = "the memory was made for this mesh";

pub(super) fn jobs() -> Vec<Job> {
    vec![
        Job { tables: &[TABLE], routines: &["figures"], run: Box::new(figures) },
        Job { tables: &[TABLE], routines: &["mesh"], run: Box::new(mesh) },
    ]
}

/// Many figures: each thread skins some of them into its own memory, which it reuses.
fn figures(context: &Context) -> Result<Vec<Measurement>, Error> {
    let rig = rig("@figure")?;
    let elements = FIGURES * rig.mesh.len();
    compare_thread_counts("figures", elements, context, |threads, group, row| {
        let rig = &rig;
        let mut workers = Vec::new();
        for range in split_evenly(FIGURES, threads) {
            workers.push((range, Skinned::new(&rig.mesh, Attributes::Tangents)?));
        }
        group.add_many(row, FRAMES, move || {
            run_on_threads(&mut workers, |(range, to)| {
                for _ in range.clone() {
                    rig.mesh.skin(&rig.palette, &SkinOptions::default(), to).expect(CHECKED);
                }
            });
        });
        Ok(())
    })
}

/// One large mesh: each thread skins a range of its blocks.
fn mesh(context: &Context) -> Result<Vec<Measurement>, Error> {
    let rig = rig("@figure:65536")?;
    compare_thread_counts("mesh", rig.mesh.len(), context, |threads, group, row| {
        let (mesh, palette) = (&rig.mesh, &rig.palette);
        let vectors = Attributes::Tangents.vectors();
        let mut windows: Vec<(Range<usize>, Vec<VectorBlock>)> = split_evenly(mesh.blocks(), threads)
            .map(|window| (window.clone(), vec![VectorBlock::default(); vectors * window.len()]))
            .collect();
        group.add_many(row, FRAMES, move || {
            run_on_threads(&mut windows, |(window, to)| skin_window(mesh, palette, window, to));
        });
        Ok(())
    })
}

fn skin_window(mesh: &Mesh, palette: &Palette, window: &Range<usize>, to: &mut [VectorBlock]) {
    let target = Target::new(Attributes::Tangents, VertexOutput::Blocks(to));
    let target = Target { window: Some(window.clone()), ..target };
    mesh.skin_into(palette, &SkinOptions::default(), target).expect(CHECKED);
}

fn rig(scene: &str) -> Result<Rig, Error> {
    let scene = sinew_figures::scene(scene)?;
    MeshArrays::from_model(&scene.model()?)
        .rig(Runtime::with_backend(backend::fastest(), FloatMode::Fast), &[])
}

/// Compares numbers of threads: the speed of each relative to one thread.
fn compare_thread_counts<'a>(
    routine: &'static str,
    elements: usize,
    context: &Context,
    add: impl Fn(usize, &mut BenchGroup<'a>, Measurement) -> Result<(), Error>,
) -> Result<Vec<Measurement>, Error> {
    let mut group = BenchGroup::default();
    for threads in thread_counts(context.machine.threads) {
        let method = format!("sinew-threads-{threads}");
        let row = Measurement::new(TABLE, routine, method, Some(backend::fastest().name()));
        add(threads, &mut group, Measurement { elements, ..row })?;
    }
    let mut rows = group.run(context);
    let one = rows.first().map_or(0.0, |row| row.ns);
    for row in &mut rows {
        row.amount = Some(Amount { value: one / row.ns, unit: "x one thread" });
    }
    Ok(rows)
}

/// 1 to 8, then powers of two, and the maximum.
fn thread_counts(most: usize) -> impl Iterator<Item = usize> {
    (1..=most).filter(move |&threads| threads <= 8 || threads.is_power_of_two() || threads == most)
}

/// Splits `0..len` into ranges of nearly equal length.
fn split_evenly(len: usize, parts: usize) -> impl Iterator<Item = Range<usize>> {
    (0..parts).map(move |part| part * len / parts..(part + 1) * len / parts)
}

/// Runs some frames, each part on its own thread, with a barrier after every frame.
fn run_on_threads<T: Send>(parts: &mut [T], work: impl Fn(&mut T) + Sync) {
    let barrier = SpinBarrier::new(parts.len());
    let frames = |part: &mut T| {
        for _ in 0..FRAMES {
            work(part);
            barrier.wait();
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
    fn large_thread_counts_are_sampled() {
        assert_eq!(thread_counts(24).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 16, 24]);
    }

    #[test]
    fn ranges_cover_everything() {
        for (len, count) in [(64, 1), (64, 7), (3, 5)] {
            let all: Vec<usize> = split_evenly(len, count).flatten().collect();
            assert_eq!(all, (0..len).collect::<Vec<_>>());
        }
    }
}
