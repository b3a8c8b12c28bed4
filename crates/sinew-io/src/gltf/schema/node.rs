//! Nodes.

use serde::Deserialize;

use super::extensions::KeptExtensions;
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Node {
    pub(crate) camera: Option<Index>,
    pub(crate) children: Option<Vec<Index>>,
    #[serde(default)]
    pub(crate) extensions: Option<KeptExtensions>,
    #[serde(default)]
    pub(crate) extras: Option<Extras>,
    pub(crate) matrix: Option<[f32; 16]>,
    pub(crate) mesh: Option<Index>,
    pub(crate) name: Option<String>,
    pub(crate) rotation: Option<[f32; 4]>,
    pub(crate) scale: Option<[f32; 3]>,
    pub(crate) translation: Option<[f32; 3]>,
    pub(crate) skin: Option<Index>,
    pub(crate) weights: Option<Vec<f32>>,
}
