//! From a checked document to a model. (Being written.)

use sinew::Model;

use super::document::Document;
use crate::{Error, Options, Report};

pub(crate) fn build(
    _document: &Document<'_>,
    _options: &Options,
    _report: &mut Report,
) -> Result<Model, Error> {
    Err(Error::fault("", "a builder of scenes", "none yet"))
}
