//! How well the order of triangles and vertices uses the caches of a GPU.

use crate::geometry::GeometryError;
use crate::mesh::MeshError;

/// Vertices in the cache of transformed vertices, which replaces the oldest.
pub(super) const VERTEX_CACHE: usize = 16;
/// Bytes of a line of the cache of vertex data.
const LINE: usize = 64;
/// Lines of that cache, each of which has one place: 128 KiB.
const LINES: usize = (128 << 10) / LINE;

/// The cache misses of an index buffer, as meshoptimizer defines them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Locality {
    /// The average cache miss ratio: vertices transformed for each triangle, with a cache of 16
    /// vertices. From about 0.5 to 3. It does not depend on the order of vertices.
    pub acmr: f64,
    /// The bytes fetched for each byte of vertices that triangles use. At best 1.
    pub overfetch: f64,
}

impl Locality {
    /// Measures triangles that index `vertices` vertices of so many bytes. Both ratios are zero if
    /// there are no triangles.
    ///
    /// # Errors
    ///
    /// If a triangle index is out of range.
    pub fn measure(
        triangles: &[[u32; 3]],
        vertices: usize,
        vertex_bytes: usize,
    ) -> Result<Self, GeometryError> {
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&corner| corner as usize >= vertices) {
                return Err(MeshError::TriangleOutOfRange { triangle, vertex, len: vertices }.into());
            }
        }
        let ratio = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        let (fetched, used) = fetched_bytes(triangles, vertices, vertex_bytes.max(1));
        Ok(Self {
            acmr: ratio(transformed_vertices(triangles, vertices), triangles.len()),
            overfetch: ratio(fetched, used),
        })
    }
}

/// The number of vertices that a cache of transformed vertices misses.
pub(super) fn transformed_vertices(triangles: &[[u32; 3]], vertices: usize) -> usize {
    // When each vertex was transformed last, counted in transformed vertices; 0 for never.
    let mut times = vec![0; vertices];
    let start = VERTEX_CACHE + 1;
    let mut now = start;
    for &corner in triangles.as_flattened() {
        let time = &mut times[corner as usize];
        if now - *time > VERTEX_CACHE {
            *time = now;
            now += 1;
        }
    }
    now - start
}

/// The bytes of all lines that are fetched, and those of all vertices that are used.
fn fetched_bytes(triangles: &[[u32; 3]], vertices: usize, vertex_bytes: usize) -> (usize, usize) {
    let mut is_used = vec![false; vertices];
    // One more than the number of the line in each place.
    let mut cache = [0_usize; LINES];
    let mut fetched = 0;
    for &corner in triangles.as_flattened() {
        is_used[corner as usize] = true;
        let start = corner as usize * vertex_bytes;
        for line in start / LINE..(start + vertex_bytes).div_ceil(LINE) {
            let place = &mut cache[line % LINES];
            if *place != line + 1 {
                *place = line + 1;
                fetched += LINE;
            }
        }
    }
    (fetched, is_used.into_iter().filter(|&used| used).count() * vertex_bytes)
}
