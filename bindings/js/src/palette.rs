//! The palette of a three.js mesh.

use crate::memory::{slice, slice_mut};

/// Three rows of four.
type Affine = [[f64; 4]; 3];

/// Computes, for each bone, the matrix from the mesh at rest to the posed mesh, both in the mesh's
/// own space: `bind_inverse x world x inverse x bind`, in doubles, so that a mesh far from the
/// origin keeps its precision. Matrices are 16 numbers, four columns. Writes two more matrices,
/// which have no rotation and the translation of `bind_inverse` and its opposite. Returns whether
/// the palette differs from what `to` held.
///
/// # Safety
///
/// `worlds` and `inverses` have `16 * bones` numbers, `binds` has 32 (`bind`, then `bind_inverse`),
/// and `to` has `16 * (bones + 2)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_palette(
    bones: usize,
    worlds: *const f64,
    inverses: *const f64,
    binds: *const f64,
    to: *mut f32,
) -> u32 {
    // SAFETY: the caller's promise.
    let worlds = unsafe { slice(worlds, 16 * bones) };
    // SAFETY: the caller's promise.
    let inverses = unsafe { slice(inverses, 16 * bones) };
    // SAFETY: the caller's promise.
    let binds = unsafe { slice(binds, 32) };
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, 16 * (bones + 2)) };
    let ([bind, bind_inverse], (to, _)) = (matrix_pair(binds), to.as_chunks_mut::<16>());
    let mut changed = false;
    let (worlds, inverses) = (worlds.as_chunks::<16>().0, inverses.as_chunks::<16>().0);
    let (bone_matrices, rest) = to.split_at_mut(bones);
    for ((world, inverse), to) in worlds.iter().zip(inverses).zip(bone_matrices) {
        let posed = product(&bind_inverse, &affine(world));
        let rest = product(&affine(inverse), &bind);
        changed |= replace(to, &product(&posed, &rest));
    }
    for (to, sign) in rest.iter_mut().zip([1.0, -1.0]) {
        changed |= replace(to, &bind_inverse.map(|row| [0.0, 0.0, 0.0, sign * row[3]]));
    }
    changed.into()
}

fn matrix_pair(numbers: &[f64]) -> [Affine; 2] {
    let (matrices, _) = numbers.as_chunks::<16>();
    std::array::from_fn(|index| matrices.get(index).map_or([[0.0; 4]; 3], affine))
}

fn affine(columns: &[f64; 16]) -> Affine {
    std::array::from_fn(|row| std::array::from_fn(|column| columns[4 * column + row]))
}

fn product(a: &Affine, b: &Affine) -> Affine {
    a.map(|row| {
        std::array::from_fn(|column| {
            let sum = row[0] * b[0][column] + row[1] * b[1][column] + row[2] * b[2][column];
            if column == 3 { sum + row[3] } else { sum }
        })
    })
}

fn replace(to: &mut [f32; 16], matrix: &Affine) -> bool {
    let mut columns = [0.0; 16];
    for (row, numbers) in matrix.iter().enumerate() {
        for (column, &number) in numbers.iter().enumerate() {
            columns[4 * column + row] = number as f32;
        }
    }
    columns[15] = 1.0;
    let changed = columns.map(f32::to_bits) != to.map(f32::to_bits);
    *to = columns;
    changed
}
