//! Loads models for [`sinew`] from files, and writes models and baked geometry to files.
//!
//! | | formats |
//! |---|---|
//! | import | glTF 2.0, GLB, VRM 0.x and 1.0, DOOM 3 MD5, Biovision BVH; FBX by `sinew-fbx` |
//! | export of a whole model | GLB, VRM |
//! | export of posed geometry | OBJ, PLY, GLB; PC2, MDD and NPZ for animations |
//!
//! # The flow
//!
//! ```text
//! file -> Importer -> RawScene -> checks and repairs -> Import: Model, Report, Vrm
//!         by format   unchecked   the same for all formats
//!
//! Instance -> BakedModel -> OBJ, PLY, GLB, PC2, MDD, NPZ
//! Model ----------------> GLB, VRM
//! ```
//!
//! # Load a model
//!
//! ```no_run
//! let model = sinew_io::load("fox.glb")?.model; // Everything is checked here, once.
//! # Ok::<(), sinew_io::Error>(())
//! ```
//!
//! [`load`] detects the format from the contents of the file. [`load_with`] takes
//! [`ImportOptions`], and [`load_bytes`] imports from memory. All of them return an [`Import`]: the
//! model, the files that were opened, and a [`Report`]. Invalid data that can be repaired is
//! repaired, and each repair is a [`Warning`] in the report; [`RepairPolicy::Refuse`] makes it an
//! error instead. An [`Error`] says which file, where in it, what was expected and what was found:
//!
//! ```text
//! fox.gltf: skins[2].joints[7]: expected one of 24 nodes, found 31
//! ```
//!
//! # From file to file
//!
//! A complete example: write a generated model as GLB, load it, play its clip, and bake the pose.
//!
//! ```
//! use sinew_io::{BakedModel, ImportOptions, UpAxisConversion, load_bytes};
//! use sinew_io::{write_model_glb, write_obj};
//!
//! // A model to start with. Yours comes from `load("fox.glb")?.model`.
//! let generated = sinew_figures::scene("@figure:500")?.model()?;
//! let mut glb = Vec::new();
//! let deviation = write_model_glb(&mut glb, &generated, UpAxisConversion::None)?;
//! assert!(deviation.largest < 1e-5);
//!
//! // Import it.
//! let import = load_bytes(&glb, &ImportOptions::default())?;
//! for warning in import.warnings() {
//!     eprintln!("{warning}");
//! }
//!
//! // Animate it.
//! let mut instance = import.model.instance();
//! instance.start(0);
//! instance.step(0.5);
//!
//! // Bake the pose: all vertices in source order, ready for any mesh format.
//! let mut baked = BakedModel::new(&import.model)?;
//! baked.update(&mut instance)?;
//! let mut obj = Vec::new();
//! write_obj(&mut obj, &baked, None)?;
//! assert!(obj.starts_with(b"o body\nv "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is guaranteed
//!
//! Files are untrusted. Any bytes give either a checked model or an error. An import never panics,
//! does not recurse over the file, allocates no more memory than the size of the file justifies
//! ([`ImportOptions::memory_budget`]), and opens no file outside the document's folder
//! ([`ExternalFiles`]). Files are written atomically: [`write_atomic`] and [`AtomicFile`].
//!
//! # Where to go next
//!
//! - [`ImportOptions`]: strict imports, MD5 clips, images, generated tangents, levels of detail.
//! - [`load_outcome`]: the report of a file that is refused, with all its errors.
//! - [`BakedModel`]: posed geometry, and the writers for it: [`write_obj`], [`write_ply`],
//!   [`write_posed_glb`], [`Pc2Writer`], [`MddWriter`], [`NpzWriter`].
//! - [`write_model_glb`]: converts any model to GLB, and measures how exactly.
//! - [`Vrm`]: avatars, their expressions, springs and constraints; clips retargeted to them.
//! - [`Loader::with`]: adds an [`Importer`], such as that of FBX in `sinew-fbx`, or your own.
//! - [`sinew`]: what to do with a model.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "bvh", feature = "gltf", feature = "md5", feature = "vrm")),
    allow(dead_code, unused_imports, reason = "each format uses a part of what all of them share")
)]

mod atomic_file;
mod bake;
#[cfg(feature = "bvh")]
mod bvh;
#[cfg(feature = "md5")]
mod clip_check;
mod error;
mod foreign_format;
mod glb;
#[cfg(feature = "gltf")]
mod gltf;
mod import;
mod json;
mod math;
#[cfg(feature = "md5")]
mod md5;
#[cfg(feature = "gltf")]
mod meshopt;
mod options;
mod report;
mod sandbox;
mod scene;
#[cfg(any(feature = "bvh", feature = "md5"))]
mod text_location;
#[cfg(feature = "vrm")]
mod vrm;

pub use atomic_file::{AtomicFile, OverwritePolicy, StaleFiles, SyncedFile, same_file, write_atomic};
pub use bake::{
    BakedMeshInstance, BakedModel, ByteOrder, FrameTimes, MddWriter, NpzWriter, Pc2Writer, TextureFiles,
    UniqueNames, mtl_path, save_obj, save_ply, write_mtl, write_npz, write_obj, write_ply, write_vectors,
};
#[cfg(feature = "md5")]
pub use clip_check::{ClipSummary, check_clip};
pub use error::Error;
#[cfg(feature = "vrm")]
pub use glb::write_vrm_glb;
pub use glb::{Deviation, UpAxisConversion, dropped_by_glb, write_model_glb, write_posed_glb};
pub use import::{
    Import, ImportOutcome, Loader, load, load_bytes, load_bytes_outcome, load_outcome, load_with,
};
#[cfg(feature = "md5")]
pub use md5::picture_name;
pub use options::{ClipFile, ExternalFiles, ImageFiles, ImportOptions, KeyTimes, RepairPolicy, Tangents};
pub use report::{Report, ValidationError, Warning};
pub use scene::{
    AnimatedProperty, ImportContext, Importer, InfluenceSet, InverseBinds, RawAnimation, RawChannel,
    RawInfluences, RawMesh, RawMorphTarget, RawNode, RawPrimitive, RawScene, RawSkin, RawTimes, RawTransform,
    SourceLocation, Topology,
};
#[cfg(feature = "vrm")]
pub use vrm::{
    ColliderShape, ConstraintAxis, ConstraintKind, ExpressionOverride, FirstPerson, HumanBone, MorphBind,
    NodeConstraint, Vrm, VrmAnimation, VrmCollider, VrmColliderGroup, VrmConstraint, VrmExpression,
    VrmExpressionJoint, VrmSpring, VrmSpringJoint, VrmVersion,
};
