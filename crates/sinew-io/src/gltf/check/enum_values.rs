//! Checks enum values. The path of an animation channel is not checked: channels with an unknown
//! path are ignored.

use super::super::schema::{EnumValue, Root};
use super::error_list::ErrorList;
use crate::error::BoxedError as Error;

pub(super) fn check(root: &Root<'_>, errors: &mut ErrorList) {
    for (i, mesh) in root.meshes.iter().enumerate() {
        for (j, primitive) in mesh.primitives.iter().enumerate() {
            let location = || format!("meshes[{i}].primitives[{j}].mode");
            errors.add(check_known(&primitive.mode, "a mode from 0 to 6", location));
        }
    }
    for (i, animation) in root.animations.iter().enumerate() {
        for (j, sampler) in animation.samplers.iter().enumerate() {
            let location = || format!("animations[{i}].samplers[{j}].interpolation");
            errors.add(check_known(&sampler.interpolation, "LINEAR, STEP or CUBICSPLINE", location));
        }
    }
}

fn check_known<T>(
    value: &EnumValue<T>,
    expected: &str,
    location: impl FnOnce() -> String,
) -> Result<(), Error> {
    match value {
        EnumValue(Some(_)) => Ok(()),
        EnumValue(None) => Err(Error::invalid(location(), expected, "an unknown value")),
    }
}
