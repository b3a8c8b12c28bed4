//! Animates and skins all copies with one method, on one or more threads.

use std::sync::Arc;
use std::thread;

use sinew::runtime::Backend;
use sinew_bench::methods::Output;

use super::part::Part;
use super::thread_shares::ThreadShares;
use super::workers::Worker;
use super::{MethodKind, influence_limit};
use crate::draw::SurfaceInput;
use crate::scene::{AnimatedCopy, AnimationSource, PoseSampler, Subject};
use crate::settings::{Threads, Weights};
use crate::timing::{Meter, time_call};

pub use crate::draw::Order;

const RETURNED: &str = "threads hand everything back before a frame ends";

/// Seconds that the stages of the pipeline took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PipelineTimes {
    /// From clip time to palettes.
    pub animate: f64,
    /// From palettes to vertices.
    pub skin: f64,
    /// Both stages; less than their sum if they overlap.
    pub total: f64,
}

/// What the pipeline computes in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameInput {
    /// The animation to sample.
    pub source: AnimationSource,
    /// The time of this frame.
    pub seconds: f64,
    /// The time of the next frame, for task threading, which animates one frame ahead.
    pub next_seconds: f64,
}

/// Animates and skins all copies. Owns its threads, and the memory of each copy and each thread.
pub struct Pipeline {
    subject: Arc<Subject>,
    threads: Threads,
    /// The vertices that each thread skins, of every copy.
    parts: Vec<Part>,
    workers: Vec<Worker>,
    /// Double buffer of animated copies: one is written while the other is read.
    buffers: [Arc<Vec<AnimatedCopy>>; 2],
    current: usize,
    /// What the buffer that is not current already holds.
    ahead: Option<(AnimationSource, f64)>,
    sampler: PoseSampler,
    /// The sampler of the thread that animates ahead.
    ahead_sampler: Option<PoseSampler>,
    meters: [Meter; 2],
    shares: Vec<ThreadShares>,
}

