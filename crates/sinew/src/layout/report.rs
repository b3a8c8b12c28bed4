//! What a tool shows of a layout.

/// The form in which a mesh is skinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Runs of vertices that hang on the same joints.
    Runs,
    /// Vertices grouped by nothing but the number of their influences, each with its own joints: for meshes with so
    /// many different sets of joints that runs do not pay, and for weights that stay as stored.
    Counts,
    /// Runs of vertices that have a vector for each joint: for influences in joint space.
    Weighted,
}

/// How a mesh is laid out, and what that costs. The costs are computed, in nanoseconds for position, normal and tangent
/// on one machine; they are the same numbers on every machine, and only their proportion means anything.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutReport {
    /// The form that was taken.
    pub form: Grouping,
    /// The number of runs; of groups, where vertices are grouped by number of influences.
    pub runs: usize,
    /// The number of places, pads included.
    pub places: usize,
    /// What skinning in runs costs; `None` where the influences do not allow it.
    pub cost_of_runs: Option<f64>,
    /// What skinning with joints for each vertex costs; `None` where the influences do not allow it.
    pub cost_of_counts: Option<f64>,
    /// Influences of a vertex, at the most.
    pub most_influences: usize,
    /// Influences of a vertex, on average.
    pub average_influences: f64,
    /// Influences that a place is skinned with, on average: more where sets were folded together.
    pub skinned_influences: f64,
    /// The levels of detail, in the order in which they were asked for.
    pub levels: Vec<LevelReport>,
}

/// A level of detail, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelReport {
    /// The most influences of a vertex.
    pub max_influences: usize,
    /// The number of runs or groups.
    pub runs: usize,
    /// What skinning costs.
    pub cost: f64,
}
