//! Geometry where joints have taken it, in files that know no joints.

mod baked;
mod names;
mod normals;
mod npz;
mod numbers;
mod obj;
mod ply;
mod point_cache;
mod vectors;
mod zip;

pub use baked::{Baked, BakedPart};
pub use names::Taken;
pub(crate) use names::unique;
pub(crate) use normals::unit_or_up;
pub use npz::{Npz, write_npz};
pub(crate) use numbers::{finite, within_unit};
pub use obj::{materials_beside, save_obj, write_mtl, write_obj};
pub use ply::write_ply;
pub use point_cache::{Mdd, Pc2};
pub use vectors::{ByteOrder, write_vectors};
