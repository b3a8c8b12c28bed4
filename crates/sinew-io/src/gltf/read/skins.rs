//! Reads skins.

use crate::error::BoxedError as Error;
use crate::gltf::document::{AccessorUse, Document};
use crate::{InverseBinds, RawSkin};

/// All skins, used or not.
pub(super) fn skins(document: &Document<'_, '_>) -> Result<Vec<RawSkin>, Error> {
    let mut skins = Vec::with_capacity(document.root.skins.len());
    for (index, source) in document.root.skins.iter().enumerate() {
        let location = format!("skins[{index}]");
        let inverse_binds = match source.inverse_bind_matrices {
            Some(accessor) => {
                let location = format!("{location}.inverseBindMatrices");
                let found = document.floats::<16>(accessor.value(), AccessorUse::Matrices, &location)?;
                InverseBinds::Matrices(found.into_owned())
            }
            None => InverseBinds::Identity,
        };
        let joints = source.joints.iter().map(|node| node.value()).collect();
        let skeleton = source.skeleton.map(|node| node.value());
        skins.push(RawSkin { location, joints, inverse_binds, skeleton });
    }
    Ok(skins)
}
