//! Indices into the arrays of the document.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// An index into one of the root's arrays, which may be out of range.
#[derive(Clone, Copy)]
pub(crate) struct Index(u32);

impl Index {
    pub(crate) fn value(self) -> usize {
        self.0 as usize
    }

    /// An index in a field that may be missing, but may not be `null`.
    pub(super) fn deserialize_some<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Self>, D::Error> {
        Self::deserialize(from).map(Some)
    }

    /// As [`Index::deserialize_some`]; the largest index is none, as -1 in 32 bits.
    pub(super) fn deserialize_below_max<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Self>, D::Error> {
        Self::deserialize(from).map(|index| Some(index).filter(|index| index.0 != u32::MAX))
    }
}

impl<'de> Deserialize<'de> for Index {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_u64(IndexVisitor)
    }
}

struct IndexVisitor;

impl Visitor<'_> for IndexVisitor {
    type Value = Index;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("index into child of root")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Index, E> {
        Ok(Index(value as u32))
    }
}
