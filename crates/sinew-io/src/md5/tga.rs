//! Converts TGA, the format of DOOM 3's pictures, to PNG, which everything else can read.
//!
//! The PNG is not compressed, so it has about the size of a TGA that is not compressed either.

use std::borrow::Cow;

use crate::Error;

/// The size of the header.
const HEADER: usize = 18;
/// The most bytes of a stored block of deflate.
const STORED_BLOCK: usize = 0xFFFF;

/// What the header says.
struct Header {
    /// Whether pixels are indices into the color map.
    has_map: bool,
    is_gray: bool,
    is_packed: bool,
    /// The index of the first color of the map, and the number of colors.
    map: [usize; 2],
    map_bits: u8,
    width: usize,
    height: usize,
    bits: u8,
    has_alpha: bool,
    right_to_left: bool,
    top_to_bottom: bool,
    /// Where the color map starts.
    data: usize,
}

/// Converts a picture whose pixels take at most `most` bytes.
pub(super) fn png_from_tga(bytes: &[u8], most: u64, location: &str) -> Result<Vec<u8>, Error> {
    let header = Header::new(bytes, location)?;
    let len = header.width as u64 * header.height as u64 * header.channels() as u64;
    if len > most {
        return Err(Error::invalid(location, format!("at most {most} bytes of pixels"), len.to_string()));
    }
    let map = header.color_map(bytes, location)?;
    let pixels = header.pixels(bytes, location)?;
    let rows = header.rows(&pixels, map, location)?;
    drop(pixels);
    let color_type = [0, 2, 6][header.channels() / 2];
    Ok(write_png(header.width, header.height, color_type, &rows))
}

impl Header {
    fn new(bytes: &[u8], location: &str) -> Result<Self, Error> {
        let invalid = |expected: &str, found: String| Error::invalid(location, expected, found);
        let &[id, has_map, kind, first, first_high, len, len_high, map_bits, .., bits, flags] =
            bytes.first_chunk::<HEADER>().ok_or_else(|| {
                invalid("a TGA picture, whose header has 18 bytes", format!("{} bytes", bytes.len()))
            })?;
        let number = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let header = Self {
            has_map: kind & 7 == 1,
            is_gray: kind & 7 == 3,
            is_packed: kind & 8 != 0,
            map: if has_map == 0 { [0, 0] } else { [[first, first_high], [len, len_high]].map(le) },
            map_bits,
            width: number(12),
            height: number(14),
            bits,
            has_alpha: flags & 15 == 8,
            right_to_left: flags & 16 != 0,
            top_to_bottom: flags & 32 != 0,
            data: HEADER + usize::from(id),
        };
        if !matches!(kind, 1..=3 | 9..=11) || has_map > 1 || (header.has_map && has_map == 0) {
            return Err(invalid("a TGA picture of type 1, 2, 3, 9, 10 or 11", format!("type {kind}")));
        }
        let allowed: &[u8] = if header.has_map || header.is_gray { &[8] } else { &[15, 16, 24, 32] };
        if !allowed.contains(&bits) || (has_map == 1 && ![15, 16, 24, 32].contains(&map_bits)) {
            return Err(invalid(
                "8 bits of gray or of an index, or colors of 15 to 32",
                format!("{bits} bits, and colors of {map_bits} in the map"),
            ));
        }
        if header.width == 0 || header.height == 0 {
            return Err(invalid("pixels", format!("{} by {}", header.width, header.height)));
        }
        Ok(header)
    }

    /// Bits of a color, in the map or in pixels.
    fn color_bits(&self) -> u8 {
        if self.has_map { self.map_bits } else { self.bits }
    }

    /// Gray, RGB or RGBA.
    fn channels(&self) -> usize {
        match (self.is_gray, self.has_alpha && self.color_bits() == 32) {
            (true, _) => 1,
            (_, false) => 3,
            (_, true) => 4,
        }
    }

    fn map_len(&self) -> usize {
        self.map[1] * usize::from(self.map_bits.div_ceil(8))
    }

