//! Vertices of a volume: points as they are, and as far away from the light as can be.

use sinew_kernels::{BLOCK, VectorBlock};

use crate::Points;

/// Points with w = 1, then the same moved away from a light, with w = 0. A point at the light has no way to go, and stays:
/// its triangles then end where they begin, and cast nothing.
pub(super) fn extrude_from(light: [f32; 3], points: &Points<'_>, to: &mut [[f32; 4]]) {
    let (near, far) = to.split_at_mut(points.len());
    put(points, near);
    let [x, y, z] = light;
    let mut stays = false;
    for (far, &mut [px, py, pz, w]) in far.iter_mut().zip(near.iter_mut()) {
        *far = [px - x, py - y, pz - z, w - 1.0];
        stays |= (px == x) & (py == y) & (pz == z);
    }
    if stays {
        let stay = near.iter().zip(far).filter(|(near, _)| near[..3] == light);
        stay.for_each(|(near, far)| *far = *near);
    }
}

/// Points with w = 1, then the one point where they all end.
pub(super) fn extrude_to([x, y, z]: [f32; 3], points: &Points<'_>, to: &mut [[f32; 4]]) {
    let (near, far) = to.split_at_mut(points.len());
    put(points, near);
    far[0] = [x, y, z, 0.0];
}

/// Points with w = 1.
fn put(points: &Points<'_>, to: &mut [[f32; 4]]) {
    match *points {
        Points::Blocks { blocks, vectors } => {
            let (to, _) = to.as_chunks_mut::<BLOCK>();
            for (block, to) in blocks.chunks_exact(vectors.max(1)).zip(to) {
                let VectorBlock { rows: [x, y, z] } = &block[0];
                for lane in 0..BLOCK {
                    to[lane] = [x[lane], y[lane], z[lane], 1.0];
                }
            }
        }
        Points::Packed(points) => {
            points.iter().zip(to).for_each(|(&[x, y, z], to)| *to = [x, y, z, 1.0]);
        }
        Points::Padded(points) => {
            points.iter().zip(to).for_each(|(&[x, y, z, _], to)| *to = [x, y, z, 1.0]);
        }
    }
}
