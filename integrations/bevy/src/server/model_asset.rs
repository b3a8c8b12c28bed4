//! Models as assets.

use std::path::Path;

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use sinew::Model;
use sinew_io::ImportOptions;

/// A model of sinew: skeleton, skins, meshes and clips, all checked.
#[derive(Asset, Clone, Debug, TypePath)]
pub struct ModelAsset {
    /// The model.
    pub model: Model,
}

impl ModelAsset {
    /// Loads a model from a file, in any format of `sinew-io`: glTF 2.0, GLB, MD5, BVH. External
    /// files must be in the same folder. Waits for the disk, so call it where that does not matter.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or holds no valid model. The error says where.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, sinew_io::Error> {
        Ok(Self { model: sinew_io::load(path)?.model })
    }
}

impl From<Model> for ModelAsset {
    fn from(model: Model) -> Self {
        Self { model }
    }
}

/// Loads a [`ModelAsset`] from one file that contains everything, such as GLB: external files are
/// refused. [`ModelAsset::load`] reads those too.
#[derive(Clone, Copy, Debug, Default, TypePath)]
pub struct ModelLoader;

impl AssetLoader for ModelLoader {
    type Asset = ModelAsset;
    type Settings = ();
    type Error = Box<dyn std::error::Error + Send + Sync>;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<ModelAsset, Self::Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(ModelAsset { model: sinew_io::load_bytes(&bytes, &ImportOptions::default())?.model })
    }

    fn extensions(&self) -> &[&str] {
        &["glb", "gltf", "md5mesh", "bvh"]
    }
}
