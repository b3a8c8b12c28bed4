//! Posed geometry, and writers for formats without joints.

mod baked_model;
mod frame_times;
mod normals;
mod npz;
mod obj;
mod ply;
mod point_cache;
mod sanitize;
mod texture_files;
mod unique_names;
mod vectors;
mod zip;

pub use baked_model::{BakedMeshInstance, BakedModel};
pub use frame_times::FrameTimes;
pub(crate) use normals::unit_or_up;
pub use npz::{NpzWriter, write_npz};
pub use obj::{mtl_path, save_obj, write_mtl, write_obj};
pub use ply::{save_ply, write_ply};
pub use point_cache::{MddWriter, Pc2Writer};
pub(crate) use sanitize::{clamp_color, finite_or_zero};
pub use texture_files::TextureFiles;
pub use unique_names::UniqueNames;
pub(crate) use unique_names::unique_names;
pub use vectors::{ByteOrder, write_vectors};
