//! Structs of the header that hold pointers.

use std::ffi::{c_char, c_void};

use sinew_handles::Handle;
use sinew_handles::records::{GroundHit, Matrix3x4, Transform};

macro_rules! handle {
    ($($name:ident)*) => { $(
        impl $name {
            #[inline]
            pub(crate) fn handle(self) -> Handle {
                Handle::from_bits(self.id)
            }
        }

        impl From<Handle> for $name {
            fn from(handle: Handle) -> Self {
                Self { id: handle.to_bits() }
            }
        }
    )* };
}

/// A model. Any number of threads may use it at the same time. Zero is no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Model {
    /// A number that is never used again.
    pub id: u64,
}

/// A model that is being built from arrays. Zero is no builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Builder {
    /// A number that is never used again.
    pub id: u64,
}

/// An instance of a model. One thread at a time may use it; another one gets `BUSY`. Zero is no
/// instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Instance {
    /// A number that is never used again.
    pub id: u64,
}

/// A mask: how much of each joint a playback moves. Any number of threads may use it at the same
/// time. Zero is no mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Mask {
    /// A number that is never used again.
    pub id: u64,
}

/// Recorded poses. One thread at a time may use it; another one gets `BUSY`. Zero is no history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct History {
    /// A number that is never used again.
    pub id: u64,
}

/// Many members of few models. One thread at a time may use it; another one gets `BUSY`. Zero is no
/// crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Crowd {
    /// A number that is never used again.
    pub id: u64,
}

/// A mesh that the caller poses by a palette. One thread at a time may use it; another one gets
/// `BUSY`. Zero is no mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct SkinnedMesh {
    /// A number that is never used again.
    pub id: u64,
}

/// A blend space: a clip at each of some points. Any number of threads may use it at the same time.
/// Zero is no space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BlendSpace {
    /// A number that is never used again.
    pub id: u64,
}

handle! { Model Builder Instance Mask History Crowd SkinnedMesh BlendSpace }

/// A named time of a clip.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClipEvent {
    /// The name.
    pub name: Text,
    /// The time in the clip.
    pub seconds: f32,
}

/// A text in UTF-8, which need not end with a zero.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Text {
    /// The bytes.
    pub data: *const c_char,
    /// The number of bytes.
    pub length: usize,
}

/// Numbers of the caller.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Floats {
    /// The numbers.
    pub data: *const f32,
    /// How many.
    pub length: usize,
}

/// Numbers of the caller.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Uint32s {
    /// The numbers.
    pub data: *const u32,
    /// How many.
    pub length: usize,
}

/// Numbers of the caller.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Uint16s {
    /// The numbers.
    pub data: *const u16,
    /// How many.
    pub length: usize,
}

/// Memory of the caller for vertices.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Buffer {
    /// The first byte.
    pub data: *mut c_void,
    /// The number of bytes.
    pub length: usize,
}

/// The contents of a file with an MD5 clip.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClipBytes {
    /// The name of the clip.
    pub name: Text,
    /// The bytes of the file.
    pub data: *const u8,
    /// The number of bytes.
    pub length: usize,
}

/// A joint of a skeleton that is being built.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Bone {
    /// The name, which may be empty.
    pub name: Text,
    /// The parent, which comes before it; `SINEW_NONE` for a root.
    pub parent: u32,
    /// The transform at rest, relative to the parent.
    pub rest: Transform,
}

/// A morph target: deltas at a weight of one.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Morph {
    /// The name, which may be empty.
    pub name: Text,
    /// The vertices that have deltas; empty if all have.
    pub vertices: Uint32s,
    /// Three numbers for each delta of a position.
    pub positions: Floats,
    /// Three numbers for each delta of a normal, or empty.
    pub normals: Floats,
    /// Three numbers for each delta of a tangent, or empty.
    pub tangents: Floats,
}

