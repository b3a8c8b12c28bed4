//! Skeletal animation and skinning on the CPU.
//!
//! sinew samples and blends clips to poses, computes matrix palettes from poses and skinned
//! vertices from palettes, and answers questions about those vertices: bounds, ray casts, planes,
//! silhouettes, shadow volumes. It is for programs that must know where an animated surface *is*:
//! engines that pick and cull, servers that judge shots, tools that bake. One source runs on SSE2,
//! AVX2, AVX-512, NEON and WebAssembly simd128.
//!
//! # The flow
//!
//! ```text
//! file -> Model -> Instance: play, step -> modifiers -> palette -> skin -> vertices -> queries
//!         checked  samples and blends      IK, springs              any      AABB, rays, planes,
//!         once     clips to a pose         your own                 layout   silhouettes, shadows
//! ```
//!
//! Input is checked once, where it enters: in the constructors of [`Skeleton`], [`Skin`], [`Clip`],
//! [`Mesh`] and [`Model`]. After that a frame allocates nothing, cannot fail and makes no check
//! that grows with the data. Only the first skinning in source order allocates, unless
//! [`Mesh::prepare_source_order`] did before.
//!
//! # A complete example
//!
//! A model comes from a file, with `sinew_io::load("fox.glb")?.model` of the crate `sinew-io`, or
//! from arrays, as here: a door of one joint and one triangle.
//!
//! ```
//! use sinew::animation::{Interpolation, Keys, Track};
//! use sinew::model::{MeshInstance, ModelSource, Primitive};
//! use sinew::{Bone, Clip, Influences, Mesh, MeshSource, Model, Ray, Skeleton, Skin, Transform};
//!
//! // Once: build a model. Every error in the data is found here.
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
//! // Once for each door in the game: all memory is allocated here.
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
//! [`Model`], [`Instance`] and [`Crowd`] only call the level below, which works in the caller's
//! memory. Use that level to keep poses, palettes and vertices in your own data structures:
//!
//! ```
//! # use sinew::animation::{Interpolation, Keys, Track};
//! # use sinew::mesh::Attributes;
//! # use sinew::skinning::Skinned;
//! # use sinew::{Bone, Clip, Influences, Mesh, MeshSource, Palette, Skeleton, Skin, SkinOptions};
//! # let skeleton = Skeleton::new(&[Bone::new("root", None, sinew::Transform::IDENTITY)])?;
//! # let root = skeleton.joint("root")?;
//! # let skin = Skin::new(&skeleton, &[root])?;
//! # let influences = Influences::Variable { counts: &[1], joints: &[0], weights: &[1.0] };
//! # let mesh = Mesh::new(&MeshSource::new(&[[1.0, 2.0, 3.0]], influences), &skin)?;
//! # let keys = Keys::Translations { joint: root, values: &[[0.0; 3], [8.0, 0.0, 0.0]] };
//! # let track = Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Linear };
//! # let clip = Clip::new("move", &skeleton, &[track])?;
//! // Once, for a skeleton, a clip, a skin and a mesh.
//! let (mut pose, mut cursor) = (skeleton.rest_pose(), clip.cursor());
//! let mut model_from_joint = skeleton.identity_matrices();
//! let mut palette = Palette::new(&skin);
//! let mut vertices = Skinned::new(&mesh, Attributes::Positions)?;
//!
//! // Every frame.
//! clip.sample(0.5, &mut cursor, &mut pose)?; // Joints, relative to their parents.
//! skeleton.to_model(&pose, .., &mut model_from_joint)?; // Relative to the model.
//! palette.update(&model_from_joint, &skin)?; // Times the inverse binds of a skin.
//! mesh.skin(&palette, &SkinOptions::default(), &mut vertices)?;
//! # let mut positions = [[0.0; 3]];
//! # vertices.positions(&mesh, &mut positions)?;
//! # assert_eq!(positions, [[5.0, 2.0, 3.0]]);
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! [`Mesh::skin_into`] writes vertices in the caller's layout instead.
//!
//! # Where to go next
//!
//! | task | start with | example |
//! |---|---|---|
//! | play and fade clips | [`Instance::play`], [`Instance::fade_to`] | `play_clip` |
//! | blend clips, with masks | [`Instance::blend`], [`Animator`] | `blend_two` |
//! | change clips without a jump | [`Instance::inertialize_to`] | `blend_space` of `sinew-render` |
//! | blend clips by speed and direction | [`animation::BlendSpace`] | `blend_space` of `sinew-render` |
//! | react to times of clips | [`Instance::events`] | `blend_space` of `sinew-render` |
//! | pose a model at a given time | [`model::ClipSampler`] | |
//! | change poses in every step | [`Instance::modifiers_mut`], [`animation::PoseModifier`] | `own_modifier` |
//! | aim and reach (IK) | [`Aim`], [`animation::TwoBone`], [`animation::ChainIk`] | `aim_at` |
//! | swing hair and skirts | [`animation::SpringBones`] | `spring_tail` of `sinew-render` |
//! | put feet on the ground | [`animation::FootPlacement`] | `foot_placement` of `sinew-render` |
//! | fill a vertex buffer | [`Instance::skin_into`] | `fill_a_vertex_buffer` |
//! | cast rays | [`Instance::cast`], [`Instance::cast_in`], [`query::MeshBvh`] | `cast_ray` |
//! | read what was just skinned | [`geometry::PositionView::in_layout`] | |
//! | cull by bounds | [`Instance::bounds`], [`bounds::JointBounds`] | |
//! | draw silhouettes and shadows | [`geometry::MeshFacing`] | `shadow_volume` |
//! | go back to past poses | [`model::History`] | `rewind` |
//! | animate a crowd | [`Crowd`] | `crowd` |
//! | call every step yourself | [`Skeleton`], [`Palette`] | `pose_to_palette`, `skin_a_tube` |
//!
//! The examples run without arguments: `cargo run --release -p sinew --example play_clip`.
//!
//! Each module is a stage of the flow and uses only the modules above it:
//!
//! | module | what is in it |
//! |---|---|
//! | [`runtime`] | which backend runs, and in which float mode |
//! | [`skeleton`] | [`Skeleton`], [`Skin`], [`Pose`], local to model space and back |
//! | [`animation`] | [`Clip`]s, sampling, blending, masks, additive layers, [`Animator`], pose modifiers |
//! | [`mesh`] | [`Mesh`] from arrays: influences, vertex layout, morph targets, levels of detail |
//! | [`skinning`] | [`Palette`], linear and dual-quaternion skinning into any layout |
//! | [`geometry`] | planes, facing, edges, silhouettes, shadow volumes, normals, tangents |
//! | [`bounds`] | AABBs and spheres from joints alone |
//! | [`query`] | BVHs: ray casts, overlaps, closest points, point in mesh |
//! | [`model`] | [`Model`], [`Instance`], and poses of the past |
//! | [`crowd`] | [`Crowd`]: many members of few models, on all threads |
//!
//! # Conventions
//!
//! Right-handed, meters, radians, seconds, +Y up; column vectors; quaternions (x, y, z, w);
//! counter-clockwise triangles face front. Transforms are named destination from source:
//! `model_from_joint` transforms from a joint's space to model space.
//!
//! # Backends and float modes
//!
//! A backend is all hot loops, compiled for one instruction set. [`Skeleton::new`] uses the fastest
//! one of the machine, or the one that the environment variable `SINEW_ISA` names, with
//! [`FloatMode::Fast`]. [`Skeleton::with_runtime`] sets another; skins, meshes and poses of that
//! skeleton use it too. [`FloatMode::Reproducible`] gives the same bits on every machine:
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
//! None is on by default.
//!
//! - `glam`, `mint`: conversions from and to their types; `glam032`: for glam 0.32, as in Bevy
//!   0.19.
//! - `bytemuck`: casts of joints, scales and matrices to bytes.
//! - `serde`: transforms, bones, skeletons, skins and poses in files. What is read passes the same
//!   checks.
//! - `parallel`: crowds on rayon's threads.

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
