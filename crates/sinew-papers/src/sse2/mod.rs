//! The SSE2 implementations: one joint or vertex at a time, and four at a time where the cases
//! differ or the paper does so.

mod conversions;
mod davies;
mod planes;
pub(crate) mod registers;
pub(crate) mod skin;
mod spaces;

pub use conversions::{joints_to_matrices, matrices_to_joints};
pub use davies::{friendly_matrices, skin_friendly, skin_gathered};
pub use planes::triangle_planes;
pub use skin::{skin_positions, skin_vertices};
pub use spaces::{local_to_model, model_to_local, palette};
