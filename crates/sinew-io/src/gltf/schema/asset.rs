//! The version and origin of the document.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::extensions::NoExtensions;

#[derive(Deserialize)]
pub(crate) struct Asset {
    pub(crate) copyright: Option<String>,
    #[serde(default)]
    extensions: Option<NoExtensions>,
    #[serde(default)]
    pub(crate) extras: Option<Box<RawValue>>,
    generator: Option<String>,
    #[serde(rename = "minVersion")]
    pub(crate) min_version: Option<String>,
    pub(crate) version: String,
}
