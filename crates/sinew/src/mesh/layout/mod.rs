//! Layouts: the vertices of a mesh in the order, and with the data, that kernels need.

mod bins;
mod build;
mod costs;
mod groups;
mod joint_sets;
mod levels;
mod lod_order;
mod merge_sets;
mod report;
mod segment_planner;
mod slot_influences;
mod source_costs;
mod source_groups;
mod source_order;
mod unique_positions;

pub(crate) use build::Layout;
pub(crate) use groups::{Group, Groups, PerVertexJointsGroup, SharedJointsGroup, runs_in_window};
pub use report::{Grouping, LayoutReport, LevelReport};
pub(crate) use source_costs::SourceCosts;
pub(crate) use source_groups::build_source_groups;
pub(crate) use source_order::build_source_order;
pub(crate) use unique_positions::UniquePositions;

#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
