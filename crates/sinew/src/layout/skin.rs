//! Groups to kernels: which kernel skins which form of groups.

use std::ops::Range;

use sinew_kernels::{
    BlockRow, Directions, DualJoints, DualQuaternion, Kernels, Matrix, Normals, Run, SkinCounted, SkinDuals,
    SkinRuns, SkinVertices, SkinWeighted, VectorBlock,
};

use super::groups::Groups;

/// What a frame skins, and how.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) kernels: &'static Kernels,
    pub(crate) palette: &'a [Matrix],
    /// Where dual quaternions blend; not for influences in joint space.
    pub(crate) duals: Option<Duals<'a>>,
    /// For each block of the mesh `base_vectors` vectors.
    pub(crate) base: &'a [VectorBlock],
    pub(crate) base_vectors: usize,
    /// How many of them to skin.
    pub(crate) vectors: usize,
    pub(crate) directions: Directions,
    pub(crate) normals: Normals,
}

/// A palette as dual quaternions.
#[derive(Clone, Copy)]
pub(crate) struct Duals<'a> {
    pub(crate) duals: &'a [DualQuaternion],
    pub(crate) stretches: Option<&'a [Matrix]>,
    /// For each block of the mesh the share of dual quaternions.
    pub(crate) mix: Option<&'a [BlockRow]>,
}

impl<'a> Frame<'a> {
    fn vertices<'b>(&self, window: &Range<usize>, output: &'b mut [VectorBlock]) -> SkinVertices<'b>
    where
        'a: 'b,
    {
        SkinVertices {
            base: self.base,
            base_vectors: self.base_vectors,
            window: window.clone(),
            output,
            vectors: self.vectors,
            directions: self.directions,
            normals: self.normals,
        }
    }
}

impl Groups {
    /// Skins a window of blocks into as many.
    pub(crate) fn skin(&self, frame: &Frame<'_>, window: &Range<usize>, output: &mut [VectorBlock]) {
        let &Frame { kernels, palette, duals, .. } = frame;
        match self {
            Self::Runs(groups) => {
                for group in groups {
                    let (influences, part) = (group.influences, part(&group.runs, window));
                    if part.is_empty() {
                        continue;
                    }
                    let joints = &group.joints[influences * part.start..influences * part.end];
                    let (runs, weights) = (&group.runs[part], &group.weights[..]);
                    let vertices = frame.vertices(window, output);
                    match duals {
                        None => kernels.skin_runs(SkinRuns {
                            palette,
                            influences,
                            runs,
                            joints,
                            weights,
                            vertices,
                        }),
                        Some(Duals { duals, stretches, mix }) => {
                            let joints = DualJoints::Sets(joints);
                            kernels.skin_duals(SkinDuals {
                                palette,
                                duals,
                                stretches,
                                influences,
                                runs,
                                joints,
                                weights,
                                mix,
                                vertices,
                            });
                        }
                    }
                }
            }
            Self::Counts(groups) => {
                for group in groups {
                    let (influences, part) = (group.influences, part(&group.runs, window));
                    if part.is_empty() {
                        continue;
                    }
                    let (runs, joints, weights) = (&group.runs[part], &group.joints[..], &group.weights[..]);
                    let vertices = frame.vertices(window, output);
                    match duals {
                        None => {
                            kernels.skin_counted(SkinCounted {
                                palette,
                                influences,
                                runs,
                                joints,
                                weights,
                                vertices,
                            });
                        }
                        Some(Duals { duals, stretches, mix }) => {
                            let joints = DualJoints::Own(joints);
                            kernels.skin_duals(SkinDuals {
                                palette,
                                duals,
                                stretches,
                                influences,
                                runs,
                                joints,
                                weights,
                                mix,
                                vertices,
                            });
                        }
                    }
                }
            }
            Self::Weighted(groups) => {
                for group in groups {
                    let (influences, part) = (group.influences, part(&group.runs, window));
                    if part.is_empty() {
                        continue;
                    }
                    let joints = &group.joints[influences * part.start..influences * part.end];
                    kernels.skin_weighted(SkinWeighted {
                        palette,
                        influences,
                        runs: &group.runs[part],
                        joints,
                        weighted: &group.blocks,
                        vertices: frame.vertices(window, output),
                    });
                }
            }
        }
    }
}

/// The runs that have blocks in the window; within a group they stand in the order of their blocks.
pub(crate) fn part(runs: &[Run], window: &Range<usize>) -> Range<usize> {
    let start = runs.partition_point(|run| (run.first + run.blocks) as usize <= window.start);
    let end = runs.partition_point(|run| (run.first as usize) < window.end);
    start..end.max(start)
}
