//! The input and output of *Fast Skinning*: weighted positions or bind-pose vertices in, vertices
//! out.
//!
//! `unsafe` steps through arrays whose lengths match the list of influences.

use std::slice;

use sinew_kernels::Matrix;

use crate::Influences;
use crate::influences::{Influence, InfluenceCursor};

/// A skinned vertex of 48 bytes. Skinning leaves the fourth components unchanged: the tangent's may
/// hold the sign of the bitangent.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// In model space.
    pub position: [f32; 4],
    /// Not renormalized.
    pub normal: [f32; 4],
    /// Not renormalized.
    pub tangent: [f32; 4],
}

/// Four floats, aligned for SSE loads.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Float4(pub(crate) [f32; 4]);

/// One pre-weighted position per influence: the position in the joint's space, (x, y, z, 1), times
/// the weight.
#[derive(Clone, Debug)]
pub struct WeightedPositions {
    influences: Influences,
    positions: Vec<Float4>,
}

impl WeightedPositions {
    /// Takes one position in joint space per influence.
    ///
    /// # Panics
    ///
    /// When the number of positions is not the number of influences.
    #[must_use]
    pub fn new(influences: Influences, positions: &[[f32; 3]]) -> Self {
        assert!(positions.len() == influences.list().len(), "as many positions as influences");
        let pairs = influences.list().iter().zip(positions);
        let positions = pairs.map(|(influence, position)| {
            let [x, y, z] = position.map(|component| component * influence.weight);
            Float4([x, y, z, influence.weight])
        });
        Self { positions: positions.collect(), influences }
    }

    /// Takes one position in bind space per vertex, and the inverse bind matrix of each joint.
    ///
    /// # Panics
    ///
    /// When the number of positions is not the number of vertices, or inverse binds are missing.
    #[must_use]
    pub fn in_bind_pose(influences: Influences, positions: &[[f32; 3]], inverse_binds: &[Matrix]) -> Self {
        assert!(positions.len() == influences.vertices(), "as many positions as vertices");
        let mut vertex = 0;
        let in_joint_space = influences.list().iter().map(|influence| {
            let position = inverse_binds[influence.joint()].transform_point(positions[vertex]);
            vertex += usize::from(influence.is_last());
            position
        });
        let in_joint_space: Vec<[f32; 3]> = in_joint_space.collect();
        Self::new(influences, &in_joint_space)
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.influences.vertices()
    }

    /// A cursor at the first influence. `models` has the matrices of all joints.
    #[inline(always)]
    pub(crate) fn cursor<'a>(&'a self, models: &'a [Matrix]) -> WeightedCursor<'a> {
        WeightedCursor { influences: self.influences.cursor(models), positions: self.positions.iter() }
    }
}

/// Steps through weighted positions and their influences.
pub(crate) struct WeightedCursor<'a> {
    influences: InfluenceCursor<'a>,
    /// As many as influences.
    positions: slice::Iter<'a, Float4>,
}

impl<'a> WeightedCursor<'a> {
    /// # Safety
    ///
    /// The same as for [`InfluenceCursor::next`].
    #[inline(always)]
    pub(crate) unsafe fn next(&mut self) -> (Influence<'a>, &'a Float4) {
        // SAFETY: the caller stops after the last influence.
        let influence = unsafe { self.influences.next() };
        // SAFETY: there are as many positions as influences.
        let position = unsafe { self.positions.next().unwrap_unchecked() };
        (influence, position)
    }
}

/// Vertices in the bind pose: one per vertex, however many joints influence it.
#[derive(Clone, Debug)]
pub struct BindPose {
    influences: Influences,
    /// Position, normal and tangent; the fourth components are 1, 0 and 0, so only positions are
    /// translated.
    vertices: Vec<[Float4; 3]>,
}

impl BindPose {
    /// Each array has one element per vertex.
    ///
    /// # Panics
    ///
    /// When the lengths differ.
    #[must_use]
    pub fn new(
        influences: Influences,
        positions: &[[f32; 3]],
        normals: &[[f32; 3]],
        tangents: &[[f32; 3]],
    ) -> Self {
        let len = influences.vertices();
        assert!(positions.len() == len, "as many positions as vertices");
        assert!(normals.len() == len, "as many normals as vertices");
        assert!(tangents.len() == len, "as many tangents as vertices");
        let quad = |[x, y, z]: [f32; 3], w: f32| Float4([x, y, z, w]);
        let vertex = |i: usize| [quad(positions[i], 1.0), quad(normals[i], 0.0), quad(tangents[i], 0.0)];
        Self { vertices: (0..len).map(vertex).collect(), influences }
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices.len()
    }

    /// A cursor at the first vertex.
    #[inline(always)]
    pub(crate) fn cursor<'a>(&'a self, palette: &'a [Matrix]) -> BindPoseCursor<'a> {
        BindPoseCursor { influences: self.influences.cursor(palette), vertices: self.vertices.iter() }
    }
}

/// Steps through vertices by pointer: an index would cost eight more instructions per vertex.
pub(crate) struct BindPoseCursor<'a> {
    pub(crate) influences: InfluenceCursor<'a>,
    vertices: slice::Iter<'a, [Float4; 3]>,
}

impl<'a> BindPoseCursor<'a> {
    /// # Safety
    ///
    /// Called at most once per vertex.
    #[inline(always)]
    pub(crate) unsafe fn next(&mut self) -> &'a [Float4; 3] {
        // SAFETY: the caller stops after the last vertex.
        unsafe { self.vertices.next().unwrap_unchecked() }
    }
}
