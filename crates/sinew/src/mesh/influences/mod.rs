//! Influences of vertices: checked, merged, and sorted strongest first.

mod build;
mod vertex_influences;

pub(crate) use vertex_influences::{Influence, StrongestInfluences, VertexInfluences};
