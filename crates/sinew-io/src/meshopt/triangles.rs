//! Decodes triangle lists: each triangle refers to recent edges and vertices, which are in two ring
//! buffers.

use super::stream::{Cursor, DecodeError, open_stream};
use super::varint::{push_index, read_varint, unzigzag};

const KIND: u8 = 0xe0;
/// The stream ends with a table of sixteen pairs of codes.
const TAIL: usize = 16;

/// Decodes `count` indices of `size` bytes, 2 or 4; three per triangle.
pub(super) fn decode(data: &[u8], count: usize, size: usize) -> Result<Vec<u8>, DecodeError> {
    let (mut cursor, version, table) = open_stream(data, KIND, TAIL)?;
    let codes = cursor.take(count / 3)?;
    let mut decoder = Decoder {
        cursor,
        table,
        // Version 1 has two codes for the neighbors of the last explicit index.
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
    /// The last explicit index.
    last: u32,
}

impl Decoder<'_> {
    fn triangle(&mut self, code: u8) -> Result<[u32; 3], DecodeError> {
        match code {
            0x00..=0xef => self.edge_triangle(code >> 4, code & 15),
            0xf0..=0xfd => Ok(self.table_triangle(self.table[usize::from(code & 15)])),
            0xfe => self.explicit_triangle(0),
            0xff => self.explicit_triangle(15),
        }
    }

    /// A triangle of a recent edge and another vertex.
    fn edge_triangle(&mut self, edge: u8, vertex: u8) -> Result<[u32; 3], DecodeError> {
        let [a, b] = self.edges.ago(edge);
        let c = if vertex == 0 {
            let c = self.new_vertex();
            self.vertices.push(c);
            c
        } else if vertex < self.cached {
            self.vertices.ago(vertex)
        } else {
            self.last = match vertex {
                13 => self.last.wrapping_sub(1),
                14 => self.last.wrapping_add(1),
                _ => self.explicit_index()?,
            };
            self.vertices.push(self.last);
            self.last
        };
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// A triangle of a new vertex and two that are new or recent.
    fn table_triangle(&mut self, pair: u8) -> [u32; 3] {
        let (second, third) = (pair >> 4, pair & 15);
        let a = self.new_vertex();
        let b = self.new_or_recent(second);
        let c = self.new_or_recent(third);
        self.vertices.push(a);
        self.remember(b, second == 0);
        self.remember(c, third == 0);
        self.push_edges([a, b, c])
    }

    /// A triangle whose vertices are each new, recent or explicit.
    fn explicit_triangle(&mut self, first: u8) -> Result<[u32; 3], DecodeError> {
        let pair = self.cursor.byte()?;
        let (second, third) = (pair >> 4, pair & 15);
        if pair == 0 {
            self.next = 0;
        }
        let mut a = if first == 0 { self.new_vertex() } else { 0 };
        let mut b = self.new_or_recent(second);
        let mut c = self.new_or_recent(third);
        for (index, kind) in [(&mut a, first), (&mut b, second), (&mut c, third)] {
            if kind == 15 {
                *index = self.explicit_index()?;
                self.last = *index;
            }
        }
        self.vertices.push(a);
        self.remember(b, matches!(second, 0 | 15));
        self.remember(c, matches!(third, 0 | 15));
        Ok(self.push_edges([a, b, c]))
    }

    fn new_vertex(&mut self) -> u32 {
        let vertex = self.next;
        self.next = self.next.wrapping_add(1);
        vertex
    }

    fn new_or_recent(&mut self, code: u8) -> u32 {
        // Code 0 is a new vertex, so recent vertices count from one.
        if code == 0 { self.new_vertex() } else { self.vertices.ago(code - 1) }
    }

    fn explicit_index(&mut self) -> Result<u32, DecodeError> {
        Ok(self.last.wrapping_add(unzigzag(read_varint(&mut self.cursor)?)))
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

/// The last sixteen items.
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

    /// The item that was pushed `ago` items before the last.
    fn ago(&self, ago: u8) -> T {
        self.items[(self.end + 15 - usize::from(ago)) % 16]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(data: &[u8], count: usize) -> Result<Vec<u32>, DecodeError> {
        let bytes = decode(data, count, 4)?;
        Ok(bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect())
    }

    /// A new triangle, one on its last edge, and an explicit one.
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
    fn no_code_is_out_of_range() {
        for code in 0..=255_u8 {
            for pair in 0..=255_u8 {
                let mut data = vec![0xe1, code, code, pair, 0x85, 0xff, 0xff, 0xff, 0x7f];
                data.extend([pair; TAIL]);
                let _ = decode(&data, 6, 2);
            }
        }
    }
}
