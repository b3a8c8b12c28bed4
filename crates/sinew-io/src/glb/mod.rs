//! GLB export: posed geometry, or a whole model with its joints and clips.

mod buffer;
mod clips;
mod deviation;
mod document;
mod export_mesh;
mod materials;
mod mesh_groups;
mod model;
mod node;
mod node_builder;
mod posed;
mod schema;
mod up_axis;

pub use deviation::Deviation;
pub use materials::dropped_by_glb;
pub use model::write_model_glb;
pub use posed::write_posed_glb;
pub use up_axis::UpAxisConversion;
