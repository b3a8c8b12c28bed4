//! The fields of an object that a schema knows.

use std::borrow::Cow;

use super::value::Value;
use crate::error::BoxedError as Error;

/// A field that a schema knows, which may be missing.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    object: Value<'a>,
    name: &'static str,
    /// The token of the value, or [`MISSING`].
    token: u32,
}

/// The token of a field that the object does not have.
const MISSING: u32 = u32::MAX;

impl<'a> Value<'a> {
    /// The fields of an object with these names, in this order. Other fields are ignored; two with
    /// the same name are an error.
    ///
    /// Inlined, so that fields are put together where they are used, and not in an array.
    #[inline(always)]
    pub(crate) fn fields<const N: usize>(self, names: &[&'static str; N]) -> Result<[Field<'a>; N], Error> {
        let mut tokens = [MISSING; N];
        self.find_fields(names, &mut tokens)?;
        let mut fields = [Field { object: self, name: "", token: MISSING }; N];
        for i in 0..N {
            (fields[i].name, fields[i].token) = (names[i], tokens[i]);
        }
        Ok(fields)
    }

    fn find_fields(self, names: &[&str], tokens: &mut [u32]) -> Result<(), Error> {
        // Most files have fields in alphabetical order, as schemas do, so the search goes on after
        // the last one found.
        let mut next = 0;
        let mut entries = self.entries()?;
        while let Some((name, value)) = entries.next_entry() {
            let Some(found) = name.position(names, next) else { continue };
            if std::mem::replace(&mut tokens[found], value.token_number()) != MISSING {
                return Err(name.error("each field once"));
            }
            next = found + 1;
        }
        Ok(())
    }

    /// The field that this string is the name of, looked for from one of them.
    #[inline(always)]
    fn position(self, names: &[&str], from: usize) -> Option<usize> {
        let mut found = from;
        for _ in 0..names.len() {
            if found >= names.len() {
                found = 0;
            }
            if self.is(names[found]) {
                return Some(found);
            }
            found += 1;
        }
        None
    }
}

impl<'a> Field<'a> {
    /// The value, if the field is there.
    #[inline(always)]
    pub(crate) fn present(self) -> Option<Value<'a>> {
        (self.token != MISSING).then(|| self.object.at_token(self.token))
    }

    /// The value, if the field is there and not `null`.
    pub(crate) fn some(self) -> Option<Value<'a>> {
        self.present().filter(|value| !value.is_null())
    }

    pub(crate) fn required(self) -> Result<Value<'a>, Error> {
        self.present().ok_or_else(|| {
            Error::invalid(self.object.location(), format!("the field {:?}", self.name), "missing field")
        })
    }

    pub(crate) fn bool_or(self, default: bool) -> Result<bool, Error> {
        self.present().map_or(Ok(default), Value::bool)
    }

    pub(crate) fn u64_or(self, default: u64) -> Result<u64, Error> {
        self.present().map_or(Ok(default), Value::u64)
    }

    pub(crate) fn f32_or(self, default: f32) -> Result<f32, Error> {
        self.present().map_or(Ok(default), Value::f32)
    }

    pub(crate) fn u64(self) -> Result<Option<u64>, Error> {
        self.some().map(Value::u64).transpose()
    }

    pub(crate) fn f32(self) -> Result<Option<f32>, Error> {
        self.some().map(Value::f32).transpose()
    }

    pub(crate) fn str(self) -> Result<Option<Cow<'a, str>>, Error> {
        self.some().map(Value::str).transpose()
    }

    /// The string, copied; empty if there is none.
    pub(crate) fn string(self) -> Result<String, Error> {
        self.some().map_or_else(|| Ok(String::new()), Value::string)
    }

    /// Refuses what is not a string.
    pub(crate) fn check_string(self) -> Result<(), Error> {
        self.some().map_or(Ok(()), Value::check_string)
    }

    /// Refuses what is not an object.
    pub(crate) fn check_object(self) -> Result<(), Error> {
        self.some().map_or(Ok(()), |value| value.entries().map(drop))
    }

    pub(crate) fn numbers<const N: usize>(self) -> Result<Option<[f32; N]>, Error> {
        self.some().map(Value::numbers).transpose()
    }

    /// All elements of an array; none if the field is missing.
    pub(crate) fn array<T>(self, read: impl Fn(Value<'a>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        self.present().map_or_else(|| Ok(Vec::new()), |value| value.array(read))
    }

    /// As [`array`](Self::array), for a field that may be `null`.
    pub(crate) fn some_array<T>(self, read: impl Fn(Value<'a>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        self.some().map_or_else(|| Ok(Vec::new()), |value| value.array(read))
    }
}
