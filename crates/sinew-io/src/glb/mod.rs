//! GLB export: posed geometry, or a whole model with its joints and clips.

mod buffer;
mod clips;
mod deviation;
mod document;
mod export_mesh;
mod images;
mod material_schema;
mod materials;
mod mesh_groups;
mod model;
mod node;
mod node_builder;
mod posed;
mod schema;
mod up_axis;

pub use deviation::Deviation;
pub(crate) use document::GlbExtensions;
pub use images::dropped_by_glb;
pub(crate) use model::NodeMap;
pub use model::write_model_glb;
#[cfg(feature = "vrm")]
pub use model::write_vrm_glb;
pub use posed::write_posed_glb;
pub use up_axis::UpAxisConversion;
