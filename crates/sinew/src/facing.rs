//! Which triangles face a light, an eye or a direction: a bit each.

use sinew_kernels::Triangles;

use crate::bits::Bits;
use crate::error::check_len;
use crate::{Error, Side};

/// Where the light, or the eye, is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Light {
    /// At a point.
    Point([f32; 3]),
    /// Infinitely far away: the direction *towards* it, of any length but zero.
    Direction([f32; 3]),
}

impl Light {
    /// As a point of four numbers: the last is 1 at a point, and 0 infinitely far away.
    #[must_use]
    pub fn homogeneous(&self) -> [f32; 4] {
        match *self {
            Self::Point([x, y, z]) => [x, y, z, 1.0],
            Self::Direction([x, y, z]) => [x, y, z, 0.0],
        }
    }
}

/// A bit for each triangle: whether its front is seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facing {
    pub(crate) words: Vec<u64>,
    pub(crate) len: usize,
}

impl Facing {
    /// Memory for that many triangles, none of which is seen yet.
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

    /// Whether a triangle shows its front. A degenerate one does not, nor does one past the last.
    #[must_use]
    pub fn is_front(&self, triangle: usize) -> bool {
        self.words.get(triangle / 64).is_some_and(|word| word >> (triangle % 64) & 1 == 1)
    }

    /// Sixty-four triangles to a word, the first in the lowest bit; bits past the last triangle are 0.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Says which side a triangle shows.
    ///
    /// # Panics
    ///
    /// When there is no such triangle.
    pub fn set(&mut self, triangle: usize, side: Side) {
        assert!(triangle < self.len, "triangle {triangle} of {}", self.len);
        let bit = 1 << (triangle % 64);
        let word = &mut self.words[triangle / 64];
        match side {
            Side::Front => *word |= bit,
            Side::Back => *word &= !bit,
        }
    }

    /// The number of triangles that show their front.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The triangles that show their front, in ascending order.
    pub fn fronts(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(i, &word)| Bits(word).map(move |bit| 64 * i + bit))
    }

    /// What is left of triangles when those that show their back are taken away: in the order of the list, whatever was in
    /// `to` before. Takes memory for all triangles once, and no more after that.
    ///
    /// # Errors
    ///
    /// When there are more or fewer triangles than bits.
    pub fn cull(&self, triangles: &Triangles, to: &mut Vec<[u32; 3]>) -> Result<(), Error> {
        check_len("triangles", self.len, triangles.len())?;
        to.clear();
        to.reserve(self.len);
        to.extend(self.fronts().filter_map(|triangle| triangles.get(triangle)));
        Ok(())
    }
}
