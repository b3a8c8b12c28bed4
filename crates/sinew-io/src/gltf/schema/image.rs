//! Images.

use std::borrow::Cow;

use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Image<'a> {
    pub(crate) buffer_view: Option<Index>,
    pub(crate) mime_type: String,
    pub(crate) name: String,
    pub(crate) uri: Option<Cow<'a, str>>,
}

impl<'a> Image<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [view, mime_type, name, uri, extensions] =
            value.fields(&["bufferView", "mimeType", "name", "uri", "extensions"])?;
        extensions.check_object()?;
        Ok(Self {
            buffer_view: Index::read_some(view)?,
            mime_type: mime_type.string()?,
            name: name.string()?,
            uri: uri.str()?,
        })
    }
}
