//! The checksum of ZIP, four tables at a time: as fast as a disk.

/// A running CRC-32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crc(u32);

/// For each byte, and for it with one to three zeros behind, what it leaves.
static TABLES: [[u32; 256]; 4] = tables();

const fn tables() -> [[u32; 256]; 4] {
    let mut tables = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut byte = 0;
    while byte < 256 {
        let mut table = 1;
        while table < 4 {
            let before = tables[table - 1][byte];
            tables[table][byte] = (before >> 8) ^ tables[0][(before & 0xFF) as usize];
            table += 1;
        }
        byte += 1;
    }
    tables
}

impl Crc {
    pub(super) const NEW: Self = Self(!0);

    pub(super) fn add(&mut self, bytes: &[u8]) {
        let (fours, rest) = bytes.as_chunks::<4>();
        for four in fours {
            let [a, b, c, d] = (self.0 ^ u32::from_le_bytes(*four)).to_le_bytes().map(usize::from);
            self.0 = TABLES[3][a] ^ TABLES[2][b] ^ TABLES[1][c] ^ TABLES[0][d];
        }
        for &byte in rest {
            self.0 = (self.0 >> 8) ^ TABLES[0][usize::from(self.0 as u8 ^ byte)];
        }
    }

    pub(super) fn value(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_known_one_however_it_is_divided() {
        let text = b"123456789";
        for middle in 0..=text.len() {
            let mut crc = Crc::NEW;
            crc.add(&text[..middle]);
            crc.add(&text[middle..]);
            assert_eq!(crc.value(), 0xCBF4_3926);
        }
        assert_eq!(Crc::NEW.value(), 0);
    }
}
