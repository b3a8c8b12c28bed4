//! WebAssembly simd128: four lanes, in modules compiled with the feature. No fused multiply-add.

use std::arch::wasm32::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Lanes, Outlined};
use crate::BLOCK;

/// Nothing to prove: a runtime without these instructions rejects the module.
#[derive(Clone, Copy)]
pub(crate) struct Token;

impl Token {
    pub(crate) fn new() -> Self {
        Self
    }
}

/// Four floats in a v128.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(v128);

impl Lanes for Simd128 {
    type Token = Token;
    type Mask = v128;
    const LEN: usize = 4;

    #[inline(never)]
    fn outline<T: Outlined<Self>>(token: Token, task: T) {
        task.run(token);
    }

    #[inline(always)]
    fn splat(_: Token, value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    #[inline(always)]
    fn load_quads<'a>(_: Token, quad: impl Fn(usize) -> &'a [f32; 4]) -> Self {
        // SAFETY: the array is four readable floats; v128 loads need no alignment.
        Self(unsafe { v128_load(quad(0).as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_vec3s<'a>(_: Token, quad: impl Fn(usize) -> &'a [f32; 3]) -> Self {
        let [first @ .., third] = quad(0);
        // SAFETY: the array is two readable floats; the load needs no alignment.
        let first = unsafe { v128_load64_zero(first.as_ptr().cast()) };
        Self(f32x4_replace_lane::<2>(first, *third))
    }

    #[inline(always)]
    fn store_quad(self, _quad: usize, to: &mut [f32; 4]) {
        // SAFETY: the array is four writable floats; v128 stores need no alignment.
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn store_vec3(self, _quad: usize, to: &mut [f32; 3]) {
        let [to @ .., third] = to;
        // SAFETY: the array is two writable floats; the store needs no alignment.
        unsafe { v128_store64_lane::<0>(self.0, to.as_mut_ptr().cast()) }
        // SAFETY: it is a writable float.
        unsafe { v128_store32_lane::<2>(self.0, std::ptr::from_mut(third).cast()) }
    }

    #[inline(always)]
    fn store_packed(vectors: [Self; 3], to: &mut [f32; 3 * BLOCK], group: usize) {
        let [x, y, z] = [vectors[0].0, vectors[1].0, vectors[2].0];
        let xy = i32x4_shuffle::<0, 4, 1, 5>(x, y); // x0 y0 x1 y1
        let yx = i32x4_shuffle::<1, 2, 6, 3>(y, x); // y1 y2 x2 y3
        let xz = i32x4_shuffle::<6, 3, 7, 3>(x, z); // z2 x3 z3 x3
        let packed = [
            Self(i32x4_shuffle::<0, 1, 4, 2>(xy, z)),  // x0 y0 z0 x1
            Self(i32x4_shuffle::<0, 5, 2, 1>(yx, z)),  // y1 z1 x2 y2
            Self(i32x4_shuffle::<0, 1, 7, 2>(xz, yx)), // z2 x3 y3 z3
        ];
        let (quads, _) = to.as_chunks_mut::<12>().0[group % 2].as_chunks_mut::<4>();
        for i in 0..3 {
            packed[i].store_quad(0, &mut quads[i]);
        }
    }

    #[inline(always)]
    fn broadcast_lane<const I: i32>(self) -> Self {
        Self(match I {
            0 => i32x4_shuffle::<0, 0, 0, 0>(self.0, self.0),
            1 => i32x4_shuffle::<1, 1, 1, 1>(self.0, self.0),
            2 => i32x4_shuffle::<2, 2, 2, 2>(self.0, self.0),
            _ => i32x4_shuffle::<3, 3, 3, 3>(self.0, self.0),
        })
    }

    #[inline(always)]
    fn with_lane_3(self, from: Self) -> Self {
        Self(i32x4_shuffle::<0, 1, 2, 7>(self.0, from.0))
    }

    #[inline(always)]
    fn keep_lane_3(self) -> Self {
        Self(v128_and(self.0, i32x4(0, 0, 0, -1)))
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = [rows[0].0, rows[1].0, rows[2].0, rows[3].0];
        // ab = a0 b0 a1 b1, and so on; then pairs of pairs.
        let ab_low = i32x4_shuffle::<0, 4, 1, 5>(a, b);
        let ab_high = i32x4_shuffle::<2, 6, 3, 7>(a, b);
        let cd_low = i32x4_shuffle::<0, 4, 1, 5>(c, d);
        let cd_high = i32x4_shuffle::<2, 6, 3, 7>(c, d);
        [
            Self(i64x2_shuffle::<0, 2>(ab_low, cd_low)),
            Self(i64x2_shuffle::<1, 3>(ab_low, cd_low)),
            Self(i64x2_shuffle::<0, 2>(ab_high, cd_high)),
            Self(i64x2_shuffle::<1, 3>(ab_high, cd_high)),
        ]
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(f32x4_abs(self.0))
    }

    #[inline(always)]
    fn negate_by_sign(self, sign: Self) -> Self {
        Self(v128_xor(self.0, v128_and(sign.0, f32x4_splat(-0.0))))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // pmax(a, b) is `b` where a < b, else `a`.
        Self(f32x4_pmax(other.0, self.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // pmin(a, b) is `b` where b < a, else `a`.
        Self(f32x4_pmin(other.0, self.0))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f32x4_sqrt(self.0))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> v128 {
        f32x4_lt(self.0, other.0)
    }

    #[inline(always)]
    fn and_masks(a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }

    #[inline(always)]
    fn bitmask(mask: v128) -> u8 {
        i32x4_bitmask(mask)
    }

    #[inline(always)]
    fn select_or_zero(mask: v128, value: Self) -> Self {
        Self(v128_and(mask, value.0))
    }

    #[inline(always)]
    fn select(mask: v128, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, mask))
    }
}

/// One arithmetic operator.
macro_rules! operator {
    ($trait:ident $function:ident $intrinsic:ident) => {
        impl $trait for Simd128 {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self($intrinsic(self.0, other.0))
            }
        }
    };
}
operator!(Add add f32x4_add);
operator!(Sub sub f32x4_sub);
operator!(Mul mul f32x4_mul);
operator!(Div div f32x4_div);

impl Neg for Simd128 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(f32x4_neg(self.0))
    }
}
