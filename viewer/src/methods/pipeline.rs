//! Animates and skins all copies with one method, on one or more threads.

use std::thread;

use sinew::runtime::Backend;
use sinew::skinning::NormalTransform;
use sinew_bench::methods::{Output, Scratch, SkinInput, Skinner};

use super::{MethodKind, influence_limit};
use crate::draw::SurfaceInput;
use crate::scene::{AnimatedCopy, AnimationSource, PoseSampler, Subject};
use crate::settings::Threads;
use crate::timing::{Meter, time_call};

pub use crate::draw::Order;

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

/// Animates and skins all copies. Owns the memory of each copy and each thread.
pub struct Pipeline {
    threads: Threads,
    /// One per mesh instance; empty if the GPU skins.
    skinners: Vec<Skinner>,
    /// For each copy, one output per mesh instance.
    outputs: Vec<Vec<Output>>,
    /// Double buffer of animated copies: one is written while the other is read.
    buffers: [Vec<AnimatedCopy>; 2],
    current: usize,
    /// What the buffer that is not current already holds.
    ahead: Option<(AnimationSource, f64)>,
    samplers: [PoseSampler; 2],
    scratches: Vec<Scratch>,
    meters: [Meter; 2],
}

impl Pipeline {
    /// Allocates the pipeline of one method for `copies` copies.
    ///
    /// # Errors
    ///
    /// The reason why the method cannot skin the subject.
    pub fn new(
        subject: &Subject,
        (kind, backend): (MethodKind, &'static Backend),
        (weights, copies): (usize, usize),
        threads: Threads,
    ) -> Result<Self, String> {
        let surface = |mesh_instance: usize| SkinInput {
            mesh: subject.mesh(mesh_instance),
            skin: subject.skin(mesh_instance),
            max_influences: influence_limit(subject, weights),
            normals: NormalTransform::BlendedMatrix,
        };
        let skinners = match kind.to_method(backend) {
            Some(method) => {
                let mesh_instances = 0..subject.mesh_instances();
                mesh_instances
                    .map(|mesh_instance| Skinner::new(&surface(mesh_instance), method))
                    .collect::<Result<Vec<_>, _>>()?
            }
            None => Vec::new(),
        };
        let output = |_| skinners.iter().map(Skinner::output).collect();
        let copies_buffer = vec![AnimatedCopy::new(subject); copies];
        Ok(Self {
            threads,
            outputs: (0..copies).map(output).collect(),
            skinners,
            buffers: [copies_buffer.clone(), copies_buffer],
            current: 0,
            ahead: None,
            samplers: [PoseSampler::new(subject), PoseSampler::new(subject)],
            scratches: vec![Scratch::default(); thread_count(threads)],
            meters: [Meter::default(); 2],
        })
    }

    /// Animates and skins a frame.
    pub fn step(&mut self, subject: &Subject, input: &FrameInput) -> PipelineTimes {
        match self.threads {
            Threads::Task => self.step_overlapped(subject, input),
            Threads::Off | Threads::Data => {
                let animate = time_call(|| self.animate(subject, input));
                let skin = time_call(|| self.skin(subject));
                PipelineTimes { animate, skin, total: animate + skin }
            }
        }
    }

    /// Animates and skins a frame many times, timed as `sinew bench` does.
    pub fn measure(&mut self, subject: &Subject, input: &FrameInput) -> PipelineTimes {
        let [mut first, mut second] = self.meters;
        let times = if self.threads == Threads::Task {
            let mut last = PipelineTimes::default();
            let total = first.measure(|| last = self.step_overlapped(subject, input));
            PipelineTimes { total, ..last }
        } else {
            let animate = first.measure(|| self.animate(subject, input));
            let skin = second.measure(|| self.skin(subject));
            PipelineTimes { animate, skin, total: animate + skin }
        };
        self.meters = [first, second];
        times
    }

    fn animate(&mut self, subject: &Subject, input: &FrameInput) {
        let copies_buffer = &mut self.buffers[self.current];
        self.samplers[0].animate(subject, input.source, input.seconds, (0, copies_buffer));
        self.ahead = None;
    }

    fn skin(&mut self, subject: &Subject) {
        let Self { skinners, outputs, buffers, current, scratches, .. } = self;
        let (copies_buffer, each) = (&buffers[*current], outputs.len().div_ceil(scratches.len()).max(1));
        let mut parts = copies_buffer.chunks(each).zip(outputs.chunks_mut(each)).zip(scratches);
        let first = parts.next();
        thread::scope(|scope| {
            for ((copies, outputs), scratch) in parts {
                let skinners = &*skinners;
                scope.spawn(move || skin_copies(subject, skinners, copies, scratch, outputs));
            }
            if let Some(((copies, outputs), scratch)) = first {
                skin_copies(subject, skinners, copies, scratch, outputs);
            }
        });
    }

    /// Skins this frame while another thread animates the next one. If this frame was not animated
    /// ahead, it is animated first.
    fn step_overlapped(&mut self, subject: &Subject, input: &FrameInput) -> PipelineTimes {
        let mut times = PipelineTimes::default();
        self.current = 1 - self.current;
        if self.ahead != Some((input.source, input.seconds)) {
            times.animate = time_call(|| self.animate(subject, input));
            times.total = times.animate;
        }
        let Self { skinners, outputs, buffers: [a, b], current, samplers, scratches, .. } = self;
        let (read, written) = if *current == 0 { (a, b) } else { (b, a) };
        let (sampler, scratch) = (&mut samplers[1], &mut scratches[0]);
        times.total += time_call(|| {
            thread::scope(|scope| {
                let ahead = scope.spawn(|| {
                    time_call(|| {
                        sampler.animate(
                            subject,
                            input.source,
                            input.next_seconds,
                            (0, written.as_mut_slice()),
                        )
                    })
                });
                times.skin = time_call(|| skin_copies(subject, skinners, read, scratch, outputs));
                // A thread that panicked has printed its message.
                times.animate += ahead.join().unwrap_or_default();
            });
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
    pub fn write_surface(&self, subject: &Subject, mesh_instance: usize, out: &mut SurfaceInput) {
        let Some(first) = self.outputs.first().and_then(|outputs| outputs.get(mesh_instance)) else {
            return self.write_palettes(subject, mesh_instance, out);
        };
        let (order, len) = (vertex_order(first), 6 * first.len());
        if !matches!(out, SurfaceInput::Skinned { .. }) {
            *out = SurfaceInput::Skinned { order, floats: Vec::new() };
        }
        if let SurfaceInput::Skinned { order: own, floats } = out {
            *own = order;
            floats.resize(len * self.outputs.len(), 0.0);
            if len > 0 {
                for (output, to) in self.outputs.iter().zip(floats.chunks_mut(len)) {
                    output[mesh_instance].copy_to(to);
                }
            }
        }
    }

    fn write_palettes(&self, subject: &Subject, mesh_instance: usize, out: &mut SurfaceInput) {
        let (skin, joints) = (subject.skin_index(mesh_instance), subject.skin(mesh_instance).len());
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

fn skin_copies(
    subject: &Subject,
    skinners: &[Skinner],
    copies: &[AnimatedCopy],
    scratch: &mut Scratch,
    outputs: &mut [Vec<Output>],
) {
    for (copy, outputs) in copies.iter().zip(outputs) {
        for (mesh_instance, (skinner, output)) in skinners.iter().zip(outputs).enumerate() {
            let palette = &copy.palettes[subject.skin_index(mesh_instance)];
            skinner.skin(palette, copy.morphed[mesh_instance].as_ref(), scratch, output);
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
fn thread_count(threads: Threads) -> usize {
    match threads {
        Threads::Off | Threads::Task => 1,
        Threads::Data => thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 16)),
    }
}
