//! All copies, animated and skinned by one method, on one thread or more.

use std::thread;

use sinew::{Backend, NormalTransform};
use sinew_figures::methods::{Output, Scratch, Skinner, Subject as Surface};

use super::{Kind, max_influences};
use crate::draw::Moved;
use crate::scene::{Animated, Plan, Poser, Subject};
use crate::settings::Threads;
use crate::timing::{Meter, timed};

pub use crate::draw::Order;

/// Seconds of a frame's stages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// From time to palettes.
    pub animate: f64,
    /// From palettes to vertices.
    pub skin: f64,
    /// Of both, which may run at once.
    pub both: f64,
}

/// What is to be done in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// What is played.
    pub plan: Plan,
    /// When.
    pub seconds: f64,
    /// When the next frame is, for who animates ahead.
    pub next: f64,
}

/// Who animates and skins: memory for all copies, and for each thread.
pub struct Crew {
    threads: Threads,
    /// Of each part; none where the graphics processor skins.
    skinners: Vec<Skinner>,
    /// Of each copy, the parts one after the other.
    outputs: Vec<Vec<Output>>,
    /// Two sets: one is written while the other is read.
    sets: [Vec<Animated>; 2],
    now: usize,
    /// What the other set holds already.
    ahead: Option<(Plan, f64)>,
    posers: [Poser; 2],
    scratches: Vec<Scratch>,
    meters: [Meter; 2],
}

