//! Calls the kernel for each kind of group.

use std::ops::Range;

use sinew_kernels::{
    DirectionLength, DualJoints, DualQuaternion, Kernels, Matrix, NormalTransform, Run, ScalarBlock,
    SkinDualQuaternions, SkinPerVertexJoints, SkinPreWeighted, SkinSharedJoints, SkinVertices, VectorBlock,
};

use crate::mesh::layout::{Group, Groups, PerVertexJointsGroup, SharedJointsGroup, runs_in_window};

/// The input of skinning: palette, base vectors and options.
#[derive(Clone, Copy)]
pub(crate) struct SkinContext<'a> {
    pub(crate) kernels: &'static Kernels,
    pub(crate) palette: &'a [Matrix],
    /// Set for dual-quaternion blending. Not supported with joint-space influences.
    pub(crate) dual_quaternions: Option<DualQuaternions<'a>>,
    /// `base_vectors` vectors per block of the mesh.
    pub(crate) base: &'a [VectorBlock],
    pub(crate) base_vectors: usize,
    /// The number of vectors to skin.
    pub(crate) vectors: usize,
    pub(crate) directions: DirectionLength,
    pub(crate) normals: NormalTransform,
}

/// A dual-quaternion palette.
#[derive(Clone, Copy)]
pub(crate) struct DualQuaternions<'a> {
    pub(crate) dual_quaternions: &'a [DualQuaternion],
    pub(crate) scale_shears: Option<&'a [Matrix]>,
    /// The dual-quaternion weights of each block of the mesh; `None` for one everywhere.
    pub(crate) mix: Option<&'a [ScalarBlock]>,
}

impl<'a> SkinContext<'a> {
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
    /// Skins a window of blocks into an output of the same number of blocks.
    pub(crate) fn skin(&self, context: &SkinContext<'_>, window: &Range<usize>, output: &mut [VectorBlock]) {
        match self {
            Self::SharedJoints(groups) => {
                for (group, range) in in_window(groups, window) {
                    context.blend(group.select_runs(range), context.vertices(window, output));
                }
            }
            Self::PerVertexJoints(groups) => {
                for (group, range) in in_window(groups, window) {
                    context.blend(group.select_runs(range), context.vertices(window, output));
                }
            }
            Self::PreWeighted(groups) => {
                for (group, range) in in_window(groups, window) {
                    context.kernels.skin_pre_weighted(SkinPreWeighted {
                        palette: context.palette,
                        influences: group.influences,
                        runs: &group.runs[range.clone()],
                        joints: joints_of_runs(&group.joints, group.influences, range),
                        weighted: &group.blocks,
                        vertices: context.vertices(window, output),
                    });
                }
            }
        }
    }
}

/// Some runs of a group.
struct GroupRuns<'a> {
    influences: usize,
    runs: &'a [Run],
    joints: DualJoints<'a>,
    weights: &'a [ScalarBlock],
}

impl SharedJointsGroup {
    fn select_runs(&self, range: Range<usize>) -> GroupRuns<'_> {
        let joints = DualJoints::Shared(joints_of_runs(&self.joints, self.influences, range.clone()));
        GroupRuns { influences: self.influences, runs: &self.runs[range], joints, weights: &self.weights }
    }
}

impl PerVertexJointsGroup {
    fn select_runs(&self, range: Range<usize>) -> GroupRuns<'_> {
        let joints = DualJoints::PerVertex(&self.joints);
        GroupRuns { influences: self.influences, runs: &self.runs[range], joints, weights: &self.weights }
    }
}

impl SkinContext<'_> {
    /// Skins runs by matrices or, if the context has them, by dual quaternions.
    fn blend(&self, group: GroupRuns<'_>, vertices: SkinVertices<'_>) {
        let &SkinContext { kernels, palette, .. } = self;
        let GroupRuns { influences, runs, joints, weights } = group;
        match (self.dual_quaternions, joints) {
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
            (Some(DualQuaternions { dual_quaternions, scale_shears, mix }), joints) => kernels
                .skin_dual_quaternions(SkinDualQuaternions {
                    palette,
                    dual_quaternions,
                    scale_shears,
                    influences,
                    runs,
                    joints,
                    weights,
                    mix,
                    vertices,
                }),
        }
    }
}

/// The groups that have blocks in the window, and the range of their runs in it.
fn in_window<'a, G: Group>(
    groups: &'a [G],
    window: &Range<usize>,
) -> impl Iterator<Item = (&'a G, Range<usize>)> {
    groups
        .iter()
        .map(|group| (group, runs_in_window(group.runs(), window)))
        .filter(|(_, range)| !range.is_empty())
}

/// The joints of a range of runs.
fn joints_of_runs(joints: &[u32], influences: usize, range: Range<usize>) -> &[u32] {
    &joints[influences * range.start..influences * range.end]
}
