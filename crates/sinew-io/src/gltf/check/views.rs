//! That views lie within what their buffers declare. Whether the buffers hold so much shows when they are opened.

use super::super::compressed::Compressed;
use super::super::schema::Root;
use super::super::schema::buffer::View;
use super::faults::Faults;
use super::references::within;
use crate::Error;

const STRIDES: std::ops::RangeInclusive<usize> = 4..=252;

pub(super) fn check(root: &Root, faults: &mut Faults) {
    for (i, view) in root.buffer_views.iter().enumerate() {
        faults.add(one(root, i, view));
    }
}

fn one(root: &Root, index: usize, view: &View) -> Result<(), Error> {
    within(view.buffer, root.buffers.len(), "buffers", || format!("bufferViews[{index}].buffer"))?;
    range(index, view, root.buffers[view.buffer.value()].byte_length)?;
    stride(index, view)?;
    Compressed::of(root, index).map(|_| ())
}

fn range(index: usize, view: &View, len: u64) -> Result<(), Error> {
    let (offset, bytes) = (view.byte_offset.unwrap_or_default(), view.byte_length);
    if bytes == 0 {
        return Err(Error::fault(format!("bufferViews[{index}].byteLength"), "at least 1", "0"));
    }
    match offset.checked_add(bytes) {
        Some(end) if end <= len => Ok(()),
        _ => Err(Error::fault(
            format!("bufferViews[{index}]"),
            format!("a view within the {len} bytes of buffers[{}]", view.buffer.value()),
            format!("{bytes} bytes at byte {offset}"),
        )),
    }
}

fn stride(index: usize, view: &View) -> Result<(), Error> {
    match view.byte_stride {
        Some(stride) if !STRIDES.contains(&stride) || !stride.is_multiple_of(4) => Err(Error::fault(
            format!("bufferViews[{index}].byteStride"),
            "4 to 252, a multiple of 4",
            stride.to_string(),
        )),
        _ => Ok(()),
    }
}
