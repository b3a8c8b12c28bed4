//! Skeletal animation and skinning on the CPU.
//!
//! sinew takes key frames to poses, poses to matrix palettes, palettes to skinned vertices, and
//! vertices to planes, silhouettes, shadow volumes, bounds and ray hits. It is for programs that
//! must know where an animated surface *is*: engines that pick and cull, servers that judge shots,
//! tools that bake. One source runs on SSE2, AVX2, AVX-512, NEON and WebAssembly simd128.
//!
//! # The flow
//!
//! ```text
//! file -> Model -> Instance: play, step -> edit joints -> palette -> skin -> vertices -> queries
//!         checked  samples and blends      IK, aim                  any      AABB, rays, planes,
//!         once     clips to a pose         overrides                layout   silhouettes, shadows
//! ```
//!
//! Input is checked once, where it enters: in the constructors of [`Skeleton`], [`Skin`], [`Clip`],
//! [`Mesh`] and [`Model`]. After that a frame allocates nothing, cannot fail and makes no check
//! that grows with the data.
//!
//! # A complete example
//!
//! Models come from files with the crate `sinew-io`, or from arrays, as here: a door of one joint
//! and one triangle.
//!
//! ```
//! use sinew::animation::{Interpolation, Keys, Track};
//! use sinew::model::{MeshInstance, ModelSource, Primitive};
//! use sinew::{Bone, Clip, Influences, Mesh, MeshSource, Model, Ray, Skeleton, Skin, Transform};
//!
//! // Once: build a model. Every fault in the data is found here.
//! let skeleton = Skeleton::new(&[Bone::new("hinge", None, Transform::IDENTITY)])?;
//! let hinge = skeleton.joint("hinge")?;
//! let skin = Skin::new(&skeleton, &[hinge])?;
//! let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]];
//! let influences = Influences::Variable { counts: &[1; 3], joints: &[0; 3], weights: &[1.0; 3] };
//! let source = MeshSource { triangles: &[[0, 1, 2]], ..MeshSource::new(&positions, influences) };
//! let primitive = Primitive::new("door", Mesh::new(&source, &skin)?);
//! let half_turn = [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]];
//! let keys = Keys::Rotations { joint: hinge, values: &half_turn };
//! let track = Track { times: &[0.0, 2.0], keys, interpolation: Interpolation::Linear };
//! let clip = Clip::new("open", &skeleton, &[track])?;
//! let model = Model::new(ModelSource {
//!     skins: vec![skin],
//!     primitives: vec![primitive],
//!     mesh_instances: vec![MeshInstance::new("door", hinge)],
//!     clips: vec![clip],
//!     ..ModelSource::new(skeleton)
//! })?;
//!
//! // Once for each door in the game: all memory is taken here.
//! let mut door = model.instance();
//! door.play("open")?;
//!
//! // Every frame.
//! door.step(1.0); // Sample, blend, to model space: a quarter turn about y.
//! let vertices = door.skin();
//! let [x, y, z] = vertices.position(0, 2); // Mesh instance 0, vertex 2 of its source.
//! assert!(x.abs() < 1e-6 && (y - 2.0).abs() < 1e-6 && (z + 1.0).abs() < 1e-6);
//! let ray = Ray::new([5.0, 0.5, -0.75], [-1.0, 0.0, 0.0]);
//! let hit = door.cast(&ray).expect("the open door is in the way");
//! assert_eq!(hit.joint, hinge);
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! # Two levels
//!
//! [`Model`], [`Instance`] and [`Crowd`] are made of nothing but calls of the level below, which
//! works in memory of the caller's own: [`Clip::sample`] writes into a [`Pose`],
//! [`Skeleton::to_model`] takes the pose to model space, [`Palette::update`] makes the matrices of
//! a skin, and [`Mesh::skin_into`] writes vertices in the caller's layout.
//!
//! # Where to go next
//!
//! Each module is a room of the flow and uses only the rooms above it:
//!
//! | module | what is in it |
//! |---|---|
//! | [`runtime`] | which backend runs, and in which float mode |
//! | [`skeleton`] | [`Skeleton`], [`Skin`], [`Pose`], local to model space and back |
//! | [`animation`] | [`Clip`]s, sampling, blending, masks, additive layers, [`Animator`], IK |
//! | [`mesh`] | [`Mesh`] from arrays: influences, vertex layout, morph targets, levels of detail |
//! | [`skinning`] | [`Palette`], linear and dual-quaternion skinning into any layout |
//! | [`geometry`] | planes, facing, edges, silhouettes, shadow volumes, normals, tangents |
//! | [`bounds`] | AABBs and spheres from joints alone |
//! | [`query`] | BVHs: ray casts, overlaps, closest points, point in mesh |
//! | [`model`] | [`Model`], [`Instance`], and poses of the past |
//! | [`crowd`] | [`Crowd`]: many members of few models, eight at a time, on all threads |
//!
//! The examples of the crate run without arguments: `cargo run --release -p sinew --example
//! play_clip`.
//!
//! # Conventions
//!
//! Right-handed, meters, radians, seconds, +Y up; column vectors; quaternions (x, y, z, w);
//! counter-clockwise triangles face front. Names read destination from source: `model_from_joint`
//! takes a joint's space to model space.
//!
//! # Backends and float modes
//!
//! [`Skeleton::new`] takes the fastest backend of the machine, or the one that the environment
//! variable `SINEW_ISA` names, with [`FloatMode::Fast`]. [`Skeleton::with_runtime`] chooses
//! another, and all that is built from that skeleton follows:
//!
//! ```
//! use sinew::{Bone, FloatMode, Runtime, Skeleton, Transform};
//!
//! let reproducible = Runtime::new(FloatMode::Reproducible)?;
//! let root = Bone::new("root", None, Transform::IDENTITY);
//! let skeleton = Skeleton::new(&[root])?.with_runtime(reproducible);
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! # Features
//!
//! `glam`, `mint`: conversions from and to their types. `bytemuck`: casts to bytes. `serde`:
//! transforms, bones, skeletons, skins and poses in files; what is read passes the same checks.
//! `parallel`: crowds on rayon's threads.

#![forbid(unsafe_code)]

mod error;
mod length;
mod math;

pub mod animation;
pub mod bounds;
pub mod crowd;
pub mod geometry;
pub mod mesh;
pub mod model;
pub mod query;
pub mod runtime;
pub mod skeleton;
pub mod skinning;

pub use animation::{Aim, Animator, Clip};
pub use bounds::Aabb;
pub use crowd::Crowd;
pub use error::Error;
pub use length::LengthError;
pub use mesh::{Influences, Mesh, MeshSource};
pub use model::{Hit, Instance, InstanceOptions, Model};
pub use query::Ray;
pub use runtime::{FloatMode, Runtime};
/// The layer below: every kernel with its contract.
pub use sinew_kernels as kernels;
pub use skeleton::{Bone, JointId, Matrix, Pose, Skeleton, Skin, Transform};
pub use skinning::{Palette, SkinOptions};
