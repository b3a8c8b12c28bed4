//! Edges between triangles: found once for each mesh, and which of them part light from dark in each frame.

mod build;
mod groups;
mod moved_alike;
mod report;
mod silhouette;
mod table;

pub use report::{EdgeReport, Topology};
pub use silhouette::Silhouette;
pub use table::{BorderEdge, Edges, KnotEdge, SharedEdge, Use};
