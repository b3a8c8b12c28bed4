//! NEON: four lanes, on every 64-bit ARM CPU.

use std::arch::aarch64::*;
use std::marker::PhantomData;
use std::ops::Neg;

use super::intrinsics::{FusePolicy, intrinsic, operators};
use super::{Lanes, Outlined};
use crate::BLOCK;

/// Proof that the CPU has NEON.
#[derive(Clone, Copy)]
pub(crate) struct Token(());

impl Token {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// Four floats in a vector register.
#[derive(Clone, Copy)]
pub(crate) struct Neon<S> {
    register: float32x4_t,
    policy: PhantomData<S>,
}

impl<S: FusePolicy> Neon<S> {
    #[inline(always)]
    fn new(register: float32x4_t) -> Self {
        Self { register, policy: PhantomData }
    }
}

operators!([S: FusePolicy] Neon<S>: vaddq_f32, vsubq_f32, vmulq_f32, vdivq_f32);

impl<S: FusePolicy> Neg for Neon<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(intrinsic!(vnegq_f32(self.register)))
    }
}

impl<S: FusePolicy> Lanes for Neon<S> {
    type Token = Token;
    type Mask = uint32x4_t;
    const LEN: usize = 4;

    #[inline(always)]
    fn outline<T: Outlined<Self>>(_: Token, task: T) {
        #[target_feature(enable = "neon")]
        fn run<S: FusePolicy, T: Outlined<Neon<S>>>(task: T) {
            task.run(Token::new());
        }
        // A function without features: the compiler inlines others whatever they say.
        #[inline(never)]
        unsafe fn outlined<S: FusePolicy, T: Outlined<Neon<S>>>(task: T) {
            // SAFETY: the caller shows the features.
            unsafe { run(task) }
        }
        // SAFETY: the token shows NEON.
        unsafe { outlined(task) }
    }

    #[inline(always)]
    fn splat(_: Token, value: f32) -> Self {
        Self::new(intrinsic!(vdupq_n_f32(value)))
    }