impl Crew {
    /// For so many copies.
    ///
    /// # Errors
    ///
    /// Why the method cannot skin the subject.
    pub fn new(
        subject: &Subject,
        (kind, row): (Kind, &'static Backend),
        (weights, copies): (usize, usize),
        threads: Threads,
    ) -> Result<Self, String> {
        let surface = |part: usize| Surface {
            mesh: subject.mesh(part),
            skin: subject.skin(part),
            max_influences: max_influences(subject, weights),
            normals: NormalTransform::BlendedMatrix,
        };
        let skinners = match kind.on(row) {
            Some(method) => {
                let parts = 0..subject.parts();
                parts.map(|part| Skinner::new(&surface(part), method)).collect::<Result<Vec<_>, _>>()?
            }
            None => Vec::new(),
        };
        let output = |_| skinners.iter().map(Skinner::output).collect();
        let set = vec![Animated::new(subject); copies];
        Ok(Self {
            threads,
            outputs: (0..copies).map(output).collect(),
            skinners,
            sets: [set.clone(), set],
            now: 0,
            ahead: None,
            posers: [Poser::new(subject), Poser::new(subject)],
            scratches: vec![Scratch::default(); thread_count(threads)],
            meters: [Meter::default(); 2],
        })
    }

    /// Animates and skins a frame.
    pub fn step(&mut self, subject: &Subject, work: &Work) -> Times {
        match self.threads {
            Threads::Task => self.step_beside(subject, work),
            Threads::Off | Threads::Data => {
                let animate = timed(|| self.animate(subject, work));
                let skin = timed(|| self.skin(subject));
                Times { animate, skin, both: animate + skin }
            }
        }
    }

    /// The same many times, measured as `sinew bench` measures.
    pub fn measure(&mut self, subject: &Subject, work: &Work) -> Times {
        let [mut first, mut second] = self.meters;
        let times = if self.threads == Threads::Task {
            let mut last = Times::default();
            let both = first.measure(|| last = self.step_beside(subject, work));
            Times { both, ..last }
        } else {
            let animate = first.measure(|| self.animate(subject, work));
            let skin = second.measure(|| self.skin(subject));
            Times { animate, skin, both: animate + skin }
        };
        self.meters = [first, second];
        times
    }

    fn animate(&mut self, subject: &Subject, work: &Work) {
        let set = &mut self.sets[self.now];
        self.posers[0].animate(subject, work.plan, work.seconds, (0, set));
        self.ahead = None;
    }

    fn skin(&mut self, subject: &Subject) {
        let Self { skinners, outputs, sets, now, scratches, .. } = self;
        let (set, each) = (&sets[*now], outputs.len().div_ceil(scratches.len()).max(1));
        let mut parts = set.chunks(each).zip(outputs.chunks_mut(each)).zip(scratches);
        let first = parts.next();
        thread::scope(|scope| {
            for ((copies, outputs), scratch) in parts {
                let skinners = &*skinners;
                scope.spawn(move || skin(subject, skinners, copies, scratch, outputs));
            }
            if let Some(((copies, outputs), scratch)) = first {
                skin(subject, skinners, copies, scratch, outputs);
            }
        });
    }

    /// Another thread animates the next frame while this one skins. What is not there yet is animated before.
    fn step_beside(&mut self, subject: &Subject, work: &Work) -> Times {
        let mut times = Times::default();
        self.now = 1 - self.now;
        if self.ahead != Some((work.plan, work.seconds)) {
            times.animate = timed(|| self.animate(subject, work));
            times.both = times.animate;
        }
        let Self { skinners, outputs, sets: [a, b], now, posers, scratches, .. } = self;
        let (read, written) = if *now == 0 { (a, b) } else { (b, a) };
        let (poser, scratch) = (&mut posers[1], &mut scratches[0]);
        times.both += timed(|| {
            thread::scope(|scope| {
                let ahead = scope.spawn(|| {
                    timed(|| poser.animate(subject, work.plan, work.next, (0, written.as_mut_slice())))
                });
                times.skin = timed(|| skin(subject, skinners, read, scratch, outputs));
                // A thread that panicked has said so.
                times.animate += ahead.join().unwrap_or_default();
            });
        });
        self.ahead = Some((work.plan, work.next));
        times
    }

    /// Where the copies are.
    #[must_use]
    pub fn copies(&self) -> &[Animated] {
        &self.sets[self.now]
    }

    /// Puts where all vertices of a part are, or what takes them there, into memory to be drawn from.
    pub fn put(&self, subject: &Subject, part: usize, to: &mut Moved) {
        let Some(first) = self.outputs.first().and_then(|outputs| outputs.get(part)) else {
            return self.put_palettes(subject, part, to);
        };
        let (order, len) = (order_of(first), 6 * first.len());
        if !matches!(to, Moved::Vertices { .. }) {
            *to = Moved::Vertices { order, floats: Vec::new() };
        }
        if let Moved::Vertices { order: own, floats } = to {
            *own = order;
            floats.resize(len * self.outputs.len(), 0.0);
            if len > 0 {
                for (output, to) in self.outputs.iter().zip(floats.chunks_mut(len)) {
                    output[part].put(to);
                }
            }
        }
    }

    fn put_palettes(&self, subject: &Subject, part: usize, to: &mut Moved) {
        let (skin, joints) = (subject.skin_of(part), subject.skin(part).len());
        if !matches!(to, Moved::Palette { .. }) {
            *to = Moved::Palette { joints, floats: Vec::new() };
        }
        if let Moved::Palette { joints: own, floats } = to {
            *own = joints;
            floats.clear();
            for copy in self.copies() {
                floats.extend(copy.palettes[skin].matrices().iter().flat_map(|matrix| matrix.rows).flatten());
            }
        }
    }
}

fn skin(
    subject: &Subject,
    skinners: &[Skinner],
    copies: &[Animated],
    scratch: &mut Scratch,
    outputs: &mut [Vec<Output>],
) {
    for (copy, outputs) in copies.iter().zip(outputs) {
        for (part, (skinner, output)) in skinners.iter().zip(outputs).enumerate() {
            let palette = &copy.palettes[subject.skin_of(part)];
            skinner.skin(palette, copy.morphed[part].as_ref(), scratch, output);
        }
    }
}

fn order_of(output: &Output) -> Order {
    match output.order() {
        sinew::Order::Run => Order::Run,
        sinew::Order::Source => Order::Source,
    }
}

/// As many as the machine has, where vertices are shared.
fn thread_count(threads: Threads) -> usize {
    match threads {
        Threads::Off | Threads::Task => 1,
        Threads::Data => thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 16)),
    }
}
