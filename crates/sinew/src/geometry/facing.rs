//! Facing bits: which triangles face a light, an eye or a direction.

use sinew_kernels::Triangles;

use crate::geometry::set_bits::SetBits;
use crate::geometry::{GeometryError, Side};
use crate::length::check_len;

/// A light or eye position.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Light {
    /// A point light at this position.
    Point([f32; 3]),
    /// A directional light: the direction *towards* the light, of any length except zero.
    Direction([f32; 3]),
}

impl Light {
    /// Homogeneous coordinates: w is 1 for a point and 0 for a direction.
    #[must_use]
    pub fn homogeneous(&self) -> [f32; 4] {
        match *self {
            Self::Point([x, y, z]) => [x, y, z, 1.0],
            Self::Direction([x, y, z]) => [x, y, z, 0.0],
        }
    }
}

/// One bit per triangle: whether it is front-facing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facing {
    pub(crate) words: Vec<u64>,
    pub(crate) len: usize,
}

impl Facing {
    /// Facing bits for `triangles` triangles, none of them front-facing.
    #[must_use]
    pub fn new(triangles: usize) -> Self {
        Self { words: vec![0; triangles.div_ceil(64)], len: triangles }
    }

    /// The number of triangles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no triangles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a triangle is front-facing. False for degenerate triangles and out-of-range indices.
    #[must_use]
    pub fn is_front(&self, triangle: usize) -> bool {
        self.words.get(triangle / 64).is_some_and(|word| word >> (triangle % 64) & 1 == 1)
    }

    /// The bits as words of 64 triangles, the first in the lowest bit. Unused bits are 0.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Sets the visible side of a triangle.
    ///
    /// # Panics
    ///
    /// If `triangle` is out of range.
    pub fn set(&mut self, triangle: usize, side: Side) {
        assert!(triangle < self.len, "triangle {triangle} of {}", self.len);
        let bit = 1 << (triangle % 64);
        let word = &mut self.words[triangle / 64];
        match side {
            Side::Front => *word |= bit,
            Side::Back => *word &= !bit,
        }
    }

    /// The number of front-facing triangles.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The indices of front-facing triangles, in ascending order.
    pub fn front_triangles(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(i, &word)| SetBits(word).map(move |bit| 64 * i + bit))
    }

    /// Back-face culling: replaces the contents of `to` by the front-facing triangles, in list
    /// order. Reserves memory for all triangles, so it allocates only on the first call.
    ///
    /// # Errors
    ///
    /// If the number of triangles differs from the number of bits.
    pub fn cull(&self, triangles: &Triangles, to: &mut Vec<[u32; 3]>) -> Result<(), GeometryError> {
        check_len("triangles", self.len, triangles.len())?;
        to.clear();
        to.reserve(self.len);
        to.extend(self.front_triangles().filter_map(|triangle| triangles.get(triangle)));
        Ok(())
    }
}
