//! Exact ray casts and picking of animated meshes for Bevy, and headless servers that look into the
//! past; by [`sinew`], which skins on the CPU.
//!
//! Bevy's own mesh picking ignores skins and morph targets: it picks an animated mesh where it was
//! modeled. This crate follows the same components as Bevy's renderer, `SkinnedMesh`,
//! `MeshMorphWeights` and `GlobalTransform`, and answers where the animated surface *is*.
//!
//! | to do | add | then use |
//! |---|---|---|
//! | pick with a pointer | `SinewPickingPlugin` | Bevy's pointer events; `SkinnedHit` in their hits |
//! | cast rays in a system | [`SinewPlugin`] | `SkinnedRayCast` |
//! | cull by the pose | [`SinewPlugin`] | `TightBounds` on the entity |
//! | read skinned vertices | [`SinewPlugin`] | `CpuSkinned` on another entity |
//! | judge shots on a server | `server::ServerPlugin` | `server::ModelRayCast` |
//!
//! Nothing is computed for meshes that nobody asks about, and for others only when their joints,
//! transforms or weights have changed.
//!
//! # Features
//!
//! - `picking` (default): the picking backend. Includes `meshes`.
//! - `meshes`: all that follows Bevy's meshes.
//! - `server`: sinew's own models, without Bevy's meshes. On its own, with
//!   `default-features = false`, it needs no crate of Bevy's rendering.
//!
//! The crate uses Bevy's small crates alone, so it works with all of Bevy as with a part of it,
//! with or without a window.

#[cfg(feature = "meshes")]
mod cpu_skinned;
#[cfg(feature = "meshes")]
mod followed;
#[cfg(feature = "picking")]
mod picking;
#[cfg(feature = "meshes")]
mod plugin;
#[cfg(feature = "meshes")]
mod pose_reader;
#[cfg(feature = "meshes")]
mod posed_mesh;
#[cfg(feature = "meshes")]
mod problem;
#[cfg(feature = "meshes")]
mod ray_cast;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "meshes")]
mod shape;
#[cfg(feature = "meshes")]
mod tight_bounds;

#[cfg(feature = "meshes")]
pub use cpu_skinned::CpuSkinned;
#[cfg(feature = "meshes")]
pub use followed::FollowedMeshes;
#[cfg(feature = "picking")]
pub use picking::{SinewPickingCamera, SinewPickingPlugin, SinewPickingSettings};
#[cfg(feature = "meshes")]
pub use plugin::{SinewPlugin, SinewSystems};
#[cfg(feature = "meshes")]
pub use problem::Problem;
#[cfg(feature = "meshes")]
pub use ray_cast::{CastVisibility, MeshKinds, RayCastSettings, SkinnedHit, SkinnedRayCast};
/// The library that skins and casts.
pub use sinew;
#[cfg(feature = "meshes")]
pub use tight_bounds::{BoundsPrecision, TightBounds};
