//! SSE2: four lanes, on every x86-64 CPU. It has no fused multiply-add, so both float modes are the
//! same.

use std::arch::asm;
use std::arch::x86_64::*;
use std::ops::Neg;

use super::intrinsics::{intrinsic, operators};
use super::{Lanes, Outlined, xmm_formats};
use crate::BLOCK;

/// Proof that the CPU has SSE2.
#[derive(Clone, Copy)]
pub(crate) struct Token(());

impl Token {
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// Lanes 0 and 2 of two registers, and lanes 1 and 3.
///
/// Intel's CPUs start two `shufps` per cycle, but one `unpcklps`, `unpckhps`, `movlhps` or
/// `movhlps`, which the compiler makes of the other orders where it can.
pub(super) const EVEN: i32 = 0b10_00_10_00;
pub(super) const ODD: i32 = 0b11_01_11_01;

/// Four floats in an xmm register.
#[derive(Clone, Copy)]
pub(crate) struct Xmm {
    register: __m128,
}

impl Xmm {
    #[inline(always)]
    fn new(register: __m128) -> Self {
        Self { register }
    }
}

operators!([] Xmm: _mm_add_ps, _mm_sub_ps, _mm_mul_ps, _mm_div_ps);

impl Neg for Xmm {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let sign = intrinsic!(_mm_set1_ps(-0.0));
        Self::new(intrinsic!(_mm_xor_ps(self.register, sign)))
    }
}

impl Lanes for Xmm {
    type Token = Token;
    type Mask = __m128;
    const LEN: usize = 4;
    // In small builds packed positions take 1.03 times as long, packed arrays of several vectors
    // 1.09 to 1.13 times: 68 kB.
    const PACKED_LOOPS: bool = !cfg!(sinew_fewer_variants);

    #[inline(always)]
    fn outline<T: Outlined<Self>>(_: Token, task: T) {
        #[target_feature(enable = "sse2")]
        fn run<T: Outlined<Xmm>>(task: T) {
            task.run(Token::new());
        }
        // A function without features: the compiler inlines others whatever they say.
        #[inline(never)]
        unsafe fn outlined<T: Outlined<Xmm>>(task: T) {
            // SAFETY: the caller shows the features.
            unsafe { run(task) }
        }
        // SAFETY: the token shows SSE2.
        unsafe { outlined(task) }
    }

    #[inline(always)]
    fn splat(_: Token, value: f32) -> Self {
        Self::new(intrinsic!(_mm_set1_ps(value)))
    }

