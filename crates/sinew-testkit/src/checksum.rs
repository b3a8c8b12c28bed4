//! A checksum of floats, to compare results between machines.

/// 64-bit FNV-1a over the floats, each as four little-endian bytes, in the order they are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Checksum {
    /// The checksum of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    /// Adds floats.
    pub fn add(&mut self, floats: &[f32]) {
        for float in floats {
            self.add_bytes(&float.to_bits().to_le_bytes());
        }
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    /// The checksum.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl Default for Checksum {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_a_word_is_the_published_one() {
        let mut sum = Checksum::new();
        sum.add_bytes(b"foobar");
        assert_eq!(sum.value(), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn floats_are_little_endian() {
        let (mut floats, mut bytes) = (Checksum::new(), Checksum::new());
        floats.add(&[1.0, -2.0]);
        bytes.add_bytes(&[0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0]);
        assert_eq!(floats, bytes);
    }
}
