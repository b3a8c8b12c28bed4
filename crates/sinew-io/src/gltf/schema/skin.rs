//! Skins.

use serde::Deserialize;

use super::extensions::Extensions;
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Skin {
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
    #[serde(rename = "inverseBindMatrices")]
    pub(crate) inverse_bind_matrices: Option<Index>,
    pub(crate) joints: Vec<Index>,
    name: Option<String>,
    pub(crate) skeleton: Option<Index>,
}
