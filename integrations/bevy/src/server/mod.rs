//! Servers without rendering: sinew's own models and animators, and ray casts in the past.
//!
//! A server must know where the animated surface is, and where it *was* when a player with a lag of
//! a tenth of a second pulled the trigger. [`ServerPlugin`] animates models at the fixed timestep,
//! counts [`ServerTick`]s, and records the poses and transforms of entities with a [`PoseHistory`].
//! [`ModelRayCast`] casts rays at the current tick or a past one.
//!
//! ```
//! use bevy_ecs::prelude::*;
//! use bevy_math::{Dir3, Ray3d, Vec3};
//! use bevy_sinew::server::{ModelCastSettings, ModelRayCast};
//!
//! /// A shot that a client fired at a tick that it saw.
//! #[derive(Message)]
//! struct Shot {
//!     ray: Ray3d,
//!     seen_at: f64,
//! }
//!
//! fn judge(mut shots: MessageReader<Shot>, mut rays: ModelRayCast) {
//!     for shot in shots.read() {
//!         if let Some(hit) = rays.cast_at(shot.seen_at, shot.ray, &ModelCastSettings::default()) {
//!             println!("{} was hit at joint {}", hit.entity, hit.joint);
//!         }
//!     }
//! }
//! ```
//!
//! It runs with Bevy's `MinimalPlugins`. With `AssetPlugin`, added before, models are also loaded
//! from files, in the background; without it, add them to `Assets<ModelAsset>` yourself.

mod animator;
mod cast;
mod history;
mod model_asset;
mod plugin;

pub use animator::{AnimatedModel, Animator};
pub use cast::{ModelCastSettings, ModelHit, ModelRayCast};
pub use history::PoseHistory;
pub use model_asset::{ModelAsset, ModelLoader};
pub use plugin::{ServerPlugin, ServerSystems, ServerTick};
