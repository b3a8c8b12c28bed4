//! A scene as a file states it: what every importer produces, and what models are built from.

use std::borrow::Cow;
use std::sync::Arc;

use sinew::animation::Interpolation;
use sinew::model::{Image, Material, Metadata, UpAxis};

use super::source_location::SourceLocation;
#[cfg(feature = "vrm")]
use crate::Vrm;

/// A scene as a file states it, before any repair: plain data, with indices that may be out of
/// range and numbers that may be anything.
///
/// An [`Importer`](crate::Importer) parses bytes into it. [`Loader`](crate::Loader) checks and
/// repairs it, the same way for all formats, and builds a [`Model`](sinew::Model) from it. Arrays
/// that the file has in the same form are borrowed from its bytes.
#[derive(Clone, Debug, Default)]
pub struct RawScene<'a> {
    /// The up axis.
    pub up: UpAxis,
    /// Nodes in the order of the file. Each becomes a joint.
    pub nodes: Vec<RawNode>,
    /// The nodes whose subtrees are shown; `None` shows all nodes.
    pub roots: Option<Vec<usize>>,
    /// Meshes, referenced by nodes.
    pub meshes: Vec<RawMesh<'a>>,
    /// Skins, referenced by nodes.
    pub skins: Vec<RawSkin>,
    /// Animations. Each becomes a clip.
    pub animations: Vec<RawAnimation<'a>>,
    /// Materials, referenced by primitives.
    pub materials: Vec<Material>,
    /// Images, referenced by materials. Those with a URI and without bytes are loaded if the
    /// [`ImportOptions`](crate::ImportOptions) say so.
    pub images: Vec<Image>,
    /// What the file says about itself. Extras of joints are by the index of the node.
    pub metadata: Metadata,
    /// The VRM data. Joints are indices of nodes.
    #[cfg(feature = "vrm")]
    pub vrm: Option<Vrm>,
    /// What the file has and the scene has not, each in a few words.
    pub dropped: Vec<String>,
    /// The materials whose pictures were looked for beside the file, and not found.
    pub missing_pictures: Vec<usize>,
}

/// A node of the hierarchy.
#[derive(Clone, Debug, Default)]
pub struct RawNode {
    /// The name, which may be empty.
    pub name: String,
    /// The parent's index.
    pub parent: Option<usize>,
    /// The transform relative to the parent.
    pub transform: RawTransform,
    /// The index of the mesh.
    pub mesh: Option<usize>,
    /// The index of the mesh's skin; `None` if the mesh moves with the node.
    pub skin: Option<usize>,
    /// The morph weights at rest; empty for those of the mesh.
    pub morph_weights: Vec<f32>,
    /// Whether the meshes of the node and of its descendants are left out.
    pub hidden: bool,
}

/// The transform of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RawTransform {
    /// Scale, then rotation (x, y, z, w), then translation.
    Trs {
        /// In units of the parent.
        translation: [f32; 3],
        /// A quaternion of length one.
        rotation: [f32; 4],
        /// Along the node's own axes.
        scale: [f32; 3],
    },
    /// A column-major matrix.
    Matrix([f32; 16]),
}

impl Default for RawTransform {
    fn default() -> Self {
        Self::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

/// A mesh: primitives that share a node, a skin and morph weights.
#[derive(Clone, Debug, Default)]
pub struct RawMesh<'a> {
    /// The name, which may be empty.
    pub name: String,
    /// Where the mesh is in the file.
    pub location: String,
    /// The primitives. All have the same number of morph targets.
    pub primitives: Vec<RawPrimitive<'a>>,
    /// The morph weights at rest; empty for zeros.
    pub morph_weights: Vec<f32>,
    /// The names of the morph targets, as far as the file has them.
    pub target_names: Vec<String>,
}

/// Vertices and triangles with one material. All arrays that are present have an element per
/// vertex.
#[derive(Clone, Debug, Default)]
pub struct RawPrimitive<'a> {
    /// The name; if empty, the mesh's.
    pub name: String,
    /// Where the primitive is in the file.
    pub location: String,
    /// Positions at rest.
    pub positions: Cow<'a, [[f32; 3]]>,
    /// Unit normals.
    pub normals: Option<Cow<'a, [[f32; 3]]>>,
    /// Unit tangents with the sign of the bitangent. They are ignored without normals.
    pub tangents: Option<Cow<'a, [[f32; 4]]>>,
    /// Sets of texture coordinates. A missing set is empty.
    pub texture_coordinates: Vec<Cow<'a, [[f32; 2]]>>,
    /// Sets of linear RGBA colors. A missing set is empty.
    pub colors: Vec<Cow<'a, [[f32; 4]]>>,
    /// The vertex of each corner; `None` for all vertices in order.
    pub corners: Option<Cow<'a, [u32]>>,
    /// How corners form triangles.
    pub topology: Topology,
    /// The joints that move the vertices, if the node has a skin.
    pub influences: RawInfluences<'a>,
    /// Morph targets.
    pub targets: Vec<RawMorphTarget<'a>>,
    /// The index of the material.
    pub material: Option<usize>,
    /// The set of texture coordinates for which tangents are generated.
    pub tangent_set: usize,
}

