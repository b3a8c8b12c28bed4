//! Skeletal animation on the CPU: skeletons, poses, model matrices, matrix palettes and skinned meshes.
//!
//! Everything is checked where it enters, in the constructors of [`Skeleton`], [`Skin`], [`Clip`] and [`Mesh`]. After that a
//! frame makes no check that grows with the number of joints or vertices, allocates nothing, and works in memory that
//! the caller owns.
//!
//! ```
//! use sinew::{Bone, Joint, Matrix, Palette, Pose, Skeleton, Skin, Transform};
//!
//! // Once: an arm of two joints, a metre apart, and the skin that hangs on both.
//! let metre = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
//! let skeleton = Skeleton::new(&[
//!     Bone::new("upper arm", None, Transform::IDENTITY),
//!     Bone::new("forearm", Some(0), metre),
//! ])?;
//! let skin = Skin::new(&skeleton, &[0, 1])?;
//! let forearm = skeleton.joint("forearm")?;
//! let mut pose = Pose::new(&skeleton);
//! let mut model_from_joint = skeleton.model_matrices();
//! let mut palette = Palette::new(&skin);
//!
//! // Every frame: move joints, go to model space, make the palette.
//! let half = std::f32::consts::FRAC_1_SQRT_2;
//! pose.joints_mut()[forearm].rotation = [0.0, 0.0, half, half]; // A quarter turn about z.
//! skeleton.to_model(&pose, .., &mut model_from_joint)?;
//! palette.update(&model_from_joint, &skin)?;
//!
//! // The hand was at a height of two metres; the palette takes it to where the arm now points.
//! let [x, y, _] = palette.matrices()[1].transform_point([0.0, 2.0, 0.0]);
//! assert!((x + 1.0).abs() < 1e-6 && (y - 1.0).abs() < 1e-6);
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! Conventions: right-handed, metres, radians, +Y up; column vectors; quaternions (x, y, z, w). Names read
//! destination from source: `model_from_joint` takes a joint's space to model space.
//!
//! # Clips
//!
//! A [`Clip`] holds keys for some joints and morph weights, made of [`Track`]s as files have them. [`Clip::sample`] writes
//! what it moves, at any time, into a pose, with a [`Cursor`] that makes going on cheap; a [`Playhead`] keeps the time.
//!
//! ```
//! use sinew::{Bone, Clip, Interpolation, Keys, Playhead, Pose, Repeat, Skeleton, Track, Transform};
//!
//! let skeleton = Skeleton::new(&[Bone::new("door", None, Transform::IDENTITY)])?;
//!
//! // Once: half a turn about y in two seconds.
//! let values = [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]];
//! let keys = Keys::Rotations { joint: 0, values: &values };
//! let track = Track { times: &[0.0, 2.0], keys, interpolation: Interpolation::Linear };
//! let clip = Clip::new("open", &skeleton, &[track])?;
//! let (mut cursor, mut playhead) = (clip.cursor(), Playhead::new(&clip, Repeat::Clamp));
//! let mut pose = Pose::new(&skeleton);
//!
//! // Every frame: what the clip does not move is as at rest.
//! playhead.advance(1.0);
//! pose.copy_from(skeleton.rest())?;
//! clip.sample(playhead.seconds(), &mut cursor, &mut pose)?;
//! assert!((pose.joints()[0].rotation[1] - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! # Skinning
//!
//! A [`Mesh`] groups its vertices by the joints that move them: *run order*. A palette takes it into a [`Skinned`], in
//! blocks of eight in that order, from which arrays in the order of the source can be read; or, with
//! [`Mesh::skin_into`], into a [`Target`]: memory of the caller's own, in any form and either order, with bounds, all of a
//! mesh or a window. [`SkinOptions`] choose between linear blending and dual quaternions, what turns normals, and the
//! level of detail. [`Mesh::morph`] comes before, where a mesh has morph targets.
//!
//! ```
//! use sinew::{Attributes, Bone, Influences, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin, SkinOptions};
//! use sinew::{Skinned, Transform};
//!
//! let bone = Bone::new("lower", None, Transform::IDENTITY);
//! let skeleton = Skeleton::new(&[bone, Bone::new("upper", Some(0), Transform::IDENTITY)])?;
//! let skin = Skin::new(&skeleton, &[0, 1])?;
//!
//! // Once: a triangle. The first vertex hangs on the lower joint, the last on the upper, the other on both.
//! let influences =
//!     Influences::Listed { counts: &[1, 2, 1], joints: &[0, 0, 1, 1], weights: &[1.0, 0.5, 0.5, 1.0] };
//! let positions = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 1.0]];
//! let source = MeshSource { triangles: &[[0, 1, 2]], ..MeshSource::new(&positions, influences) };
//! let mesh = Mesh::new(&source, &skin)?;
//! let mut skinned = Skinned::new(&mesh, Attributes::Positions)?;
//! let mut palette = Palette::new(&skin);
//!
//! // Every frame: here the upper joint has moved by a metre along x.
//! let mut model_from_joint = [Matrix::IDENTITY; 2];
//! model_from_joint[1].rows[0][3] = 1.0;
//! palette.update(&model_from_joint, &skin)?;
//! mesh.skin(&palette, &SkinOptions::default(), &mut skinned)?;
//!
//! let mut positions = [[0.0; 3]; 3];
//! skinned.positions(&mesh, &mut positions)?;
//! assert_eq!(positions, [[0.0, 0.0, 0.0], [0.5, 1.0, 0.0], [1.0, 2.0, 1.0]]);
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! # Which kernels run
//!
//! [`Skeleton::new`] takes the fastest instruction set of the machine, or the one that the environment variable
//! `SINEW_ISA` names, with [`FloatMode::Fast`]. [`Skeleton::with_kernels`] chooses any other, and all that is made
//! from that skeleton follows:
//!
//! ```
//! use sinew::{Bone, FloatMode, Skeleton, Transform, backend};
//!
//! let reproducible = backend::default()?.kernels(FloatMode::Reproducible);
//! let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?.with_kernels(reproducible);
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! # Features
//!
//! `glam`, `mint`: conversions from and to their types. `bytemuck`: casts to bytes. `serde`: transforms, bones,
//! skeletons, skins and poses in files; what is read passes the same checks, and runs on the kernels of
//! [`backend::default`] with [`FloatMode::Fast`] until `with_kernels` says otherwise.

