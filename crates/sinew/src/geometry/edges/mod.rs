//! Edges between triangles, built once per mesh, and the silhouettes of each frame.

mod build;
mod groups;
mod motion_weld;
mod report;
mod silhouette;
mod table;

pub use report::{EdgeReport, Topology};
pub use silhouette::Silhouette;
pub use table::{BoundaryEdge, Edges, HalfEdge, NonManifoldEdge, SharedEdge};
