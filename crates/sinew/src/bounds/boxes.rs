//! What hangs on each joint of a mesh, as boxes: made once, when bounds are first asked for.

use sinew_kernels::{Aabb, BLOCK};

use super::cells::{Cells, Grid};
use super::moved::higher;
use super::shapes::Shapes;
use crate::Mesh;
use crate::layout::{Groups, Held};

/// An influence no larger than this share of a vertex's weight is not in its joint's boxes: margins count it. Rounding
/// leaves such to joints that the vertex does not hang on, which may be far away.
const WEAK: f32 = 1.0 / (1 << 21) as f32;

/// What hangs on the joints of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct JointBoxes {
    /// Of each joint that something hangs on, by rising number.
    pub(super) joints: Vec<JointBox>,
    /// Every joint that has any weight, the weak ones that have no box among them.
    pub(super) weighing: Vec<u32>,
    /// The largest magnitudes of coordinates, axis by axis.
    pub(super) extent: [f32; 3],
    /// The lowest and the highest sum of a vertex's weights; one and one where they are brought to it.
    pub(super) sums: [f32; 2],
    /// The most joints that a kernel blends for one vertex.
    pub(super) influences: usize,
    /// What morph targets add.
    pub(super) shapes: Shapes,
}

/// What hangs on a joint.
#[derive(Clone, Debug)]
pub(super) struct JointBox {
    pub(super) joint: u32,
    pub(super) cells: Cells,
}

impl JointBoxes {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let mut boxes = vec![Aabb::EMPTY; mesh.skin_len];
        let mut weighs = vec![false; mesh.skin_len];
        let mut sums = [f32::INFINITY, 0.0];
        let mut extent = [0.0; 3];
        mesh.each_hold(|hold| {
            sums = [sums[0].min(hold.sum), sums[1].max(hold.sum)];
            hold.held.iter().for_each(|held| weighs[held.joint as usize] |= held.weight > 0.0);
            for (joint, point) in hold.points() {
                boxes[joint as usize] = boxes[joint as usize].union(&Aabb { min: point, max: point });
                extent = std::array::from_fn(|c| higher(extent[c], point[c].abs()));
            }
        });
        let mut grids: Vec<Grid> = boxes.iter().map(Grid::new).collect();
        mesh.each_hold(|hold| hold.points().for_each(|(joint, point)| grids[joint as usize].add(point)));
        let used = grids.iter().enumerate().filter(|(joint, _)| !boxes[*joint].is_empty());
        let joints: Vec<JointBox> =
            used.map(|(joint, grid)| JointBox { joint: joint as u32, cells: grid.cells() }).collect();
        let weighing = (0..).zip(&weighs).filter(|(_, weighs)| **weighs).map(|(joint, _)| joint).collect();
        let (sums, influences) = kept(&mesh.layout.full, sums);
        Self { extent, sums, influences, shapes: Shapes::new(mesh, &joints), joints, weighing }
    }
}

/// A vertex and what holds it.
pub(crate) struct Hold<'a> {
    mesh: &'a Mesh,
    pub(crate) place: usize,
    pub(super) held: &'a [Held],
    /// Of all weights.
    pub(super) sum: f32,
}

impl Hold<'_> {
    /// The joints that hold it, and where each has it at rest. Those that hardly hold it are left out; not in joint
    /// space, where a small weight may come with a vector far away.
    pub(crate) fn points(&self) -> impl Iterator<Item = (u32, [f32; 3])> {
        self.shares().map(|(joint, point, _)| (joint, point))
    }

    /// The same with the share of each joint in the sum of weights.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (u32, [f32; 3], f32)> {
        let apart = self.mesh.in_joint_space();
        let position = self.mesh.base[self.place / BLOCK * self.mesh.base_vectors].vector(self.place % BLOCK);
        let strong = self.held.iter().filter(move |held| apart || held.weight > WEAK * self.sum);
        strong.map(move |held| {
            let own = || held.weighted.map(|c| (f64::from(c) / f64::from(held.weight)) as f32);
            (held.joint, if apart { own() } else { position }, held.weight / self.sum)
        })
    }
}

impl Mesh {
    /// Calls with each place, pads too: they change nothing.
    pub(super) fn each_hold(&self, act: impl FnMut(&Hold<'_>)) {
        self.each_hold_of(&self.layout.full, act);
    }

    /// The same with all influences, and then with those of each level of detail.
    pub(crate) fn each_hold_of_levels(&self, mut act: impl FnMut(&Hold<'_>)) {
        self.each_hold_of(&self.layout.full, &mut act);
        for level in &self.layout.levels {
            self.each_hold_of(&level.groups, &mut act);
        }
    }

    fn each_hold_of(&self, groups: &Groups, mut act: impl FnMut(&Hold<'_>)) {
        groups.each_place(|place, held| {
            let sum = held.iter().map(|held| held.weight).sum();
            act(&Hold { mesh: self, place, held, sum });
        });
    }
}

/// The sums of weights, and the most joints of a run.
///
/// Weights of runs sum to one but for rounding, which margins count. Others are rounded outward.
fn kept(groups: &Groups, [low, high]: [f32; 2]) -> ([f32; 2], usize) {
    let (one, most) = match groups {
        Groups::Runs(groups) => (true, groups.iter().map(|group| group.influences).max()),
        Groups::Counts(groups) => (false, groups.iter().map(|group| group.influences).max()),
        Groups::Weighted(groups) => (false, groups.iter().map(|group| group.influences).max()),
    };
    let sums = if one || low > high { [1.0; 2] } else { [low * (1.0 - 1e-6), high * (1.0 + 1e-6)] };
    (sums, most.unwrap_or(0))
}
