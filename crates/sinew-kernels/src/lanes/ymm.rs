//! Eight lanes in a 256-bit register: AVX2 with FMA, and the same registers with AVX-512's
//! instructions.
//!
//! The AVX-512 backend keeps to 256 bits: 512-bit registers lower the clock of the first CPUs that
//! have them by a fifth, and 512-bit loads run at half the rate. What it gains is 32 registers and
//! broadcasts embedded in arithmetic.

use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::ops::Neg;

use super::intrinsics::{FusePolicy, intrinsic, operators};
use super::part_stores::{EightVertices, Words};
use super::{Lanes, Outlined, quads, xmm, ymm_16_bit, ymm_formats};
use crate::{BLOCK, Matrix, VectorBlock};

const _: () = assert!(size_of::<VectorBlock>() == 96 && align_of::<VectorBlock>() == 32);

/// An instruction set with 256-bit registers; a value proves that the CPU has it.
pub(crate) trait Token: Copy {
    /// As [`Lanes::outline`].
    fn outline<S: FusePolicy, T: Outlined<Ymm<Self, S>>>(self, task: T);
}

/// Proof that the CPU has AVX2, FMA and F16C.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

impl Token for Avx2 {
    #[inline(always)]
    fn outline<S: FusePolicy, T: Outlined<Ymm<Self, S>>>(self, task: T) {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn run<S: FusePolicy, T: Outlined<Ymm<Avx2, S>>>(task: T) {
            task.run(Avx2::new());
        }
        // A function without features: the compiler inlines others whatever they say.
        #[inline(never)]
        unsafe fn outlined<S: FusePolicy, T: Outlined<Ymm<Avx2, S>>>(task: T) {
            // SAFETY: the caller shows the features.
            unsafe { run(task) }
        }
        // SAFETY: the token shows the features.
        unsafe { outlined(task) }
    }
}

/// Proof that the CPU has AVX-512 F, VL, DQ and BW, and with them AVX2, FMA and F16C.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    #[inline]
    #[target_feature(enable = "avx2,fma,f16c,avx512f,avx512vl,avx512dq,avx512bw")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

impl Token for Avx512 {
    #[inline(always)]
    fn outline<S: FusePolicy, T: Outlined<Ymm<Self, S>>>(self, task: T) {
        #[target_feature(enable = "avx2,fma,f16c,avx512f,avx512vl,avx512dq,avx512bw")]
        fn run<S: FusePolicy, T: Outlined<Ymm<Avx512, S>>>(task: T) {
            task.run(Avx512::new());
        }
        // A function without features: the compiler inlines others whatever they say.
        #[inline(never)]
        unsafe fn outlined<S: FusePolicy, T: Outlined<Ymm<Avx512, S>>>(task: T) {
            // SAFETY: the caller shows the features.
            unsafe { run(task) }
        }
        // SAFETY: the token shows the features.
        unsafe { outlined(task) }
    }
}

/// Eight floats in a ymm register.
#[derive(Clone, Copy)]
pub(crate) struct Ymm<T, S> {
    register: __m256,
    policy: PhantomData<(T, S)>,
}

impl<T: Token, S: FusePolicy> Ymm<T, S> {
    #[inline(always)]
    fn new(register: __m256) -> Self {
        Self { register, policy: PhantomData }
    }

    #[inline(always)]
    fn quad(self, quad: usize) -> __m128 {
        match quad {
            0 => intrinsic!(_mm256_castps256_ps128(self.register)),
            _ => intrinsic!(_mm256_extractf128_ps::<1>(self.register)),
        }
    }
}

operators!([T: Token, S: FusePolicy] Ymm<T, S>:
    _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps);

impl<T: Token, S: FusePolicy> Neg for Ymm<T, S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let sign = intrinsic!(_mm256_set1_ps(-0.0));
        Self::new(intrinsic!(_mm256_xor_ps(self.register, sign)))
    }
}

impl<T: Token, S: FusePolicy> Lanes for Ymm<T, S> {
    type Token = T;
    type Mask = __m256;
    const LEN: usize = 8;

    #[inline(always)]
    fn outline<U: Outlined<Self>>(token: T, task: U) {
        token.outline(task);
    }

