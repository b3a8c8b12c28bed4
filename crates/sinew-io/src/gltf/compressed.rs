//! Views that hold a compressed stream, by `EXT_meshopt_compression` or `KHR_meshopt_compression`.

use serde_json::Value;

use super::accessor::whole;
use super::schema::Root;
use crate::Error;
use crate::meshopt::{Filter, Mode};

pub(crate) const NAMES: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// Where the stream of a view lies and what it holds, checked against the length that its buffer declares.
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
    /// The stream of a view, or `None` where it is plain.
    pub(crate) fn of(root: &Root, view: usize) -> Result<Option<Self>, Error> {
        let extensions = root.buffer_views.get(view).and_then(|view| view.extensions.as_ref());
        let Some(extensions) = extensions else { return Ok(None) };
        let named = NAMES.iter().find_map(|name| extensions.0.get(*name).map(|value| (*name, value)));
        let Some((name, value)) = named else { return Ok(None) };
        let place = format!("bufferViews[{view}].extensions.{name}");
        let compressed = parse(value, &place)?;
        compressed.check(root, view, &place)?;
        Ok(Some(compressed))
    }

    /// The bytes that it decodes to.
    pub(crate) fn decoded(&self) -> Option<u64> {
        (self.count as u64).checked_mul(self.stride as u64)
    }

    fn check(&self, root: &Root, view: usize, place: &str) -> Result<(), Error> {
        let Some(buffer) = root.buffers.get(self.buffer) else {
            let expected = format!("one of {} buffers", root.buffers.len());
            return Err(Error::fault(format!("{place}.buffer"), expected, self.buffer.to_string()));
        };
        let len = buffer.byte_length;
        if self.offset.checked_add(self.len).is_none_or(|end| end > len) {
            let found = format!("{} at byte {}", self.len, self.offset);
            return Err(Error::fault(place, format!("a stream within the buffer's {len} bytes"), found));
        }
        let declared = root.buffer_views[view].byte_length;
        if self.decoded() != Some(declared) {
            let found = format!("{} elements of {} bytes", self.count, self.stride);
            return Err(Error::fault(place, format!("the view's {declared} bytes"), found));
        }
        if let Some(expected) = self.misfit() {
            return Err(Error::fault(place, expected, format!("{} of {} bytes", self.count, self.stride)));
        }
        Ok(())
    }

    /// What the mode or the filter expects of count and stride, where they are otherwise.
    fn misfit(&self) -> Option<&'static str> {
        let stride = self.stride;
        match (self.mode, self.filter) {
            (Mode::Attributes, Filter::None | Filter::Exponential) => {
                let fits = stride > 0 && stride <= 256 && stride.is_multiple_of(4);
                (!fits).then_some("a stride of 4 to 256, a multiple of 4")
            }
            (Mode::Attributes, Filter::Octahedral | Filter::Colour) => {
                (!matches!(stride, 4 | 8)).then_some("a stride of 4 or 8 for this filter")
            }
            (Mode::Attributes, Filter::Quaternion) => {
                (stride != 8).then_some("a stride of 8 for this filter")
            }
            (_, Filter::None) if !matches!(stride, 2 | 4) => Some("a stride of 2 or 4 for indices"),
            (Mode::Triangles, Filter::None) if !self.count.is_multiple_of(3) => {
                Some("a count that 3 divides")
            }
            (_, Filter::None) => None,
            (_, _) => Some("no filter for indices"),
        }
    }
}

fn parse(value: &Value, place: &str) -> Result<Compressed, Error> {
    Ok(Compressed {
        buffer: whole(number(value, "buffer", None, place)?, place)?,
        offset: number(value, "byteOffset", Some(0), place)?,
        len: number(value, "byteLength", None, place)?,
        stride: whole(number(value, "byteStride", None, place)?, place)?,
        count: whole(number(value, "count", None, place)?, place)?,
        mode: mode(value, place)?,
        filter: filter(value, place)?,
    })
}

fn number(value: &Value, name: &str, default: Option<u64>, place: &str) -> Result<u64, Error> {
    let found = value.get(name);
    match (found.and_then(Value::as_u64), found, default) {
        (Some(number), _, _) => Ok(number),
        (None, None, Some(default)) => Ok(default),
        _ => Err(Error::fault(format!("{place}.{name}"), "a whole number", word(found))),
    }
}

fn mode(value: &Value, place: &str) -> Result<Mode, Error> {
    let found = value.get("mode");
    match found.and_then(Value::as_str) {
        Some("ATTRIBUTES") => Ok(Mode::Attributes),
        Some("TRIANGLES") => Ok(Mode::Triangles),
        Some("INDICES") => Ok(Mode::Indices),
        _ => Err(Error::fault(format!("{place}.mode"), "ATTRIBUTES, TRIANGLES or INDICES", word(found))),
    }
}

fn filter(value: &Value, place: &str) -> Result<Filter, Error> {
    let Some(found) = value.get("filter") else { return Ok(Filter::None) };
    match found.as_str() {
        Some("NONE") => Ok(Filter::None),
        Some("OCTAHEDRAL") => Ok(Filter::Octahedral),
        Some("QUATERNION") => Ok(Filter::Quaternion),
        Some("EXPONENTIAL") => Ok(Filter::Exponential),
        Some("COLOR") => Ok(Filter::Colour),
        _ => Err(Error::fault(
            format!("{place}.filter"),
            "NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR",
            word(Some(found)),
        )),
    }
}

/// A value in few letters.
fn word(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| value.to_string().chars().take(80).collect())
}
