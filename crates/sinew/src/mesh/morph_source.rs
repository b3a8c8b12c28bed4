//! Morph targets as files and tools store them, and their checks.

use crate::math::flush;
use crate::mesh::{Influences, MeshError, MeshSource};
use crate::skeleton::MorphName;

/// A morph target: the deltas of positions, normals and tangents at a weight of one.
#[derive(Clone, Copy, Debug, Default)]
pub struct MorphSource<'a> {
    /// The name, which may be empty.
    pub name: &'a str,
    /// Position deltas.
    pub positions: Deltas<'a>,
    /// Normal deltas. The mesh must have normals.
    pub normals: Deltas<'a>,
    /// Tangent deltas. The mesh must have tangents. The signs of bitangents never change.
    pub tangents: Deltas<'a>,
}

/// The deltas of one attribute.
#[derive(Clone, Copy, Debug, Default)]
pub enum Deltas<'a> {
    /// No deltas.
    #[default]
    None,
    /// One delta per vertex.
    Dense(&'a [[f32; 3]]),
    /// Deltas of some vertices. Those of the others are zero.
    Sparse {
        /// The vertices, in any order, each at most once.
        vertices: &'a [u32],
        /// One delta per listed vertex.
        deltas: &'a [[f32; 3]],
    },
}

impl<'a> MorphSource<'a> {
    /// The deltas of each attribute.
    pub(crate) fn vectors(&self) -> [Deltas<'a>; 3] {
        [self.positions, self.normals, self.tangents]
    }
}

impl<'a> Deltas<'a> {
    /// All deltas that are not zero, with their vertices. Deltas too small to matter count as zero.
    pub(crate) fn nonzero(self) -> impl Iterator<Item = (usize, [f32; 3])> + 'a {
        let deltas = self.deltas().iter().copied().map(flush::vector).enumerate();
        deltas.filter(|(_, delta)| *delta != [0.0; 3]).map(move |(i, delta)| (self.vertex(i), delta))
    }

    fn deltas(self) -> &'a [[f32; 3]] {
        match self {
            Self::None => &[],
            Self::Dense(deltas) | Self::Sparse { deltas, .. } => deltas,
        }
    }

    /// The vertex of a delta.
    fn vertex(self, i: usize) -> usize {
        match self {
            Self::Sparse { vertices, .. } => vertices[i] as usize,
            _ => i,
        }
    }
}

/// The names of attributes in error messages, singular and plural.
const NAMES: [(&str, &str); 3] = [("position", "positions"), ("normal", "normals"), ("tangent", "tangents")];

/// Checks all morph targets of a source whose other arrays were already checked.
pub(crate) fn check_morphs(source: &MeshSource<'_>) -> Result<(), MeshError> {
    let in_joint_space = matches!(source.influences, Influences::JointSpace { .. });
    if in_joint_space && !source.morphs.is_empty() {
        return Err(MeshError::MorphsInJointSpace { found: source.morphs.len() });
    }
    let there = [true, source.normals.is_some(), source.tangents.is_some()];
    for (target, morph) in source.morphs.iter().enumerate() {
        let target = || MorphName::new(target, morph.name);
        for ((deltas, there), names) in morph.vectors().into_iter().zip(there).zip(NAMES) {
            if !there && !matches!(deltas, Deltas::None) {
                return Err(MeshError::MorphOfMissing { target: target(), what: names.1 });
            }
            check_deltas(deltas, source.vertices(), names, target)?;
        }
    }
    Ok(())
}

fn check_deltas(
    deltas: Deltas<'_>,
    len: usize,
    (one, many): (&'static str, &'static str),
    target: impl Fn() -> MorphName,
) -> Result<(), MeshError> {
    let expected = match deltas {
        Deltas::None => 0,
        Deltas::Dense(_) => len,
        Deltas::Sparse { vertices, .. } => vertices.len(),
    };
    let found = deltas.deltas().len();
    if found != expected {
        return Err(MeshError::MorphLength { target: target(), what: many, expected, found });
    }
    if let Deltas::Sparse { vertices, .. } = deltas {
        let mut ascending = vertices.to_vec();
        ascending.sort_unstable();
        if let Some(&vertex) = ascending.last().filter(|&&vertex| vertex as usize >= len) {
            return Err(MeshError::MorphVertexOutOfRange { target: target(), what: many, vertex, len });
        }
        if let Some(&[vertex, ..]) = ascending.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(MeshError::MorphVertexTwice { target: target(), what: many, vertex });
        }
    }
    let not_finite = |delta: &[f32; 3]| delta.iter().any(|component| !component.is_finite());
    match deltas.deltas().iter().position(not_finite) {
        Some(i) => Err(MeshError::MorphNotFinite { target: target(), vertex: deltas.vertex(i), what: one }),
        None => Ok(()),
    }
}
