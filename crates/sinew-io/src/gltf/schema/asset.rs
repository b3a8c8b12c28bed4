//! The version and origin of the document.

use std::borrow::Cow;

use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Asset<'a> {
    pub(crate) copyright: String,
    pub(crate) extras: Option<Value<'a>>,
    pub(crate) min_version: Option<Cow<'a, str>>,
    pub(crate) version: Cow<'a, str>,
}

impl<'a> Asset<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [copyright, extras, min_version, version, generator] =
            value.fields(&["copyright", "extras", "minVersion", "version", "generator"])?;
        generator.check_string()?;
        Ok(Self {
            copyright: copyright.string()?,
            extras: extras.some(),
            min_version: min_version.str()?,
            version: version.required()?.str()?,
        })
    }
}
