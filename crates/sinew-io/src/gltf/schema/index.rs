//! Indices into the arrays of the document.

use crate::error::BoxedError as Error;
use crate::json::{Field, Value};

/// An index into one of the root's arrays, which may be out of range.
#[derive(Clone, Copy)]
pub(crate) struct Index(u32);

impl Index {
    pub(crate) fn value(self) -> usize {
        self.0 as usize
    }

    /// No array has as many elements as the largest index, so larger numbers need no other.
    pub(super) fn read(value: Value<'_>) -> Result<Self, Error> {
        value.u64().map(|index| Self(u32::try_from(index).unwrap_or(u32::MAX)))
    }

    /// An index in a field that may be missing or `null`.
    pub(super) fn read_some(field: Field<'_>) -> Result<Option<Self>, Error> {
        field.some().map(Self::read).transpose()
    }

    /// An index in a field that may be missing, but may not be `null`.
    pub(super) fn read_present(field: Field<'_>) -> Result<Option<Self>, Error> {
        field.present().map(Self::read).transpose()
    }

    /// As [`Index::read_present`]; the largest index is none, as -1 in 32 bits.
    pub(super) fn read_below_max(field: Field<'_>) -> Result<Option<Self>, Error> {
        Ok(Self::read_present(field)?.filter(|index| index.0 != u32::MAX))
    }
}
