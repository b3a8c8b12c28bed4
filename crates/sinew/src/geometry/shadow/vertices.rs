//! Vertices of a shadow volume: in place, and extruded to infinity.

use sinew_kernels::{BLOCK, VectorBlock};

use crate::geometry::PositionView;

/// Writes the positions with w = 1, then, with w = 0, the positions extruded away from a point
/// light. A position at the light has no direction and stays in place, so its triangles have no
/// extent and cast nothing.
pub(super) fn extrude_from_point(light: [f32; 3], positions: &PositionView<'_>, to: &mut [[f32; 4]]) {
    let (near, far) = to.split_at_mut(positions.len());
    copy_positions(positions, near);
    let [x, y, z] = light;
    let mut at_light = false;
    for (far, &mut [px, py, pz, w]) in far.iter_mut().zip(near.iter_mut()) {
        *far = [px - x, py - y, pz - z, w - 1.0];
        at_light |= (px == x) & (py == y) & (pz == z);
    }
    if at_light {
        let stay = near.iter().zip(far).filter(|(near, _)| near[..3] == light);
        stay.for_each(|(near, far)| *far = *near);
    }
}

/// Writes the positions with w = 1, then the common point at infinity.
pub(super) fn extrude_to_direction([x, y, z]: [f32; 3], positions: &PositionView<'_>, to: &mut [[f32; 4]]) {
    let (near, far) = to.split_at_mut(positions.len());
    copy_positions(positions, near);
    far[0] = [x, y, z, 0.0];
}

/// Writes the positions with w = 1.
fn copy_positions(positions: &PositionView<'_>, to: &mut [[f32; 4]]) {
    match *positions {
        PositionView::Blocks { blocks, vectors } => {
            let (to, _) = to.as_chunks_mut::<BLOCK>();
            for (block, to) in blocks.chunks_exact(vectors.max(1)).zip(to) {
                let VectorBlock { rows: [x, y, z] } = &block[0];
                for lane in 0..BLOCK {
                    to[lane] = [x[lane], y[lane], z[lane], 1.0];
                }
            }
        }
        PositionView::Packed(positions) => {
            positions.iter().zip(to).for_each(|(&[x, y, z], to)| *to = [x, y, z, 1.0]);
        }
        PositionView::Padded(positions) => {
            positions.iter().zip(to).for_each(|(&[x, y, z, _], to)| *to = [x, y, z, 1.0]);
        }
        PositionView::Strided(positions) => {
            positions.iter().zip(to).for_each(|(&[x, y, z], to)| *to = [x, y, z, 1.0]);
        }
    }
}