/// A mesh that is being built. `SINEW_MESH_INIT` sets everything to zero but its size.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Mesh {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// How many influences a vertex has: 4 or 8, with joints in `joints16`, or 0 for any number,
    /// with `counts` and `joints32`.
    pub influences_per_vertex: u32,
    /// 1: weights are kept. 0: they are divided by their sum.
    pub keep_weights: u32,
    /// The most influences per vertex of a level of detail to prepare; 0 for none.
    pub level_of_detail: u32,
    /// Three numbers per vertex.
    pub positions: Floats,
    /// Three numbers per vertex, or empty.
    pub normals: Floats,
    /// Four numbers per vertex, the last of which is the sign of the bitangent; or empty.
    pub tangents: Floats,
    /// Three numbers per vertex, or empty.
    pub bitangents: Floats,
    /// The number of influences of each vertex.
    pub counts: Uint32s,
    /// The joints of the influences, as indices in the skin.
    pub joints32: Uint32s,
    /// The joints of the influences, as indices in the skin.
    pub joints16: Uint16s,
    /// The weights of the influences.
    pub weights: Floats,
    /// Three vertices per triangle, counter-clockwise as seen from the front.
    pub triangles: Uint32s,
    /// Morph targets.
    pub morphs: *const Morph,
    /// The number of morph targets.
    pub morph_count: usize,
}

impl Default for Mesh {
    fn default() -> Self {
        let floats = Floats { data: std::ptr::null(), length: 0 };
        let integers = Uint32s { data: std::ptr::null(), length: 0 };
        Self {
            struct_size: size_of::<Self>() as u32,
            influences_per_vertex: 0,
            keep_weights: 0,
            level_of_detail: 0,
            positions: floats,
            normals: floats,
            tangents: floats,
            bitangents: floats,
            counts: integers,
            joints32: integers,
            joints16: Uint16s { data: std::ptr::null(), length: 0 },
            weights: floats,
            triangles: integers,
            morphs: std::ptr::null(),
            morph_count: 0,
        }
    }
}

/// The keys of one joint, or of morph weights, in a clip that is being built.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Track {
    /// What moves: 0 rotations, four numbers each; 1 translations and 2 scales, three each; 3 morph
    /// weights, `weight_count` each.
    pub target: u32,
    /// The joint; of morph weights the first one.
    pub joint: u32,
    /// The number of morph weights.
    pub weight_count: u32,
    /// 0 step, 1 linear, 2 cubic, which has three values per key: slope in, value, slope out.
    pub interpolation: u32,
    /// The times of the keys in seconds, ascending.
    pub times: Floats,
    /// The values of the keys.
    pub values: Floats,
}

/// A pose that a callback edits.
#[derive(Debug)]
#[repr(C)]
pub struct PoseEdit {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The time of the step.
    pub seconds: f32,
    /// The joints relative to their parents, to be edited. What is not finite afterwards is
    /// ignored.
    pub joints: *mut Transform,
    /// The number of joints.
    pub joint_count: usize,
    /// The matrices from joints to model space, before the edit: 12 numbers for each joint.
    pub model_from_joint: *const f32,
    /// The weights of morph targets, to be edited. What is not finite afterwards is ignored.
    pub morph_weights: *mut f32,
    /// The number of morph weights.
    pub morph_weight_count: usize,
}

/// Edits a pose. It must not throw and must not keep the pointers.
pub type Modify = Option<unsafe extern "C" fn(user: *mut c_void, edit: *const PoseEdit)>;

/// Finds the ground: the nearest hit of a ray with its origin, unit direction (three numbers each)
/// and length in world space. Returns 0 if there is none. It must not throw and must not keep the
/// pointers.
pub type Ground = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        origin: *const f32,
        direction: *const f32,
        length: f32,
        hit: *mut GroundHit,
    ) -> u32,
>;

/// Frees the data of a callback, once, when the last modifier that has it is gone. It must not
/// throw.
pub type FreeUser = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// The skinned vertices of one mesh instance of a member, in run order.
#[derive(Debug)]
#[repr(C)]
pub struct SkinnedPart {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The mesh instance.
    pub mesh_instance: u32,
    /// The member.
    pub member: u64,
    /// The vectors of each vertex: 1 position; 2 and normal; 3 and tangent; 4 and bitangent.
    pub vectors: u32,
    /// Zero.
    pub reserved: u32,
    /// Blocks of eight vertices. A block has 24 numbers for each vector: eight x, eight y, eight z.
    pub blocks: *const f32,
    /// The number of blocks.
    pub block_count: usize,
    /// The matrix from these vertices to world space.
    pub world: Matrix3x4,
}

/// Takes skinned vertices. It is called from several threads at the same time, must not throw, and
/// must not keep the pointers.
pub type TakeSkinned = Option<unsafe extern "C" fn(user: *mut c_void, part: *const SkinnedPart)>;
