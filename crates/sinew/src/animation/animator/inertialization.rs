//! Inertialized transitions: the playbacks change at once, and the difference between the old pose
//! and the new one, with its velocity, decays.
//!
//! Only the new playbacks are sampled during a transition, unlike in a cross-fade. The difference
//! is taken once, when the transition begins, and decays along a polynomial of degree five that
//! begins with the difference's value and velocity, and ends with value, velocity and acceleration
//! zero.

use sinew_kernels::{AddPoseOffsets, BLOCK, VectorBlock};

use super::blend_playbacks::blend_playbacks;
use super::playback::Playback;
use super::root_velocity::{RootVelocity, distance, speed, to_parameters, toward};
use super::sampled_pose::{SAME_SKELETON, SampledPose, Sampler};
use crate::animation::{ClipSet, Motion};
use crate::math::quaternion::{IDENTITY, conjugate, multiply, to_unit_f64};
use crate::math::vector;
use crate::skeleton::Pose;

/// The seconds over which velocities are measured: long enough that the rounding of `f32` times and
/// poses does not matter (below half a percent in a clip of a minute), and so short that the
/// acceleration of a clip changes its velocity less than in any frame. A power of two.
const PROBE: f64 = 1.0 / 1024.0;

/// A transition, or the memory for one.
#[derive(Clone, Debug)]
pub(super) struct Inertialization {
    /// The duration of a transition that begins with the next step.
    pending: Option<f64>,
    /// The playbacks that it leaves.
    pub(super) outgoing: Vec<Playback>,
    /// The transition in progress; what follows belongs to it.
    active: bool,
    duration: f64,
    elapsed: f64,
    /// The differences at the start. Of rotations: modified Rodrigues parameters, with w unused.
    offset: Pose,
    /// Their change over the duration, at the start.
    velocity: Pose,
    root: RootVelocity,
}

