//! Skins.

use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Skin {
    pub(crate) inverse_bind_matrices: Option<Index>,
    pub(crate) joints: Vec<Index>,
    pub(crate) skeleton: Option<Index>,
}

impl Skin {
    pub(super) fn read(value: Value<'_>) -> Result<Self, Error> {
        let [extensions, inverse_binds, joints, name, skeleton] =
            value.fields(&["extensions", "inverseBindMatrices", "joints", "name", "skeleton"])?;
        extensions.check_object()?;
        name.check_string()?;
        Ok(Self {
            inverse_bind_matrices: Index::read_some(inverse_binds)?,
            joints: joints.required()?.array(Index::read)?,
            skeleton: Index::read_some(skeleton)?,
        })
    }
}
