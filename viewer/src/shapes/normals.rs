//! A line along each normal.

use crate::draw::{Copy, Moved, Point};
use crate::scene::Subject;

/// More lines than these are only fog.
const MOST: usize = 120_000;

const AT_SKIN: [u8; 4] = [60, 150, 255, 230];
const AT_END: [u8; 4] = [120, 230, 255, 120];

/// Adds a line for each normal of a part in all copies; of very many vertices only for some.
pub fn normals(subject: &Subject, moved: &Moved, copies: &[Copy], length: f32, lines: &mut Vec<Point>) {
    let Moved::Vertices { floats, .. } = moved else { return };
    let (vertices, _) = floats.as_chunks::<6>();
    let of_copy = vertices.len() / copies.len().max(1);
    let every = vertices.len().div_ceil(MOST).max(1);
    for (index, &[x, y, z, u, v, w]) in vertices.iter().enumerate().step_by(every) {
        let Some(copy) = index.checked_div(of_copy).and_then(|copy| copies.get(copy)) else { continue };
        let at = |along: f32| {
            let place = subject.upright([x + along * u, y + along * v, z + along * w]);
            [0, 1, 2].map(|i| place[i] + copy.offset[i])
        };
        lines.push(Point { position: at(0.0), colour: AT_SKIN });
        lines.push(Point { position: at(length), colour: AT_END });
    }
}
