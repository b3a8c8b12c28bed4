//! A ZIP archive of uncompressed files, written from front to back.
//!
//! The length of a file is known before its bytes, but the checksum only after them, so the
//! checksum follows in a data descriptor.

use std::io::{self, Write};

use crc32fast::Hasher;

/// Sizes and offsets from here on need the 64-bit fields of ZIP64.
const LARGE: u64 = 0xFFFF_FFFF;
/// The first of January 1980, so that the same input always gives the same bytes.
const DATE: u16 = 0x0021;
/// The flag that checksum and sizes follow the bytes.
const DESCRIPTOR: u16 = 1 << 3;

#[derive(Debug)]
pub(super) struct Zip<W> {
    to: W,
    written: u64,
    entries: Vec<Entry>,
    /// The CRC-32 of the current file so far.
    crc: u32,
}

#[derive(Debug)]
struct Entry {
    name: &'static str,
    size: u64,
    offset: u64,
    crc: u32,
}

impl Entry {
    fn is_large(&self) -> bool {
        self.size >= LARGE
    }

    /// The lowest version of the format that supports this entry.
    fn version(&self) -> u16 {
        if self.size >= LARGE || self.offset >= LARGE { 45 } else { 20 }
    }
}

impl<W: Write> Zip<W> {
    pub(super) fn new(to: W) -> Self {
        Self { to, written: 0, entries: Vec::new(), crc: 0 }
    }

    fn write_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Starts a file of `size` bytes.
    pub(super) fn begin(&mut self, name: &'static str, size: u64) -> io::Result<()> {
        let entry = Entry { name, size, offset: self.written, crc: 0 };
        let mut header = Vec::from(b"PK\x03\x04");
        let zeros = if entry.is_large() { LARGE as u32 } else { 0 };
        push_u16s(&mut header, &[entry.version(), DESCRIPTOR, 0, 0, DATE]);
        push_u32s(&mut header, &[0, zeros, zeros]);
        push_u16s(&mut header, &[name.len() as u16, if entry.is_large() { 20 } else { 0 }]);
        header.extend(name.as_bytes());
        if entry.is_large() {
            // An empty ZIP64 field: the data descriptor has 64-bit sizes.
            push_u16s(&mut header, &[1, 16]);
            header.extend([0; 16]);
        }
        self.entries.push(entry);
        self.crc = 0;
        self.write_raw(&header)
    }

    /// Ends the current file, after all its bytes.
    pub(super) fn end(&mut self) -> io::Result<()> {
        let Some(entry) = self.entries.last_mut() else { return Ok(()) };
        entry.crc = self.crc;
        let mut descriptor = Vec::from(b"PK\x07\x08");
        descriptor.extend(entry.crc.to_le_bytes());
        if entry.is_large() {
            descriptor.extend([entry.size, entry.size].map(u64::to_le_bytes).as_flattened());
        } else {
            push_u32s(&mut descriptor, &[entry.size as u32; 2]);
        }
        self.write_raw(&descriptor)
    }

    /// Writes the central directory.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let offset = self.written;
        let mut directory = Vec::new();
        for entry in &self.entries {
            push_directory_entry(&mut directory, entry);
        }
        let (size, count) = (directory.len() as u64, self.entries.len() as u16);
        if offset >= LARGE {
            push_zip64_end(&mut directory, offset, size, count);
        }
        directory.extend(b"PK\x05\x06");
        push_u16s(&mut directory, &[0, 0, count, count]);
        push_u32s(&mut directory, &[size as u32, offset.min(LARGE) as u32]);
        push_u16s(&mut directory, &[0]);
        self.write_raw(&directory)?;
        self.to.flush()?;
        Ok(self.to)
    }
}

