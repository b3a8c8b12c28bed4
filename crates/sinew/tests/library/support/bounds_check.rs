//! Checks that bounds contain every skinned vertex.

use sinew::bounds::{BoundsOptions, JointBounds};
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{Aabb, Mesh, Palette, SkinOptions};

/// A mesh with the joints that influence each of its vertices.
pub(crate) struct BoundsCheck<'a> {
    mesh: &'a Mesh,
    bounds: JointBounds,
    joints_of_vertex: Vec<Vec<u32>>,
}

impl<'a> BoundsCheck<'a> {
    pub(crate) fn new(mesh: &'a Mesh) -> Self {
        let data = mesh.influences();
        let mut joints = data.joints.iter().copied();
        let joints = data.counts.iter().map(|&count| joints.by_ref().take(count as usize).collect());
        Self { mesh, bounds: JointBounds::build(mesh), joints_of_vertex: joints.collect() }
    }

    /// Asserts that the box, the sphere and the boxes of its joints contain every vertex.
    pub(crate) fn assert_contains_vertices(
        &self,
        palette: &Palette,
        skin: &SkinOptions<'_>,
        bounds: &BoundsOptions<'_>,
        context: &str,
    ) {
        let mut skinned = Skinned::new(self.mesh, Attributes::Positions).expect("positions");
        self.mesh.skin(palette, skin, &mut skinned).expect("matching sizes");
        let whole = self.bounds.aabb(palette, bounds).expect("matching sizes");
        let sphere = self.bounds.sphere(palette, bounds).expect("matching sizes");
        let mut joint_bounds = vec![Aabb::EMPTY; self.mesh.skin_len()];
        self.bounds.joint_aabbs(palette, bounds, &mut joint_bounds).expect("matching sizes");
        for (vertex, joints) in self.joints_of_vertex.iter().enumerate() {
            let position = skinned.position(self.mesh, vertex);
            assert!(
                contains(&whole, position),
                "{context}: vertex {vertex}, {position:?} outside of {whole:?}"
            );
            let offset: [f64; 3] =
                std::array::from_fn(|c| f64::from(position[c]) - f64::from(sphere.center[c]));
            let distance = offset.iter().map(|c| c * c).sum::<f64>().sqrt();
            assert!(
                distance <= f64::from(sphere.radius),
                "{context}: vertex {vertex}, {position:?}, {sphere:?}"
            );
            let own = joints.iter().fold(Aabb::EMPTY, |all, &joint| all.union(&joint_bounds[joint as usize]));
            assert!(contains(&own, position), "{context}: vertex {vertex}, {position:?} outside of {own:?}");
        }
    }
}

/// Whether a box contains a point; its faces belong to it.
pub(crate) fn contains(bounds: &Aabb, point: [f32; 3]) -> bool {
    (0..3).all(|axis| (bounds.min[axis]..=bounds.max[axis]).contains(&point[axis]))
}
