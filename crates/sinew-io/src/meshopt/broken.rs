//! Why a stream cannot be decoded.

/// What was expected at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) byte: usize,
    pub(crate) expected: &'static str,
}

/// A stream and the place in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(data: &'a [u8], at: usize) -> Self {
        Self { data, at }
    }

    /// The next bytes.
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], Broken> {
        let taken = self.data.get(self.at..).and_then(|rest| rest.get(..len));
        let taken = taken.ok_or_else(|| self.broken("more data"))?;
        self.at += len;
        Ok(taken)
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<u8, Broken> {
        let byte = *self.data.get(self.at).ok_or_else(|| self.broken("more data"))?;
        self.at += 1;
        Ok(byte)
    }

    /// That nothing is left.
    pub(super) fn end(&self) -> Result<(), Broken> {
        if self.at == self.data.len() { Ok(()) } else { Err(self.broken("the end of the data")) }
    }

    pub(super) fn broken(&self, expected: &'static str) -> Broken {
        Broken { byte: self.at, expected }
    }
}

/// The stream between its header, whose high half is `kind`, and a tail of `tail` bytes; the version; and the tail.
pub(super) fn open(data: &[u8], kind: u8, tail: usize) -> Result<(Cursor<'_>, u8, &[u8]), Broken> {
    let header = *data.first().ok_or(Broken { byte: 0, expected: "a header" })?;
    if header & 0xf0 != kind || header & 0x0f > 1 {
        return Err(Broken { byte: 0, expected: "the header of this mode, of version 0 or 1" });
    }
    let end = data.len().checked_sub(tail).filter(|&end| end >= 1);
    let end = end.ok_or(Broken { byte: data.len(), expected: "a whole tail" })?;
    Ok((Cursor::new(&data[..end], 1), header & 0x0f, &data[end..]))
}