#![forbid(unsafe_code)]

mod additive;
mod bits;
mod blend;
mod bounds;
mod clip;
mod crowd;
mod duals;
mod edges;
mod error;
mod facing;
mod flush;
mod hanging;
mod history;
mod ik;
mod influences;
mod instance;
mod interpolate;
mod joint_space;
mod layout;
mod linear;
mod mask;
mod mesh;
mod mesh_read_back;
mod mesh_source;
mod model;
mod morph;
mod morph_source;
mod names;
mod overrides;
mod palette;
mod planes;
mod player;
mod playhead;
mod points;
mod pose;
mod quaternion;
mod range;
mod rays;
mod root_motion;
mod shadow;
mod skeleton;
mod skin;
mod skinned;
mod skinning;
mod spaces;
#[cfg(feature = "serde")]
mod stored;
mod tangents;
mod target;
mod transform;
mod vector;
mod vertex_normals;
mod warm;
mod weld;

pub use additive::Additive;
pub use blend::Layer;
pub use bounds::{BoundsOptions, Sphere, moved_bounds};
pub use clip::{Clip, Cursor, Interpolation, JointParts, KeyData, Keys, Track, TrackData};
pub use crowd::{Adjustment, Crowd, CrowdOptions, Member, MemberId, PaletteSpace, SkinnedMember};
pub use duals::{DualPalette, DualShares};
pub use edges::{BorderEdge, EdgeReport, Edges, KnotEdge, SharedEdge, Silhouette, Topology, Use};
pub use error::{Error, JointName, MorphName, TrackName};
pub use facing::{Facing, Light};
pub use history::History;
pub use ik::{Aim, AimUp, Aimed, Pole, Reach, TwoBone};
pub use influences::{Influences, Weights};
pub use instance::{Hit, Instance, InstanceOptions, JointBlend, JointMut, SkinnedModel};
pub use layout::{Grouping, LayoutReport, LevelReport};
pub use mask::Mask;
pub use mesh::Mesh;
pub use mesh_read_back::{InfluenceData, MorphData};
pub use mesh_source::{MeshSource, TriangleRange};
pub use model::{Image, Material, Model, ModelSource, Part, Surface, Texture, Up};
pub use morph::Morphed;
pub use morph_source::{Deltas, MorphSource};
pub use overrides::{ModelRotation, Override};
pub use palette::Palette;
pub use planes::Planes;
pub use player::{Player, Playing, Reference};
pub use playhead::{Playhead, Repeat};
pub use points::Points;
pub use pose::Pose;
pub use rays::{Faces, LazyCast, LazyTree, Ray, Region, Side, SurfacePoint, Tree, TriangleHit};
pub use root_motion::{Motion, RootMotion, RootParts, RootRotation, Travel};
pub use shadow::{Casters, ShadowBuffers, ShadowCast, ShadowSize, ShadowVolume};
/// The layer below: every kernel with its contract, the crowd forms among them.
pub use sinew_kernels as kernels;
pub use sinew_kernels::{
    Aabb, Backend, DirectionLength, Factor, FloatMode, Joint, Kernels, Matrix, NO_PARENT, NormalTransform,
    Plane, PlaneNormals, Scale, Triangles, VectorBlock, VertexLayout, backend,
};
pub use skeleton::{Bone, Skeleton};
pub use skin::Skin;
pub use skinned::{Attributes, Skinned};
pub use skinning::{Blending, SkinOptions};
pub use tangents::tangents;
pub use target::{Order, Target};
pub use transform::{Rotations, Transform};
pub use vertex_normals::{Around, NormalWeights, VertexNormals};
pub use warm::warm;
pub use weld::Weld;
