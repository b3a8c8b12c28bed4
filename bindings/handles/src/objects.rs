//! The objects that handles refer to.

use sinew::Model;
use sinew::animation::{BlendSpace, Mask};
use sinew::model::ModelSource;

use crate::crowd::CrowdObject;
use crate::history::HistoryObject;
use crate::instance::InstanceObject;
use crate::skinned_mesh::SkinnedMeshObject;
use crate::table::Table;
use crate::{Error, Handle, Kind};

/// A model, and what its import reported.
#[derive(Debug)]
pub(crate) struct ModelObject {
    pub(crate) model: Model,
    pub(crate) warnings: Vec<String>,
}

pub(crate) static MODELS: Table<ModelObject> = Table::new(Kind::Model);
pub(crate) static BUILDERS: Table<ModelSource> = Table::new(Kind::Builder);
pub(crate) static INSTANCES: Table<InstanceObject> = Table::new(Kind::Instance);
pub(crate) static MASKS: Table<Mask> = Table::new(Kind::Mask);
pub(crate) static HISTORIES: Table<HistoryObject> = Table::new(Kind::History);
pub(crate) static CROWDS: Table<CrowdObject> = Table::new(Kind::Crowd);
pub(crate) static SKINNED_MESHES: Table<SkinnedMeshObject> = Table::new(Kind::SkinnedMesh);
pub(crate) static BLEND_SPACES: Table<BlendSpace> = Table::new(Kind::BlendSpace);

/// Destroys an object of a kind. Objects that were made of it stay valid: they share its data.
///
/// # Errors
///
/// If the handle is not of such an object, or the object is in use.
// Inlined, so that a library has only the kinds that it names.
#[inline(always)]
pub fn destroy(handle: Handle, kind: Kind) -> Result<(), Error> {
    match kind {
        Kind::Model => drop(MODELS.remove(handle)?),
        Kind::Builder => drop(BUILDERS.remove(handle)?),
        Kind::Instance => drop(INSTANCES.remove(handle)?),
        Kind::Mask => drop(MASKS.remove(handle)?),
        Kind::History => drop(HISTORIES.remove(handle)?),
        Kind::Crowd => drop(CROWDS.remove(handle)?),
        Kind::SkinnedMesh => drop(SKINNED_MESHES.remove(handle)?),
        Kind::BlendSpace => drop(BLEND_SPACES.remove(handle)?),
    }
    Ok(())
}

/// A clone of a model, which shares its data.
pub(crate) fn model(handle: Handle) -> Result<Model, Error> {
    MODELS.read(handle, |object| Ok(object.model.clone()))
}
