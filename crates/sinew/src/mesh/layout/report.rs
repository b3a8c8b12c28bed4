//! A report about a layout, for tools.

/// How vertices are grouped for skinning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grouping {
    /// Runs of vertices that are influenced by the same joints.
    SharedJoints,
    /// Vertices in source order, each with its own joints. Used for meshes with too many different
    /// joint sets, and for weights that are kept as stored.
    PerVertexJoints,
    /// Runs of vertices with a vector per joint. Used for joint-space influences.
    PreWeighted,
}

/// The layout of a mesh and its estimated cost. Costs are estimates in nanoseconds for position,
/// normal and tangent. They come from constants that were measured on one machine and are the same
/// everywhere; only their ratios are meaningful.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LayoutReport {
    /// The chosen grouping.
    pub grouping: Grouping,
    /// The number of runs, or of groups if vertices are grouped by their number of influences.
    pub runs: usize,
    /// The number of slots, including pads.
    pub slots: usize,
    /// The cost with shared joints; `None` if the influences do not allow it. With so many joint
    /// sets that it is certainly higher than the other, it is not computed, and this is the least
    /// that it can be.
    pub shared_joints_cost: Option<f64>,
    /// The cost with per-vertex joints; `None` if the influences do not allow it.
    pub per_vertex_joints_cost: Option<f64>,
    /// The largest number of influences of a vertex.
    pub max_influences: usize,
    /// The average number of influences per vertex.
    pub average_influences: f64,
    /// The average number of influences that a slot is skinned with. It is higher if joint sets
    /// were merged.
    pub skinned_influences: f64,
    /// The number of segments that skinning in source order reads; zero for joint-space influences.
    pub source_segments: usize,
    /// The fraction of the blocks of these segments whose vertices have joints of their own.
    pub source_columns: f64,
    /// The levels of detail, in the order of the source.
    pub levels: Vec<LevelReport>,
}

/// A level of detail and its estimated cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelReport {
    /// The maximum number of influences per vertex.
    pub max_influences: usize,
    /// The number of runs or groups.
    pub runs: usize,
    /// The cost of skinning.
    pub cost: f64,
}
