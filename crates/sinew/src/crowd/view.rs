//! What can be seen: members whose bounds lie outside are not skinned.

use crate::Aabb;

/// Whether no part of a box is on the inner side of a plane: `[a, b, c, d]` is inside where a x + b y + c z + d is zero or more.
/// What is not a number is not outside.
pub(super) fn is_outside(bounds: &Aabb, planes: &[[f32; 4]; 6]) -> bool {
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
