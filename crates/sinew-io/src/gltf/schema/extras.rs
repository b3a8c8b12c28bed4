//! Data of applications, which may be any JSON.

use serde::de::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Extras that nobody reads.
pub(crate) struct Extras;

impl<'de> Deserialize<'de> for Extras {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // Unlike `IgnoredAny`, this refuses text that is not UTF-8.
        <&RawValue>::deserialize(from).map(|_| Self)
    }
}
