//! Matrices: model matrices of a pose, comparison, and blending in `f64`.

use sinew::{Matrix, Pose, Skeleton};

/// The model matrices of all joints of a pose.
pub(crate) fn compute_model_matrices(skeleton: &Skeleton, pose: &Pose) -> Vec<Matrix> {
    let mut matrices = skeleton.identity_matrices();
    skeleton.to_model(pose, .., &mut matrices).expect("a matrix for each joint");
    matrices
}

/// The largest absolute difference between two elements.
pub(crate) fn max_difference(a: &[Matrix], b: &[Matrix]) -> f32 {
    assert_eq!(a.len(), b.len());
    let elements = |matrices: &[Matrix]| matrices.iter().flat_map(|m| m.rows).flatten().collect::<Vec<_>>();
    elements(a).iter().zip(elements(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// The largest absolute element, at least one.
pub(crate) fn max_magnitude(matrices: &[Matrix]) -> f32 {
    matrices.iter().flat_map(|m| m.rows).flatten().map(f32::abs).fold(1.0, f32::max)
}

/// Three rows of four columns in `f64`.
pub(crate) type MatrixF64 = [[f64; 4]; 3];

/// Adds a matrix times its weight to a sum.
pub(crate) fn add_weighted(sum: &mut MatrixF64, matrix: &Matrix, weight: f64) {
    let elements = matrix.rows.as_flattened();
    for (sum, &element) in sum.as_flattened_mut().iter_mut().zip(elements) {
        *sum += weight * f64::from(element);
    }
}

/// Transforms a vector whose fourth component is `w`: 1 for positions, 0 for directions.
pub(crate) fn transform(matrix: &MatrixF64, vector: [f32; 3], w: f64) -> [f64; 3] {
    let [x, y, z] = vector.map(f64::from);
    matrix.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3] * w)
}
