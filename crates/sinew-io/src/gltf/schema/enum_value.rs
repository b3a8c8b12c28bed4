//! Enum values: strings and numbers that stand for one of a few values.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// An enum value; `None` for a string or number that glTF 2.0 does not define. Parsing accepts it:
/// the checks refuse it later, with its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EnumValue<T>(pub(crate) Option<T>);

impl<T> EnumValue<T> {
    /// The value in a checked document.
    ///
    /// # Panics
    ///
    /// If the document was not checked and the value is unknown.
    pub(crate) fn known(self) -> T {
        self.0.expect("the checks refuse a document with an unknown enum value")
    }
}

/// How a document writes the values of an enum.
pub(super) enum Names {
    Words(&'static [&'static str]),
    Numbers(&'static [u32]),
}

/// An enum of a document.
pub(super) trait Named: Copy + 'static {
    const NAMES: Names;
    /// The values, in the order of their names.
    const VALUES: &'static [Self];
}

impl<'de, T: Named> Deserialize<'de> for EnumValue<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let found = match T::NAMES {
            Names::Words(words) => from.deserialize_str(Position(words))?,
            Names::Numbers(numbers) => from.deserialize_u64(Position(numbers))?,
        };
        Ok(Self(found.map(|value| T::VALUES[value])))
    }
}

impl<T: Default> Default for EnumValue<T> {
    fn default() -> Self {
        Self(Some(T::default()))
    }
}

/// Finds the position of a name, so that one visitor serves all enums.
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
