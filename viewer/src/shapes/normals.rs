//! A line along each normal.

use crate::draw::{LineVertex, ModelCopy, SurfaceInput};
use crate::scene::Subject;

/// Maximum number of lines; more would cover the surface.
const MAX_LINES: usize = 120_000;

const START_COLOR: [u8; 4] = [60, 150, 255, 230];
const END_COLOR: [u8; 4] = [120, 230, 255, 120];

/// Adds a line for each normal of a mesh instance in all copies, or for every n-th if there are too
/// many.
pub fn add_normals(
    subject: &Subject,
    input: &SurfaceInput,
    copies: &[ModelCopy],
    length: f32,
    lines: &mut Vec<LineVertex>,
) {
    let SurfaceInput::Skinned { floats, .. } = input else { return };
    let (vertices, _) = floats.as_chunks::<6>();
    let vertices_per_copy = vertices.len() / copies.len().max(1);
    let step = vertices.len().div_ceil(MAX_LINES).max(1);
    for (index, &[x, y, z, u, v, w]) in vertices.iter().enumerate().step_by(step) {
        let Some(copy) = index.checked_div(vertices_per_copy).and_then(|copy| copies.get(copy)) else {
            continue;
        };
        let at = |along: f32| {
            let position = subject.to_scene([x + along * u, y + along * v, z + along * w]);
            [0, 1, 2].map(|i| position[i] + copy.offset[i])
        };
        lines.push(LineVertex { position: at(0.0), color: START_COLOR });
        lines.push(LineVertex { position: at(length), color: END_COLOR });
    }
}
