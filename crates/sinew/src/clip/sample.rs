//! A clip at a time, written into a pose.

use sinew_kernels::{Factor, Joint, Kernels, Scale, SlerpRotations};

use super::arc;
use super::cubic::Shares;
use super::data::{Channel, Group};
use super::timeline::Place;
use super::{Clip, Cursor, Interpolation};
use crate::error::check_len;
use crate::{Error, Pose};

/// How many rotations are interpolated at once: enough to fill any register many times, few enough for the stack.
const BATCH: usize = 32;

/// From so many tracks on, a group is worth a call of its own; smaller ones are collected.
const ALONE: usize = 4;

impl Clip {
    /// Writes what the clip moves, at a time in seconds, into a pose, on the pose's kernels; joints, channels and weights
    /// that it has no tracks for stay as they are. Turns scales on where the clip has some that are not one.
    ///
    /// Before its first key and after its last a track holds those. A time that is not a number is before all.
    ///
    /// The cursor is of this clip. Time goes in any direction and at any pace: what the cursor saves is a search for each
    /// distinct list of times.
    ///
    /// # Errors
    ///
    /// When the pose has another number of joints or morph weights than the skeleton the clip was made for, or the cursor
    /// is not of this clip (one of another clip of the same size does no harm). Nothing is written then.
    pub fn sample(&self, seconds: f32, cursor: &mut Cursor, pose: &mut Pose) -> Result<(), Error> {
        check_len("joints of the pose to sample into", self.skeleton_len, pose.len())?;
        check_len("morph weights of the pose to sample into", self.morph_weight_count, pose.weights.len())?;
        check_len("places of the cursor", self.timelines.len(), cursor.places.len())?;
        for (timeline, place) in self.timelines.iter().zip(&mut cursor.places) {
            *place = timeline.place(&self.times, seconds, place.key);
        }
        let places = &cursor.places;
        rotate(&self.rotations, places, pose.kernels, &mut pose.joints);
        move_each(&self.translations, places, vector_line, Shares::vector, |target, translation| {
            if let Some(joint) = pose.joints.get_mut(target) {
                joint.translation = translation;
            }
        });
        pose.scaled |= self.scales;
        if pose.scaled {
            move_each(&self.scalings, places, vector_line, Shares::vector, |target, factors| {
                if let Some(scale) = pose.scales.get_mut(target) {
                    *scale = Scale::new(factors);
                }
            });
        }
        move_each(&self.weights, places, line, Shares::number, |target, number| {
            if let Some(weight) = pose.weights.get_mut(target) {
                *weight = number;
            }
        });
        Ok(())
    }
}

/// Along the line, exact at both ends. Nothing fuses here: the same bits everywhere.
#[inline]
pub(super) fn line(from: f32, to: f32, factor: f32) -> f32 {
    (1.0 - factor) * from + factor * to
}

#[inline]
pub(super) fn vector_line(from: [f32; 3], to: [f32; 3], factor: f32) -> [f32; 3] {
    [line(from[0], to[0], factor), line(from[1], to[1], factor), line(from[2], to[2], factor)]
}

/// Gives every target of a channel, with its value there.
#[inline]
fn move_each<T: Copy>(
    channel: &Channel<T>,
    places: &[Place],
    line: impl Fn(T, T, f32) -> T,
    curve: impl Fn(Shares, T, T, T, T) -> T,
    mut write: impl FnMut(usize, T),
) {
    for group in &channel.groups {
        let place = places[group.timeline];
        let targets = channel.targets_of(group);
        match group.interpolation {
            Interpolation::Step => {
                for (&target, &value) in targets.iter().zip(channel.row(group, place.key, 0)) {
                    write(target as usize, value);
                }
            }
            Interpolation::Linear => {
                let (from, to) = (channel.row(group, place.key, 0), channel.row(group, place.next, 0));
                for (&target, (&from, &to)) in targets.iter().zip(from.iter().zip(to)) {
                    write(target as usize, line(from, to, place.factor));
                }
            }
            Interpolation::Cubic => {
                let shares = Shares::at(place);
                let [from, slope_out, slope_in, to] = channel.ends(group, place);
                let ends = from.iter().zip(slope_out).zip(slope_in.iter().zip(to));
                for (&target, ((&from, &slope_out), (&slope_in, &to))) in targets.iter().zip(ends) {
                    write(target as usize, curve(shares, from, slope_out, slope_in, to));
                }
            }
        }
    }
}

impl<T: Copy> Channel<T> {
    /// Of cubic tracks: values and slopes out of the key before, slopes in and values of the key after.
    pub(super) fn ends(&self, group: &Group, place: Place) -> [&[T]; 4] {
        [(place.key, 1), (place.key, 2), (place.next, 0), (place.next, 1)]
            .map(|(key, row)| self.row(group, key, row))
    }
}

