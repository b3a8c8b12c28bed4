//! The arrays of a valid mesh of three vertices on two joints, which tests of errors spoil.

use sinew::{Influences, MeshSource};

pub(crate) const POSITIONS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
pub(crate) const NORMALS: [[f32; 3]; 3] = [[0.0, 0.0, 1.0]; 3];
pub(crate) const TANGENTS: [[f32; 4]; 3] = [[1.0, 0.0, 0.0, -1.0]; 3];
pub(crate) const COUNTS: [u32; 3] = [1, 2, 1];
pub(crate) const JOINTS: [u32; 4] = [0, 0, 1, 1];
pub(crate) const WEIGHTS: [f32; 4] = [1.0, 0.5, 0.5, 1.0];
pub(crate) const LISTED: Influences<'_> =
    Influences::Variable { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS };

/// Positions, normals, tangents and influences; no triangles.
pub(crate) const THREE_VERTICES: MeshSource<'_> =
    MeshSource { normals: Some(&NORMALS), tangents: Some(&TANGENTS), ..MeshSource::new(&POSITIONS, LISTED) };
