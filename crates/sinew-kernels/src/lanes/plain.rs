//! Four lanes of plain Rust: for targets without another backend, and the oracle for all others.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Lanes, Outlined};
use crate::BLOCK;

/// Needs no CPU feature, so anyone can create it.
#[derive(Clone, Copy)]
pub(crate) struct Token;

impl Token {
    pub(crate) fn new() -> Self {
        Self
    }
}

/// Four floats. `FUSED` lanes have fused multiply-add, in software if the CPU lacks it: slow, the
/// oracle for backends that fuse.
#[derive(Clone, Copy)]
pub(crate) struct Plain<const FUSED: bool>([f32; 4]);

/// The result of `$expression` for each lane `$i`.
macro_rules! each {
    ($i:ident => $expression:expr) => {{
        let mut lanes = [Default::default(); 4];
        let mut $i = 0;
        while $i < 4 {
            lanes[$i] = $expression;
            $i += 1;
        }
        lanes
    }};
}

/// `a * b + c` with one rounding. Not inlined: the many calls of the math library would take long
/// to compile.
#[inline(never)]
fn fused(a: [f32; 4], b: [f32; 4], c: [f32; 4]) -> [f32; 4] {
    each!(i => a[i].mul_add(b[i], c[i]))
}

impl<const FUSED: bool> Lanes for Plain<FUSED> {
    type Token = Token;
    type Mask = [bool; 4];
    const LEN: usize = 4;
    // Speed does not matter here: every common CPU has another backend.
    const COMPACT_LOOPS: bool = true;

    #[inline(never)]
    fn outline<T: Outlined<Self>>(token: Token, task: T) {
        task.run(token);
    }

    #[inline(always)]
    fn splat(_: Token, value: f32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn load_quads<'a>(_: Token, quad: impl Fn(usize) -> &'a [f32; 4]) -> Self {
        Self(*quad(0))
    }

    #[inline(always)]
    fn load_vec3s<'a>(_: Token, quad: impl Fn(usize) -> &'a [f32; 3]) -> Self {
        let [x, y, z] = *quad(0);
        Self([x, y, z, 0.0])
    }

    #[inline(always)]
    fn store_quad(self, _quad: usize, to: &mut [f32; 4]) {
        *to = self.0;
    }

    #[inline(always)]
    fn store_vec3(self, _quad: usize, to: &mut [f32; 3]) {
        *to = [self.0[0], self.0[1], self.0[2]];
    }

    #[inline(always)]
    fn store_packed([x, y, z]: [Self; 3], to: &mut [f32; 3 * BLOCK], group: usize) {
        let to = &mut to.as_chunks_mut::<12>().0[group % 2];
        for (i, to) in to.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            *to = [x.0[i], y.0[i], z.0[i]];
        }
    }

    #[inline(always)]
    fn broadcast_lane<const I: i32>(self) -> Self {
        Self([self.0[I as usize]; 4])
    }

    #[inline(always)]
    fn with_lane_3(self, from: Self) -> Self {
        Self([self.0[0], self.0[1], self.0[2], from.0[3]])
    }

    #[inline(always)]
    fn keep_lane_3(self) -> Self {
        Self([0.0, 0.0, 0.0, self.0[3]])
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = [rows[0].0, rows[1].0, rows[2].0, rows[3].0];
        [
            Self([a[0], b[0], c[0], d[0]]),
            Self([a[1], b[1], c[1], d[1]]),
            Self([a[2], b[2], c[2], d[2]]),
            Self([a[3], b[3], c[3], d[3]]),
        ]
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        if FUSED { Self(fused(self.0, factor.0, term.0)) } else { self * factor + term }
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        if FUSED { Self(fused((-self).0, factor.0, term.0)) } else { term - self * factor }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(each!(i => self.0[i].abs()))
    }

    #[inline(always)]
    fn negate_by_sign(self, sign: Self) -> Self {
        Self(each!(i => if sign.0[i].is_sign_negative() { -self.0[i] } else { self.0[i] }))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(each!(i => if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(each!(i => if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] }))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(each!(i => self.0[i].sqrt()))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> [bool; 4] {
        each!(i => self.0[i] < other.0[i])
    }

    #[inline(always)]
    fn and_masks(a: [bool; 4], b: [bool; 4]) -> [bool; 4] {
        each!(i => a[i] & b[i])
    }

    #[inline(always)]
    fn bitmask(mask: [bool; 4]) -> u8 {
        let [a, b, c, d] = mask;
        u8::from(a) | u8::from(b) << 1 | u8::from(c) << 2 | u8::from(d) << 3
    }

    #[inline(always)]
    fn select_or_zero(mask: [bool; 4], value: Self) -> Self {
        Self(each!(i => if mask[i] { value.0[i] } else { 0.0 }))
    }

    #[inline(always)]
    fn select(mask: [bool; 4], yes: Self, no: Self) -> Self {
        Self(each!(i => if mask[i] { yes.0[i] } else { no.0[i] }))
    }
}

impl<const FUSED: bool> Add for Plain<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(each!(i => self.0[i] + other.0[i]))
    }
}

impl<const FUSED: bool> Sub for Plain<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(each!(i => self.0[i] - other.0[i]))
    }
}

impl<const FUSED: bool> Mul for Plain<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(each!(i => self.0[i] * other.0[i]))
    }
}

impl<const FUSED: bool> Div for Plain<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(each!(i => self.0[i] / other.0[i]))
    }
}

impl<const FUSED: bool> Neg for Plain<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(each!(i => -self.0[i]))
    }
}
