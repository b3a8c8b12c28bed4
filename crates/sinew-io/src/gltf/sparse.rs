//! Sparse accessors: a few elements that replace those of the base, each with its index.

use super::accessor::{Layout, read_unsigned, to_usize};
use super::schema::accessor::{ComponentType, IndexType, Sparse};
use super::schema::{EnumValue, Root};
use crate::error::BoxedError as Error;

/// Where the indices and values of a sparse accessor are, checked against the declared lengths of
/// their views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SparseLayout {
    pub(crate) count: usize,
    pub(crate) index: ComponentType,
    pub(crate) index_view: usize,
    pub(crate) index_offset: usize,
    pub(crate) value_view: usize,
    pub(crate) value_offset: usize,
}

impl SparseLayout {
    pub(crate) fn new(
        root: &Root<'_>,
        sparse: &Sparse,
        base: &Layout,
        location: &str,
    ) -> Result<Self, Error> {
        let location = format!("{location}.sparse");
        let EnumValue(Some(IndexType(index))) = sparse.indices.component_type else {
            let location = format!("{location}.indices.componentType");
            return Err(Error::invalid(location, "an unsigned integer type", "an unknown number"));
        };
        let count = to_usize(sparse.count, &format!("{location}.count"))?;
        if count == 0 || count > base.count {
            let expected = format!("1 to {}, the accessor's count", base.count);
            return Err(Error::invalid(format!("{location}.count"), expected, count.to_string()));
        }
        let sparse_layout = Self {
            count,
            index,
            index_view: sparse.indices.buffer_view.value(),
            index_offset: to_usize(sparse.indices.byte_offset, &location)?,
            value_view: sparse.values.buffer_view.value(),
            value_offset: to_usize(sparse.values.byte_offset, &location)?,
        };
        let Self { index_view, index_offset, value_view, value_offset, .. } = sparse_layout;
        check_range(root, index_view, index_offset, count, index.size(), &format!("{location}.indices"))?;
        check_range(
            root,
            value_view,
            value_offset,
            count,
            base.element_size(),
            &format!("{location}.values"),
        )?;
        Ok(sparse_layout)
    }

    /// Replaces elements by the sparse values, which are tightly packed even if the base is not.
    pub(crate) fn apply<T>(
        &self,
        elements: &mut [T],
        indices: &[u8],
        values: &[u8],
        size: usize,
        location: &str,
        read: impl Fn(&[u8]) -> T,
    ) -> Result<(), Error> {
        let indices = indices.get(self.index_offset..).unwrap_or_default().chunks_exact(self.index.size());
        let values = values.get(self.value_offset..).unwrap_or_default().chunks_exact(size);
        let mut least = 0_u64;
        for (i, (index, value)) in indices.zip(values).take(self.count).enumerate() {
            let index = read_unsigned(index, self.index);
            let len = elements.len();
            let element = elements.get_mut(index as usize).filter(|_| u64::from(index) >= least);
            let Some(element) = element else {
                let expected = format!("an index from {least} to {}, since they increase", len - 1);
                return Err(Error::invalid(
                    format!("{location}.sparse.indices[{i}]"),
                    expected,
                    index.to_string(),
                ));
            };
            *element = read(value);
            least = u64::from(index) + 1;
        }
        Ok(())
    }
}

fn check_range(
    root: &Root<'_>,
    view: usize,
    offset: usize,
    count: usize,
    size: usize,
    location: &str,
) -> Result<(), Error> {
    let Some(found) = root.buffer_views.get(view) else {
        let expected = format!("one of {} views", root.buffer_views.len());
        return Err(Error::invalid(format!("{location}.bufferView"), expected, view.to_string()));
    };
    let len = found.byte_length;
    let end = (count as u64).checked_mul(size as u64).and_then(|bytes| bytes.checked_add(offset as u64));
    match end {
        Some(end) if end <= len => Ok(()),
        _ => Err(Error::invalid(
            location,
            format!("{count} elements of {size} bytes within the view's {len} bytes"),
            format!("{count} at byte {offset}"),
        )),
    }
}
