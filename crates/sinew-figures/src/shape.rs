//! A surface and how it hangs on joints, in plain arrays.

use sinew::{Influences, MeshSource};

use crate::portable::{Vector, add, along, cross, dot, length, narrow, scale, sub, unit};

/// A surface in plain arrays: one element for each vertex, unless it is said otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// In metres, at rest.
    pub positions: Vec<[f32; 3]>,
    /// Of length one, outwards.
    pub normals: Vec<[f32; 3]>,
    /// (x, y, z) has length one, is at right angles to the normal and points where the first texture
    /// coordinate grows. `cross(normal, tangent) * w`, with w either 1 or -1, points where the second one
    /// grows.
    pub tangents: Vec<[f32; 4]>,
    /// From 0 to 1.
    pub texture_coordinates: Vec<[f32; 2]>,
    /// Red, green, blue and alpha, linear; empty where the surface has no colours of its own.
    pub colours: Vec<[f32; 4]>,
    /// How many influences a vertex has: 1 to 4.
    pub influence_counts: Vec<u32>,
    /// The joint of every influence: those of the first vertex, then those of the second, and so on. It counts in
    /// the scene's `skin_joints`.
    pub joints: Vec<u32>,
    /// The weight of every influence. Weights are positive, fall within a vertex, and sum to one.
    pub weights: Vec<f32>,
    /// Three vertices each, counter-clockwise from the front.
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// Adds a vertex's influences: the four greatest, sorted by falling weight, at sum one. The rest is taken
    /// off evenly, so that an influence that comes or goes between neighbours does so without a step.
    pub(crate) fn push_influences(&mut self, influences: &mut Vec<(u32, f64)>) {
        influences.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let fifth = influences.get(4).map_or(0.0, |influence| influence.1);
        // Less than this moves nothing that could be seen.
        let least = fifth + 1.0 / 512.0;
        influences.truncate(4);
        let kept = influences.iter().take_while(|influence| influence.1 > least).count();
        influences.truncate(if kept > 0 { kept } else { 1 });
        let sum: f64 = influences.iter().map(|influence| influence.1 - fifth).sum();
        self.influence_counts.push(influences.len() as u32);
        self.joints.extend(influences.iter().map(|&(joint, _)| joint));
        self.weights.extend(influences.iter().map(|&(_, weight)| ((weight - fifth) / sum) as f32));
    }

    /// Joint and weight of every influence.
    pub fn influences(&self) -> impl Iterator<Item = (u32, f32)> {
        self.joints.iter().copied().zip(self.weights.iter().copied())
    }

    /// The surface as a mesh is made from it.
    #[must_use]
    pub fn source(&self) -> MeshSource<'_> {
        let influences = Influences::Listed {
            counts: &self.influence_counts,
            joints: &self.joints,
            weights: &self.weights,
        };
        MeshSource {
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            triangles: &self.triangles,
            ..MeshSource::new(&self.positions, influences)
        }
    }

    /// Computes the tangents from all the rest.
    pub(crate) fn push_tangents(&mut self) {
        let len = self.positions.len();
        let (mut directions, mut signs) = (vec![[0.0; 3]; len], vec![0.0; len]);
        for triangle in &self.triangles {
            let corners = triangle.map(|vertex| vertex as usize);
            let (direction, sign) = self.direction(corners);
            for corner in corners {
                directions[corner] = add(directions[corner], direction);
                signs[corner] += sign;
            }
        }
        self.tangents.reserve_exact(len);
        for (vertex, (direction, sign)) in directions.into_iter().zip(signs).enumerate() {
            let normal = self.normals[vertex].map(f64::from);
            let mut tangent = along(direction, normal, -dot(normal, direction));
            if length(tangent) <= 1e-6 * length(direction) {
                tangent = any_across(normal);
            }
            let [x, y, z] = narrow(unit(tangent));
            self.tangents.push([x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }]);
        }
    }

    /// Where the first texture coordinate of a triangle grows, as long as the triangle is large; and its area, negative
    /// where the texture is mirrored.
    fn direction(&self, [a, b, c]: [usize; 3]) -> (Vector, f64) {
        let position = |vertex: usize| self.positions[vertex].map(f64::from);
        let coordinates = |vertex: usize| self.texture_coordinates[vertex].map(f64::from);
        let (e1, e2) = (sub(position(b), position(a)), sub(position(c), position(a)));
        let ([ua, va], [ub, vb], [uc, vc]) = (coordinates(a), coordinates(b), coordinates(c));
        let (u1, v1, u2, v2) = (ub - ua, vb - va, uc - ua, vc - va);
        let sign = if u1 * v2 - u2 * v1 < 0.0 { -1.0 } else { 1.0 };
        let area = length(cross(e1, e2));
        let grows = sub(scale(e1, v2 * sign), scale(e2, v1 * sign));
        (scale(unit(grows), area), sign * area)
    }
}

/// A vector at right angles to another.
fn any_across(normal: Vector) -> Vector {
    let axis = if normal[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    cross(axis, normal)
}