impl Pipeline {
    /// Allocates the pipeline of one method for `copies` copies.
    ///
    /// # Errors
    ///
    /// The reason why the method cannot skin the subject, or a thread cannot be started.
    pub fn new(
        subject: &Arc<Subject>,
        (kind, backend): (MethodKind, &'static Backend),
        (weights, copies): (Weights, usize),
        threads: Threads,
    ) -> Result<Self, String> {
        let method = kind.to_method(backend);
        let limit = influence_limit(subject, weights);
        let parts = Part::all(subject, method, (limit, copies), skin_threads(threads))?;
        let workers = match threads {
            Threads::Off => 0,
            Threads::Data => parts.len() - 1,
            Threads::Task => 1,
        };
        let buffer = Arc::new(vec![AnimatedCopy::new(subject); copies]);
        Ok(Self {
            subject: Arc::clone(subject),
            threads,
            parts,
            workers: (0..workers).map(|_| Worker::start()).collect::<Result<_, _>>()?,
            buffers: [Arc::new(buffer.to_vec()), buffer],
            current: 0,
            ahead: None,
            sampler: PoseSampler::new(subject),
            ahead_sampler: Some(PoseSampler::new(subject)),
            meters: [Meter::default(); 2],
            shares: Vec::new(),
        })
    }

    /// Animates and skins a frame.
    pub fn step(&mut self, input: &FrameInput) -> PipelineTimes {
        let times = match self.threads {
            Threads::Task => self.step_overlapped(input),
            Threads::Off | Threads::Data => {
                let animate = time_call(|| self.animate(input));
                let skin = time_call(|| self.skin());
                PipelineTimes { animate, skin, total: animate + skin }
            }
        };
        self.record_shares(&times);
        times
    }

    /// Animates and skins a frame many times, timed as `sinew bench` does.
    pub fn measure(&mut self, input: &FrameInput) -> PipelineTimes {
        let [mut first, mut second] = self.meters;
        let times = if self.threads == Threads::Task {
            let mut last = PipelineTimes::default();
            let total = first.measure(|| last = self.step_overlapped(input));
            PipelineTimes { total, ..last }
        } else {
            let animate = first.measure(|| self.animate(input));
            let skin = second.measure(|| self.skin());
            PipelineTimes { animate, skin, total: animate + skin }
        };
        self.meters = [first, second];
        self.record_shares(&times);
        times
    }

    /// For each thread, its shares of a frame, averaged over the last frames.
    #[must_use]
    pub fn thread_shares(&self) -> &[ThreadShares] {
        &self.shares
    }

    fn record_shares(&mut self, times: &PipelineTimes) {
        let frame = match self.threads {
            Threads::Task => {
                vec![ThreadShares::new(0.0, times.skin, times), ThreadShares::new(times.animate, 0.0, times)]
            }
            Threads::Off => vec![ThreadShares::new(times.animate, times.skin, times)],
            Threads::Data => {
                let animate = |thread: usize| if thread == 0 { times.animate } else { 0.0 };
                let parts = self.parts.iter().enumerate();
                parts
                    .map(|(thread, part)| ThreadShares::new(animate(thread), part.seconds(), times))
                    .collect()
            }
        };
        ThreadShares::average(&mut self.shares, frame);
    }

    fn animate(&mut self, input: &FrameInput) {
        let copies = Arc::get_mut(&mut self.buffers[self.current]).expect(RETURNED);
        self.sampler.animate(&self.subject, input.source, input.seconds, (0, copies));
        self.ahead = None;
    }

    /// Skins all copies, each thread its part of their vertices.
    fn skin(&mut self) {
        let copies = &self.buffers[self.current];
        let mut parts = std::mem::take(&mut self.parts).into_iter();
        let first = parts.next();
        let start = |(mut part, worker): (Part, &Worker)| {
            let (subject, copies) = (Arc::clone(&self.subject), Arc::clone(copies));
            worker.run(move || {
                part.skin(&subject, &copies);
                part
            })
        };
        let others: Vec<_> = parts.zip(&self.workers).map(start).collect();
        let first = first.map(|mut part| {
            part.skin(&self.subject, copies);
            part
        });
        self.parts = first.into_iter().chain(others.into_iter().map(|part| part.wait())).collect();
    }

    /// Skins this frame while another thread animates the next one. If this frame was not animated
    /// ahead, it is animated first.
    fn step_overlapped(&mut self, input: &FrameInput) -> PipelineTimes {
        let mut times = PipelineTimes::default();
        self.current = 1 - self.current;
        if self.ahead != Some((input.source, input.seconds)) {
            times.animate = time_call(|| self.animate(input));
            times.total = times.animate;
        }
        let (next, input) = (1 - self.current, *input);
        times.total += time_call(|| {
            let mut sampler = self.ahead_sampler.take().expect(RETURNED);
            let mut buffer = std::mem::take(&mut self.buffers[next]);
            let subject = Arc::clone(&self.subject);
            let ahead = self.workers[0].run(move || {
                let copies = Arc::get_mut(&mut buffer).expect(RETURNED);
                let seconds = time_call(|| {
                    sampler.animate(&subject, input.source, input.next_seconds, (0, copies));
                });
                (sampler, buffer, seconds)
            });
            times.skin = time_call(|| self.skin());
            let (sampler, buffer, seconds) = ahead.wait();
            (self.ahead_sampler, self.buffers[next]) = (Some(sampler), buffer);
            times.animate += seconds;
        });
        self.ahead = Some((input.source, input.next_seconds));
        times
    }

    /// The animated copies of the current frame.
    #[must_use]
    pub fn copies(&self) -> &[AnimatedCopy] {
        &self.buffers[self.current]
    }

    /// Writes what a mesh instance is drawn from: skinned vertices, or the palettes if the GPU
    /// skins.
    pub fn write_surface(&self, mesh_instance: usize, out: &mut SurfaceInput) {
        let Some(first) = self.parts.first().and_then(|part| part.output(0, mesh_instance)) else {
            return self.write_palettes(mesh_instance, out);
        };
        let order = vertex_order(first);
        let outputs =
            |copy: usize| self.parts.iter().filter_map(move |part| part.output(copy, mesh_instance));
        let len: usize = outputs(0).map(|output| 6 * output.len()).sum();
        if !matches!(out, SurfaceInput::Skinned { .. }) {
            *out = SurfaceInput::Skinned { order, floats: Vec::new() };
        }
        if let SurfaceInput::Skinned { order: own, floats } = out {
            *own = order;
            floats.resize(len * self.copies().len(), 0.0);
            let mut rest = floats.as_mut_slice();
            for output in (0..self.copies().len()).flat_map(outputs) {
                let (to, others) = rest.split_at_mut(6 * output.len());
                output.copy_to(to);
                rest = others;
            }
        }
    }

    fn write_palettes(&self, mesh_instance: usize, out: &mut SurfaceInput) {
        let skin = self.subject.skin_index(mesh_instance);
        let joints = self.subject.skin(mesh_instance).len();
        if !matches!(out, SurfaceInput::Palette { .. }) {
            *out = SurfaceInput::Palette { joints, floats: Vec::new() };
        }
        if let SurfaceInput::Palette { joints: own, floats } = out {
            *own = joints;
            floats.clear();
            for copy in self.copies() {
                floats.extend(copy.palettes[skin].matrices().iter().flat_map(|matrix| matrix.rows).flatten());
            }
        }
    }
}

fn vertex_order(output: &Output) -> Order {
    match output.order() {
        sinew::skinning::VertexOrder::Run => Order::Run,
        sinew::skinning::VertexOrder::Source => Order::Source,
    }
}

/// One thread per core for data threading, otherwise one.
fn skin_threads(threads: Threads) -> usize {
    match threads {
        Threads::Off | Threads::Task => 1,
        Threads::Data => thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 16)),
    }
}
