//! Random numbers that are the same on every target: integers, and floats by exact operations.

/// A splitmix64 generator. Equal seeds give equal numbers.
#[derive(Clone, Debug)]
pub struct Random {
    counter: u64,
}

impl Random {
    /// Consecutive seeds give unrelated numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.counter;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A whole number below `end`, which is not zero.
    ///
    /// # Panics
    ///
    /// When `end` is zero.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// A number in [0, 1), a multiple of 2^-24.
    pub fn fraction(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.fraction()
    }

    /// True with probability 1 / `n`.
    ///
    /// # Panics
    ///
    /// When `n` is zero.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Three numbers from `-reach` to `reach`.
    pub fn vector(&mut self, reach: f32) -> [f32; 3] {
        [0; 3].map(|_| self.between(-reach, reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut random = Random::new(0);
        assert_eq!(random.bits(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.bits(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn fractions_stay_below_one() {
        let mut random = Random::new(1);
        assert!((0..1000).map(|_| random.fraction()).all(|x| (0.0..1.0).contains(&x)));
    }
}
