//! Scenes.

use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Scene {
    pub(crate) nodes: Vec<Index>,
}

impl Scene {
    pub(super) fn read(value: Value<'_>) -> Result<Self, Error> {
        let [extensions, name, nodes] = value.fields(&["extensions", "name", "nodes"])?;
        extensions.check_object()?;
        name.check_string()?;
        Ok(Self { nodes: nodes.array(Index::read)? })
    }
}
