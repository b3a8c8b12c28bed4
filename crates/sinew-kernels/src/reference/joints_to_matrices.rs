//! Converts a joint to its matrix: each column is a transformed axis.

use super::algebra::{Affine, rotate};
use crate::{Joint, Scale};

/// Translation x rotation x scale. The quaternion can have any length.
#[must_use]
pub fn joint_to_matrix(joint: &Joint, scale: Scale) -> Affine {
    let q = joint.rotation.map(f64::from);
    let [sx, sy, sz] = scale.factors.map(f64::from);
    let x = rotate(q, [sx, 0.0, 0.0]);
    let y = rotate(q, [0.0, sy, 0.0]);
    let z = rotate(q, [0.0, 0.0, sz]);
    let t = joint.translation.map(f64::from);
    std::array::from_fn(|r| [x[r], y[r], z[r], t[r]])
}
