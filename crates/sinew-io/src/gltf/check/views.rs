//! Checks that views are within the declared length of their buffers. The actual length is checked
//! when a buffer is loaded.

use super::super::compressed::Compressed;
use super::super::schema::Root;
use super::super::schema::buffer::View;
use super::error_list::ErrorList;
use super::references::check_index;
use crate::error::BoxedError as Error;

const STRIDES: std::ops::RangeInclusive<u64> = 4..=252;

pub(super) fn check(root: &Root<'_>, errors: &mut ErrorList) {
    for (i, view) in root.buffer_views.iter().enumerate() {
        errors.add(check_view(root, i, view));
    }
}

fn check_view(root: &Root<'_>, index: usize, view: &View<'_>) -> Result<(), Error> {
    check_index(view.buffer, root.buffers.len(), "buffers", || format!("bufferViews[{index}].buffer"))?;
    check_range(index, view, root.buffers[view.buffer.value()].byte_length)?;
    check_stride(index, view)?;
    Compressed::for_view(root, index).map(|_| ())
}

fn check_range(index: usize, view: &View<'_>, len: u64) -> Result<(), Error> {
    let (offset, bytes) = (view.byte_offset, view.byte_length);
    if bytes == 0 {
        return Err(Error::invalid(format!("bufferViews[{index}].byteLength"), "at least 1", "0"));
    }
    match offset.checked_add(bytes) {
        Some(end) if end <= len => Ok(()),
        _ => Err(Error::invalid(
            format!("bufferViews[{index}]"),
            format!("a view within the {len} bytes of buffers[{}]", view.buffer.value()),
            format!("{bytes} bytes at byte {offset}"),
        )),
    }
}

fn check_stride(index: usize, view: &View<'_>) -> Result<(), Error> {
    match view.byte_stride {
        Some(stride) if !STRIDES.contains(&stride) || !stride.is_multiple_of(4) => Err(Error::invalid(
            format!("bufferViews[{index}].byteStride"),
            "4 to 252, a multiple of 4",
            stride.to_string(),
        )),
        _ => Ok(()),
    }
}
