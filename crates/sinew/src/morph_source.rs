//! Morph targets as files and tools have them, and what is checked of them.

use crate::{Error, Influences, MeshSource, MorphName, flush};

/// A morph target, or key frame of vertices: what it adds to positions, normals and tangents at a weight of one.
#[derive(Clone, Copy, Debug, Default)]
pub struct MorphSource<'a> {
    /// Its name, which may be empty.
    pub name: &'a str,
    /// What it adds to positions.
    pub positions: Deltas<'a>,
    /// What it adds to normals, which the mesh must have then.
    pub normals: Deltas<'a>,
    /// What it adds to tangents, which the mesh must have then; signs of bitangents never change.
    pub tangents: Deltas<'a>,
}

/// What a morph target adds to one vector of the vertices.
#[derive(Clone, Copy, Debug, Default)]
pub enum Deltas<'a> {
    /// Nothing.
    #[default]
    None,
    /// An element for each vertex.
    Dense(&'a [[f32; 3]]),
    /// An element for some vertices; nothing for the others.
    Sparse {
        /// Which, in any order, each once.
        vertices: &'a [u32],
        /// For each of these the delta.
        deltas: &'a [[f32; 3]],
    },
}

impl<'a> MorphSource<'a> {
    /// What it adds to each vector of a vertex.
    pub(crate) fn vectors(&self) -> [Deltas<'a>; 3] {
        [self.positions, self.normals, self.tangents]
    }
}

impl<'a> Deltas<'a> {
    /// Each delta that is not zero, with its vertex. What is too small to matter is zero.
    pub(crate) fn moved(self) -> impl Iterator<Item = (usize, [f32; 3])> + 'a {
        let deltas = self.deltas().iter().copied().map(flush::vector).enumerate();
        deltas.filter(|(_, delta)| *delta != [0.0; 3]).map(move |(i, delta)| (self.vertex(i), delta))
    }

    fn deltas(self) -> &'a [[f32; 3]] {
        match self {
            Self::None => &[],
            Self::Dense(deltas) | Self::Sparse { deltas, .. } => deltas,
        }
    }

    /// Whose delta it is.
    fn vertex(self, i: usize) -> usize {
        match self {
            Self::Sparse { vertices, .. } => vertices[i] as usize,
            _ => i,
        }
    }
}

/// What a vector of a vertex is called, and many of them.
const NAMES: [(&str, &str); 3] = [("position", "positions"), ("normal", "normals"), ("tangent", "tangents")];

/// Checks all morph targets of a source whose arrays have been checked.
pub(crate) fn check(source: &MeshSource<'_>) -> Result<(), Error> {
    let in_joint_space = matches!(source.influences, Influences::JointSpace { .. });
    if in_joint_space && !source.morphs.is_empty() {
        return Err(Error::MorphsInJointSpace { found: source.morphs.len() });
    }
    let there = [true, source.normals.is_some(), source.tangents.is_some()];
    for (target, morph) in source.morphs.iter().enumerate() {
        let target = || MorphName::new(target, morph.name);
        for ((deltas, there), names) in morph.vectors().into_iter().zip(there).zip(NAMES) {
            if !there && !matches!(deltas, Deltas::None) {
                return Err(Error::MorphOfMissing { target: target(), what: names.1 });
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
) -> Result<(), Error> {
    let expected = match deltas {
        Deltas::None => 0,
        Deltas::Dense(_) => len,
        Deltas::Sparse { vertices, .. } => vertices.len(),
    };
    let found = deltas.deltas().len();
    if found != expected {
        return Err(Error::MorphLength { target: target(), what: many, expected, found });
    }
    if let Deltas::Sparse { vertices, .. } = deltas {
        let mut ascending = vertices.to_vec();
        ascending.sort_unstable();
        if let Some(&vertex) = ascending.last().filter(|&&vertex| vertex as usize >= len) {
            return Err(Error::MorphVertexOutOfRange { target: target(), what: many, vertex, len });
        }
        if let Some(&[vertex, ..]) = ascending.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::MorphVertexTwice { target: target(), what: many, vertex });
        }
    }
    let broken = |delta: &[f32; 3]| delta.iter().any(|component| !component.is_finite());
    match deltas.deltas().iter().position(broken) {
        Some(i) => Err(Error::MorphNotFinite { target: target(), vertex: deltas.vertex(i), what: one }),
        None => Ok(()),
    }
}
