//! The extent of points of four coordinates, in two registers.

/// The smallest and the largest coordinates of points. NaN coordinates are ignored.
///
/// Compilers find the registers of x86 and ARM by themselves, but not those of WebAssembly, where
/// this halves the time of a refit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent4 {
    min: Four,
    max: Four,
}

impl Extent4 {
    pub(super) const EMPTY: Self = Self { min: splat(f32::INFINITY), max: splat(f32::NEG_INFINITY) };

    #[inline(always)]
    pub(super) fn add(&mut self, point: &[f32; 4]) {
        let point = load(point);
        self.min = min(point, self.min);
        self.max = max(point, self.max);
    }

    #[inline(always)]
    pub(super) fn min_max(self) -> [[f32; 4]; 2] {
        [store(self.min), store(self.max)]
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use arrays::{Four, load, max, min, splat, store};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::{Four, load, max, min, splat, store};

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod arrays {
    use crate::bounds::{max as larger, min as smaller};

    pub(super) type Four = [f32; 4];

    pub(super) const fn splat(number: f32) -> Four {
        [number; 4]
    }

    #[inline(always)]
    pub(super) fn load(numbers: &[f32; 4]) -> Four {
        *numbers
    }

    #[inline(always)]
    pub(super) fn store(four: Four) -> [f32; 4] {
        four
    }

    #[inline(always)]
    pub(super) fn min(a: Four, b: Four) -> Four {
        std::array::from_fn(|lane| smaller(a[lane], b[lane]))
    }

    #[inline(always)]
    pub(super) fn max(a: Four, b: Four) -> Four {
        std::array::from_fn(|lane| larger(a[lane], b[lane]))
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{f32x4, f32x4_extract_lane, f32x4_pmax, f32x4_pmin, v128};

    pub(super) type Four = v128;

    pub(super) const fn splat(number: f32) -> Four {
        f32x4(number, number, number, number)
    }

    #[inline(always)]
    pub(super) fn load(&[x, y, z, w]: &[f32; 4]) -> Four {
        f32x4(x, y, z, w)
    }

    #[inline(always)]
    pub(super) fn store(four: Four) -> [f32; 4] {
        [
            f32x4_extract_lane::<0>(four),
            f32x4_extract_lane::<1>(four),
            f32x4_extract_lane::<2>(four),
            f32x4_extract_lane::<3>(four),
        ]
    }

    /// `b` where either is NaN, as for single numbers.
    #[inline(always)]
    pub(super) fn min(a: Four, b: Four) -> Four {
        f32x4_pmin(b, a)
    }

    /// `b` where either is NaN, as for single numbers.
    #[inline(always)]
    pub(super) fn max(a: Four, b: Four) -> Four {
        f32x4_pmax(b, a)
    }
}
