//! GLB out: a posed model as it stands, or all of a model with its joints and clips.

mod attach;
mod buffer;
mod clips;
mod deviation;
mod document;
mod hang;
mod look;
mod model;
mod nodes;
mod posed;
mod schema;
mod surface;

pub use deviation::Deviation;
pub use document::Turn;
pub use model::write_model_glb;
pub use posed::write_posed_glb;
