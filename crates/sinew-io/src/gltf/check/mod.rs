//! What must hold of a document before anybody follows its indices. Every check is a walk over flat arrays.

mod accessors;
mod asset;
mod extensions;
mod faults;
mod kinds;
mod materials;
mod references;
mod views;

use faults::Faults;
pub(crate) use kinds::known;

use super::schema::Root;
use crate::{Error, Report};

/// Checks all of a document but what its nodes, skins, meshes and clips mean. The first fault is the error; others go into the
/// report.
pub(crate) fn check(root: &Root, report: &mut Report) -> Result<(), Error> {
    asset::check(&root.asset)?;
    let mut faults = Faults::default();
    faults.add(extensions::check(root, report));
    references::check(root, &mut faults);
    materials::check(root, &mut faults);
    kinds::check(root, &mut faults);
    views::check(root, &mut faults);
    // Accessors lie in views: where one of those is at fault, theirs would be its faults once more.
    if faults.is_empty() {
        accessors::check(root, report, &mut faults);
    }
    faults.refuse(report)
}