/// How corners form triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Three corners are a triangle.
    #[default]
    Triangles,
    /// Each corner forms a triangle with the two before it, every second one reversed.
    TriangleStrip,
    /// Each corner forms a triangle with the one before it and the first one.
    TriangleFan,
    /// Points or lines, which form no triangles.
    None,
}

/// The joints that move vertices. Joints are indices into the joints of a skin.
#[derive(Clone, Debug, Default)]
pub enum RawInfluences<'a> {
    /// No influences: the vertices follow their node.
    #[default]
    None,
    /// Sets of four joints and weights per vertex.
    Sets(Vec<InfluenceSet<'a>>),
    /// Any number of influences per vertex, one vertex after the other.
    Lists {
        /// The number of influences of each vertex.
        counts: Vec<u32>,
        /// The joint of each influence.
        joints: Vec<u32>,
        /// The weight of each influence.
        weights: Vec<f32>,
    },
    /// Influences with a position in the space of the joint, as MD5 has them. Weights stay as
    /// stored, and the positions of the primitive are only read where normals and tangents are
    /// generated.
    JointSpace {
        /// The number of influences of each vertex.
        counts: Vec<u32>,
        /// The joint of each influence.
        joints: Vec<u32>,
        /// The weight of each influence.
        weights: Vec<f32>,
        /// The position of the vertex in the space of each influence's joint.
        vectors: Vec<[f32; 3]>,
    },
}

/// Four joints and weights for each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfluenceSet<'a> {
    /// Four joints of the skin.
    pub joints: Cow<'a, [[u16; 4]]>,
    /// Their weights.
    pub weights: Cow<'a, [[f32; 4]]>,
}

/// The deltas of a morph target. Targets may share arrays.
#[derive(Clone, Debug, Default)]
pub struct RawMorphTarget<'a> {
    /// Added to positions.
    pub positions: Option<Arc<Cow<'a, [[f32; 3]]>>>,
    /// Added to normals.
    pub normals: Option<Arc<Cow<'a, [[f32; 3]]>>>,
    /// Added to tangents.
    pub tangents: Option<Arc<Cow<'a, [[f32; 3]]>>>,
}

/// A skin.
#[derive(Clone, Debug, Default)]
pub struct RawSkin {
    /// Where the skin is in the file.
    pub location: String,
    /// The nodes that are its joints.
    pub joints: Vec<usize>,
    /// The matrices from model space at rest to the joints.
    pub inverse_binds: InverseBinds,
    /// A node above all joints, if the file states one.
    pub skeleton: Option<usize>,
}

/// The inverse bind matrices of a skin.
#[derive(Clone, Debug, Default)]
pub enum InverseBinds {
    /// Vertices are in the space of their joints.
    #[default]
    Identity,
    /// Vertices are in model space, at the rest pose of the nodes.
    AtRest,
    /// A column-major matrix per joint.
    Matrices(Vec<[f32; 16]>),
}

/// An animation.
#[derive(Clone, Debug, Default)]
pub struct RawAnimation<'a> {
    /// The name; if empty, the clip is named after its index.
    pub name: String,
    /// Where the animation is in the file.
    pub location: String,
    /// Key times, referenced by channels.
    pub times: Vec<RawTimes<'a>>,
    /// What moves.
    pub channels: Vec<RawChannel<'a>>,
}

/// Key times, which channels may share.
#[derive(Clone, Debug)]
pub struct RawTimes<'a> {
    /// Where the times are in the file.
    pub location: SourceLocation,
    /// In seconds, increasing.
    pub seconds: Cow<'a, [f32]>,
}

/// The keys of one property of a node.
#[derive(Clone, Debug)]
pub struct RawChannel<'a> {
    /// Where the channel is in the file.
    pub location: SourceLocation,
    /// Where its values are in the file.
    pub values_location: SourceLocation,
    /// The node that moves.
    pub node: usize,
    /// What moves.
    pub property: AnimatedProperty,
    /// The index of the key times.
    pub times: usize,
    /// The values of all keys: three numbers for translations and scales, four for rotations, one
    /// per morph target for morph weights. For cubic splines, each value has a tangent before and
    /// after it.
    pub values: Cow<'a, [f32]>,
    /// How values are interpolated between keys.
    pub interpolation: Interpolation,
}

/// A property of a node that an animation moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimatedProperty {
    /// The translation relative to the parent.
    Translation,
    /// The rotation relative to the parent.
    Rotation,
    /// The scale along the node's axes.
    Scale,
    /// The weights of the mesh's morph targets.
    MorphWeights,
}

impl RawPrimitive<'_> {
    /// The number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        match &self.influences {
            RawInfluences::JointSpace { counts, .. } => counts.len(),
            _ => self.positions.len(),
        }
    }
}
