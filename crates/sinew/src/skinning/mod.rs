//! Skinning: palettes, linear and dual-quaternion blending, and output layouts.

mod dual_quaternion;
mod error;
mod method;
mod palette;
mod skin_groups;
mod skin_job;
mod skin_mesh;
mod skinned;
mod target;

pub use crate::mesh::VertexOrder;
pub use dual_quaternion::{DualQuaternionPalette, DualQuaternionWeights};
pub use error::SkinningError;
pub use method::SkinMethod;
pub use palette::Palette;
pub use sinew_kernels::{
    AttributeLayout, DirectionLength, FourthComponent, NormalTransform, VertexAttribute, VertexBuffer,
    VertexFormat, VertexLayout, VertexLayoutError, VertexWriter,
};
pub use skin_mesh::{Blending, SkinOptions};
pub use skinned::Skinned;
pub use target::{Target, VertexOutput};