    fn color_map<'a>(&self, bytes: &'a [u8], location: &str) -> Result<&'a [u8], Error> {
        bytes.get(self.data..self.data + self.map_len()).ok_or_else(|| cut(location, bytes.len()))
    }

    /// The pixels as stored, unpacked.
    fn pixels<'a>(&self, bytes: &'a [u8], location: &str) -> Result<Cow<'a, [u8]>, Error> {
        let size = usize::from(self.bits.div_ceil(8));
        let len = self.width * self.height * size;
        let mut rest = bytes.get(self.data + self.map_len()..).unwrap_or_default();
        if !self.is_packed {
            return rest.get(..len).map(Cow::Borrowed).ok_or_else(|| cut(location, bytes.len()));
        }
        // Every packet makes at least one pixel and at most 128, so a short file cannot take much.
        let mut pixels = Vec::with_capacity(len.min(rest.len().saturating_mul(128)));
        while pixels.len() < len {
            let (&packet, after) = rest.split_first().ok_or_else(|| cut(location, bytes.len()))?;
            let (count, repeats) = (usize::from(packet & 127) + 1, packet & 128 != 0);
            let stored = if repeats { size } else { count * size };
            let (stored, after) = after.split_at_checked(stored).ok_or_else(|| cut(location, bytes.len()))?;
            for _ in 0..if repeats { count } else { 1 } {
                pixels.extend_from_slice(stored);
            }
            rest = after;
        }
        // The last packet may pass the end.
        pixels.truncate(len);
        Ok(Cow::Owned(pixels))
    }

    /// Rows of PNG: from the top, from left to right, each after the number of its filter.
    fn rows(&self, pixels: &[u8], map: &[u8], location: &str) -> Result<Vec<u8>, Error> {
        let (size, channels) = (usize::from(self.bits.div_ceil(8)), self.channels());
        let mut rows = Vec::with_capacity(self.height * (1 + self.width * channels));
        for row in 0..self.height {
            let stored_row = if self.top_to_bottom { row } else { self.height - 1 - row };
            rows.push(0);
            for column in 0..self.width {
                let column = if self.right_to_left { self.width - 1 - column } else { column };
                let start = (stored_row * self.width + column) * size;
                let pixel = &pixels[start..start + size];
                if self.is_gray {
                    rows.push(pixel[0]);
                    continue;
                }
                let color = if self.has_map { self.mapped(map, pixel[0], location)? } else { pixel };
                rows.extend_from_slice(&rgba(color)[..channels]);
            }
        }
        Ok(rows)
    }

    fn mapped<'a>(&self, map: &'a [u8], index: u8, location: &str) -> Result<&'a [u8], Error> {
        let size = usize::from(self.map_bits.div_ceil(8));
        let start = usize::from(index).checked_sub(self.map[0]).map(|index| index * size);
        start.and_then(|start| map.get(start..start + size)).ok_or_else(|| {
            let [first, len] = self.map;
            let expected = format!("an index from {first} up to, but not including, {}", first + len);
            Error::invalid(location, expected, index.to_string())
        })
    }
}

fn le(bytes: [u8; 2]) -> usize {
    usize::from(u16::from_le_bytes(bytes))
}

/// A color of two bytes has 5 bits of each component; others are blue, green, red, alpha.
fn rgba(color: &[u8]) -> [u8; 4] {
    match *color {
        [low, high] => {
            let bits = u16::from_le_bytes([low, high]);
            let component = |shift: u16| {
                let five = (bits >> shift) & 31;
                (five << 3 | five >> 2) as u8
            };
            [component(10), component(5), component(0), 255]
        }
        [blue, green, red] => [red, green, blue, 255],
        [blue, green, red, alpha] => [red, green, blue, alpha],
        _ => [0; 4],
    }
}

fn cut(location: &str, len: usize) -> Error {
    Error::invalid(location, "a TGA picture with all its pixels", format!("an end after {len} bytes"))
}

/// A PNG with rows as they are, in stored blocks.
fn write_png(width: usize, height: usize, color_type: u8, rows: &[u8]) -> Vec<u8> {
    let blocks = rows.len().div_ceil(STORED_BLOCK);
    let mut png = Vec::with_capacity(rows.len() + 5 * blocks + 64);
    png.extend(b"\x89PNG\r\n\x1a\n");
    write_chunk(&mut png, *b"IHDR", |png| {
        png.extend([width, height].map(|side| (side as u32).to_be_bytes()).as_flattened());
        png.extend([8, color_type, 0, 0, 0]);
    });
    write_chunk(&mut png, *b"IDAT", |png| {
        png.extend([0x78, 0x01]);
        for (index, block) in rows.chunks(STORED_BLOCK).enumerate() {
            let len = block.len() as u16;
            png.push(u8::from(index + 1 == blocks));
            png.extend(len.to_le_bytes());
            png.extend((!len).to_le_bytes());
            png.extend_from_slice(block);
        }
        png.extend(adler32(rows).to_be_bytes());
    });
    write_chunk(&mut png, *b"IEND", |_| ());
    png
}

/// A chunk: its length, its name, its data and their checksum.
fn write_chunk(png: &mut Vec<u8>, name: [u8; 4], write_data: impl FnOnce(&mut Vec<u8>)) {
    png.extend([0; 4]);
    let start = png.len();
    png.extend(name);
    write_data(png);
    let len = (png.len() - start - name.len()) as u32;
    png[start - 4..start].copy_from_slice(&len.to_be_bytes());
    let checksum = crc32fast::hash(&png[start..]);
    png.extend(checksum.to_be_bytes());
}

/// The checksum of zlib.
fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    // The most bytes whose sums fit 32 bits.
    const SUMMED: usize = 5552;
    let [mut low, mut high] = [1_u32, 0];
    for block in bytes.chunks(SUMMED) {
        for &byte in block {
            low += u32::from(byte);
            high += low;
        }
        low %= MODULUS;
        high %= MODULUS;
    }
    high << 16 | low
}
