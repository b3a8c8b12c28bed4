//! Registers of `f32`: one trait, one implementation per instruction set.
//!
//! A value of a lanes type exists only where the CPU has its instructions: the first value is made
//! from the backend's token, and tokens are made only inside functions compiled for those
//! instructions. All `unsafe` blocks of this folder rely on this.

use std::hint::black_box;
use std::ops::{Add, Div, Mul, Neg, Range, Sub};

use crate::{BLOCK, Matrix, VectorBlock};
use part_stores::{EightVertices, Words};

pub(crate) mod block_scratch;
pub(crate) mod column_table;
pub(crate) mod direct_formats;
pub(crate) mod format_pairs;
pub(crate) mod inline_zip;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod intrinsics;
pub(crate) mod joint_list;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
pub(crate) mod number_formats;
pub(crate) mod part_stores;
#[allow(dead_code, reason = "not every target has the plain row")]
pub(crate) mod plain;
pub(crate) mod position_scratch;
pub(crate) mod product_plan;
pub(crate) mod quads;
pub(crate) mod rows;
pub(crate) mod segments;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;
pub(crate) mod strided_positions;
pub(crate) mod triangles;
pub(crate) mod vertex_parts;
pub(crate) mod vertex_stores;
pub(crate) mod vertex_writer;
#[cfg(target_arch = "x86_64")]
pub(crate) mod xmm;
#[cfg(target_arch = "x86_64")]
mod xmm_formats;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ymm;
#[cfg(target_arch = "x86_64")]
mod ymm_16_bit;
#[cfg(target_arch = "x86_64")]
mod ymm_formats;

/// A loop that [`Lanes::outline`] makes a function of its own. `run` must be `inline(always)`.
pub(crate) trait Outlined<L: Lanes> {
    /// Runs the loop.
    fn run(self, token: L::Token);
}

