//! Vertices of some groups with their influences, as a kernel takes them.

use sinew_kernels::{BLOCK, Run};

use super::groups::{CountGroup, Group, Groups, RunGroup, WeightedGroup};
use super::skin::part;

/// What a joint holds of a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) joint: u32,
    /// Above zero.
    pub(crate) weight: f32,
    /// Weight x vector, for influences in joint space; zero for others.
    pub(crate) weighted: [f32; 3],
}

impl Groups {
    /// Calls with each place and its influences, weights of zero left out. The last weight of a run is what the others
    /// leave of one, so that rounding may leave a little to a joint that the vertex does not hang on.
    pub(crate) fn each_place(&self, act: impl FnMut(usize, &[Held])) {
        match self {
            Self::Runs(groups) => each_place(groups, act),
            Self::Counts(groups) => each_place(groups, act),
            Self::Weighted(groups) => each_place(groups, act),
        }
    }

    /// Calls with each influence of one place, as [`each_place`](Self::each_place) has them.
    pub(crate) fn at_place(&self, place: usize, act: impl FnMut(Held)) {
        match self {
            Self::Runs(groups) => at_place(groups, place, act),
            Self::Counts(groups) => at_place(groups, place, act),
            Self::Weighted(groups) => at_place(groups, place, act),
        }
    }
}

fn each_place<G: Holds>(groups: &[G], mut act: impl FnMut(usize, &[Held])) {
    let mut held = Vec::new();
    for group in groups {
        for (index, run) in group.runs().iter().enumerate() {
            for place in BLOCK * run.first as usize..BLOCK * (run.first + run.blocks) as usize {
                held.clear();
                group.hold(index, stored(run, place), |one| held.push(one));
                act(place, &held);
            }
        }
    }
}

fn at_place<G: Holds>(groups: &[G], place: usize, act: impl FnMut(Held)) {
    let block = place / BLOCK;
    let of_group = |group: &G| part(group.runs(), &(block..block + 1)).next();
    if let Some((group, run)) = groups.iter().find_map(|group| Some((group, of_group(group)?))) {
        group.hold(run, stored(&group.runs()[run], place), act);
    }
}

/// Where the weights of a vertex are: in which block of its group's, and in which lane.
type Stored = (usize, usize);

fn stored(run: &Run, place: usize) -> Stored {
    (run.weights as usize + place / BLOCK - run.first as usize, place % BLOCK)
}

/// A group that tells what holds its vertices.
trait Holds: Group {
    /// Calls with each influence of a vertex of a run.
    fn hold(&self, run: usize, at: Stored, act: impl FnMut(Held));
}

impl Holds for RunGroup {
    fn hold(&self, run: usize, (block, lane): Stored, mut act: impl FnMut(Held)) {
        let n = self.influences;
        let joints = &self.joints[n * run..n * (run + 1)];
        let mut left = 1.0;
        for (row, &joint) in self.weights[block * (n - 1)..(block + 1) * (n - 1)].iter().zip(joints) {
            left -= row.0[lane];
            unless_zero(joint, row.0[lane], &mut act);
        }
        unless_zero(joints[n - 1], left, &mut act);
    }
}

impl Holds for CountGroup {
    fn hold(&self, _: usize, (block, lane): Stored, mut act: impl FnMut(Held)) {
        for row in block * self.influences..(block + 1) * self.influences {
            unless_zero(self.joints[row].0[lane], self.weights[row].0[lane], &mut act);
        }
    }
}

impl Holds for WeightedGroup {
    fn hold(&self, run: usize, (block, lane): Stored, mut act: impl FnMut(Held)) {
        let n = self.influences;
        for (weighted, &joint) in self.blocks[block * n..].iter().zip(&self.joints[n * run..n * (run + 1)]) {
            let [x, y, z, weight] = weighted.rows.map(|row| row[lane]);
            if weight > 0.0 {
                act(Held { joint, weight, weighted: [x, y, z] });
            }
        }
    }
}

fn unless_zero(joint: u32, weight: f32, act: &mut impl FnMut(Held)) {
    if weight > 0.0 {
        act(Held { joint, weight, weighted: [0.0; 3] });
    }
}
