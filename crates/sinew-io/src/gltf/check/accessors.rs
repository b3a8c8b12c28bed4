//! Checks that accessors are within their buffer views and aligned to their component size.

use super::super::accessor::Layout;
use super::super::schema::Root;
use super::error_list::ErrorList;
use crate::Report;
use crate::error::BoxedError as Error;

pub(super) fn check(root: &Root<'_>, report: &mut Report, errors: &mut ErrorList) {
    for accessor in 0..root.accessors.len() {
        errors.add(check_accessor(root, accessor, report));
    }
}

fn check_accessor(root: &Root<'_>, accessor: usize, report: &mut Report) -> Result<(), Error> {
    let layout = Layout::new(root, accessor)?;
    if is_aligned(root, &layout) {
        return Ok(());
    }
    let size = layout.component.size();
    let location = format!("accessors[{accessor}]");
    report.warn(location, format!("components of {size} bytes that are not aligned"), "they were read anyway")
}

fn is_aligned(root: &Root<'_>, layout: &Layout) -> bool {
    let Some(view) = layout.view else { return true };
    let size = layout.component.size() as u64;
    let start = root.buffer_views[view].byte_offset;
    // The sum may wrap: sizes are powers of two.
    start.wrapping_add(layout.offset as u64).is_multiple_of(size)
        && (layout.stride as u64).is_multiple_of(size)
}
