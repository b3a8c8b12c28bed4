//! Everything that can be wrong, one kind after the other.

use sinew_kernels::{PlaneNormals, backend};

use super::{JointName, MorphName, TrackName};
use crate::{Attributes, Transform};

/// Why something was refused: which, what was expected, what was found, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The instruction set that `SINEW_ISA` names cannot be had.
    Isa(backend::Unavailable),
    /// There must be at least one joint.
    Empty {
        /// What has none.
        what: &'static str,
    },
    /// More joints than can be numbered.
    TooManyJoints {
        /// The most there can be.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// A parent that the skeleton does not have.
    ParentOutOfRange {
        /// Whose parent it is.
        joint: JointName,
        /// The parent's index.
        parent: usize,
        /// How many joints the skeleton has.
        len: usize,
    },
    /// A parent that does not come before its child.
    ParentNotBefore {
        /// Whose parent it is.
        joint: JointName,
        /// The parent, which may be the joint itself.
        parent: JointName,
    },
    /// A transform with an element that is infinite or not a number.
    NotFinite {
        /// Whose transform it is.
        joint: JointName,
        /// The transform.
        found: Transform,
    },
    /// A rotation of length zero, which has no direction.
    ZeroRotation {
        /// Whose rotation it is.
        joint: JointName,
    },
    /// A name that no joint or clip has.
    UnknownName {
        /// What was asked for: "joint", "clip".
        what: &'static str,
        /// The name.
        name: String,
        /// Names that look like it, the most alike first; at most three.
        similar: Vec<String>,
    },
    /// A name that several joints or clips have.
    AmbiguousName {
        /// What was asked for: "joint", "clip".
        what: &'static str,
        /// The name.
        name: String,
        /// The index of the first of them.
        first: usize,
        /// The index of the second.
        second: usize,
    },
    /// A joint that the skeleton does not have.
    JointOutOfRange {
        /// The joint's index.
        joint: usize,
        /// How many joints the skeleton has.
        len: usize,
    },
    /// A joint of a skin that the skeleton does not have.
    SkinJointOutOfRange {
        /// The place in the skin's list.
        slot: usize,
        /// The joint's index.
        joint: usize,
        /// How many joints the skeleton has.
        len: usize,
    },
    /// An inverse bind matrix with an element that is infinite or not a number.
    InverseBindNotFinite {
        /// The place in the skin's list.
        slot: usize,
        /// The joint's index.
        joint: usize,
    },
    /// A joint whose model matrix at rest has no inverse, so that its inverse bind must be given.
    SingularRest {
        /// The joint.
        joint: JointName,
    },
    /// A range of joints that is not within the skeleton.
    RangeOutOfBounds {
        /// The first joint.
        start: usize,
        /// The joint after the last.
        end: usize,
        /// How many joints there are.
        len: usize,
    },
    /// More vertices than can be numbered.
    TooManyVertices {
        /// The most there can be.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// A vertex with a number that is infinite or not a number.
    VertexNotFinite {
        /// The vertex.
        vertex: usize,
        /// What of it.
        what: &'static str,
    },
    /// A weight that is negative, infinite or not a number.
    BadWeight {
        /// Whose weight it is.
        vertex: usize,
        /// For which joint of the skin.
        joint: u32,
        /// The weight.
        weight: f32,
    },
    /// A vertex that nothing moves.
    NoWeight {
        /// The vertex.
        vertex: usize,
    },
    /// Weights whose sum is more than an `f32` can hold, where they stay as they are stored.
    SumOfWeightsNotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// An inverse bind without inverse, where a vertex has a vector in the space of its joint.
    SingularBind {
        /// The place in the skin's list.
        slot: usize,
        /// The joint's index.
        joint: usize,
    },
    /// Positions beside influences in joint space, which say where the vertices are.
    PositionsInJointSpace {
        /// How many there are.
        found: usize,
    },
    /// A level of detail without influences.
    EmptyLevel {
        /// The place in the list of levels.
        level: usize,
    },
    /// A vertex that hangs on a joint that the skin does not have.
    VertexJointOutOfRange {
        /// The vertex.
        vertex: usize,
        /// The place in the skin's list.
        joint: u32,
        /// How many joints the skin has.
        len: usize,
    },
    /// A triangle with a vertex that the mesh does not have.
    TriangleOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The vertex.
        vertex: u32,
        /// How many vertices the mesh has.
        len: usize,
    },
    /// A range of triangles that is not within the mesh.
    TriangleRangeOutOfBounds {
        /// The place in the list of ranges.
        range: usize,
        /// The first triangle.
        start: usize,
        /// The triangle after the last.
        end: usize,
        /// How many triangles the mesh has.
        len: usize,
    },
    /// Morph targets beside influences in joint space, whose vertices have no positions to move.
    MorphsInJointSpace {
        /// How many there are.
        found: usize,
    },
    /// A morph target of normals or tangents that the mesh does not have.
    MorphOfMissing {
        /// The morph target.
        target: MorphName,
        /// What it moves.
        what: &'static str,
    },
    /// Another number of deltas in a morph target than of vertices, or of those it lists.
    MorphLength {
        /// The morph target.
        target: MorphName,
        /// What it moves.
        what: &'static str,
        /// The number that fits.
        expected: usize,
        /// The number of deltas.
        found: usize,
    },
    /// A morph target that lists a vertex that the mesh does not have.
    MorphVertexOutOfRange {
        /// The morph target.
        target: MorphName,
        /// What it moves.
        what: &'static str,
        /// The vertex.
        vertex: u32,
        /// How many vertices the mesh has.
        len: usize,
    },
    /// A morph target that lists a vertex twice.
    MorphVertexTwice {
        /// The morph target.
        target: MorphName,
        /// What it moves.
        what: &'static str,
        /// The vertex.
        vertex: u32,
    },
    /// A delta with a number that is infinite or not a number.
    MorphNotFinite {
        /// The morph target.
        target: MorphName,
        /// The vertex.
        vertex: usize,
        /// What of it.
        what: &'static str,
    },
    /// A weight of a morph target that is infinite or not a number.
    BadMorphWeight {
        /// The morph target.
        target: MorphName,
        /// The weight.
        weight: f32,
    },
    /// Tangents, whose sign is that of a cross product with the normal, on a mesh without normals.
    TangentsWithoutNormals,
    /// Bitangents on a mesh without tangents.
    BitangentsWithoutTangents,
    /// Normals or tangents that the mesh does not have, or that were not skinned.
    MissingAttributes {
        /// What was asked for.
        asked: Attributes,
    },
    /// A share of dual quaternions that is not from zero to one.
    BadShare {
        /// Whose share it is.
        vertex: usize,
        /// The share.
        share: f32,
    },
    /// Dual quaternions cannot blend influences in joint space: those have no one position to move.
    DualsInJointSpace,
    /// A level of detail that the mesh was not built with.
    NoLevel {
        /// The most influences of a vertex.
        asked: usize,
    },
    /// A window of blocks that is not within the mesh.
    WindowOutOfBounds {
        /// The first block.
        start: usize,
        /// The block after the last.
        end: usize,
        /// How many blocks there are.
        len: usize,
    },
    /// Blocks hold vertices in run order, and in no other.
    BlocksInSourceOrder,
    /// An interleaved vertex that is larger than what lies between two of them.
    StrideTooSmall {
        /// Which vector does not fit: position, normal, tangent or bitangent.
        vector: &'static str,
        /// Floats that it would take.
        expected: usize,
        /// Floats from one vertex to the next.
        found: usize,
    },
    /// Two vectors of an interleaved vertex in one place.
    VectorsOverlap {
        /// Which vector.
        first: &'static str,
        /// And which other.
        second: &'static str,
    },
    /// A slice, pose or palette of the wrong length.
    Length {
        /// What has it.
        what: &'static str,
        /// The length that fits.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// A part that the model does not have.
    PartOutOfRange {
        /// Its index.
        part: usize,
        /// How many the model has.
        len: usize,
    },
    /// Something of a model names what the model does not have.
    NotInModel {
        /// What names it: "part", "surface", "material".
        of: &'static str,
        /// Which of these.
        index: usize,
        /// What it names.
        what: &'static str,
        /// The index that it names.
        found: usize,
        /// How many the model has.
        len: usize,
    },
    /// A track of a clip for a joint that the skeleton does not have.
    TrackJointOutOfRange {
        /// Which track.
        track: TrackName,
        /// The joint.
        joint: usize,
        /// How many joints the skeleton has.
        len: usize,
    },
    /// A track of a clip for morph weights that the skeleton does not have, or for none.
    TrackWeightsOutOfRange {
        /// Which track.
        track: TrackName,
        /// The first weight.
        start: usize,
        /// The weight after the last.
        end: usize,
        /// How many weights the skeleton has.
        len: usize,
    },
    /// A track of a clip that has no keys.
    TrackWithoutKeys {
        /// Which track.
        track: TrackName,
    },
    /// A track of a clip with too few or too many values for its times.
    TrackLength {
        /// Which track.
        track: TrackName,
        /// How many values fit its times and its interpolation; weights count one by one.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The time of a key that is negative, infinite or not a number.
    BadKeyTime {
        /// Which track.
        track: TrackName,
        /// Which key.
        key: usize,
        /// Its time.
        found: f32,
    },
    /// A key that is not after the one before it.
    KeyNotAfter {
        /// Which track.
        track: TrackName,
        /// Which key.
        key: usize,
        /// The time of the key before it.
        before: f32,
        /// Its own time.
        found: f32,
    },
    /// A key with a number that is infinite or not one.
    KeyNotFinite {
        /// Which track.
        track: TrackName,
        /// Which key.
        key: usize,
        /// The first such number.
        found: f32,
    },
    /// A key whose rotation is too short to have a direction.
    KeyZeroRotation {
        /// Which track.
        track: TrackName,
        /// Which key.
        key: usize,
    },
    /// Two tracks of a clip that move the same.
    TrackTwice {
        /// The later one.
        track: TrackName,
        /// The earlier one.
        other: usize,
    },
    /// A layer of a blend whose weight is negative, infinite or not a number.
    BadLayerWeight {
        /// Its place among the layers.
        layer: usize,
        /// The weight.
        weight: f32,
    },
    /// An additive layer whose weight is negative, infinite or not a number.
    BadAdditiveWeight {
        /// The weight.
        weight: f32,
    },
    /// A factor of a mask that is not from zero to one.
    BadMaskFactor {
        /// The joint.
        joint: usize,
        /// The factor.
        factor: f32,
    },
    /// A number that is not from zero to one.
    BadFactor {
        /// What it is.
        what: &'static str,
        /// The number.
        found: f32,
    },
    /// A cosine that is not from minus one to one.
    BadCosine {
        /// What it is.
        what: &'static str,
        /// The cosine.
        found: f32,
    },
    /// A joint that is not below another in the skeleton.
    NotBelow {
        /// The joint.
        joint: JointName,
        /// The joint that it should be below.
        above: JointName,
    },
    /// A model that a crowd does not have.
    ModelOutOfRange {
        /// Its number.
        model: usize,
        /// How many there are.
        len: usize,
    },
    /// A clip that a model does not have.
    ClipOutOfRange {
        /// The clip.
        clip: usize,
        /// How many clips the model has.
        len: usize,
    },
    /// A rate of samples that is not above zero, or gives more than 2^24 of them.
    BadRate {
        /// Samples a second.
        found: f32,
        /// How long is sampled.
        seconds: f32,
    },
    /// More triangles than can be numbered.
    TooManyTriangles {
        /// The most there can be.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// Memory that does not hold all that may be written to it.
    TooShort {
        /// Which.
        what: &'static str,
        /// The least length that fits.
        least: usize,
        /// The length it has.
        found: usize,
    },
    /// Fewer points than triangles need.
    TooFewPoints {
        /// How many the triangles reach.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Planes with normals of another length than is needed.
    OtherPlanes {
        /// How they must be derived.
        expected: PlaneNormals,
        /// How they were.
        found: PlaneNormals,
    },
    /// A time that is infinite or not a number.
    BadTime {
        /// The time, in seconds.
        found: f64,
    },
    /// A pose to record that is not after the newest one.
    TimeNotAfter {
        /// The time of the newest, in seconds.
        before: f64,
        /// Its own time.
        found: f64,
    },
    /// A past pose of what was never recorded.
    NoRecord,
}
