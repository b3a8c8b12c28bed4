//! What each error says.

use std::fmt;

use sinew_kernels::{PlaneNormals, backend};

use crate::{Attributes, Error, Transform};

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Isa(unavailable) => write!(f, "{}: {unavailable}", backend::ENV_VAR),
            Self::Empty { what } => write!(f, "{what}: expected at least one joint, found none"),
            Self::TooManyJoints { limit, found } => {
                write!(f, "skeleton: expected at most {limit} joints, found {found}")
            }
            Self::ParentOutOfRange { joint, parent, len } => {
                write!(f, "{joint}: expected a parent below {len}, found {parent}")
            }
            Self::ParentNotBefore { joint, parent } if joint.joint == parent.joint => {
                write!(f, "{joint}: expected a parent that comes before it, found itself")
            }
            Self::ParentNotBefore { joint, parent } => {
                write!(f, "{joint}: expected a parent that comes before it, found {parent}")
            }
            Self::NotFinite { joint, found: Transform { rotation, translation, scale } } => write!(
                f,
                "{joint}: expected finite numbers, found rotation {rotation:?}, \
                 translation {translation:?}, scale {scale:?}"
            ),
            Self::ZeroRotation { joint } => {
                write!(f, "{joint}: expected a rotation of length one, found length zero")
            }
            Self::UnknownName { what, name, similar } => {
                write!(f, "no {what} is named {name:?}")?;
                for (i, name) in similar.iter().enumerate() {
                    write!(f, "{}{name:?}", if i == 0 { "; similar: " } else { ", " })?;
                }
                Ok(())
            }
            Self::AmbiguousName { what, name, first, second } => {
                write!(f, "{what}s {first} and {second} are both named {name:?}")
            }
            Self::JointOutOfRange { joint, len } => {
                write!(f, "expected a joint below {len}, found {joint}")
            }
            Self::SkinJointOutOfRange { slot, joint, len } => {
                write!(f, "joint {slot} of the skin: expected a joint below {len}, found {joint}")
            }
            Self::InverseBindNotFinite { slot, joint } => write!(
                f,
                "inverse bind {slot} of the skin (joint {joint}): expected finite numbers, found others"
            ),
            Self::SingularRest { joint } => write!(
                f,
                "{joint}: expected a model matrix at rest that has an inverse, found none; \
                 give its inverse bind"
            ),
            Self::RangeOutOfBounds { start, end, len } => {
                write!(f, "expected a range of joints within 0..{len}, found {start}..{end}")
            }
            Self::TooManyVertices { limit, found } => {
                write!(f, "mesh: expected at most {limit} vertices, found {found}")
            }
            Self::VertexNotFinite { vertex, what } => {
                write!(f, "{what} of vertex {vertex}: expected finite numbers, found others")
            }
            Self::BadWeight { vertex, joint, weight } => write!(
                f,
                "weight of vertex {vertex} for joint {joint}: expected a finite number from zero up, found {weight:?}"
            ),
            Self::NoWeight { vertex } => {
                write!(f, "weights of vertex {vertex}: expected one above zero, found none")
            }
            Self::SumOfWeightsNotFinite { vertex } => {
                write!(f, "weights of vertex {vertex}: expected a finite sum, found one too large")
            }
            Self::SingularBind { slot, joint } => write!(
                f,
                "inverse bind {slot} of the skin (joint {joint}): expected one that has an inverse, found none"
            ),
            Self::PositionsInJointSpace { found } => {
                write!(f, "positions: expected none beside influences in joint space, found {found}")
            }
            Self::EmptyLevel { level } => {
                write!(f, "level of detail {level}: expected at least one influence, found none")
            }
            Self::VertexJointOutOfRange { vertex, joint, len } => {
                write!(f, "vertex {vertex}: expected a joint of the skin below {len}, found {joint}")
            }
            Self::TriangleOutOfRange { triangle, vertex, len } => {
                write!(f, "triangle {triangle}: expected a vertex below {len}, found {vertex}")
            }
            Self::TriangleRangeOutOfBounds { range, start, end, len } => {
                write!(f, "range {range} of triangles: expected one within 0..{len}, found {start}..{end}")
            }
            Self::MorphsInJointSpace { found } => {
                write!(f, "morph targets: expected none beside influences in joint space, found {found}")
            }
            Self::MorphOfMissing { target, what } => {
                write!(f, "{target}: expected {what} of the mesh to move, found none")
            }
            Self::MorphLength { target, what, expected, found } => {
                write!(f, "{target}: expected {expected} deltas of {what}, found {found}")
            }
            Self::MorphVertexOutOfRange { target, what, vertex, len } => {
                write!(f, "{target}: expected {what} of vertices below {len}, found vertex {vertex}")
            }
            Self::MorphVertexTwice { target, what, vertex } => {
                write!(f, "{target}: expected {what} of each vertex once, found vertex {vertex} twice")
            }
            Self::MorphNotFinite { target, vertex, what } => write!(
                f,
                "{target}: delta of the {what} of vertex {vertex}: expected finite numbers, found others"
            ),
            Self::BadMorphWeight { target, weight } => {
                write!(f, "weight of {target}: expected a finite number, found {weight:?}")
            }
            Self::BitangentsWithoutTangents => {
                write!(f, "bitangents: expected tangents beside them, found none")
            }
            Self::TangentsWithoutNormals => write!(f, "tangents: expected normals beside them, found none"),
            Self::MissingAttributes { asked } => {
                let what = match asked {
                    Attributes::Positions => "positions",
                    Attributes::Normals => "normals",
                    Attributes::Tangents => "tangents",
                    Attributes::Bitangents => "bitangents",
                };
                write!(f, "expected {what}, found none")
            }
            Self::BadShare { vertex, share } => write!(
                f,
                "share of dual quaternions of vertex {vertex}: expected a number from 0 to 1, found {share:?}"
            ),
            Self::DualsInJointSpace => {
                write!(
                    f,
                    "dual quaternions: expected one position for each vertex, found influences in joint space"
                )
            }
            Self::NoLevel { asked } => write!(
                f,
                "level of detail: expected one that the mesh was built with, found at most {asked} influences"
            ),
            Self::WindowOutOfBounds { start, end, len } => {
                write!(f, "expected a window of blocks within 0..{len}, found {start}..{end}")
            }
            Self::BlocksInSourceOrder => write!(f, "blocks: expected run order, found source order"),
            Self::StrideTooSmall { vector, expected, found } => {
                write!(f, "stride: expected at least {expected} floats for the {vector}, found {found}")
            }
            Self::VectorsOverlap { first, second } => {
                write!(
                    f,
                    "interleaved vertex: expected each vector apart, found {first} and {second} in one place"
                )
            }
            Self::Length { what, expected, found } => {
                write!(f, "{what}: expected {expected}, found {found}")
            }
            Self::PartOutOfRange { part, len } => {
                write!(f, "expected a part below {len}, found {part}")
            }
            Self::NotInModel { of, index, what, found, len } => {
                write!(f, "{of} {index} of the model: expected a {what} below {len}, found {found}")
            }
            Self::TrackJointOutOfRange { track, joint, len } => {
                write!(f, "{track}: expected a joint below {len}, found {joint}")
            }
            Self::TrackWeightsOutOfRange { track, start, end, len } => {
                write!(f, "{track}: expected one or more morph weights within 0..{len}, found {start}..{end}")
            }
            Self::TrackWithoutKeys { track } => write!(f, "{track}: expected at least one key, found none"),
            Self::TrackLength { track, expected, found } => {
                write!(f, "{track}: expected {expected} values, found {found}")
            }
            Self::BadKeyTime { track, key, found } => {
                write!(f, "{track}, key {key}: expected a finite time from zero up, found {found:?}")
            }
            Self::KeyNotAfter { track, key, before, found } => {
                write!(f, "{track}, key {key}: expected a time after {before:?}, found {found:?}")
            }
            Self::KeyNotFinite { track, key, found } => {
                write!(f, "{track}, key {key}: expected finite numbers, found {found:?}")
            }
            Self::KeyZeroRotation { track, key } => {
                write!(f, "{track}, key {key}: expected a rotation of length one, found length zero")
            }
            Self::TrackTwice { track, other } => {
                write!(
                    f,
                    "{track}: expected a channel that no other track moves, found that of track {other}"
                )
            }
            Self::BadLayerWeight { layer, weight } => {
                write!(f, "weight of layer {layer}: expected a finite number from zero up, found {weight:?}")
            }
            Self::BadAdditiveWeight { weight } => write!(
                f,
                "weight of the additive layer: expected a finite number from zero up, found {weight:?}"
            ),
            Self::BadMaskFactor { joint, factor } => {
                write!(f, "mask at joint {joint}: expected a number from 0 to 1, found {factor:?}")
            }
            Self::BadFactor { what, found } => {
                write!(f, "{what}: expected a number from 0 to 1, found {found:?}")
            }
            Self::BadCosine { what, found } => {
                write!(f, "{what}: expected a cosine from -1 to 1, found {found:?}")
            }
            Self::NotBelow { joint, above } => {
                write!(f, "{joint}: expected a joint below {above}, found one that is not")
            }
            Self::ModelOutOfRange { model, len } => {
                write!(f, "expected a model of the crowd below {len}, found {model}")
            }
            Self::ClipOutOfRange { clip, len } => {
                write!(f, "expected a clip below {len}, found {clip}")
            }
            Self::BadRate { found, seconds } => write!(
                f,
                "samples a second: expected more than zero and at most 2^24 in {seconds:?} s, found {found:?}"
            ),
            Self::BadTime { found } => {
                write!(f, "time: expected a finite number of seconds, found {found:?}")
            }
            Self::TimeNotAfter { before, found } => {
                write!(f, "time of the pose to record: expected one after {before:?} s, found {found:?} s")
            }
            Self::NoRecord => write!(f, "history: expected at least one recorded pose, found none"),
            Self::TooManyTriangles { limit, found } => {
                write!(f, "mesh: expected at most {limit} triangles, found {found}")
            }
            Self::TooShort { what, least, found } => {
                write!(f, "{what}: expected at least {least}, found {found}")
            }
            Self::TooFewPoints { expected, found } => {
                write!(f, "points: expected at least {expected}, which the triangles reach, found {found}")
            }
            Self::OtherPlanes { expected, found } => {
                let length = |normals: &PlaneNormals| match normals {
                    PlaneNormals::Unit => "one",
                    PlaneNormals::TwiceArea => "twice the area",
                };
                let (expected, found) = (length(expected), length(found));
                write!(f, "planes: expected normals of length {expected}, found {found}")
            }
        }
    }
}
