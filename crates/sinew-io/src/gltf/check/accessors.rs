//! That accessors lie within their views, and at multiples of the size of their components.

use super::super::accessor::Layout;
use super::super::schema::{Accessor, Root};
use super::faults::Faults;
use crate::{Error, Report};

pub(super) fn check(root: &Root, report: &mut Report, faults: &mut Faults) {
    for (i, accessor) in root.accessors.iter().enumerate() {
        faults.add(one(root, accessor, format!("accessors[{i}]"), report));
    }
}

fn one(root: &Root, accessor: &Accessor, place: String, report: &mut Report) -> Result<(), Error> {
    let layout = Layout::of(root, accessor, &place)?;
    if aligned(root, &layout) {
        return Ok(());
    }
    let size = layout.component.size();
    report.note(place, format!("numbers of {size} bytes that begin between"), "they were read all the same")
}

fn aligned(root: &Root, layout: &Layout) -> bool {
    let Some(view) = layout.view else { return true };
    let size = layout.component.size() as u64;
    let start = root.buffer_views[view].byte_offset.unwrap_or_default();
    // Any overflow keeps what is asked for: sizes are powers of two.
    start.wrapping_add(layout.offset as u64).is_multiple_of(size)
        && (layout.stride as u64).is_multiple_of(size)
}