/// Appends bytes to the current file.
impl<W: Write> Write for Zip<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut hasher = Hasher::new_with_initial(self.crc);
        hasher.update(bytes);
        self.crc = hasher.finalize();
        self.write_raw(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn push_directory_entry(directory: &mut Vec<u8>, entry: &Entry) {
    let mut large = Vec::new();
    if entry.is_large() {
        large.extend([entry.size, entry.size].map(u64::to_le_bytes).as_flattened());
    }
    if entry.offset >= LARGE {
        large.extend(entry.offset.to_le_bytes());
    }
    let extra = if large.is_empty() { 0 } else { 4 + large.len() as u16 };
    let size = entry.size.min(LARGE) as u32;
    directory.extend(b"PK\x01\x02");
    push_u16s(directory, &[entry.version(), entry.version(), DESCRIPTOR, 0, 0, DATE]);
    push_u32s(directory, &[entry.crc, size, size]);
    push_u16s(directory, &[entry.name.len() as u16, extra, 0, 0, 0]);
    push_u32s(directory, &[0, entry.offset.min(LARGE) as u32]);
    directory.extend(entry.name.as_bytes());
    if extra > 0 {
        push_u16s(directory, &[1, large.len() as u16]);
        directory.extend(large);
    }
}

/// The ZIP64 end record, for offsets beyond four bytes, and its locator.
fn push_zip64_end(directory: &mut Vec<u8>, offset: u64, size: u64, count: u16) {
    directory.extend(b"PK\x06\x06");
    directory.extend(44_u64.to_le_bytes());
    push_u16s(directory, &[45, 45]);
    push_u32s(directory, &[0, 0]);
    let count = u64::from(count);
    directory.extend([count, count, size, offset].map(u64::to_le_bytes).as_flattened());
    directory.extend(b"PK\x06\x07");
    push_u32s(directory, &[0]);
    directory.extend((offset + size).to_le_bytes());
    push_u32s(directory, &[1]);
}

fn push_u16s(to: &mut Vec<u8>, fields: &[u16]) {
    to.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
}

fn push_u32s(to: &mut Vec<u8>, longs: &[u32]) {
    to.extend(longs.iter().flat_map(|long| long.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
    }

    #[test]
    fn checksums_do_not_depend_on_the_chunks() {
        for (text, known) in
            [("123456789", 0xCBF4_3926), ("The quick brown fox jumps over the lazy dog", 0x414F_A339)]
        {
            for middle in 0..=text.len() {
                let mut zip = Zip::new(Vec::new());
                zip.begin("a", text.len() as u64).expect("memory");
                assert_eq!(zip.crc, 0);
                let (first, second) = text.as_bytes().split_at(middle);
                zip.write_all(first).and_then(|()| zip.write_all(second)).expect("memory");
                zip.end().expect("memory");
                assert_eq!(zip.entries[0].crc, known);
            }
        }
    }

    /// The writer trusts the announced size, so this needs no real data of this size.
    #[test]
    fn sizes_and_offsets_beyond_four_bytes_use_zip64() {
        let (size, offset) = (5 << 32, 7 << 32);
        let mut zip = Zip { written: offset, ..Zip::new(Vec::new()) };
        zip.begin("a", size).expect("memory");
        zip.end().expect("memory");
        let bytes = zip.finish().expect("memory");
        let (local, descriptor) = bytes.split_at(30 + 1 + 20);
        assert_eq!(
            (&local[4..6], &local[18..30]),
            (&[45, 0][..], &b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\0\x14\0"[..])
        );
        assert_eq!((long(descriptor, 8), long(descriptor, 16)), (size, size));
        let directory = &descriptor[24..];
        assert_eq!((&directory[20..28], &directory[42..47]), (&[0xFF; 8][..], &b"\xFF\xFF\xFF\xFFa"[..]));
        assert_eq!(&directory[47..51], b"\x01\0\x18\0");
        assert_eq!([51, 59, 67].map(|at| long(directory, at)), [size, size, offset]);
        let end = &directory[75..];
        let written = offset + (local.len() + 24) as u64;
        assert_eq!(
            (&end[..4], [24, 32, 40, 48].map(|at| long(end, at))),
            (&b"PK\x06\x06"[..], [1, 1, 75, written])
        );
        assert_eq!((&end[56..60], long(end, 64)), (&b"PK\x06\x07"[..], written + 75));
        assert_eq!((&end[76..80], &end[92..96]), (&b"PK\x05\x06"[..], &[0xFF; 4][..]));
    }
}
