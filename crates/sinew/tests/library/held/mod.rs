//! Whether bounds hold what is skinned.

use sinew::{Aabb, Attributes, BoundsOptions, Mesh, Palette, SkinOptions, Skinned};

/// A mesh, and which joints hold its vertices.
pub(crate) struct Holds<'a> {
    mesh: &'a Mesh,
    /// Of each vertex.
    joints: Vec<Vec<u32>>,
}

impl<'a> Holds<'a> {
    pub(crate) fn new(mesh: &'a Mesh) -> Self {
        let data = mesh.influences();
        let mut joints = data.joints.iter().copied();
        let joints = data.counts.iter().map(|&count| joints.by_ref().take(count as usize).collect());
        Self { mesh, joints: joints.collect() }
    }

    /// Demands that box, sphere and the boxes of joints hold every vertex.
    pub(crate) fn all(
        &self,
        palette: &Palette,
        skin: &SkinOptions<'_>,
        bounds: &BoundsOptions<'_>,
        what: &str,
    ) {
        let mut skinned = Skinned::new(self.mesh, Attributes::Positions).expect("positions");
        self.mesh.skin(palette, skin, &mut skinned).expect("what fits");
        let whole = self.mesh.bounds(palette, bounds).expect("what fits");
        let sphere = self.mesh.sphere(palette, bounds).expect("what fits");
        let mut of_joints = vec![Aabb::EMPTY; self.mesh.skin_len()];
        self.mesh.joint_bounds(palette, bounds, &mut of_joints).expect("what fits");
        for (vertex, joints) in self.joints.iter().enumerate() {
            let position = skinned.position(self.mesh, vertex);
            assert!(within(&whole, position), "{what}: vertex {vertex}, {position:?} outside of {whole:?}");
            let offset: [f64; 3] =
                std::array::from_fn(|c| f64::from(position[c]) - f64::from(sphere.centre[c]));
            let distance = offset.iter().map(|c| c * c).sum::<f64>().sqrt();
            assert!(
                distance <= f64::from(sphere.radius),
                "{what}: vertex {vertex}, {position:?}, {sphere:?}"
            );
            let own = joints.iter().fold(Aabb::EMPTY, |all, &joint| all.union(&of_joints[joint as usize]));
            assert!(within(&own, position), "{what}: vertex {vertex}, {position:?} outside of {own:?}");
        }
    }
}

pub(crate) fn within(bounds: &Aabb, point: [f32; 3]) -> bool {
    (0..3).all(|axis| (bounds.min[axis]..=bounds.max[axis]).contains(&point[axis]))
}
