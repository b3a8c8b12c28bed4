//! Frustum culling: members whose bounds are outside the view frustum are not skinned.

use sinew_kernels::Aabb;

/// Whether an AABB is completely outside one of the planes `[a, b, c, d]`, where a x + b y + c z +
/// d >= 0 is inside. An AABB or plane that contains NaN is not outside.
pub(super) fn is_outside_frustum(bounds: &Aabb, planes: &[[f32; 4]; 6]) -> bool {
    planes.iter().any(|plane| {
        let [normal @ .., distance] = *plane;
        let farthest: f32 = (0..3)
            .map(|axis| {
                if normal[axis] >= 0.0 {
                    normal[axis] * bounds.max[axis]
                } else {
                    normal[axis] * bounds.min[axis]
                }
            })
            .sum();
        farthest + distance < 0.0
    })
}
