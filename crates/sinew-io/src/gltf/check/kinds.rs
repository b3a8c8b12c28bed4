//! Words and numbers that stand for one of a few kinds. The path of an animation is left to those who skip it.

use super::super::schema::{Kind, Root};
use super::faults::Faults;
use crate::Error;

pub(super) fn check(root: &Root, faults: &mut Faults) {
    for (i, mesh) in root.meshes.iter().enumerate() {
        for (j, primitive) in mesh.primitives.iter().enumerate() {
            let place = || format!("meshes[{i}].primitives[{j}].mode");
            faults.add(valid(&primitive.mode, "a mode from 0 to 6", place));
        }
    }
    for (i, animation) in root.animations.iter().enumerate() {
        for (j, sampler) in animation.samplers.iter().enumerate() {
            let place = || format!("animations[{i}].samplers[{j}].interpolation");
            faults.add(valid(&sampler.interpolation, "LINEAR, STEP or CUBICSPLINE", place));
        }
    }
}

/// What a kind stands for in a document that was opened.
pub(crate) fn known<T>(kind: Kind<T>) -> T {
    kind.0.expect("no document opens with a kind that is not known")
}

fn valid<T>(kind: &Kind<T>, expected: &str, place: impl FnOnce() -> String) -> Result<(), Error> {
    match kind {
        Kind(Some(_)) => Ok(()),
        Kind(None) => Err(Error::fault(place(), expected, "something else")),
    }
}
