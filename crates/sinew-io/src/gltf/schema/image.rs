//! Images.

use serde::Deserialize;

use super::extensions::Extensions;
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Image {
    #[serde(rename = "bufferView")]
    pub(crate) buffer_view: Option<Index>,
    #[serde(rename = "mimeType")]
    pub(crate) mime_type: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) uri: Option<String>,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}
