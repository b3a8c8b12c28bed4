//! A ZIP of stored files, written from front to back.
//!
//! A file's length is known before its bytes and its checksum after them, so the checksum follows in a data descriptor.

use std::io::{self, Write};

use crc32fast::Hasher;

/// Sizes and places from here on take eight bytes.
const LARGE: u64 = 0xFFFF_FFFF;
/// The first of January 1980: the same bytes at any time.
const DATE: u16 = 0x0021;
/// The checksum and the sizes follow the bytes.
const DESCRIPTOR: u16 = 1 << 3;

#[derive(Debug)]
pub(super) struct Zip<W> {
    to: W,
    written: u64,
    entries: Vec<Entry>,
    /// CRC-32 of the open file's bytes so far.
    crc: u32,
}

#[derive(Debug)]
struct Entry {
    name: &'static str,
    size: u64,
    place: u64,
    crc: u32,
}

impl Entry {
    fn is_large(&self) -> bool {
        self.size >= LARGE
    }

    /// The least version of the format that has what the entry uses.
    fn version(&self) -> u16 {
        if self.size >= LARGE || self.place >= LARGE { 45 } else { 20 }
    }
}

impl<W: Write> Zip<W> {
    pub(super) fn new(to: W) -> Self {
        Self { to, written: 0, entries: Vec::new(), crc: 0 }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Begins a file of so many bytes.
    pub(super) fn begin(&mut self, name: &'static str, size: u64) -> io::Result<()> {
        let entry = Entry { name, size, place: self.written, crc: 0 };
        let mut header = Vec::from(b"PK\x03\x04");
        let zeros = if entry.is_large() { LARGE as u32 } else { 0 };
        fields(&mut header, &[entry.version(), DESCRIPTOR, 0, 0, DATE]);
        longs(&mut header, &[0, zeros, zeros]);
        fields(&mut header, &[name.len() as u16, if entry.is_large() { 20 } else { 0 }]);
        header.extend(name.as_bytes());
        if entry.is_large() {
            // Says that the sizes behind the bytes take eight bytes each.
            fields(&mut header, &[1, 16]);
            header.extend([0; 16]);
        }
        self.entries.push(entry);
        self.crc = 0;
        self.put(&header)
    }

    /// Ends the file, which has got all its bytes.
    pub(super) fn end(&mut self) -> io::Result<()> {
        let Some(entry) = self.entries.last_mut() else { return Ok(()) };
        entry.crc = self.crc;
        let mut descriptor = Vec::from(b"PK\x07\x08");
        descriptor.extend(entry.crc.to_le_bytes());
        if entry.is_large() {
            descriptor.extend([entry.size, entry.size].map(u64::to_le_bytes).as_flattened());
        } else {
            longs(&mut descriptor, &[entry.size as u32; 2]);
        }
        self.put(&descriptor)
    }

    /// Writes the list of files.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let place = self.written;
        let mut list = Vec::new();
        for entry in &self.entries {
            push_listed(&mut list, entry);
        }
        let (size, count) = (list.len() as u64, self.entries.len() as u16);
        if place >= LARGE {
            push_large_end(&mut list, place, size, count);
        }
        list.extend(b"PK\x05\x06");
        fields(&mut list, &[0, 0, count, count]);
        longs(&mut list, &[size as u32, place.min(LARGE) as u32]);
        fields(&mut list, &[0]);
        self.put(&list)?;
        self.to.flush()?;
        Ok(self.to)
    }
}

/// Adds bytes to the file that has begun.
impl<W: Write> Write for Zip<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut hasher = Hasher::new_with_initial(self.crc);
        hasher.update(bytes);
        self.crc = hasher.finalize();
        self.put(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn push_listed(list: &mut Vec<u8>, entry: &Entry) {
    let mut large = Vec::new();
    if entry.is_large() {
        large.extend([entry.size, entry.size].map(u64::to_le_bytes).as_flattened());
    }
    if entry.place >= LARGE {
        large.extend(entry.place.to_le_bytes());
    }
    let extra = if large.is_empty() { 0 } else { 4 + large.len() as u16 };
    let size = entry.size.min(LARGE) as u32;
    list.extend(b"PK\x01\x02");
    fields(list, &[entry.version(), entry.version(), DESCRIPTOR, 0, 0, DATE]);
    longs(list, &[entry.crc, size, size]);
    fields(list, &[entry.name.len() as u16, extra, 0, 0, 0]);
    longs(list, &[0, entry.place.min(LARGE) as u32]);
    list.extend(entry.name.as_bytes());
    if extra > 0 {
        fields(list, &[1, large.len() as u16]);
        list.extend(large);
    }
}

/// The end for places beyond four bytes, and where to find it.
fn push_large_end(list: &mut Vec<u8>, place: u64, size: u64, count: u16) {
    list.extend(b"PK\x06\x06");
    list.extend(44_u64.to_le_bytes());
    fields(list, &[45, 45]);
    longs(list, &[0, 0]);
    let count = u64::from(count);
    list.extend([count, count, size, place].map(u64::to_le_bytes).as_flattened());
    list.extend(b"PK\x06\x07");
    longs(list, &[0]);
    list.extend((place + size).to_le_bytes());
    longs(list, &[1]);
}

fn fields(to: &mut Vec<u8>, fields: &[u16]) {
    to.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
}

fn longs(to: &mut Vec<u8>, longs: &[u32]) {
    to.extend(longs.iter().flat_map(|long| long.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
    }

    #[test]
    fn the_checksum_is_the_known_one_however_it_is_divided() {
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

    /// Sizes are believed, so nothing of this size needs to be there.
    #[test]
    fn sizes_and_places_beyond_four_bytes_stand_where_the_format_has_them() {
        let (size, place) = (5 << 32, 7 << 32);
        let mut zip = Zip { written: place, ..Zip::new(Vec::new()) };
        zip.begin("a", size).expect("memory");
        zip.end().expect("memory");
        let bytes = zip.finish().expect("memory");
        let (local, descriptor) = bytes.split_at(30 + 1 + 20);
        assert_eq!(
            (&local[4..6], &local[18..30]),
            (&[45, 0][..], &b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\0\x14\0"[..])
        );
        assert_eq!((long(descriptor, 8), long(descriptor, 16)), (size, size));
        let list = &descriptor[24..];
        assert_eq!((&list[20..28], &list[42..47]), (&[0xFF; 8][..], &b"\xFF\xFF\xFF\xFFa"[..]));
        assert_eq!(&list[47..51], b"\x01\0\x18\0");
        assert_eq!([51, 59, 67].map(|at| long(list, at)), [size, size, place]);
        let end = &list[75..];
        let written = place + (local.len() + 24) as u64;
        assert_eq!(
            (&end[..4], [24, 32, 40, 48].map(|at| long(end, at))),
            (&b"PK\x06\x06"[..], [1, 1, 75, written])
        );
        assert_eq!((&end[56..60], long(end, 64)), (&b"PK\x06\x07"[..], written + 75));
        assert_eq!((&end[76..80], &end[92..96]), (&b"PK\x05\x06"[..], &[0xFF; 4][..]));
    }
}
