//! The version and origin of the document.

use serde::Deserialize;

use super::extensions::NoExtensions;
use super::extras::Extras;

#[derive(Deserialize)]
pub(crate) struct Asset {
    copyright: Option<String>,
    #[serde(default)]
    extensions: Option<NoExtensions<Asset>>,
    #[serde(default)]
    extras: Option<Extras>,
    generator: Option<String>,
    #[serde(rename = "minVersion")]
    pub(crate) min_version: Option<String>,
    pub(crate) version: String,
}
