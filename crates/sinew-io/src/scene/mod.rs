//! Between every format and the model: importers parse into a [`RawScene`], which is checked,
//! repaired and built here, the same way for all formats.

mod animations;
mod budget;
mod build;
mod context;
mod decompose;
mod directions;
mod graph;
mod importer;
mod influences;
mod keys;
mod materials;
mod mesh_instances;
mod morphs;
mod nodes;
mod primitives;
mod raw_scene;
mod rotation;
mod skins;
mod source_location;
mod times;
mod triangles;
mod warning_count;

pub(crate) use budget::Budget;
pub(crate) use build::{BuiltScene, build};
pub use context::ImportContext;
pub(crate) use graph::Graph;
pub use importer::Importer;
pub use raw_scene::{
    AnimatedProperty, InfluenceSet, InverseBinds, RawAnimation, RawChannel, RawInfluences, RawMesh,
    RawMorphTarget, RawNode, RawPrimitive, RawScene, RawSkin, RawTimes, RawTransform, Topology,
};
pub use source_location::SourceLocation;
pub(crate) use warning_count::WarningCount;
