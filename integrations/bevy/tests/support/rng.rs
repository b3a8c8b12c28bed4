//! Random numbers that are the same in every run.

use bevy_math::{Dir3, Vec3};

pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 40) as f32 / (1 << 24) as f32
    }

    /// An index below `len`.
    pub(crate) fn below(&mut self, len: usize) -> usize {
        ((self.unit() * len as f32) as usize).min(len - 1)
    }

    /// A random direction.
    pub(crate) fn direction(&mut self) -> Dir3 {
        loop {
            let vector = Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0;
            if (0.01..1.0).contains(&vector.length_squared()) {
                return Dir3::new(vector).expect("a vector with a length");
            }
        }
    }
}
