//! Enum values: strings and numbers that stand for one of a few values.

use crate::error::BoxedError as Error;
use crate::json::{Field, Value};

/// An enum value; `None` for a string or number that glTF 2.0 does not define. Parsing accepts it:
/// the checks refuse it later, with its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EnumValue<T>(pub(crate) Option<T>);

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

#[expect(private_bounds, reason = "only this schema has enums")]
impl<T: Named> EnumValue<T> {
    pub(super) fn read(value: Value<'_>) -> Result<Self, Error> {
        Ok(Self(T::NAMES.position(value)?.map(|position| T::VALUES[position])))
    }

    pub(super) fn read_or(field: Field<'_>, default: T) -> Result<Self, Error> {
        field.present().map_or(Ok(Self(Some(default))), Self::read)
    }

    pub(super) fn read_some(field: Field<'_>) -> Result<Option<Self>, Error> {
        field.some().map(Self::read).transpose()
    }
}

impl Names {
    /// The position of a value among the names; `None` for one that is not among them.
    fn position(&self, value: Value<'_>) -> Result<Option<usize>, Error> {
        match self {
            Self::Words(words) => {
                value.check_string()?;
                Ok(words.iter().position(|name| value.is(name)))
            }
            Self::Numbers(numbers) => {
                let number = value.u64()?;
                Ok(numbers.iter().position(|&name| u64::from(name) == number))
            }
        }
    }
}
