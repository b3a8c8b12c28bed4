//! Local to model space.

use std::ops::Range;

use super::algebra::{Affine, product};

/// Transforms the joints of a range from local to model space, in place. Joints before it are in
/// model space already.
///
/// # Panics
///
/// When the range or a parent below its child is outside the matrices.
pub fn local_to_model(parents: &[u32], range: Range<usize>, matrices: &mut [Affine]) {
    for joint in range {
        let parent = parents[joint] as usize;
        if parent < joint {
            matrices[joint] = product(&matrices[parent], &matrices[joint]);
        }
    }
}
