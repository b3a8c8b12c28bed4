//! Influences of vertices: checked, merged, and sorted strongest first.

mod build;
mod normalize_few;
mod small_sort;
mod vertex_influences;

pub(crate) use small_sort::{Ascending, sort_few};
pub(crate) use vertex_influences::{Influence, StrongestInfluences, VertexInfluences};
