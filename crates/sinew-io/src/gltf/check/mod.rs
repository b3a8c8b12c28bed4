//! What must hold of a document before anybody follows its indices. Every check is a walk over flat arrays.

mod accessors;
mod asset;
mod extensions;
mod kinds;
mod materials;
mod references;
mod views;

use gltf_json::Root;
pub(crate) use kinds::known;

use crate::{Error, Report};

/// Checks all of a document but what its nodes, skins, meshes and clips mean.
pub(crate) fn check(root: &Root, report: &mut Report) -> Result<(), Error> {
    asset::check(&root.asset)?;
    extensions::check(root, report)?;
    references::check(root)?;
    materials::check(root)?;
    kinds::check(root)?;
    views::check(root)?;
    accessors::check(root, report)
}
