//! Perlin's gradient noise in two dimensions, with octaves.

/// The sum of `octaves` layers, each with twice the frequency and half the amplitude of the one
/// before. The result is smooth, ranges from about -1 to 1, and is zero at integer coordinates.
/// Without octaves it is zero.
pub(crate) fn noise(x: f64, y: f64, octaves: u32) -> f64 {
    let (mut sum, mut amplitude, mut frequency) = (0.0, 1.0, 1.0);
    for _ in 0..octaves {
        sum += amplitude * layer(x * frequency, y * frequency);
        amplitude *= 0.5;
        frequency *= 2.0;
    }
    sum
}

fn layer(x: f64, y: f64) -> f64 {
    let (column, row) = (x.floor(), y.floor());
    let (dx, dy) = (x - column, y - row);
    let corner = |i: i64, j: i64| {
        let (gx, gy) = gradient((column as i64).wrapping_add(i), (row as i64).wrapping_add(j));
        gx * (dx - i as f64) + gy * (dy - j as f64)
    };
    let (fx, fy) = (fade(dx), fade(dy));
    let lower = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * fx;
    let upper = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * fx;
    lower + (upper - lower) * fy
}

/// Perlin's fade curve from 0 to 1; its first and second derivatives are zero at both ends.
fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// The gradient at a lattice point: one of eight directions, chosen by a hash.
fn gradient(column: i64, row: i64) -> (f64, f64) {
    let mut hash = (column as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (row as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    hash = (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 32)).wrapping_mul(0x94D0_49BB_1331_11EB);
    const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const DIRECTIONS: [(f64, f64); 8] = [
        (1.0, 0.0),
        (DIAGONAL, DIAGONAL),
        (0.0, 1.0),
        (-DIAGONAL, DIAGONAL),
        (-1.0, 0.0),
        (-DIAGONAL, -DIAGONAL),
        (0.0, -1.0),
        (DIAGONAL, -DIAGONAL),
    ];
    DIRECTIONS[(hash >> 61) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_zero_on_the_lattice_and_varies_between() {
        assert_eq!(noise(3.0, -7.0, 20), 0.0);
        let samples: Vec<f64> = (0..1000).map(|i| noise(f64::from(i) * 0.0173, 0.5, 10)).collect();
        assert!(samples.iter().all(|sample| sample.abs() < 2.0));
        assert!(samples.iter().any(|&sample| sample > 0.3));
        assert!(samples.iter().any(|&sample| sample < -0.3));
    }

    #[test]
    fn a_layer_is_continuous_across_the_lattice() {
        for i in 0..50 {
            let y = f64::from(i) * 0.31;
            assert!((layer(1.0 - 1e-9, y) - layer(1.0 + 1e-9, y)).abs() < 1e-8);
        }
    }
}
