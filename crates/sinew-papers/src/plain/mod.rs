//! The plain implementations: scalar loops. The compiler still vectorizes some of them.

mod davies;
mod joints;
#[expect(unsafe_code, reason = "follows indices that were checked when the list was built")]
pub(crate) mod planes;
#[expect(unsafe_code, reason = "walks a list that was checked when it was built")]
mod skin;

pub use davies::{skin_collapsed, skin_standard};
pub use joints::{joints_to_matrices, local_to_model, matrices_to_joints, model_to_local, palette};
pub use planes::triangle_planes;
pub use skin::{skin_positions, skin_vertices};
