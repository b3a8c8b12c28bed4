//! Groups to kernels: which kernel skins which form of groups.

use std::ops::Range;

use sinew_kernels::{
    DirectionLength, DualJoints, DualQuaternion, Kernels, Matrix, NormalTransform, Run, ScalarBlock,
    SkinDualQuaternions, SkinPerVertexJoints, SkinPreWeighted, SkinSharedJoints, SkinVertices, VectorBlock,
};

use super::groups::{CountGroup, Group, Groups, RunGroup};

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
    pub(crate) directions: DirectionLength,
    pub(crate) normals: NormalTransform,
}

/// A palette as dual quaternions.
#[derive(Clone, Copy)]
pub(crate) struct Duals<'a> {
    pub(crate) duals: &'a [DualQuaternion],
    pub(crate) stretches: Option<&'a [Matrix]>,
    /// For each block of the mesh the share of dual quaternions.
    pub(crate) mix: Option<&'a [ScalarBlock]>,
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
        match self {
            Self::Runs(groups) => {
                for (group, part) in in_window(groups, window) {
                    frame.blend(group.share(part), frame.vertices(window, output));
                }
            }
            Self::Counts(groups) => {
                for (group, part) in in_window(groups, window) {
                    frame.blend(group.share(part), frame.vertices(window, output));
                }
            }
            Self::Weighted(groups) => {
                for (group, part) in in_window(groups, window) {
                    frame.kernels.skin_pre_weighted(SkinPreWeighted {
                        palette: frame.palette,
                        influences: group.influences,
                        runs: &group.runs[part.clone()],
                        joints: of_runs(&group.joints, group.influences, part),
                        weighted: &group.blocks,
                        vertices: frame.vertices(window, output),
                    });
                }
            }
        }
    }
}

/// Runs of a group whose vertices are blended.
struct Share<'a> {
    influences: usize,
    runs: &'a [Run],
    joints: DualJoints<'a>,
    weights: &'a [ScalarBlock],
}

impl RunGroup {
    fn share(&self, part: Range<usize>) -> Share<'_> {
        let joints = DualJoints::Shared(of_runs(&self.joints, self.influences, part.clone()));
        Share { influences: self.influences, runs: &self.runs[part], joints, weights: &self.weights }
    }
}

impl CountGroup {
    fn share(&self, part: Range<usize>) -> Share<'_> {
        let joints = DualJoints::PerVertex(&self.joints);
        Share { influences: self.influences, runs: &self.runs[part], joints, weights: &self.weights }
    }
}

impl Frame<'_> {
    /// By matrices or, where there are any, dual quaternions.
    fn blend(&self, share: Share<'_>, vertices: SkinVertices<'_>) {
        let &Frame { kernels, palette, .. } = self;
        let Share { influences, runs, joints, weights } = share;
        match (self.duals, joints) {
            (None, DualJoints::Shared(joints)) => {
                kernels.skin_shared_joints(SkinSharedJoints {
                    palette,
                    influences,
                    runs,
                    joints,
                    weights,
                    vertices,
                });
            }
            (None, DualJoints::PerVertex(joints)) => {
                kernels.skin_per_vertex_joints(SkinPerVertexJoints {
                    palette,
                    influences,
                    runs,
                    joints,
                    weights,
                    vertices,
                });
            }
            (Some(Duals { duals, stretches, mix }), joints) => {
                kernels.skin_dual_quaternions(SkinDualQuaternions {
                    palette,
                    dual_quaternions: duals,
                    scale_shears: stretches,
                    influences,
                    runs,
                    joints,
                    weights,
                    mix,
                    vertices,
                })
            }
        }
    }
}

/// The groups that have blocks in the window, and which of their runs.
fn in_window<'a, G: Group>(
    groups: &'a [G],
    window: &Range<usize>,
) -> impl Iterator<Item = (&'a G, Range<usize>)> {
    groups.iter().map(|group| (group, part(group.runs(), window))).filter(|(_, part)| !part.is_empty())
}

/// The joints of some runs.
fn of_runs(joints: &[u32], influences: usize, part: Range<usize>) -> &[u32] {
    &joints[influences * part.start..influences * part.end]
}

/// The runs that have blocks in the window; within a group they stand in the order of their blocks.
pub(crate) fn part(runs: &[Run], window: &Range<usize>) -> Range<usize> {
    let start = runs.partition_point(|run| (run.first + run.blocks) as usize <= window.start);
    let end = runs.partition_point(|run| (run.first as usize) < window.end);
    start..end.max(start)
}
