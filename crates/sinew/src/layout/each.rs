//! Every vertex of some groups with its influences, as a kernel takes them.

use sinew_kernels::{BLOCK, Run};

use super::groups::Groups;

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
    pub(crate) fn each_place(&self, mut act: impl FnMut(usize, &[Held])) {
        match self {
            Self::Runs(groups) => {
                for group in groups {
                    let n = group.influences;
                    for (run, joints) in group.runs.iter().zip(group.joints.chunks(n)) {
                        each_lane(run, &mut act, |block, lane, held| {
                            let rows = &group.weights[block * (n - 1)..(block + 1) * (n - 1)];
                            let mut left = 1.0;
                            for (row, &joint) in rows.iter().zip(joints) {
                                left -= row.0[lane];
                                push(held, joint, row.0[lane]);
                            }
                            push(held, joints[n - 1], left);
                        });
                    }
                }
            }
            Self::Counts(groups) => {
                for group in groups {
                    let n = group.influences;
                    for run in &group.runs {
                        each_lane(run, &mut act, |block, lane, held| {
                            for row in block * n..(block + 1) * n {
                                push(held, group.joints[row].0[lane], group.weights[row].0[lane]);
                            }
                        });
                    }
                }
            }
            Self::Weighted(groups) => {
                for group in groups {
                    let n = group.influences;
                    for (run, joints) in group.runs.iter().zip(group.joints.chunks(n)) {
                        each_lane(run, &mut act, |block, lane, held| {
                            for (weighted, &joint) in group.blocks[block * n..].iter().zip(joints) {
                                let [x, y, z, weight] = weighted.rows.map(|row| row[lane]);
                                if weight > 0.0 {
                                    held.push(Held { joint, weight, weighted: [x, y, z] });
                                }
                            }
                        });
                    }
                }
            }
        }
    }
}

fn push(held: &mut Vec<Held>, joint: u32, weight: f32) {
    if weight > 0.0 {
        held.push(Held { joint, weight, weighted: [0.0; 3] });
    }
}

/// Calls with each place of a run and what `read` finds for the block of its weights and the lane.
fn each_lane(
    run: &Run,
    act: &mut impl FnMut(usize, &[Held]),
    mut read: impl FnMut(usize, usize, &mut Vec<Held>),
) {
    let mut held = Vec::new();
    for block in 0..run.blocks as usize {
        for lane in 0..BLOCK {
            held.clear();
            read(run.weights as usize + block, lane, &mut held);
            act((run.first as usize + block) * BLOCK + lane, &held);
        }
    }
}
