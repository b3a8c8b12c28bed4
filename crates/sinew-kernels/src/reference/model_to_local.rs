//! Model to local space, rigid or not.

use std::ops::Range;

use super::algebra::{Affine, inverse, product};

/// Transforms the joints of a range from model to local space, in place; zeros if the parent has no
/// inverse.
///
/// # Panics
///
/// When the range or a parent below its child is outside the matrices.
pub fn model_to_local(parents: &[u32], range: Range<usize>, matrices: &mut [Affine]) {
    for joint in range.rev() {
        let parent = parents[joint] as usize;
        if parent < joint {
            matrices[joint] = match inverse(&matrices[parent]) {
                Some(parent_from_model) => product(&parent_from_model, &matrices[joint]),
                None => [[0.0; 4]; 3],
            };
        }
    }
}
