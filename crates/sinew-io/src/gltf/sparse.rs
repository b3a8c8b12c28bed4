//! Sparse accessors: few elements that differ from the rest, each with its index.

use super::accessor::{Layout, unsigned, whole};
use super::schema::accessor::{ComponentType, IndexType, Sparse};
use super::schema::{Kind, Root};
use crate::Error;

/// Where the indices and values of a sparse accessor lie, checked against the lengths that their views declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Substitutes {
    pub(crate) count: usize,
    pub(crate) index: ComponentType,
    pub(crate) index_view: usize,
    pub(crate) index_offset: usize,
    pub(crate) value_view: usize,
    pub(crate) value_offset: usize,
}

impl Substitutes {
    pub(crate) fn of(root: &Root, sparse: &Sparse, base: &Layout, place: &str) -> Result<Self, Error> {
        let place = format!("{place}.sparse");
        let Kind(Some(IndexType(index))) = sparse.indices.component_type else {
            let place = format!("{place}.indices.componentType");
            return Err(Error::fault(place, "an unsigned integer type", "another number"));
        };
        let count = whole(sparse.count, &format!("{place}.count"))?;
        if count == 0 || count > base.count {
            let expected = format!("1 to {}, the accessor's count", base.count);
            return Err(Error::fault(format!("{place}.count"), expected, count.to_string()));
        }
        let substitutes = Self {
            count,
            index,
            index_view: sparse.indices.buffer_view.value(),
            index_offset: whole(sparse.indices.byte_offset, &place)?,
            value_view: sparse.values.buffer_view.value(),
            value_offset: whole(sparse.values.byte_offset, &place)?,
        };
        let Self { index_view, index_offset, value_view, value_offset, .. } = substitutes;
        fits(root, index_view, index_offset, count, index.size(), &format!("{place}.indices"))?;
        fits(root, value_view, value_offset, count, base.element(), &format!("{place}.values"))?;
        Ok(substitutes)
    }

    /// Puts the values, which are packed tightly whatever the base is, where the indices say.
    pub(crate) fn put<T>(
        &self,
        elements: &mut [T],
        indices: &[u8],
        values: &[u8],
        size: usize,
        place: &str,
        read: impl Fn(&[u8]) -> T,
    ) -> Result<(), Error> {
        let indices = indices.get(self.index_offset..).unwrap_or_default().chunks_exact(self.index.size());
        let values = values.get(self.value_offset..).unwrap_or_default().chunks_exact(size);
        let mut least = 0_u64;
        for (i, (index, value)) in indices.zip(values).take(self.count).enumerate() {
            let index = unsigned(index, self.index);
            let len = elements.len();
            let element = elements.get_mut(index as usize).filter(|_| u64::from(index) >= least);
            let Some(element) = element else {
                let expected = format!("an index from {least} to {}, since they increase", len - 1);
                return Err(Error::fault(
                    format!("{place}.sparse.indices[{i}]"),
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

fn fits(
    root: &Root,
    view: usize,
    offset: usize,
    count: usize,
    size: usize,
    place: &str,
) -> Result<(), Error> {
    let Some(found) = root.buffer_views.get(view) else {
        let expected = format!("one of {} views", root.buffer_views.len());
        return Err(Error::fault(format!("{place}.bufferView"), expected, view.to_string()));
    };
    let len = found.byte_length;
    let end = (count as u64).checked_mul(size as u64).and_then(|bytes| bytes.checked_add(offset as u64));
    match end {
        Some(end) if end <= len => Ok(()),
        _ => Err(Error::fault(
            place,
            format!("{count} elements of {size} bytes within the view's {len} bytes"),
            format!("{count} at byte {offset}"),
        )),
    }
}
