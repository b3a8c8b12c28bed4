//! The binary chunk of a GLB: arrays, with the accessors that describe them.

use sinew::Matrix;

use super::schema::{Accessor, BufferView};

/// The use of a buffer view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Vertices,
    Indices,
    /// Key frames, matrices, images.
    Other,
}

const UNSIGNED_BYTE: usize = 5121;
const UNSIGNED_SHORT: usize = 5123;
const UNSIGNED_INT: usize = 5125;
const FLOAT: usize = 5126;

#[derive(Debug, Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<BufferView>,
    pub(super) accessors: Vec<Accessor>,
}

impl Buffer {
    /// Appends bytes at a multiple of four, and returns the index of their view.
    pub(super) fn view(&mut self, bytes: impl IntoIterator<Item = u8>, view: View) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let target = match view {
            View::Vertices => Some(34962),
            View::Indices => Some(34963),
            View::Other => None,
        };
        let byte_length = self.bytes.len() - start;
        self.views.push(BufferView { byte_offset: start, byte_length, target });
        self.views.len() - 1
    }

    /// Adds an accessor without bounds, and returns its index.
    fn accessor(&mut self, buffer_view: usize, kind: &'static str, component: usize, count: usize) -> usize {
        let (min, max) = (Vec::new(), Vec::new());
        self.accessors.push(Accessor { buffer_view, component_type: component, count, kind, min, max });
        self.accessors.len() - 1
    }

    /// Adds an accessor with bounds, and returns its index.
    fn accessor_with_bounds(
        &mut self,
        buffer_view: usize,
        kind: &'static str,
        count: usize,
        [min, max]: [&[f32]; 2],
    ) -> usize {
        let accessor = self.accessor(buffer_view, kind, FLOAT, count);
        (self.accessors[accessor].min, self.accessors[accessor].max) = (min.to_vec(), max.to_vec());
        accessor
    }

    /// Adds an array of float vectors without bounds.
    pub(super) fn vectors<const N: usize>(&mut self, vectors: &[[f32; N]], view: View) -> usize {
        let view = self.view(vectors.as_flattened().iter().flat_map(|x| x.to_le_bytes()), view);
        self.accessor(view, kind(N), FLOAT, vectors.len())
    }

    /// Adds positions or position deltas, with bounds. There is at least one.
    pub(super) fn positions(&mut self, positions: &[[f32; 3]]) -> usize {
        let view = self.view(positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()), View::Vertices);
        let (min, max) = bounds(positions);
        self.accessor_with_bounds(view, kind(3), positions.len(), [&min, &max])
    }

    /// Adds ascending key times, with bounds. There is at least one.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let view = self.view(times.iter().flat_map(|time| time.to_le_bytes()), View::Other);
        let bounds = [&times[..1], &times[times.len() - 1..]];
        self.accessor_with_bounds(view, "SCALAR", times.len(), bounds)
    }

    pub(super) fn scalars(&mut self, scalars: &[f32]) -> usize {
        let view = self.view(scalars.iter().flat_map(|x| x.to_le_bytes()), View::Other);
        self.accessor(view, "SCALAR", FLOAT, scalars.len())
    }

    /// Adds four joints per vertex, as bytes if they fit.
    pub(super) fn joints(&mut self, joints: &[[u16; 4]]) -> usize {
        let flat = joints.as_flattened();
        let (view, component) = match flat.iter().all(|&joint| joint < 256) {
            true => (self.view(flat.iter().map(|&joint| joint as u8), View::Vertices), UNSIGNED_BYTE),
            false => {
                (self.view(flat.iter().flat_map(|joint| joint.to_le_bytes()), View::Vertices), UNSIGNED_SHORT)
            }
        };
        self.accessor(view, "VEC4", component, joints.len())
    }

    /// Adds triangle indices, in two bytes if they fit. The largest value of either type is
    /// reserved for primitive restart.
    pub(super) fn triangles(&mut self, triangles: &[[u32; 3]], vertices: usize) -> usize {
        let flat = triangles.as_flattened();
        let (view, component) = match vertices < usize::from(u16::MAX) {
            true => {
                let shorts = flat.iter().flat_map(|&vertex| (vertex as u16).to_le_bytes());
                (self.view(shorts, View::Indices), UNSIGNED_SHORT)
            }
            false => {
                (self.view(flat.iter().flat_map(|vertex| vertex.to_le_bytes()), View::Indices), UNSIGNED_INT)
            }
        };
        self.accessor(view, "SCALAR", component, flat.len())
    }

    /// Adds matrices, in column-major order.
    pub(super) fn matrices(&mut self, matrices: &[Matrix]) -> usize {
        let columns = |matrix: &Matrix| {
            let rows = [matrix.rows[0], matrix.rows[1], matrix.rows[2], [0.0, 0.0, 0.0, 1.0]];
            let column = |c: usize| rows.map(|row| row[c].to_le_bytes());
            [column(0), column(1), column(2), column(3)]
        };
        let bytes = matrices.iter().flat_map(|matrix| columns(matrix).into_iter().flatten().flatten());
        let view = self.view(bytes, View::Other);
        self.accessor(view, "MAT4", FLOAT, matrices.len())
    }
}

fn kind(components: usize) -> &'static str {
    ["SCALAR", "VEC2", "VEC3", "VEC4"][components - 1]
}

fn bounds(positions: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for position in positions {
        for axis in 0..3 {
            min[axis] = min[axis].min(position[axis]);
            max[axis] = max[axis].max(position[axis]);
        }
    }
    (min, max)
}
