//! Layouts: the vertices of a mesh in the order, and with the data, that kernels need.

mod build;
mod costs;
mod groups;
mod joint_sets;
mod levels;
mod lod_order;
mod merge_sets;
mod report;
mod slot_influences;

pub(crate) use build::Layout;
pub(crate) use groups::{Group, Groups, PerVertexJointsGroup, SharedJointsGroup, runs_in_window};
pub use report::{Grouping, LayoutReport, LevelReport};

#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
