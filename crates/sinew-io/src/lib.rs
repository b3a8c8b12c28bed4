//! Models from files: glTF 2.0, GLB and DOOM 3 MD5; and to files: GLB, OBJ, PLY, PC2, MDD and NPZ.
//!
//! Whatever the bytes are, reading ends with a model that is sound or with an error that names the place. It never
//! panics, never recurses over the file, takes no more memory than the file justifies, and opens nothing outside the
//! file's own folder. Files are written atomically.

#![forbid(unsafe_code)]

mod atomic_file;
mod bake;
mod check;
mod error;
mod folder;
mod glb;
mod gltf;
mod md5;
mod meshopt;
mod options;
mod read;
mod report;

pub use atomic_file::{AtomicFile, OverwritePolicy, StaleFiles, SyncedFile, same_file, write_atomic};
pub use bake::{
    Baked, BakedPart, ByteOrder, Mdd, Npz, Pc2, Taken, materials_beside, save_obj, write_mtl, write_npz,
    write_obj, write_ply, write_vectors,
};
pub use check::{LoneClip, check_clip};
pub use error::Error;
pub use glb::{Deviation, Turn, write_model_glb, write_posed_glb};
pub use options::{ClipFile, KeyTimes, Oddities, Options, Outside, Pictures, Tangents};
pub use read::{Noted, Read, read, read_bytes, read_bytes_noting, read_noting, read_with};
pub use report::{Fault, Oddity, Report};
