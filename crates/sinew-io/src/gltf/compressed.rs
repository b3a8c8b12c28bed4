//! Buffer views compressed with `EXT_meshopt_compression` or `KHR_meshopt_compression`.

use super::accessor::to_usize;
use super::schema::Root;
use crate::error::BoxedError as Error;
use crate::json::Value;
use crate::meshopt::{Filter, Mode};

pub(crate) const NAMES: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// The compressed stream of a buffer view, checked against the declared length of its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Compressed {
    pub(crate) buffer: usize,
    pub(crate) offset: u64,
    pub(crate) len: u64,
    pub(crate) stride: usize,
    pub(crate) count: usize,
    pub(crate) mode: Mode,
    pub(crate) filter: Filter,
}

impl Compressed {
    /// The stream of a view; `None` for a view that is not compressed.
    pub(crate) fn for_view(root: &Root<'_>, view: usize) -> Result<Option<Self>, Error> {
        let extensions = root.buffer_views.get(view).and_then(|view| view.extensions);
        let Some(extensions) = extensions else { return Ok(None) };
        let named = NAMES.iter().find_map(|name| extensions.get(name).map(|value| (*name, value)));
        let Some((name, value)) = named else { return Ok(None) };
        let location = format!("bufferViews[{view}].extensions.{name}");
        let compressed = parse(value, &location)?;
        compressed.check(root, view, &location)?;
        Ok(Some(compressed))
    }

    /// Bytes after decoding; `None` if the number overflows.
    pub(crate) fn decoded(&self) -> Option<u64> {
        (self.count as u64).checked_mul(self.stride as u64)
    }

    fn check(&self, root: &Root<'_>, view: usize, location: &str) -> Result<(), Error> {
        let Some(buffer) = root.buffers.get(self.buffer) else {
            let expected = format!("one of {} buffers", root.buffers.len());
            return Err(Error::invalid(format!("{location}.buffer"), expected, self.buffer.to_string()));
        };
        let len = buffer.byte_length;
        if self.offset.checked_add(self.len).is_none_or(|end| end > len) {
            let found = format!("{} at byte {}", self.len, self.offset);
            return Err(Error::invalid(location, format!("a stream within the buffer's {len} bytes"), found));
        }
        let declared = root.buffer_views[view].byte_length;
        if self.decoded() != Some(declared) {
            let found = format!("{} elements of {} bytes", self.count, self.stride);
            return Err(Error::invalid(location, format!("the view's {declared} bytes"), found));
        }
        if let Some(expected) = self.size_error() {
            return Err(Error::invalid(
                location,
                expected,
                format!("{} of {} bytes", self.count, self.stride),
            ));
        }
        Ok(())
    }

    /// What the mode or the filter requires of count and stride, if they violate it.
    fn size_error(&self) -> Option<&'static str> {
        let stride = self.stride;
        match (self.mode, self.filter) {
            (Mode::Attributes, Filter::None | Filter::Exponential) => {
                let fits = stride > 0 && stride <= 256 && stride.is_multiple_of(4);
                (!fits).then_some("a stride of 4 to 256, a multiple of 4")
            }
            (Mode::Attributes, Filter::Octahedral | Filter::Color) => {
                (!matches!(stride, 4 | 8)).then_some("a stride of 4 or 8 for this filter")
            }
            (Mode::Attributes, Filter::Quaternion) => {
                (stride != 8).then_some("a stride of 8 for this filter")
            }
            (_, Filter::None) if !matches!(stride, 2 | 4) => Some("a stride of 2 or 4 for indices"),
            (Mode::Triangles, Filter::None) if !self.count.is_multiple_of(3) => {
                Some("a count that is a multiple of 3")
            }
            (_, Filter::None) => None,
            (_, _) => Some("no filter for indices"),
        }
    }
}

fn parse(value: Value<'_>, location: &str) -> Result<Compressed, Error> {
    Ok(Compressed {
        buffer: to_usize(number(value, "buffer", None, location)?, location)?,
        offset: number(value, "byteOffset", Some(0), location)?,
        len: number(value, "byteLength", None, location)?,
        stride: to_usize(number(value, "byteStride", None, location)?, location)?,
        count: to_usize(number(value, "count", None, location)?, location)?,
        mode: mode(value, location)?,
        filter: filter(value, location)?,
    })
}

fn number(value: Value<'_>, name: &str, default: Option<u64>, location: &str) -> Result<u64, Error> {
    let found = value.get(name);
    match (found.and_then(|found| found.u64().ok()), found, default) {
        (Some(number), _, _) => Ok(number),
        (None, None, Some(default)) => Ok(default),
        _ => Err(Error::invalid(
            format!("{location}.{name}"),
            "an integer that is not negative",
            short_text(found),
        )),
    }
}

fn mode(value: Value<'_>, location: &str) -> Result<Mode, Error> {
    let found = value.get("mode");
    match found.and_then(|found| found.str().ok()).as_deref() {
        Some("ATTRIBUTES") => Ok(Mode::Attributes),
        Some("TRIANGLES") => Ok(Mode::Triangles),
        Some("INDICES") => Ok(Mode::Indices),
        _ => Err(Error::invalid(
            format!("{location}.mode"),
            "ATTRIBUTES, TRIANGLES or INDICES",
            short_text(found),
        )),
    }
}

fn filter(value: Value<'_>, location: &str) -> Result<Filter, Error> {
    let Some(found) = value.get("filter") else { return Ok(Filter::None) };
    match found.str().ok().as_deref() {
        Some("NONE") => Ok(Filter::None),
        Some("OCTAHEDRAL") => Ok(Filter::Octahedral),
        Some("QUATERNION") => Ok(Filter::Quaternion),
        Some("EXPONENTIAL") => Ok(Filter::Exponential),
        Some("COLOR") => Ok(Filter::Color),
        _ => Err(Error::invalid(
            format!("{location}.filter"),
            "NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR",
            short_text(Some(found)),
        )),
    }
}

/// A JSON value, shortened for messages.
fn short_text(value: Option<Value<'_>>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::shown)
}