    #[inline(always)]
    fn load_quads<'a>(_: Token, quad: impl Fn(usize) -> &'a [f32; 4]) -> Self {
        // SAFETY: the token shows SSE2; the array is four readable floats.
        Self::new(unsafe { _mm_loadu_ps(quad(0).as_ptr()) })
    }

    #[inline(always)]
    fn load_vec3s<'a>(_: Token, quad: impl Fn(usize) -> &'a [f32; 3]) -> Self {
        let [first @ .., third] = quad(0);
        // SAFETY: the array is two readable floats, eight bytes.
        let first = unsafe { first.as_ptr().cast::<f64>().read_unaligned() };
        // SAFETY: the token shows SSE2; it is a readable float.
        let third = unsafe { _mm_load_ss(third) };
        let first = intrinsic!(_mm_castpd_ps(_mm_set_sd(first)));
        Self::new(intrinsic!(_mm_movelh_ps(first, third)))
    }

    #[inline(always)]
    fn gather_vec3s<'a>(_: Token, vector: impl Fn(usize) -> &'a [f32; 3]) -> [Self; 3] {
        let (ab_xy, ab_z) = pair_of_vec3s(vector(0), vector(1));
        let (cd_xy, cd_z) = pair_of_vec3s(vector(2), vector(3));
        [
            Self::new(intrinsic!(_mm_shuffle_ps::<EVEN>(ab_xy, cd_xy))),
            Self::new(intrinsic!(_mm_shuffle_ps::<ODD>(ab_xy, cd_xy))),
            Self::new(intrinsic!(_mm_movelh_ps(ab_z, cd_z))),
        ]
    }

    #[inline(always)]
    fn store_quad(self, _quad: usize, to: &mut [f32; 4]) {
        // SAFETY: `self` exists, so SSE2 is there; the array is four writable floats.
        unsafe { _mm_storeu_ps(to.as_mut_ptr(), self.register) }
    }

    #[inline(always)]
    fn store_vec3(self, _quad: usize, to: &mut [f32; 3]) {
        store_vec3(self.register, to);
    }

    #[inline(always)]
    fn store_packed(vectors: [Self; 3], to: &mut [f32; 3 * BLOCK], group: usize) {
        let [x, y, z] = [vectors[0].register, vectors[1].register, vectors[2].register];
        let xy = intrinsic!(_mm_shuffle_ps::<EVEN>(x, y)); // x0 x2 y0 y2
        let yz = intrinsic!(_mm_shuffle_ps::<ODD>(y, z)); // y1 y3 z1 z3
        let zx = intrinsic!(_mm_shuffle_ps::<0b11_01_10_00>(z, x)); // z0 z2 x1 x3
        let packed = [
            Self::new(intrinsic!(_mm_shuffle_ps::<EVEN>(xy, zx))), // x0 y0 z0 x1
            Self::new(intrinsic!(_mm_shuffle_ps::<0b11_01_10_00>(yz, xy))), // y1 z1 x2 y2
            Self::new(intrinsic!(_mm_shuffle_ps::<ODD>(zx, yz))),  // z2 x3 y3 z3
        ];
        let (quads, _) = to.as_chunks_mut::<12>().0[group % 2].as_chunks_mut::<4>();
        for i in 0..3 {
            packed[i].store_quad(0, &mut quads[i]);
        }
    }

    #[inline(always)]
    fn half_words(_: Token, [x, y, z, w]: [Self; 4]) -> [Self; 2] {
        let [xy, zw] = xmm_formats::half_words([x.register, y.register, z.register, w.register]);
        [Self::new(xy), Self::new(zw)]
    }

    #[inline(always)]
    fn snorm16_words(_: Token, [x, y, z, w]: [Self; 4]) -> [Self; 2] {
        let xy = xmm_formats::snorm16_words(x.register, y.register);
        let zw = xmm_formats::snorm16_words(z.register, w.register);
        [Self::new(xy), Self::new(zw)]
    }

    #[inline(always)]
    fn unit_snorm16_word(_: Token, [x, y]: [Self; 2]) -> Self {
        Self::new(xmm_formats::unit_snorm16_words(x.register, y.register))
    }

    #[inline(always)]
    fn snorm8_word(_: Token, [x, y, z, w]: [Self; 4]) -> Self {
        Self::new(xmm_formats::snorm8_words([x.register, y.register, z.register, w.register]))
    }

    #[inline(always)]
    fn broadcast_lane<const I: i32>(self) -> Self {
        let lanes;
        // The intrinsic would compile to a copy and `shufps`.
        // SAFETY: `self` exists, so the CPU has the instruction, which touches these two registers
        // only.
        unsafe {
            asm!("pshufd {lanes}, {from}, {order}", lanes = lateout(xmm_reg) lanes,
                from = in(xmm_reg) self.register, order = const I * 0b01_01_01_01,
                options(pure, nomem, nostack, preserves_flags));
        }
        Self::new(lanes)
    }

    #[inline(always)]
    fn prefetch_for_write(_: Token, address: *const u8) {
        prefetch_for_write(address);
    }

    #[inline(always)]
    fn prefetch_for_read(_: Token, address: *const u8) {
        prefetch_for_read(address);
    }

    #[inline(always)]
    fn with_lane_3(self, from: Self) -> Self {
        let high = intrinsic!(_mm_unpackhi_ps(self.register, from.register)); // s2 f2 s3 f3
        Self::new(intrinsic!(_mm_shuffle_ps::<0b11_00_01_00>(self.register, high)))
    }

    #[inline(always)]
    fn keep_lane_3(self) -> Self {
        let mask = intrinsic!(_mm_set_epi32(-1, 0, 0, 0));
        let mask = intrinsic!(_mm_castsi128_ps(mask));
        let mut last = self.register;
        // The intrinsic would compile to a zero and two shuffles, in kernels limited by shuffles.
        // SAFETY: `self` exists, so the CPU has the instruction, which touches these two registers
        // only.
        unsafe {
            asm!("andps {last}, {mask}", last = inlateout(xmm_reg) last, mask = in(xmm_reg) mask,
                options(pure, nomem, nostack, preserves_flags));
        }
        Self::new(last)
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = [rows[0].register, rows[1].register, rows[2].register, rows[3].register];
        let ab_even = intrinsic!(_mm_shuffle_ps::<EVEN>(a, b)); // a0 a2 b0 b2
        let ab_odd = intrinsic!(_mm_shuffle_ps::<ODD>(a, b)); // a1 a3 b1 b3
        let cd_even = intrinsic!(_mm_shuffle_ps::<EVEN>(c, d));
        let cd_odd = intrinsic!(_mm_shuffle_ps::<ODD>(c, d));
        [
            Self::new(intrinsic!(_mm_shuffle_ps::<EVEN>(ab_even, cd_even))),
            Self::new(intrinsic!(_mm_shuffle_ps::<EVEN>(ab_odd, cd_odd))),
            Self::new(intrinsic!(_mm_shuffle_ps::<ODD>(ab_even, cd_even))),
            Self::new(intrinsic!(_mm_shuffle_ps::<ODD>(ab_odd, cd_odd))),
        ]
    }

    #[inline(always)]
    fn abs(self) -> Self {
        let sign = intrinsic!(_mm_set1_ps(-0.0));
        Self::new(intrinsic!(_mm_andnot_ps(sign, self.register)))
    }

    #[inline(always)]
    fn negate_by_sign(self, sign: Self) -> Self {
        let sign_bit = intrinsic!(_mm_set1_ps(-0.0));
        let sign = intrinsic!(_mm_and_ps(sign_bit, sign.register));
        Self::new(intrinsic!(_mm_xor_ps(self.register, sign)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::new(intrinsic!(_mm_max_ps(self.register, other.register)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::new(intrinsic!(_mm_min_ps(self.register, other.register)))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::new(intrinsic!(_mm_sqrt_ps(self.register)))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> __m128 {
        intrinsic!(_mm_cmplt_ps(self.register, other.register))
    }

    #[inline(always)]
    fn and_masks(a: __m128, b: __m128) -> __m128 {
        intrinsic!(_mm_and_ps(a, b))
    }

    #[inline(always)]
    fn bitmask(mask: __m128) -> u8 {
        intrinsic!(_mm_movemask_ps(mask)) as u8
    }

    #[inline(always)]
    fn select_or_zero(mask: __m128, value: Self) -> Self {
        Self::new(intrinsic!(_mm_and_ps(mask, value.register)))
    }

    #[inline(always)]
    fn negate_where(mask: __m128, value: Self) -> Self {
        let sign = intrinsic!(_mm_and_ps(mask, _mm_set1_ps(-0.0)));
        Self::new(intrinsic!(_mm_xor_ps(value.register, sign)))
    }

    #[inline(always)]
    fn select(mask: __m128, yes: Self, no: Self) -> Self {
        let yes = intrinsic!(_mm_and_ps(mask, yes.register));
        let no = intrinsic!(_mm_andnot_ps(mask, no.register));
        Self::new(intrinsic!(_mm_or_ps(yes, no)))
    }
}

/// The first two floats of both vectors, and the third.
#[inline(always)]
fn pair_of_vec3s([a_xy @ .., a_z]: &[f32; 3], [b_xy @ .., b_z]: &[f32; 3]) -> (__m128, __m128) {
    // SAFETY: the array is two readable floats, eight bytes.
    let a_xy = unsafe { a_xy.as_ptr().cast::<f64>().read_unaligned() };
    // SAFETY: as above.
    let b_xy = unsafe { b_xy.as_ptr().cast::<f64>().read_unaligned() };
    let xy = intrinsic!(_mm_set_pd(b_xy, a_xy));
    // SAFETY: the caller's token shows SSE2; it is a readable float.
    let a_z = unsafe { _mm_load_ss(a_z) };
    // SAFETY: as above.
    let b_z = unsafe { _mm_load_ss(b_z) };
    (intrinsic!(_mm_castpd_ps(xy)), intrinsic!(_mm_unpacklo_ps(a_z, b_z)))
}

/// Stores the first three of four floats.
#[inline(always)]
pub(super) fn store_vec3(register: __m128, to: &mut [f32; 3]) {
    let last = intrinsic!(_mm_movehl_ps(register, register));
    let first = intrinsic!(_mm_cvtsd_f64(_mm_castps_pd(register)));
    let [to @ .., third] = to;
    // SAFETY: the array is two writable floats, eight bytes.
    unsafe { to.as_mut_ptr().cast::<f64>().write_unaligned(first) }
    // SAFETY: a register exists, so SSE2 is there; it is a writable float.
    unsafe { _mm_store_ss(third, last) }
}

/// Fetches a cache line that will be written soon.
#[inline(always)]
pub(super) fn prefetch_for_write(address: *const u8) {
    // The intrinsic compiles to a prefetch for reading unless PRFCHW is enabled. 64-bit CPUs that
    // lack PREFETCHW ignore it.
    // SAFETY: a prefetch has no visible effect and may name any address.
    unsafe {
        asm!("prefetchw byte ptr [{}]", in(reg) address, options(nostack, preserves_flags, readonly));
    }
}

/// Fetches a cache line that will be read soon.
#[inline(always)]
pub(super) fn prefetch_for_read(address: *const u8) {
    // SAFETY: every x86-64 CPU has SSE. A prefetch has no visible effect and may name any address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}
