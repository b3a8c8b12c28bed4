//! What *Fast Skinning* transforms, and into what.
//!
//! `unsafe` walks arrays that are as long as the list of influences says.

use std::slice;

use super::Influences;
use super::influences::{Influence, Walk};
use crate::Matrix;

/// A vertex of 48 bytes. The fourth components belong to the caller and stay as they are: the tangent's may
/// hold the sign of the bitangent.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Where it is.
    pub position: [f32; 4],
    /// Not brought back to length one.
    pub normal: [f32; 4],
    /// Not brought back to length one.
    pub tangent: [f32; 4],
}

/// Four floats, aligned as a register wants them.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quad(pub(super) [f32; 4]);

/// Positions in the space of each joint that moves them, times the weight, as (x, y, z, 1) weight: one for each
/// influence.
#[derive(Clone, Debug)]
pub struct WeightedPositions {
    influences: Influences,
    positions: Vec<Quad>,
}

impl WeightedPositions {
    /// From one position in joint space for each influence.
    ///
    /// # Panics
    ///
    /// When there are not as many positions as influences.
    #[must_use]
    pub fn new(influences: Influences, positions: &[[f32; 3]]) -> Self {
        assert!(positions.len() == influences.list().len(), "as many positions as influences");
        let pairs = influences.list().iter().zip(positions);
        let positions = pairs.map(|(influence, position)| {
            let [x, y, z] = position.map(|component| component * influence.weight);
            Quad([x, y, z, influence.weight])
        });
        Self { positions: positions.collect(), influences }
    }

    /// From one position in bind space for each vertex, with the inverse bind matrix of each joint.
    ///
    /// # Panics
    ///
    /// When there are not as many positions as vertices, or not enough inverse binds.
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

    /// How many vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.influences.vertices()
    }

    /// From the first influence on, with the matrices of all joints.
    #[inline(always)]
    pub(super) fn walk<'a>(&'a self, models: &'a [Matrix]) -> WeightedWalk<'a> {
        WeightedWalk { influences: self.influences.walk(models), positions: self.positions.iter() }
    }
}

/// One weighted position after the other.
pub(super) struct WeightedWalk<'a> {
    influences: Walk<'a>,
    /// As many as influences.
    positions: slice::Iter<'a, Quad>,
}

impl<'a> WeightedWalk<'a> {
    /// # Safety
    ///
    /// As [`Walk::next`].
    #[inline(always)]
    pub(super) unsafe fn next(&mut self) -> (Influence<'a>, &'a Quad) {
        // SAFETY: the caller stops with the influences.
        let influence = unsafe { self.influences.next() };
        // SAFETY: there are as many positions.
        let position = unsafe { self.positions.next().unwrap_unchecked() };
        (influence, position)
    }
}

/// Vertices in bind pose, one each however many joints move it.
#[derive(Clone, Debug)]
pub struct BindPose {
    influences: Influences,
    /// Position, normal and tangent with 1, 0 and 0 as the fourth: only positions take the translation.
    vertices: Vec<[Quad; 3]>,
}

impl BindPose {
    /// From an element of each array for each vertex.
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
        let quad = |[x, y, z]: [f32; 3], w: f32| Quad([x, y, z, w]);
        let vertex = |i: usize| [quad(positions[i], 1.0), quad(normals[i], 0.0), quad(tangents[i], 0.0)];
        Self { vertices: (0..len).map(vertex).collect(), influences }
    }

    /// How many vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices.len()
    }

    /// From the first vertex on, with matrices of the palette.
    #[inline(always)]
    pub(super) fn walk<'a>(&'a self, palette: &'a [Matrix]) -> BindWalk<'a> {
        BindWalk { influences: self.influences.walk(palette), vertices: self.vertices.iter() }
    }
}

/// One vertex after the other, by pointers: an index costs eight instructions more for each vertex.
pub(super) struct BindWalk<'a> {
    pub(super) influences: Walk<'a>,
    vertices: slice::Iter<'a, [Quad; 3]>,
}

impl<'a> BindWalk<'a> {
    /// # Safety
    ///
    /// Once for each vertex.
    #[inline(always)]
    pub(super) unsafe fn next(&mut self) -> &'a [Quad; 3] {
        // SAFETY: the caller stops with the vertices.
        unsafe { self.vertices.next().unwrap_unchecked() }
    }
}
