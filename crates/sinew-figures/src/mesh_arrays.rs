//! A skinned mesh in plain arrays.

use sinew::{Influences, MeshSource};

use crate::math::{Vec3, add, add_scaled, cross, dot, length, normalize, scale, sub, to_f32};

/// A skinned mesh in plain arrays, with one element per vertex unless stated otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshArrays {
    /// Positions at rest, in meters.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals that point outward.
    pub normals: Vec<[f32; 3]>,
    /// Tangents as in glTF. (x, y, z) is a unit vector, perpendicular to the normal, in the
    /// direction in which u grows. `cross(normal, tangent) * w`, with w either 1 or -1, is the
    /// direction in which v grows.
    pub tangents: Vec<[f32; 4]>,
    /// Texture coordinates from 0 to 1.
    pub texture_coordinates: Vec<[f32; 2]>,
    /// Linear RGBA vertex colors; empty where the mesh has none.
    pub colors: Vec<[f32; 4]>,
    /// The number of influences of each vertex: 1 to 4.
    pub influence_counts: Vec<u32>,
    /// The joint of every influence, vertex after vertex; an index into the scene's `skin_joints`.
    pub joints: Vec<u32>,
    /// The weight of every influence. The weights of a vertex are positive, in descending order,
    /// and sum to one.
    pub weights: Vec<f32>,
    /// Three vertex indices per triangle, counter-clockwise from the front.
    pub triangles: Vec<[u32; 3]>,
}

impl MeshArrays {
    /// Adds the influences of a vertex: the four greatest, in descending order of weight,
    /// normalized. The fifth weight is subtracted from each, so that weights stay continuous from
    /// vertex to vertex where the set of the four greatest changes.
    pub(crate) fn push_influences(&mut self, influences: &mut Vec<(u32, f64)>) {
        influences.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let fifth = influences.get(4).map_or(0.0, |influence| influence.1);
        // A smaller weight has no visible effect.
        let threshold = fifth + 1.0 / 512.0;
        influences.truncate(4);
        let kept = influences.iter().take_while(|influence| influence.1 > threshold).count();
        influences.truncate(if kept > 0 { kept } else { 1 });
        let sum: f64 = influences.iter().map(|influence| influence.1 - fifth).sum();
        self.influence_counts.push(influences.len() as u32);
        self.joints.extend(influences.iter().map(|&(joint, _)| joint));
        self.weights.extend(influences.iter().map(|&(_, weight)| ((weight - fifth) / sum) as f32));
    }

    /// The joint and weight of every influence, vertex after vertex.
    pub fn influences(&self) -> impl Iterator<Item = (u32, f32)> {
        self.joints.iter().copied().zip(self.weights.iter().copied())
    }

    /// The input of [`Mesh::new`](sinew::Mesh::new).
    #[must_use]
    pub fn source(&self) -> MeshSource<'_> {
        let influences = Influences::Variable {
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

    /// Computes the tangents from all other arrays.
    pub(crate) fn push_tangents(&mut self) {
        let len = self.positions.len();
        let (mut directions, mut signs) = (vec![[0.0; 3]; len], vec![0.0; len]);
        for triangle in &self.triangles {
            let corners = triangle.map(|vertex| vertex as usize);
            let (direction, sign) = self.u_direction(corners);
            for corner in corners {
                directions[corner] = add(directions[corner], direction);
                signs[corner] += sign;
            }
        }
        self.tangents.reserve_exact(len);
        for (vertex, (direction, sign)) in directions.into_iter().zip(signs).enumerate() {
            let normal = self.normals[vertex].map(f64::from);
            let mut tangent = add_scaled(direction, normal, -dot(normal, direction));
            if length(tangent) <= 1e-6 * length(direction) {
                tangent = any_perpendicular(normal);
            }
            let [x, y, z] = to_f32(normalize(tangent));
            self.tangents.push([x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }]);
        }
    }

    /// The direction in which u grows on a triangle, with twice the triangle's area as its length,
    /// and that area with a negative sign where the texture is mirrored.
    fn u_direction(&self, [a, b, c]: [usize; 3]) -> (Vec3, f64) {
        let position = |vertex: usize| self.positions[vertex].map(f64::from);
        let uv = |vertex: usize| self.texture_coordinates[vertex].map(f64::from);
        let (e1, e2) = (sub(position(b), position(a)), sub(position(c), position(a)));
        let ([ua, va], [ub, vb], [uc, vc]) = (uv(a), uv(b), uv(c));
        let (u1, v1, u2, v2) = (ub - ua, vb - va, uc - ua, vc - va);
        let sign = if u1 * v2 - u2 * v1 < 0.0 { -1.0 } else { 1.0 };
        let area = length(cross(e1, e2));
        let direction = sub(scale(e1, v2 * sign), scale(e2, v1 * sign));
        (scale(normalize(direction), area), sign * area)
    }
}

/// Any vector perpendicular to another.
fn any_perpendicular(normal: Vec3) -> Vec3 {
    let axis = if normal[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    cross(axis, normal)
}
