//! Checks a document before any of its indices is followed. Every check iterates over flat arrays.

mod accessors;
mod asset;
mod enum_values;
mod error_list;
mod extensions;
mod materials;
mod references;
mod views;

use error_list::ErrorList;

use super::schema::Root;
use crate::Report;
use crate::error::BoxedError as Error;

/// Checks a document, except for the meaning of nodes, skins, meshes and animations. Returns the
/// first error; the others go to the report.
pub(crate) fn check(root: &Root<'_>, report: &mut Report) -> Result<(), Error> {
    asset::check(&root.asset)?;
    let mut errors = ErrorList::default();
    errors.add(extensions::check(root, report));
    references::check(root, &mut errors);
    materials::check(root, &mut errors);
    enum_values::check(root, &mut errors);
    views::check(root, &mut errors);
    // An accessor in an invalid view would repeat the error of the view.
    if errors.is_empty() {
        accessors::check(root, report, &mut errors);
    }
    errors.into_result(report)
}