    #[inline(always)]
    fn load_quads<'a>(_: Token, quad: impl Fn(usize) -> &'a [f32; 4]) -> Self {
        // SAFETY: the token shows NEON; the array is four readable floats.
        Self::new(unsafe { vld1q_f32(quad(0).as_ptr()) })
    }

    #[inline(always)]
    fn load_vec3s<'a>(_: Token, quad: impl Fn(usize) -> &'a [f32; 3]) -> Self {
        let [first @ .., third] = quad(0);
        // SAFETY: the token shows NEON; the array is two readable floats.
        let first = unsafe { vld1_f32(first.as_ptr()) };
        let zero = intrinsic!(vdup_n_f32(0.0));
        // SAFETY: as above; it is a readable float.
        let third = unsafe { vld1_lane_f32::<0>(third, zero) };
        Self::new(intrinsic!(vcombine_f32(first, third)))
    }

    #[inline(always)]
    fn store_quad(self, _quad: usize, to: &mut [f32; 4]) {
        // SAFETY: `self` exists, so NEON is there; the array is four writable floats.
        unsafe { vst1q_f32(to.as_mut_ptr(), self.register) }
    }

    #[inline(always)]
    fn store_vec3(self, _quad: usize, to: &mut [f32; 3]) {
        let first = intrinsic!(vget_low_f32(self.register));
        let [to @ .., third] = to;
        // SAFETY: `self` exists, so NEON is there; the array is two writable floats.
        unsafe { vst1_f32(to.as_mut_ptr(), first) }
        // SAFETY: as above; it is a writable float.
        unsafe { vst1q_lane_f32::<2>(third, self.register) }
    }

    #[inline(always)]
    fn store_packed(vectors: [Self; 3], to: &mut [f32; 3 * BLOCK], group: usize) {
        let vectors = float32x4x3_t(vectors[0].register, vectors[1].register, vectors[2].register);
        let (halves, _) = to.as_chunks_mut::<12>();
        // SAFETY: `self` exists, so NEON is there; the half is twelve writable floats.
        unsafe { vst3q_f32(halves[group % 2].as_mut_ptr(), vectors) }
    }

    #[inline(always)]
    fn broadcast_lane<const I: i32>(self) -> Self {
        Self::new(intrinsic!(vdupq_laneq_f32::<I>(self.register)))
    }

    #[inline(always)]
    fn with_lane_3(self, from: Self) -> Self {
        Self::new(intrinsic!(vcopyq_laneq_f32::<3, 3>(self.register, from.register)))
    }

    #[inline(always)]
    fn keep_lane_3(self) -> Self {
        let zero = intrinsic!(vdupq_n_f32(0.0));
        Self::new(intrinsic!(vcopyq_laneq_f32::<3, 3>(zero, self.register)))
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = [rows[0].register, rows[1].register, rows[2].register, rows[3].register];
        // ac = a0 c0 a1 c1 and so on; zipping those with bd puts the four in order.
        let ac_low = intrinsic!(vzip1q_f32(a, c));
        let ac_high = intrinsic!(vzip2q_f32(a, c));
        let bd_low = intrinsic!(vzip1q_f32(b, d));
        let bd_high = intrinsic!(vzip2q_f32(b, d));
        [
            Self::new(intrinsic!(vzip1q_f32(ac_low, bd_low))),
            Self::new(intrinsic!(vzip2q_f32(ac_low, bd_low))),
            Self::new(intrinsic!(vzip1q_f32(ac_high, bd_high))),
            Self::new(intrinsic!(vzip2q_f32(ac_high, bd_high))),
        ]
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        if !S::FUSE {
            return self * factor + term;
        }
        Self::new(intrinsic!(vfmaq_f32(term.register, self.register, factor.register)))
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        if !S::FUSE {
            return term - self * factor;
        }
        Self::new(intrinsic!(vfmsq_f32(term.register, self.register, factor.register)))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self::new(intrinsic!(vabsq_f32(self.register)))
    }

    #[inline(always)]
    fn negate_by_sign(self, sign: Self) -> Self {
        let sign = intrinsic!(vreinterpretq_u32_f32(sign.register));
        let sign_bit = intrinsic!(vdupq_n_u32(1 << 31));
        let sign = intrinsic!(vandq_u32(sign, sign_bit));
        let bits = intrinsic!(vreinterpretq_u32_f32(self.register));
        let bits = intrinsic!(veorq_u32(bits, sign));
        Self::new(intrinsic!(vreinterpretq_f32_u32(bits)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let larger = intrinsic!(vcgtq_f32(self.register, other.register));
        Self::select(larger, self, other)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        let smaller = intrinsic!(vcltq_f32(self.register, other.register));
        Self::select(smaller, self, other)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::new(intrinsic!(vsqrtq_f32(self.register)))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> uint32x4_t {
        intrinsic!(vcltq_f32(self.register, other.register))
    }

    #[inline(always)]
    fn and_masks(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        intrinsic!(vandq_u32(a, b))
    }

    #[inline(always)]
    fn bitmask(mask: uint32x4_t) -> u8 {
        let bit_of_lane = [1, 2, 4, 8];
        // SAFETY: a mask exists, so NEON is there; the array is four readable numbers.
        let bit_of_lane = unsafe { vld1q_u32(bit_of_lane.as_ptr()) };
        let bits = intrinsic!(vandq_u32(mask, bit_of_lane));
        intrinsic!(vaddvq_u32(bits)) as u8
    }

    #[inline(always)]
    fn select_or_zero(mask: uint32x4_t, value: Self) -> Self {
        let bits = intrinsic!(vreinterpretq_u32_f32(value.register));
        let bits = intrinsic!(vandq_u32(mask, bits));
        Self::new(intrinsic!(vreinterpretq_f32_u32(bits)))
    }

    #[inline(always)]
    fn select(mask: uint32x4_t, yes: Self, no: Self) -> Self {
        Self::new(intrinsic!(vbslq_f32(mask, yes.register, no.register)))
    }
}
