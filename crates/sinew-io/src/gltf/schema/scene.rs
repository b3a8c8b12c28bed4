//! Scenes.

use serde::Deserialize;

use super::extensions::Extensions;
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Scene {
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
    name: Option<String>,
    #[serde(default)]
    pub(crate) nodes: Vec<Index>,
}
