//! What a model has and what plays.

/// What is in a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ModelInfo {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The number of joints.
    pub joints: u32,
    /// The number of skins.
    pub skins: u32,
    /// The number of mesh instances.
    pub mesh_instances: u32,
    /// The number of clips.
    pub clips: u32,
    /// The number of morph weights of a pose.
    pub morph_weights: u32,
    /// The number of warnings of the import.
    pub warnings: u32,
    /// The axis that points up: 1 for y, 2 for z.
    pub up_axis: u32,
}

/// A mesh instance of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct MeshInstanceInfo {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint of its node.
    pub joint: u32,
    /// Its skin.
    pub skin: u32,
    /// Its primitive.
    pub primitive: u32,
    /// The number of vertices, in source order.
    pub vertices: u32,
    /// The number of vertices in run order, where some are repeated to fill blocks of eight.
    pub padded_vertices: u32,
    /// The number of triangles.
    pub triangles: u32,
    /// The number of attributes: 1 positions; 2 and normals; 3 and tangents; 4 and bitangents.
    pub attributes: u32,
    /// The first of its morph weights in a pose.
    pub first_morph_weight: u32,
    /// The number of its morph weights.
    pub morph_weights: u32,
    /// The number of sets of texture coordinates.
    pub texture_coordinate_sets: u32,
    /// The material, or `NONE`.
    pub material: u32,
    /// Linear RGBA of its material; white without one.
    pub base_color: [f32; 4],
}

/// A clip of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct ClipInfo {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The time of the first key frame.
    pub start: f32,
    /// The time of the last key frame.
    pub end: f32,
    /// The number of tracks.
    pub tracks: u32,
    /// The number of events.
    pub events: u32,
}

/// A clip that is being played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct PlaybackInfo {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The index of the clip.
    pub clip: u32,
    /// The time in the clip.
    pub seconds: f64,
    /// The weight times the level of its fade.
    pub effective_weight: f32,
    /// 1 if it stopped at its end.
    pub is_finished: u32,
}