/// Turns joints. Groups of linear tracks go through the kernel as they lie; small ones together with others.
fn rotate(channel: &Channel<[f32; 4]>, places: &[Place], kernels: &Kernels, joints: &mut [Joint]) {
    let collected =
        |group: &Group| group.interpolation == Interpolation::Linear && group.len < ALONE && group.unit;
    let mut rotations = [[0.0; 4]; BATCH];
    let mut write = |target: u32, rotation: [f32; 4]| {
        if let Some(joint) = joints.get_mut(target as usize) {
            joint.rotation = rotation;
        }
    };
    for group in channel.groups.iter().filter(|group| !collected(group)) {
        let place = places[group.timeline];
        let targets = channel.targets_of(group);
        match group.interpolation {
            Interpolation::Step => {
                for (&target, &rotation) in targets.iter().zip(channel.row(group, place.key, 0)) {
                    write(target, rotation);
                }
            }
            Interpolation::Linear if !group.unit => {
                let (from, to) = (channel.row(group, place.key, 0), channel.row(group, place.next, 0));
                for (&target, (&from, &to)) in targets.iter().zip(from.iter().zip(to)) {
                    write(target, arc::between(from, to, place.factor));
                }
            }
            Interpolation::Linear => {
                let (from, to) = (channel.row(group, place.key, 0), channel.row(group, place.next, 0));
                let keys = from.chunks(BATCH).zip(to.chunks(BATCH));
                for (targets, (from, to)) in targets.chunks(BATCH).zip(keys) {
                    let rotations = &mut rotations[..targets.len()];
                    let factor = Factor::All(place.factor);
                    kernels.slerp_rotations(SlerpRotations { from, to, factor, rotations });
                    for (&target, &rotation) in targets.iter().zip(&*rotations) {
                        write(target, rotation);
                    }
                }
            }
            Interpolation::Cubic => {
                let shares = Shares::at(place);
                let [from, slope_out, slope_in, to] = channel.ends(group, place);
                let ends = from.iter().zip(slope_out).zip(slope_in.iter().zip(to));
                for (&target, ((&from, &slope_out), (&slope_in, &to))) in targets.iter().zip(ends) {
                    write(target, shares.rotation(from, slope_out, slope_in, to));
                }
            }
        }
    }
    collect(channel, places, kernels, channel.groups.iter().filter(|group| collected(group)), write);
}

/// Turns the joints of small groups of linear tracks, a batch of them at a time.
fn collect<'a>(
    channel: &Channel<[f32; 4]>,
    places: &[Place],
    kernels: &Kernels,
    groups: impl Iterator<Item = &'a Group>,
    mut write: impl FnMut(u32, [f32; 4]),
) {
    let mut groups = groups.peekable();
    if groups.peek().is_none() {
        return;
    }
    let mut batch = Batch::new();
    for group in groups {
        let place = places[group.timeline];
        let (from, to) = (channel.row(group, place.key, 0), channel.row(group, place.next, 0));
        for (&target, (&from, &to)) in channel.targets_of(group).iter().zip(from.iter().zip(to)) {
            if batch.len == BATCH {
                batch.flush(kernels, &mut write);
            }
            batch.push(target, from, to, place.factor);
        }
    }
    batch.flush(kernels, &mut write);
}

/// Rotations to be interpolated, each by a factor of its own.
struct Batch {
    targets: [u32; BATCH],
    from: [[f32; 4]; BATCH],
    to: [[f32; 4]; BATCH],
    factors: [f32; BATCH],
    rotations: [[f32; 4]; BATCH],
    len: usize,
}

impl Batch {
    fn new() -> Self {
        let none = [[0.0; 4]; BATCH];
        Self { targets: [0; BATCH], from: none, to: none, factors: [0.0; BATCH], rotations: none, len: 0 }
    }

    /// There is room for it.
    #[inline]
    fn push(&mut self, target: u32, from: [f32; 4], to: [f32; 4], factor: f32) {
        let i = self.len % BATCH;
        self.targets[i] = target;
        self.from[i] = from;
        self.to[i] = to;
        self.factors[i] = factor;
        self.len = i + 1;
    }

    fn flush(&mut self, kernels: &Kernels, write: &mut impl FnMut(u32, [f32; 4])) {
        let len = std::mem::take(&mut self.len);
        let rotations = &mut self.rotations[..len];
        kernels.slerp_rotations(SlerpRotations {
            from: &self.from[..len],
            to: &self.to[..len],
            factor: Factor::Each(&self.factors[..len]),
            rotations,
        });
        for (&target, &rotation) in self.targets.iter().zip(&*rotations) {
            write(target, rotation);
        }
    }
}