/// A register of `f32`. Lanes never mix, except within a *quad*: four neighboring lanes, 128 bits.
///
/// An operation is added when a kernel needs it. Default implementations are those of a register of
/// one quad, where they are the same on every instruction set. Implementations are
/// `inline(always)`, so that they are compiled as part of the function that enables their
/// instructions.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Proof that the CPU has the instructions.
    type Token: Copy;
    /// One boolean per lane.
    type Mask: Copy;
    /// Lanes in a register: 4 or 8.
    const LEN: usize;
    /// Quads in a register.
    const QUADS: usize = Self::LEN / 4;
    /// Whether a broadcast from memory is as fast as a register load.
    const FAST_BROADCAST_LOADS: bool = false;
    /// Whether to prefer one loop for all numbers of joints and vectors over many specialized
    /// loops, which take long to compile.
    const COMPACT_LOOPS: bool = false;
    /// The same for skinning into vertex layouts, which has the most loops.
    const COMPACT_LAYOUT_LOOPS: bool = Self::COMPACT_LOOPS;
    /// Whether packed arrays have loops of their own, and do not take those of any stride.
    const PACKED_LOOPS: bool = true;
    /// Whether it is faster to convert vectors to smaller numbers right after skinning than to
    /// store them in blocks first.
    const DIRECT_FORMATS: bool = false;
    /// Registers per row of a block.
    const GROUPS: usize = BLOCK / Self::LEN;

    /// Runs a loop as a function of its own, compiled for the same instructions. A function of many
    /// loops keeps too much in memory instead of registers and takes longer to compile.
    fn outline<T: Outlined<Self>>(token: Self::Token, task: T);

    /// The groups of a row, for a loop that is not unrolled. On four lanes it is up to a fifth
    /// slower, but with many variants of a body it halves the compile time.
    #[inline(always)]
    fn groups() -> Range<usize> {
        0..if Self::GROUPS == 1 { 1 } else { black_box(Self::GROUPS) }
    }
    /// The same value in every lane.
    fn splat(token: Self::Token, value: f32) -> Self;
    /// Loads lanes `group * LEN ..` of a row of a block.
    #[inline(always)]
    fn load(token: Self::Token, row: &[f32; BLOCK], group: usize) -> Self {
        Self::load_quads(token, |_| &row.as_chunks().0[group % Self::GROUPS])
    }
    /// Loads lanes of a row in another order: lane `i` is `row[order[group * LEN + i] % 8]`.
    #[inline(always)]
    fn load_reordered(token: Self::Token, row: &[f32; BLOCK], order: &[u8; BLOCK], group: usize) -> Self {
        let [a, b, c, d] = order.as_chunks().0[group % Self::GROUPS];
        let lane = |i: u8| row[usize::from(i) % BLOCK];
        let quad = [lane(a), lane(b), lane(c), lane(d)];
        Self::load_quads(token, |_| &quad)
    }
    /// Stores lanes `group * LEN ..` of a row of a block.
    #[inline(always)]
    fn store(self, row: &mut [f32; BLOCK], group: usize) {
        self.store_quad(0, &mut row.as_chunks_mut().0[group % Self::GROUPS]);
    }
    /// Loads quad `i` from `quad(i)`.
    fn load_quads<'a>(token: Self::Token, quad: impl Fn(usize) -> &'a [f32; 4]) -> Self;
    /// Loads quad `i` from the three floats `quad(i)`, followed by a zero.
    fn load_vec3s<'a>(token: Self::Token, quad: impl Fn(usize) -> &'a [f32; 3]) -> Self;
    /// Gathers `LEN` vectors, component by component: lane `i` of register `c` is component `c` of
    /// `vector(i)`.
    #[inline(always)]
    fn gather_vec3s<'a>(token: Self::Token, vector: impl Fn(usize) -> &'a [f32; 3]) -> [Self; 3] {
        let [x, y, z, _] = Self::transpose([
            Self::load_vec3s(token, |i| vector(4 * i)),
            Self::load_vec3s(token, |i| vector(4 * i + 1)),
            Self::load_vec3s(token, |i| vector(4 * i + 2)),
            Self::load_vec3s(token, |i| vector(4 * i + 3)),
        ]);
        [x, y, z]
    }
    /// Stores one quad.
    fn store_quad(self, quad: usize, to: &mut [f32; 4]);
    /// Stores the first three lanes of a quad.
    fn store_vec3(self, quad: usize, to: &mut [f32; 3]);
    /// Stores vectors in sequence, `LEN` of the eight that `to` holds: lane `i` of x, y and z is
    /// vector `group * LEN + i`.
    fn store_packed(vectors: [Self; 3], to: &mut [f32; 3 * BLOCK], group: usize);
    /// Stores four words for each of `LEN` vertices: lane `i` of the four registers is vertex
    /// `group * LEN + i` of the eight. So do the next operations, with fewer words.
    #[inline(always)]
    fn store_words4(words: [Self; 4], to: &mut EightVertices<'_, Words<4>>, group: usize) {
        let rows = Self::transpose(words);
        for quad in 0..Self::QUADS {
            for k in 0..4 {
                let mut row = [0.0; 4];
                rows[k].store_quad(quad, &mut row);
                *to.vertex(group * Self::LEN + 4 * quad + k) = Words(row);
            }
        }
    }
    /// Stores two words for each vertex.
    #[inline(always)]
    fn store_words2([x, y]: [Self; 2], to: &mut EightVertices<'_, Words<2>>, group: usize) {
        let rows = Self::transpose([x, y, x, y]);
        for quad in 0..Self::QUADS {
            for k in 0..4 {
                let mut row = [0.0; 4];
                rows[k].store_quad(quad, &mut row);
                *to.vertex(group * Self::LEN + 4 * quad + k) = Words([row[0], row[1]]);
            }
        }
    }
    /// Stores one word for each vertex.
    #[inline(always)]
    fn store_words1(self, to: &mut EightVertices<'_, Words<1>>, group: usize) {
        let mut row = [0.0; BLOCK];
        self.store(&mut row, group);
        for lane in group * Self::LEN..(group + 1) * Self::LEN {
            *to.vertex(lane) = Words([row[lane % BLOCK]]);
        }
    }
    /// Stores three words for each vertex and keeps the fourth, which may be read and written back.
    #[inline(always)]
    fn store_words3(_: Self::Token, vectors: [Self; 3], to: &mut EightVertices<'_, Words<4>>, group: usize) {
        let [x, y, z] = vectors;
        let rows = Self::transpose([x, y, z, z]);
        for quad in 0..Self::QUADS {
            for k in 0..4 {
                let mut row = [0.0; 3];
                rows[k].store_vec3(quad, &mut row);
                *to.vertex(group * Self::LEN + 4 * quad + k).first_three() = Words(row);
            }
        }
    }
    /// Stores three words for each vertex, and nothing behind them.
    #[inline(always)]
    fn store_three_words([x, y, z]: [Self; 3], to: &mut EightVertices<'_, Words<3>>, group: usize) {
        let rows = Self::transpose([x, y, z, z]);
        for quad in 0..Self::QUADS {
            for k in 0..4 {
                let mut row = [0.0; 3];
                rows[k].store_vec3(quad, &mut row);
                *to.vertex(group * Self::LEN + 4 * quad + k) = Words(row);
            }
        }
    }
    /// Converts to halves, as [`number_formats::half`]: the words of the first two, and of the
    /// other two components.
    #[inline(always)]
    fn half_words(token: Self::Token, [x, y, z, w]: [Self; 4]) -> [Self; 2] {
        let half = number_formats::half;
        [convert_pair(token, x, y, half), convert_pair(token, z, w, half)]
    }
    /// The same to normalized integers, as [`number_formats::snorm16`].
    #[inline(always)]
    fn snorm16_words(token: Self::Token, [x, y, z, w]: [Self; 4]) -> [Self; 2] {
        [convert_pair(token, x, y, snorm16_bits), convert_pair(token, z, w, snorm16_bits)]
    }
    /// Two numbers that are between -1 and 1, but for rounding, or NaN, as normalized integers in a
    /// word.
    #[inline(always)]
    fn unit_snorm16_word(token: Self::Token, [x, y]: [Self; 2]) -> Self {
        convert_pair(token, x, y, snorm16_bits)
    }
    /// Four numbers as normalized 8-bit integers in a word, as [`number_formats::snorm8`].
    #[inline(always)]
    fn snorm8_word(token: Self::Token, components: [Self; 4]) -> Self {
        let mut rows = [[0.0; BLOCK]; 4];
        for i in 0..4 {
            components[i].store(&mut rows[i], 0);
        }
        let mut words = [0.0; BLOCK];
        for lane in 0..Self::LEN {
            let mut bytes = [0; 4];
            for i in 0..4 {
                bytes[i] = number_formats::snorm8(rows[i][lane]) as u8;
            }
            words[lane] = f32::from_ne_bytes(bytes);
        }
        Self::load(token, &words, 0)
    }
    /// As [`snorm16_words`](Self::snorm16_words), with a fourth component of zero.
    #[inline(always)]
    fn snorm16_words_and_zero(token: Self::Token, [x, y, z]: [Self; 3]) -> [Self; 2] {
        Self::snorm16_words(token, [x, y, z, Self::splat(token, 0.0)])
    }
    /// As [`snorm8_word`](Self::snorm8_word), with a fourth component of zero.
    #[inline(always)]
    fn snorm8_word_and_zero(token: Self::Token, [x, y, z]: [Self; 3]) -> Self {
        Self::snorm8_word(token, [x, y, z, Self::splat(token, 0.0)])
    }
    /// Stores each quad: quad `i` goes to `to(i)`. So do the next operations, in other formats.
    #[inline(always)]
    fn store_four_floats<'a>(self, to: impl Fn(usize) -> &'a mut Words<4>) {
        for quad in 0..Self::QUADS {
            let mut floats = [0.0; 4];
            self.store_quad(quad, &mut floats);
            *to(quad) = Words(floats);
        }
    }
    /// Stores the first three lanes of each quad.
    #[inline(always)]
    fn store_three_floats<'a>(self, to: impl Fn(usize) -> &'a mut Words<3>) {
        for quad in 0..Self::QUADS {
            let mut floats = [0.0; 3];
            self.store_vec3(quad, &mut floats);
            *to(quad) = Words(floats);
        }
    }
    // The next operations are called only where `DIRECT_FORMATS` is, and must be replaced there.
    /// Stores each quad as halves.
    #[inline(always)]
    fn store_halves<'a>(self, _to: impl Fn(usize) -> &'a mut Words<2>) {
        const { assert!(!Self::DIRECT_FORMATS, "stores of its own") }
    }
    /// Stores each quad as normalized 16-bit integers.
    #[inline(always)]
    fn store_snorm16<'a>(self, _to: impl Fn(usize) -> &'a mut Words<2>) {
        const { assert!(!Self::DIRECT_FORMATS, "stores of its own") }
    }
    /// Stores each quad as normalized 8-bit integers.
    #[inline(always)]
    fn store_snorm8<'a>(self, _to: impl Fn(usize) -> &'a mut Words<1>) {
        const { assert!(!Self::DIRECT_FORMATS, "stores of its own") }
    }
    /// Stores each quad of two registers as halves, side by side.
    #[inline(always)]
    fn store_two_halves<'a>(_a: Self, _b: Self, _to: impl Fn(usize) -> &'a mut Words<4>) {
        const { assert!(!Self::DIRECT_FORMATS, "stores of its own") }
    }
    /// The same as normalized 16-bit integers.
    #[inline(always)]
    fn store_two_snorm16<'a>(_a: Self, _b: Self, _to: impl Fn(usize) -> &'a mut Words<4>) {
        const { assert!(!Self::DIRECT_FORMATS, "stores of its own") }
    }
    /// The same as normalized 8-bit integers.
    #[inline(always)]
    fn store_two_snorm8<'a>(_a: Self, _b: Self, _to: impl Fn(usize) -> &'a mut Words<2>) {
        const { assert!(!Self::DIRECT_FORMATS, "stores of its own") }
    }
    /// Stores two or three attributes of four 16-bit numbers, which lie side by side, for eight
    /// vertices. The first is halves, the others are halves or `normalized` integers. The fourth
    /// components are 1, 0 and `signs`.
    #[inline(always)]
    fn store_16_bit<const V: usize>(
        _: Self::Token,
        _vectors: [[Self; 3]; V],
        _signs: Self,
        _normalized: bool,
        _to: &mut EightVertices<'_, [[u16; 4]; V]>,
    ) {
        const { assert!(!Self::DIRECT_FORMATS, "stores of its own") }
    }
    /// Stores lanes `group * LEN ..` of a row with a non-temporal store, where that is faster.
    #[inline(always)]
    fn store_non_temporal(self, to: &mut VectorBlock, row: usize, group: usize) {
        self.store(&mut to.rows[row], group);
    }
    /// Prefetches a page that non-temporal stores will reach soon, if these blocks are the first in
    /// their page: the TLB miss takes longer than the write-combining buffers can wait.
    #[inline(always)]
    fn prefetch_page<const V: usize>(_: Self::Token, _: &[VectorBlock; V]) {}
    /// Fetches a cache line that will be written soon, where the CPU can. Any address is allowed.
    #[inline(always)]
    fn prefetch_for_write(_: Self::Token, _: *const u8) {}
    /// Fetches a cache line that will be read soon. Any address may be given.
    #[inline(always)]
    fn prefetch_for_read(_: Self::Token, _: *const u8) {}
    /// Orders non-temporal stores before all later ones.
    #[inline(always)]
    fn store_fence(_: Self::Token) {}
    /// Stores as many matrices as there are quads, or as fit. `rows` holds their rows in sequence.
    #[inline(always)]
    fn store_matrices(rows: [Self; 3], to: &mut [Matrix]) {
        if let Some(matrix) = to.first_mut() {
            for r in 0..3 {
                rows[r].store_quad(0, &mut matrix.rows[r]);
            }
        }
    }
    /// From register `r` with row `r` of each matrix to the rows of each matrix in sequence.
    #[inline(always)]
    fn to_sequential_rows(rows: [Self; 3]) -> [Self; 3] {
        rows
    }
    /// Broadcasts lane `I` of each quad to all four lanes of that quad.
    fn broadcast_lane<const I: i32>(self) -> Self;
    /// Lanes 0 to 2 of each quad, and lane 3 of `from`'s.
    fn with_lane_3(self, from: Self) -> Self;
    /// Pairs the quads of two registers of two quads: the first of both, and the second of both.
    #[inline(always)]
    fn zip_quads(a: Self, b: Self) -> [Self; 2] {
        [a, b]
    }
    /// Keeps lane 3 of each quad and sets the others to zero.
    fn keep_lane_3(self) -> Self;
    /// Transposes the 4 x 4 values of each quad: lane `i` of register `j` becomes lane `j` of
    /// register `i`.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    /// `self * factor + term`; with one rounding if the lanes fuse.
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }
    /// `term - self * factor`; with one rounding if the lanes fuse.
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        term - self * factor
    }
    /// The absolute value.
    fn abs(self) -> Self;
    /// The larger; `other` if either is NaN.
    fn max(self, other: Self) -> Self;
    /// The smaller; `other` if either is NaN.
    fn min(self, other: Self) -> Self;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// `1 / sqrt(self)`, root and quotient each correctly rounded. Never the hardware's estimate:
    /// its bits differ between vendors and it is no faster on current cores.
    #[inline(always)]
    fn rsqrt(self, token: Self::Token) -> Self {
        Self::splat(token, 1.0) / self.sqrt()
    }

    /// Whether each lane is below `other`'s.
    fn lt(self, other: Self) -> Self::Mask;
    /// The logical and of two masks.
    fn and_masks(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// One bit per lane, the first in the lowest.
    fn bitmask(mask: Self::Mask) -> u8;
    /// `value` where the mask is set, zero elsewhere.
    fn select_or_zero(mask: Self::Mask, value: Self) -> Self;
    /// `yes` where the mask is set, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Negates where `sign` is negative, also if that is zero or NaN.
    fn negate_by_sign(self, sign: Self) -> Self;
    /// Negates where the mask is set.
    #[inline(always)]
    fn negate_where(mask: Self::Mask, value: Self) -> Self {
        Self::select(mask, -value, value)
    }
}

/// The bits of [`number_formats::snorm16`].
#[inline(always)]
fn snorm16_bits(x: f32) -> u16 {
    number_formats::snorm16(x) as u16
}

/// Two registers as 16-bit numbers side by side.
#[inline(always)]
fn convert_pair<L: Lanes>(token: L::Token, x: L, y: L, convert: impl Fn(f32) -> u16) -> L {
    let (mut xs, mut ys, mut words) = ([0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
    x.store(&mut xs, 0);
    y.store(&mut ys, 0);
    for lane in 0..L::LEN {
        let ([a, b], [c, d]) = (convert(xs[lane]).to_ne_bytes(), convert(ys[lane]).to_ne_bytes());
        words[lane] = f32::from_ne_bytes([a, b, c, d]);
    }
    L::load(token, &words, 0)
}