impl Inertialization {
    pub(super) fn new(set: &ClipSet) -> Self {
        Self {
            pending: None,
            outgoing: Vec::new(),
            active: false,
            duration: 0.0,
            elapsed: 0.0,
            offset: set.skeleton().rest_pose(),
            velocity: set.skeleton().rest_pose(),
            root: RootVelocity::default(),
        }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    pub(super) fn is_active(&self) -> bool {
        self.active || self.is_pending()
    }

    /// Begins a transition of a number of seconds with the next step.
    pub(super) fn prepare(&mut self, seconds: f64) {
        self.pending = Some(seconds);
    }

    /// Ends all transitions at once. The caller releases `outgoing`.
    pub(super) fn cancel(&mut self) {
        (self.pending, self.active) = (None, false);
    }

    /// Ends the transition in progress, but not one that begins with the next step.
    pub(super) fn cancel_active(&mut self) {
        self.active &= self.is_pending();
    }

    /// Takes the differences between `outgoing` and the playbacks that replace them. `output` is
    /// used as scratch memory.
    pub(super) fn begin(
        &mut self,
        set: &ClipSet,
        incoming: &mut [Playback],
        sampler: &mut Sampler,
        output: &mut SampledPose,
    ) {
        let Some(duration) = self.pending.take() else { return };
        let Sampler { scratch, probe } = sampler;
        // The past of the old playbacks and the future of the new ones, unless a loop is in
        // between.
        let too_early = self.active && self.elapsed < PROBE;
        let old_step =
            if too_early || self.outgoing.iter().any(|it| it.would_loop(-PROBE)) { PROBE } else { -PROBE };
        let new_step = if incoming.iter().any(|it| it.would_loop(PROBE)) { -PROBE } else { PROBE };
        let old_root = self.root_velocity().plus(1.0, &RootVelocity::measure(set, &self.outgoing, old_step));
        let new_root = RootVelocity::measure(set, incoming, new_step);
        let mut outgoing = std::mem::take(&mut self.outgoing);
        for (ahead, posed) in [(0.0, &mut *output), (old_step, &mut *probe)] {
            blend_playbacks(set, &mut outgoing, ahead, scratch, posed);
            self.apply(ahead, posed);
        }
        self.outgoing = outgoing;
        self.offset.copy_from(&output.pose).expect(SAME_SKELETON);
        self.velocity.copy_from(&probe.pose).expect(SAME_SKELETON);
        for (ahead, posed) in [(0.0, &mut *output), (new_step, &mut *probe)] {
            blend_playbacks(set, incoming, ahead, scratch, posed);
        }
        (self.active, self.duration, self.elapsed) = (true, duration, 0.0);
        self.root = old_root.plus(-1.0, &new_root);
        // From the change within the step of the old side to the change over the duration.
        let rate = duration / old_step;
        self.subtract([&output.pose, &probe.pose], old_step == new_step, rate);
    }

    /// Turns `offset` and `velocity`, which hold the old pose now and a step away, into differences
    /// from the new pose, and their change. If the step of the new pose goes the other way, it is
    /// mirrored at the pose now.
    fn subtract(&mut self, [new, new_probe]: [&Pose; 2], same_way: bool, rate: f64) {
        let scaled = self.offset.scaled || self.velocity.scaled || new.scaled || new_probe.scaled;
        (self.offset.scaled, self.velocity.scaled) = (scaled, scaled);
        let difference = Difference { same_way, rate };
        for block in 0..self.offset.rotations.len() {
            for lane in 0..BLOCK {
                let rotation = |pose: &Pose| to_unit_f64(pose.rotations[block].rotation(lane));
                let [old, old_probe] = [&self.offset, &self.velocity].map(rotation);
                let [now, mut then] = [new, new_probe].map(rotation);
                if !same_way {
                    then = multiply(now, multiply(conjugate(then), now));
                }
                let offset = toward(multiply(old, conjugate(now)), IDENTITY);
                let offset_then = toward(multiply(old_probe, conjugate(then)), offset);
                let (from, to) = (to_parameters(offset), to_parameters(offset_then));
                let [x, y, z] = finite_or_zero(vector::to_f32(from));
                self.offset.rotations[block].set_rotation(lane, [x, y, z, 0.0]);
                let [x, y, z] = finite_or_zero(vector::to_f32((to - from) * rate));
                self.velocity.rotations[block].set_rotation(lane, [x, y, z, 0.0]);
                let vectors =
                    [&mut self.offset, &mut self.velocity].map(|pose| &mut pose.translations[block]);
                let news = [new, new_probe].map(|pose| pose.translations[block].vector(lane));
                difference.of_lane(vectors, news, lane);
                if scaled {
                    let vectors = [&mut self.offset, &mut self.velocity].map(|pose| &mut pose.scales[block]);
                    let news = [new, new_probe].map(|pose| pose.scales[block].vector(lane));
                    difference.of_lane(vectors, news, lane);
                }
            }
        }
        let old = self.offset.weights.iter_mut().zip(&mut self.velocity.weights);
        for ((offset, velocity), (&now, &then)) in old.zip(new.weights.iter().zip(&new_probe.weights)) {
            (*offset, *velocity) = difference.of_numbers([*offset, *velocity], [now, then]);
        }
    }

    /// Adds what is left of the differences a number of seconds from now to a pose.
    pub(super) fn apply(&self, ahead: f64, posed: &mut SampledPose) {
        let progress = (self.elapsed + ahead).max(0.0) / self.duration;
        if !self.active || progress >= 1.0 {
            return;
        }
        let factors = decay(progress).map(|factor| factor as f32);
        let pose = posed.pose_mut();
        let scaled = self.offset.scaled;
        pose.scaled |= scaled;
        let blocks = 0..pose.rotations.len();
        pose.runtime.kernels().add_pose_offsets(AddPoseOffsets {
            offset: self.offset.blocks(blocks.clone(), scaled),
            velocity: self.velocity.blocks(blocks, scaled),
            factors,
            rotations: &mut pose.rotations,
            translations: &mut pose.translations,
            scales: if scaled { &mut pose.scales } else { &mut [] },
        });
        let offsets = self.offset.weights.iter().zip(&self.velocity.weights);
        for (weight, (offset, velocity)) in pose.weights.iter_mut().zip(offsets) {
            *weight += factors[0] * offset + factors[1] * velocity;
        }
    }

    /// Advances the transition and returns the root motion that is left of the old playbacks.
    pub(super) fn advance(&mut self, seconds: f64) -> Motion {
        if !self.active {
            return Motion::IDENTITY;
        }
        let before = self.elapsed;
        self.elapsed = (before + seconds).clamp(0.0, self.duration);
        let [from, to] = [before, self.elapsed].map(|elapsed| distance(elapsed / self.duration));
        let seconds = self.duration * (to - from);
        self.active = self.elapsed < self.duration;
        self.root.motion(seconds)
    }

    /// The root velocity that is left of the transition in progress.
    fn root_velocity(&self) -> RootVelocity {
        let left = if self.active { speed(self.elapsed / self.duration) } else { 0.0 };
        RootVelocity::default().plus(left, &self.root)
    }
}

/// How differences of numbers become offsets and velocities.
#[derive(Clone, Copy)]
struct Difference {
    same_way: bool,
    rate: f64,
}

impl Difference {
    /// From the old numbers now and then, and the new ones.
    fn of_numbers(self, [old, old_then]: [f32; 2], [now, then]: [f32; 2]) -> (f32, f32) {
        let [old, old_then, now, then] = [old, old_then, now, then].map(f64::from);
        let then = if self.same_way { then } else { now + (now - then) };
        let offset = old - now;
        let [offset, velocity] =
            finite_or_zero([offset as f32, (((old_then - then) - offset) * self.rate) as f32]);
        (offset, velocity)
    }

