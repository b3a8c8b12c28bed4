//! Vertices of a volume: points as they are, and as far away from the light as can be.

use sinew_kernels::VectorBlock;

use crate::Points;

/// Points with w = 1, then the same moved away from a light, with w = 0. A point at the light has no way to go, and stays:
/// its triangles then end where they begin, and cast nothing.
pub(super) fn extrude_from([x, y, z]: [f32; 3], points: &Points<'_>, to: &mut [[f32; 4]]) {
    let (near, far) = to.split_at_mut(points.len());
    each(points, near.iter_mut().zip(far), |(near, far), [px, py, pz]| {
        *near = [px, py, pz, 1.0];
        *far = if [px, py, pz] == [x, y, z] { *near } else { [px - x, py - y, pz - z, 0.0] };
    });
}

/// Points with w = 1, then the one point where they all end.
pub(super) fn extrude_to([x, y, z]: [f32; 3], points: &Points<'_>, to: &mut [[f32; 4]]) {
    let (near, far) = to.split_at_mut(points.len());
    each(points, near.iter_mut(), |near, [px, py, pz]| *near = [px, py, pz, 1.0]);
    far[0] = [x, y, z, 0.0];
}

/// Calls with each point and what belongs to it.
#[inline]
fn each<T>(points: &Points<'_>, mut to: impl Iterator<Item = T>, mut act: impl FnMut(T, [f32; 3])) {
    match *points {
        Points::Blocks { blocks, vectors } => {
            for block in blocks.chunks_exact(vectors.max(1)) {
                let VectorBlock { rows: [x, y, z] } = block[0];
                for (((x, y), z), to) in x.into_iter().zip(y).zip(z).zip(&mut to) {
                    act(to, [x, y, z]);
                }
            }
        }
        Points::Packed(points) => points.iter().zip(to).for_each(|(&point, to)| act(to, point)),
        Points::Padded(points) => points.iter().zip(to).for_each(|(&[x, y, z, _], to)| act(to, [x, y, z])),
    }
}
