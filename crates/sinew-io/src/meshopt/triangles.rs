//! Lists of triangles: each shares an edge or vertices with recent ones, which two rings remember.

use super::broken::{Broken, Cursor, open};
use super::variable::{number, push_index, unzigzag};

const KIND: u8 = 0xe0;
/// A table of sixteen pairs of codes ends the stream.
const TAIL: usize = 16;

/// `count` indices, three to the triangle, of `size` bytes each, 2 or 4.
pub(super) fn decode(data: &[u8], count: usize, size: usize) -> Result<Vec<u8>, Broken> {
    let (mut cursor, version, table) = open(data, KIND, TAIL)?;
    let codes = cursor.take(count / 3)?;
    let mut decoder = Decoder {
        cursor,
        table,
        // Version 1 spends two codes on the neighbours of the last free index.
        cached: if version == 0 { 15 } else { 13 },
        edges: Ring::new([u32::MAX; 2]),
        vertices: Ring::new(u32::MAX),
        next: 0,
        last: 0,
    };
    let mut bytes = Vec::with_capacity(count * size);
    for &code in codes {
        for index in decoder.triangle(code)? {
            push_index(&mut bytes, index, size);
        }
    }
    decoder.cursor.end()?;
    Ok(bytes)
}

struct Decoder<'a> {
    cursor: Cursor<'a>,
    table: &'a [u8],
    cached: u8,
    edges: Ring<[u32; 2]>,
    vertices: Ring<u32>,
    /// The lowest index that has not occurred.
    next: u32,
    /// The last index that was written out in full.
    last: u32,
}

impl Decoder<'_> {
    fn triangle(&mut self, code: u8) -> Result<[u32; 3], Broken> {
        match code {
            0x00..=0xef => self.beside_edge(code >> 4, code & 15),
            0xf0..=0xfd => Ok(self.by_table(self.table[usize::from(code & 15)])),
            0xfe => self.by_data(0),
            0xff => self.by_data(15),
        }
    }

    /// A recent edge and one vertex more.
    fn beside_edge(&mut self, edge: u8, vertex: u8) -> Result<[u32; 3], Broken> {
        let [a, b] = self.edges.ago(edge);
        let c = if vertex == 0 {
            let c = self.fresh();
            self.vertices.push(c);
            c
        } else if vertex < self.cached {
            self.vertices.ago(vertex)
        } else {
            self.last = match vertex {
                13 => self.last.wrapping_sub(1),
                14 => self.last.wrapping_add(1),
                _ => self.free()?,
            };
            self.vertices.push(self.last);
            self.last
        };
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// A new vertex and two that are new or recent.
    fn by_table(&mut self, pair: u8) -> [u32; 3] {
        let (second, third) = (pair >> 4, pair & 15);
        let a = self.fresh();
        let b = self.fresh_or_recent(second);
        let c = self.fresh_or_recent(third);
        self.vertices.push(a);
        self.remember(b, second == 0);
        self.remember(c, third == 0);
        self.push_edges([a, b, c])
    }

    /// Three vertices, each new, recent or written out.
    fn by_data(&mut self, first: u8) -> Result<[u32; 3], Broken> {
        let pair = self.cursor.byte()?;
        let (second, third) = (pair >> 4, pair & 15);
        if pair == 0 {
            self.next = 0;
        }
        let mut a = if first == 0 { self.fresh() } else { 0 };
        let mut b = self.fresh_or_recent(second);
        let mut c = self.fresh_or_recent(third);
        for (index, kind) in [(&mut a, first), (&mut b, second), (&mut c, third)] {
            if kind == 15 {
                *index = self.free()?;
                self.last = *index;
            }
        }
        self.vertices.push(a);
        self.remember(b, matches!(second, 0 | 15));
        self.remember(c, matches!(third, 0 | 15));
        Ok(self.push_edges([a, b, c]))
    }

    fn fresh(&mut self) -> u32 {
        let fresh = self.next;
        self.next = self.next.wrapping_add(1);
        fresh
    }

    fn fresh_or_recent(&mut self, code: u8) -> u32 {
        // Here the code counts from one, since nought means a new vertex.
        if code == 0 { self.fresh() } else { self.vertices.ago(code - 1) }
    }

    fn free(&mut self) -> Result<u32, Broken> {
        Ok(self.last.wrapping_add(unzigzag(number(&mut self.cursor)?)))
    }

    fn remember(&mut self, vertex: u32, new: bool) {
        if new {
            self.vertices.push(vertex);
        }
    }

    fn push_edges(&mut self, [a, b, c]: [u32; 3]) -> [u32; 3] {
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        [a, b, c]
    }
}

/// The last sixteen of something.
struct Ring<T> {
    items: [T; 16],
    end: usize,
}

impl<T: Copy> Ring<T> {
    fn new(item: T) -> Self {
        Self { items: [item; 16], end: 0 }
    }

    fn push(&mut self, item: T) {
        self.items[self.end] = item;
        self.end = (self.end + 1) % 16;
    }

    /// The one pushed `ago` before the last.
    fn ago(&self, ago: u8) -> T {
        self.items[(self.end + 15 - usize::from(ago)) % 16]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(data: &[u8], count: usize) -> Result<Vec<u32>, Broken> {
        let bytes = decode(data, count, 4)?;
        Ok(bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect())
    }

    /// A strip of a new triangle, one beside its last edge, one written out in full.
    fn stream() -> Vec<u8> {
        let mut data = vec![0xe1, 0xf0, 0x00, 0xff];
        data.extend([0xff, 20, 2, 1]);
        data.extend([0; TAIL]);
        data
    }

    #[test]
    fn triangles_share_edges_and_vertices() {
        assert_eq!(indices(&stream(), 9).unwrap(), [0, 1, 2, 0, 2, 3, 10, 11, 10]);
    }

    #[test]
    fn every_truncation_is_refused() {
        let data = stream();
        for len in 0..data.len() {
            assert!(decode(&data[..len], 9, 4).is_err(), "{len}");
        }
        assert!(decode(&data, 6, 4).is_err());
        assert!(decode(&data, 12, 4).is_err());
    }

    #[test]
    fn nothing_that_codes_say_is_out_of_range() {
        for code in 0..=255_u8 {
            for pair in 0..=255_u8 {
                let mut data = vec![0xe1, code, code, pair, 0x85, 0xff, 0xff, 0xff, 0x7f];
                data.extend([pair; TAIL]);
                let _ = decode(&data, 6, 2);
            }
        }
    }
}
