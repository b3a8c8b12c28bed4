//! Words and numbers that stand for one of a few kinds.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A kind, or `None` for a word or number that glTF 2.0 does not define. Such a document is not
/// refused here: the error comes from the checks, which know the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind<T>(pub(crate) Option<T>);

/// The names of a kind's values in a document.
pub(super) enum Names {
    Words(&'static [&'static str]),
    Numbers(&'static [u32]),
}

/// A kind of which each value has a name.
pub(super) trait Named: Copy + 'static {
    const NAMES: Names;
    /// The values, in the order of their names.
    const VALUES: &'static [Self];
}

impl<'de, T: Named> Deserialize<'de> for Kind<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let found = match T::NAMES {
            Names::Words(words) => from.deserialize_str(Position(words))?,
            Names::Numbers(numbers) => from.deserialize_u64(Position(numbers))?,
        };
        Ok(Self(found.map(|value| T::VALUES[value])))
    }
}

impl<T: Default> Default for Kind<T> {
    fn default() -> Self {
        Self(Some(T::default()))
    }
}

/// Finds the position of a name, so that one visitor serves all kinds.
struct Position<T: 'static>(&'static [T]);

impl Visitor<'_> for Position<&'static str> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "any of: {:?}", self.0)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|name| *name == word))
    }
}

impl Visitor<'_> for Position<u32> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "any of: {:?}", self.0)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|name| *name == number as u32))
    }
}