    const FAST_BROADCAST_LOADS: bool = true;
    // Reproducible results are rarely wanted where every cycle counts, and the loops would be a
    // quarter of all code. Those into blocks are 33 kB more, and up to a quarter faster.
    const COMPACT_LOOPS: bool = !S::FUSE && cfg!(sinew_fewer_variants);
    const COMPACT_LAYOUT_LOOPS: bool = !S::FUSE;
    // In small builds packed arrays take 1.10 to 1.19 times as long in that mode: 25 kB.
    const PACKED_LOOPS: bool = S::FUSE || !cfg!(sinew_fewer_variants);
    const DIRECT_FORMATS: bool = S::FUSE;

    #[inline(always)]
    fn splat(_: T, value: f32) -> Self {
        Self::new(intrinsic!(_mm256_set1_ps(value)))
    }

    #[inline(always)]
    fn load(_: T, row: &[f32; BLOCK], _group: usize) -> Self {
        // SAFETY: the token shows AVX; the array is eight readable floats.
        Self::new(unsafe { _mm256_loadu_ps(row.as_ptr()) })
    }

    #[inline(always)]
    fn load_reordered(token: T, row: &[f32; BLOCK], order: &[u8; BLOCK], group: usize) -> Self {
        // SAFETY: the token shows SSE2; the array is eight readable bytes.
        let order = unsafe { _mm_loadl_epi64(order.as_ptr().cast()) };
        let order = intrinsic!(_mm256_cvtepu8_epi32(order));
        // Of each index, the instruction reads the lowest three bits.
        let row = Self::load(token, row, group).register;
        Self::new(intrinsic!(_mm256_permutevar8x32_ps(row, order)))
    }

    #[inline(always)]
    fn store(self, row: &mut [f32; BLOCK], _group: usize) {
        // SAFETY: `self` exists, so AVX is there; the array is eight writable floats.
        unsafe { _mm256_storeu_ps(row.as_mut_ptr(), self.register) }
    }

