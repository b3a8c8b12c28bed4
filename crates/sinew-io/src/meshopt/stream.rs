//! Reads a compressed stream, without reading past its end.

/// What was expected at which byte of an invalid stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecodeError {
    pub(crate) byte: usize,
    pub(crate) expected: &'static str,
}

/// A stream and the position in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(data: &'a [u8], at: usize) -> Self {
        Self { data, at }
    }

    /// The next `len` bytes.
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let taken = self.data.get(self.at..).and_then(|rest| rest.get(..len));
        let taken = taken.ok_or_else(|| self.error("more data"))?;
        self.at += len;
        Ok(taken)
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        let byte = *self.data.get(self.at).ok_or_else(|| self.error("more data"))?;
        self.at += 1;
        Ok(byte)
    }

    /// Checks that all bytes were read.
    pub(super) fn end(&self) -> Result<(), DecodeError> {
        if self.at == self.data.len() { Ok(()) } else { Err(self.error("the end of the data")) }
    }

    pub(super) fn error(&self, expected: &'static str) -> DecodeError {
        DecodeError { byte: self.at, expected }
    }
}

/// Splits a stream into the data between header and tail, the version, and the tail. The high four
/// bits of the header must be `kind`.
pub(super) fn open_stream(
    data: &[u8],
    kind: u8,
    tail: usize,
) -> Result<(Cursor<'_>, u8, &[u8]), DecodeError> {
    let header = *data.first().ok_or(DecodeError { byte: 0, expected: "a header" })?;
    if header & 0xf0 != kind || header & 0x0f > 1 {
        return Err(DecodeError { byte: 0, expected: "the header of this mode, of version 0 or 1" });
    }
    let end = data.len().checked_sub(tail).filter(|&end| end >= 1);
    let end = end.ok_or(DecodeError { byte: data.len(), expected: "a complete tail" })?;
    Ok((Cursor::new(&data[..end], 1), header & 0x0f, &data[end..]))
}
