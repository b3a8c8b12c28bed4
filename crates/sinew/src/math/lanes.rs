//! Eight numbers side by side, one for each of eight characters.
//!
//! Plain arrays, which the compiler turns into vector instructions of any processor. Uses only
//! sums, products, quotients and square roots, never fused, and lanes never mix: the same bits on
//! every machine, and for one character whatever the others are.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number of lanes.
pub(crate) const LANES: usize = 8;

/// A number in each lane.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct F32x8(pub(crate) [f32; LANES]);

/// A yes or no in each lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mask8(pub(crate) [bool; LANES]);

impl F32x8 {
    /// The same number in all lanes.
    #[inline(always)]
    pub(crate) fn splat(value: f32) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn map2(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        self.map2(self, |a, _| a.sqrt())
    }

    #[inline(always)]
    pub(crate) fn less_than(self, other: Self) -> Mask8 {
        Mask8(std::array::from_fn(|lane| self.0[lane] < other.0[lane]))
    }

    /// This number where the mask is set, the other one elsewhere.
    #[inline(always)]
    pub(crate) fn where_or(self, mask: Mask8, other: Self) -> Self {
        Self(std::array::from_fn(|lane| if mask.0[lane] { self.0[lane] } else { other.0[lane] }))
    }

    /// One divided by this number, or zero where it is not greater than zero.
    #[inline(always)]
    pub(crate) fn reciprocal_or_zero(self) -> Self {
        self.map2(self, |a, _| if a > 0.0 { 1.0 / a } else { 0.0 })
    }
}

impl Mask8 {
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.0.iter().fold(false, |any, &lane| any | lane)
    }
}

macro_rules! operators {
    ($($name:ident $function:ident $operator:tt),*) => {
        $(impl $name for F32x8 {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                self.map2(other, |a, b| a $operator b)
            }
        })*
    };
}

operators!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map2(self, |a, _| -a)
    }
}

/// A vector in each lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vec3x8 {
    pub(crate) x: F32x8,
    pub(crate) y: F32x8,
    pub(crate) z: F32x8,
}

impl Vec3x8 {
    /// The same vector in all lanes.
    #[inline(always)]
    pub(crate) fn splat([x, y, z]: [f32; 3]) -> Self {
        Self { x: F32x8::splat(x), y: F32x8::splat(y), z: F32x8::splat(z) }
    }

    pub(crate) fn set_lane(&mut self, lane: usize, [x, y, z]: [f32; 3]) {
        self.x.0[lane] = x;
        self.y.0[lane] = y;
        self.z.0[lane] = z;
    }

    pub(crate) fn lane(&self, lane: usize) -> [f32; 3] {
        [self.x.0[lane], self.y.0[lane], self.z.0[lane]]
    }

    #[inline(always)]
    pub(crate) fn scaled(self, factor: F32x8) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    /// The product of each element with that of another vector.
    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        Self { x: self.x * other.x, y: self.y * other.y, z: self.z * other.z }
    }

    /// The quotient of each element and that of another vector.
    #[inline(always)]
    pub(crate) fn over(self, other: Self) -> Self {
        Self { x: self.x / other.x, y: self.y / other.y, z: self.z / other.z }
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> F32x8 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    pub(crate) fn length(self) -> F32x8 {
        self.dot(self).sqrt()
    }

    /// A vector of length one, or zero where the length is zero or not a number.
    #[inline(always)]
    pub(crate) fn normalized(self) -> Self {
        self.scaled(self.length().reciprocal_or_zero())
    }

    /// This vector where the mask is set, the other one elsewhere.
    #[inline(always)]
    pub(crate) fn where_or(self, mask: Mask8, other: Self) -> Self {
        Self {
            x: self.x.where_or(mask, other.x),
            y: self.y.where_or(mask, other.y),
            z: self.z.where_or(mask, other.z),
        }
    }
}

impl Add for Vec3x8 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Vec3x8 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Neg for Vec3x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}