    #[inline(always)]
    fn load_quads<'a>(_: T, quad: impl Fn(usize) -> &'a [f32; 4]) -> Self {
        // SAFETY: the token shows AVX; the array is four readable floats.
        let low = unsafe { _mm_loadu_ps(quad(0).as_ptr()) };
        // SAFETY: as above.
        let high = unsafe { _mm_loadu_ps(quad(1).as_ptr()) };
        let low = intrinsic!(_mm256_castps128_ps256(low));
        Self::new(intrinsic!(_mm256_insertf128_ps::<1>(low, high)))
    }

    #[inline(always)]
    fn load_vec3s<'a>(_: T, quad: impl Fn(usize) -> &'a [f32; 3]) -> Self {
        let three = intrinsic!(_mm_set_epi32(0, -1, -1, -1));
        // SAFETY: the token shows AVX; the array is three readable floats, and no other is read.
        let low = unsafe { _mm_maskload_ps(quad(0).as_ptr(), three) };
        // SAFETY: as above.
        let high = unsafe { _mm_maskload_ps(quad(1).as_ptr(), three) };
        let low = intrinsic!(_mm256_castps128_ps256(low));
        Self::new(intrinsic!(_mm256_insertf128_ps::<1>(low, high)))
    }

    #[inline(always)]
    fn store_quad(self, quad: usize, to: &mut [f32; 4]) {
        // SAFETY: `self` exists, so AVX is there; the array is four writable floats.
        unsafe { _mm_storeu_ps(to.as_mut_ptr(), self.quad(quad)) }
    }

    #[inline(always)]
    fn store_vec3(self, quad: usize, to: &mut [f32; 3]) {
        xmm::store_vec3(self.quad(quad), to);
    }

    #[inline(always)]
    fn store_packed(vectors: [Self; 3], to: &mut [f32; 3 * BLOCK], _group: usize) {
        let [x, y, z] = [vectors[0].register, vectors[1].register, vectors[2].register];
        // Each quad: x0 x3 x2 x1, y1 y0 y3 y2, z2 z1 z0 z3. Now every lane of a result is in place
        // and blends suffice.
        let x = intrinsic!(_mm256_permute_ps::<0b01_10_11_00>(x));
        let y = intrinsic!(_mm256_permute_ps::<0b10_11_00_01>(y));
        let z = intrinsic!(_mm256_permute_ps::<0b11_00_01_10>(z));
        let xy = intrinsic!(_mm256_blend_ps::<0b0010_0010>(x, y));
        let yz = intrinsic!(_mm256_blend_ps::<0b0010_0010>(y, z));
        let zx = intrinsic!(_mm256_blend_ps::<0b0010_0010>(z, x));
        let packed = Self::to_sequential_rows([
            Self::new(intrinsic!(_mm256_blend_ps::<0b0100_0100>(xy, z))), // x0 y0 z0 x1
            Self::new(intrinsic!(_mm256_blend_ps::<0b0100_0100>(yz, x))), // y1 z1 x2 y2
            Self::new(intrinsic!(_mm256_blend_ps::<0b0100_0100>(zx, y))), // z2 x3 y3 z3
        ]);
        let (rows, _) = to.as_chunks_mut::<BLOCK>();
        for i in 0..3 {
            packed[i].store(&mut rows[i], 0);
        }
    }

    #[inline(always)]
    fn store_words3(token: T, vectors: [Self; 3], to: &mut EightVertices<'_, Words<4>>, _group: usize) {
        let [x, y, z] = vectors;
        let rows = Self::transpose([x, y, z, z]);
        for k in 0..4 {
            let (Words(low), Words(high)) = (*to.vertex(k), *to.vertex(k + 4));
            let kept = Self::load_quads(token, |quad| if quad == 0 { &low } else { &high });
            let row = intrinsic!(_mm256_blend_ps::<0b1000_1000>(rows[k].register, kept.register));
            let row = Self::new(row);
            for quad in 0..2 {
                let mut four = [0.0; 4];
                row.store_quad(quad, &mut four);
                *to.vertex(k + 4 * quad) = Words(four);
            }
        }
    }

    #[inline(always)]
    fn half_words(_: T, [x, y, z, w]: [Self; 4]) -> [Self; 2] {
        let xy = ymm_formats::half_pairs(x.register, y.register);
        let zw = ymm_formats::half_pairs(z.register, w.register);
        [Self::new(xy), Self::new(zw)]
    }

    #[inline(always)]
    fn snorm16_words(_: T, [x, y, z, w]: [Self; 4]) -> [Self; 2] {
        let xy = ymm_formats::snorm_words(x.register, y.register);
        let zw = ymm_formats::snorm_words(z.register, w.register);
        [Self::new(xy), Self::new(zw)]
    }

    #[inline(always)]
    fn unit_snorm16_word(_: T, [x, y]: [Self; 2]) -> Self {
        Self::new(ymm_formats::unit_snorm_words(x.register, y.register))
    }

    #[inline(always)]
    fn snorm8_word(_: T, [x, y, z, w]: [Self; 4]) -> Self {
        let xyz = [x.register, y.register, z.register];
        Self::new(ymm_formats::snorm8_words(xyz, Some(w.register)))
    }

    #[inline(always)]
    fn snorm16_words_and_zero(_: T, [x, y, z]: [Self; 3]) -> [Self; 2] {
        let xy = ymm_formats::snorm_words(x.register, y.register);
        [Self::new(xy), Self::new(ymm_formats::snorm_and_zero(z.register))]
    }

    #[inline(always)]
    fn snorm8_word_and_zero(_: T, [x, y, z]: [Self; 3]) -> Self {
        Self::new(ymm_formats::snorm8_words([x.register, y.register, z.register], None))
    }

    #[inline(always)]
    fn store_16_bit<const V: usize>(
        _: T,
        vectors: [[Self; 3]; V],
        signs: Self,
        normalized: bool,
        to: &mut EightVertices<'_, [[u16; 4]; V]>,
    ) {
        let mut registers = [[signs.register; 3]; V];
        for v in 0..V {
            for c in 0..3 {
                registers[v][c] = vectors[v][c].register;
            }
        }
        ymm_16_bit::store(registers, signs.register, normalized, to);
    }

    #[inline(always)]
    fn store_halves<'a>(self, to: impl Fn(usize) -> &'a mut Words<2>) {
        ymm_formats::store_halves_of_quads(self.register, to(0), to(1));
    }

    #[inline(always)]
    fn store_snorm16<'a>(self, to: impl Fn(usize) -> &'a mut Words<2>) {
        ymm_formats::store_snorm16_of_quads(self.register, to(0), to(1));
    }

    #[inline(always)]
    fn store_snorm8<'a>(self, to: impl Fn(usize) -> &'a mut Words<1>) {
        ymm_formats::store_snorm8_of_quads(self.register, to(0), to(1));
    }

    #[inline(always)]
    fn store_two_halves<'a>(a: Self, b: Self, to: impl Fn(usize) -> &'a mut Words<4>) {
        ymm_formats::store_two_halves(a.register, b.register, to(0), to(1));
    }

    #[inline(always)]
    fn store_two_snorm16<'a>(a: Self, b: Self, to: impl Fn(usize) -> &'a mut Words<4>) {
        ymm_formats::store_two_snorm16(a.register, b.register, to(0), to(1));
    }

    #[inline(always)]
    fn store_two_snorm8<'a>(a: Self, b: Self, to: impl Fn(usize) -> &'a mut Words<2>) {
        ymm_formats::store_two_snorm8(a.register, b.register, to(0), to(1));
    }

    #[inline(always)]
    fn store_non_temporal(self, to: &mut VectorBlock, row: usize, _group: usize) {
        let row = &mut to.rows[row];
        // SAFETY: `self` exists, so AVX is there; the row is eight writable floats, and rows of a
        // `VectorBlock` are 32-byte aligned, as it is itself.
        unsafe { _mm256_stream_ps(row.as_mut_ptr(), self.register) }
    }

    #[inline(always)]
    fn prefetch_page<const V: usize>(_: T, blocks: &[VectorBlock; V]) {
        const PAGE: usize = 4096;
        let first = blocks.as_ptr().cast::<i8>();
        if first.addr() % PAGE < size_of_val(blocks) {
            // SAFETY: the CPU has SSE. A prefetch has no visible effect and may name any address.
            unsafe { _mm_prefetch::<_MM_HINT_NTA>(first.wrapping_add(2 * PAGE)) }
        }
    }

    #[inline(always)]
    fn prefetch_for_write(_: T, address: *const u8) {
        xmm::prefetch_for_write(address);
    }

    #[inline(always)]
    fn prefetch_for_read(_: T, address: *const u8) {
        xmm::prefetch_for_read(address);
    }

    #[inline(always)]
    fn store_fence(_: T) {
        intrinsic!(_mm_sfence());
    }

    #[inline(always)]
    fn store_matrices(rows: [Self; 3], to: &mut [Matrix]) {
        if let Some(pair) = to.first_chunk_mut::<2>() {
            let to = quads::matrix_pair_mut(pair);
            for i in 0..3 {
                rows[i].store(&mut to[i], 0);
            }
        } else if let Some(matrix) = to.first_mut() {
            rows[0].store_quad(0, &mut matrix.rows[0]);
            rows[0].store_quad(1, &mut matrix.rows[1]);
            rows[1].store_quad(0, &mut matrix.rows[2]);
        }
    }

    #[inline(always)]
    fn to_sequential_rows(rows: [Self; 3]) -> [Self; 3] {
        // (a0 b0) (a1 b1) (a2 b2)  to  (a0 a1) (a2 b0) (b1 b2).
        let [r0, r1, r2] = [rows[0].register, rows[1].register, rows[2].register];
        [
            Self::new(intrinsic!(_mm256_permute2f128_ps::<0x20>(r0, r1))),
            Self::new(intrinsic!(_mm256_blend_ps::<0b1111_0000>(r2, r0))),
            Self::new(intrinsic!(_mm256_permute2f128_ps::<0x31>(r1, r2))),
        ]
    }

    #[inline(always)]
    fn broadcast_lane<const I: i32>(self) -> Self {
        let r = self.register;
        Self::new(match I {
            0 => intrinsic!(_mm256_permute_ps::<0b00_00_00_00>(r)),
            1 => intrinsic!(_mm256_permute_ps::<0b01_01_01_01>(r)),
            2 => intrinsic!(_mm256_permute_ps::<0b10_10_10_10>(r)),
            _ => intrinsic!(_mm256_permute_ps::<0b11_11_11_11>(r)),
        })
    }

    #[inline(always)]
    fn with_lane_3(self, from: Self) -> Self {
        Self::new(intrinsic!(_mm256_blend_ps::<0b1000_1000>(self.register, from.register)))
    }

    #[inline(always)]
    fn zip_quads(a: Self, b: Self) -> [Self; 2] {
        [
            Self::new(intrinsic!(_mm256_permute2f128_ps::<0x20>(a.register, b.register))),
            Self::new(intrinsic!(_mm256_permute2f128_ps::<0x31>(a.register, b.register))),
        ]
    }

    #[inline(always)]
    fn keep_lane_3(self) -> Self {
        let zero = intrinsic!(_mm256_setzero_ps());
        Self::new(intrinsic!(_mm256_blend_ps::<0b1000_1000>(zero, self.register)))
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = [rows[0].register, rows[1].register, rows[2].register, rows[3].register];
        // In each quad: a0 a2 b0 b2, a1 a3 b1 b3, and so on.
        let ab_even = intrinsic!(_mm256_shuffle_ps::<{ xmm::EVEN }>(a, b));
        let ab_odd = intrinsic!(_mm256_shuffle_ps::<{ xmm::ODD }>(a, b));
        let cd_even = intrinsic!(_mm256_shuffle_ps::<{ xmm::EVEN }>(c, d));
        let cd_odd = intrinsic!(_mm256_shuffle_ps::<{ xmm::ODD }>(c, d));
        [
            Self::new(intrinsic!(_mm256_shuffle_ps::<{ xmm::EVEN }>(ab_even, cd_even))),
            Self::new(intrinsic!(_mm256_shuffle_ps::<{ xmm::EVEN }>(ab_odd, cd_odd))),
            Self::new(intrinsic!(_mm256_shuffle_ps::<{ xmm::ODD }>(ab_even, cd_even))),
            Self::new(intrinsic!(_mm256_shuffle_ps::<{ xmm::ODD }>(ab_odd, cd_odd))),
        ]
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        if !S::FUSE {
            return self * factor + term;
        }
        Self::new(intrinsic!(_mm256_fmadd_ps(self.register, factor.register, term.register)))
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        if !S::FUSE {
            return term - self * factor;
        }
        Self::new(intrinsic!(_mm256_fnmadd_ps(self.register, factor.register, term.register)))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        let sign = intrinsic!(_mm256_set1_ps(-0.0));
        Self::new(intrinsic!(_mm256_andnot_ps(sign, self.register)))
    }

    #[inline(always)]
    fn negate_by_sign(self, sign: Self) -> Self {
        let sign_bit = intrinsic!(_mm256_set1_ps(-0.0));
        let sign = intrinsic!(_mm256_and_ps(sign_bit, sign.register));
        Self::new(intrinsic!(_mm256_xor_ps(self.register, sign)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::new(intrinsic!(_mm256_max_ps(self.register, other.register)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::new(intrinsic!(_mm256_min_ps(self.register, other.register)))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::new(intrinsic!(_mm256_sqrt_ps(self.register)))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> __m256 {
        intrinsic!(_mm256_cmp_ps::<_CMP_LT_OQ>(self.register, other.register))
    }

    #[inline(always)]
    fn and_masks(a: __m256, b: __m256) -> __m256 {
        intrinsic!(_mm256_and_ps(a, b))
    }

    #[inline(always)]
    fn bitmask(mask: __m256) -> u8 {
        intrinsic!(_mm256_movemask_ps(mask)) as u8
    }

    #[inline(always)]
    fn select_or_zero(mask: __m256, value: Self) -> Self {
        Self::new(intrinsic!(_mm256_and_ps(mask, value.register)))
    }

    #[inline(always)]
    fn select(mask: __m256, yes: Self, no: Self) -> Self {
        Self::new(intrinsic!(_mm256_blendv_ps(no.register, yes.register, mask)))
    }
}
