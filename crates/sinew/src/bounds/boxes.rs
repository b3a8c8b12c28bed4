//! What hangs on each joint of a mesh, as boxes: made once, when bounds are first asked for.

use sinew_kernels::{BLOCK, Bounds, VectorBlock};

use super::cells::{Cells, Grid};
use super::moved::higher;
use crate::Mesh;
use crate::layout::{Groups, Held};

/// An influence no larger than this share of a vertex's weight is not in its joint's boxes: margins count it. Rounding leaves
/// such to joints that the vertex does not hang on, which may be far away.
const WEAK: f32 = 1.0 / (1 << 21) as f32;

/// What hangs on the joints of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct JointBoxes {
    /// Of each joint that something hangs on, by rising number.
    pub(super) joints: Vec<JointBox>,
    /// The largest magnitudes of coordinates, axis by axis.
    pub(super) extent: [f32; 3],
    /// The lowest and the highest sum of a vertex's weights; one and one where they are brought to it.
    pub(super) sums: [f32; 2],
    /// The most joints that a kernel blends for one vertex.
    pub(super) influences: usize,
}

/// What hangs on a joint.
#[derive(Clone, Debug)]
pub(super) struct JointBox {
    pub(super) joint: u32,
    pub(super) cells: Cells,
}

impl JointBoxes {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let groups = &mesh.layout.full;
        let mut boxes = vec![Bounds::EMPTY; mesh.skin_len];
        let mut sums = [f32::INFINITY, 0.0];
        let mut extent = [0.0; 3];
        groups.each_place(|place, held| {
            let sum: f32 = held.iter().map(|held| held.weight).sum();
            sums = [sums[0].min(sum), sums[1].max(sum)];
            for held in held {
                if let Some(point) = mesh.point_of(place, held, sum) {
                    let bounds = &mut boxes[held.joint as usize];
                    *bounds = bounds.union(&Bounds { min: point, max: point });
                    extent = std::array::from_fn(|c| higher(extent[c], point[c].abs()));
                }
            }
        });
        let mut grids: Vec<Grid> = boxes.iter().map(Grid::new).collect();
        groups.each_place(|place, held| {
            let sum: f32 = held.iter().map(|held| held.weight).sum();
            for held in held {
                if let Some(point) = mesh.point_of(place, held, sum) {
                    grids[held.joint as usize].add(point);
                }
            }
        });
        let used = grids.iter().enumerate().filter(|(joint, _)| !boxes[*joint].is_empty());
        let joints = used.map(|(joint, grid)| JointBox { joint: joint as u32, cells: grid.cells() });
        Self { joints: joints.collect(), extent, sums: kept_sums(groups, sums), influences: most(groups) }
    }
}

impl Mesh {
    /// Where a joint has a vertex at rest; `None` where it hardly holds it.
    fn point_of(&self, place: usize, held: &Held, sum: f32) -> Option<[f32; 3]> {
        if self.in_joint_space() {
            return Some(held.weighted.map(|c| (f64::from(c) / f64::from(held.weight)) as f32));
        }
        let block: &VectorBlock = &self.base[place / BLOCK * self.base_vectors];
        (held.weight > WEAK * sum).then(|| block.vector(place % BLOCK))
    }
}

/// Weights of runs sum to one but for rounding, which margins count. Others may sum to anything, and are rounded outward.
fn kept_sums(groups: &Groups, [low, high]: [f32; 2]) -> [f32; 2] {
    match groups {
        Groups::Runs(_) => [1.0, 1.0],
        _ if low > high => [1.0, 1.0],
        _ => [low * (1.0 - 1e-6), high * (1.0 + 1e-6)],
    }
}

/// The most joints of a run.
fn most(groups: &Groups) -> usize {
    let most = match groups {
        Groups::Runs(groups) => groups.iter().map(|group| group.influences).max(),
        Groups::Counts(groups) => groups.iter().map(|group| group.influences).max(),
        Groups::Weighted(groups) => groups.iter().map(|group| group.influences).max(),
    };
    most.unwrap_or(0)
}
