//! Meshes: checked sources, influences, the vertex layout that kernels need, and morph targets.

mod attributes;
mod base_vectors;
mod error;
mod export;
mod influence_source;
pub(crate) mod influences;
mod joint_space;
pub(crate) mod layout;
mod mesh;
mod morph;
mod morph_source;
mod source;
mod source_caches;
mod vertex_order;

pub use attributes::Attributes;
pub use error::MeshError;
pub(crate) use error::{check_influence_count, check_triangle_count};
pub use export::{InfluenceData, MorphData};
pub use influence_source::{Influences, Weights};
pub use layout::{Grouping, LayoutReport, LevelReport};
pub use mesh::Mesh;
pub use morph::Morphed;
pub use morph_source::{Deltas, MorphSource};
pub use sinew_kernels::VectorBlock;
pub(crate) use source::check_vectors;
pub use source::{MeshSource, TriangleRange};
pub(crate) use source_caches::LevelIndex;
pub use vertex_order::VertexOrder;