    fn of_lane(self, [offsets, velocities]: [&mut VectorBlock; 2], [now, then]: [[f32; 3]; 2], lane: usize) {
        let (mut offset, mut velocity) = (offsets.vector(lane), velocities.vector(lane));
        for axis in 0..3 {
            (offset[axis], velocity[axis]) =
                self.of_numbers([offset[axis], velocity[axis]], [now[axis], then[axis]]);
        }
        offsets.set_vector(lane, offset);
        velocities.set_vector(lane, velocity);
    }
}

/// Numbers that overflowed would stay in the pose as NaN.
fn finite_or_zero<const N: usize>(numbers: [f32; N]) -> [f32; N] {
    if numbers.iter().all(|number| number.is_finite()) { numbers } else { [0.0; N] }
}

/// The factors of an offset and of its velocity times the duration after a part of the duration.
/// The curve begins with value one and velocity zero, or the other way round, and ends at rest.
fn decay(part: f64) -> [f64; 2] {
    let cube = part * part * part;
    [1.0 - cube * (10.0 - part * (15.0 - 6.0 * part)), part - cube * (6.0 - part * (8.0 - 3.0 * part))]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivative by central differences.
    fn slope(curve: impl Fn(f64) -> f64, at: f64) -> f64 {
        (curve(at + 1e-5) - curve(at - 1e-5)) / 2e-5
    }

    #[test]
    fn the_decay_begins_with_value_and_velocity_and_ends_at_rest() {
        let [value, velocity] = [0, 1].map(|i| move |part: f64| decay(part)[i]);
        assert_eq!((decay(0.0), decay(1.0)), ([1.0, 0.0], [0.0, 0.0]));
        assert!((slope(value, 0.0)).abs() < 1e-8 && (slope(velocity, 0.0) - 1.0).abs() < 1e-8);
        assert!(slope(value, 1.0).abs() < 1e-8 && slope(velocity, 1.0).abs() < 1e-8);
        for step in 0..=100 {
            let [value, velocity] = decay(f64::from(step) / 100.0);
            assert!((-1e-12..=1.0).contains(&value) && (-1e-12..=0.2).contains(&velocity));
        }
    }
}
