//! Decodes index sequences: differences from one of two baselines.

use super::stream::{DecodeError, open_stream};
use super::varint::{push_index, read_varint, unzigzag};

const KIND: u8 = 0xd0;
const TAIL: usize = 4;

/// Decodes `count` indices of `size` bytes, 2 or 4.
pub(super) fn decode(data: &[u8], count: usize, size: usize) -> Result<Vec<u8>, DecodeError> {
    let (mut cursor, _, _) = open_stream(data, KIND, TAIL)?;
    let mut bytes = Vec::with_capacity(count * size);
    let mut last = [0_u32; 2];
    for _ in 0..count {
        let coded = read_varint(&mut cursor)?;
        let baseline = &mut last[(coded & 1) as usize];
        *baseline = baseline.wrapping_add(unzigzag(coded >> 1));
        push_index(&mut bytes, *baseline, size);
    }
    cursor.end()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two interleaved sequences, one per baseline.
    fn stream() -> Vec<u8> {
        // +1 and +5 on the baselines 0 and 1, then -1 on 0, then +300 on 1.
        let coded = [1_u32 << 2, 5 << 2 | 1, 1 << 1, 600 << 1 | 1];
        let mut data = vec![0xd1];
        for mut number in coded {
            while number >= 128 {
                data.push(number as u8 | 128);
                number >>= 7;
            }
            data.push(number as u8);
        }
        data.extend([0; TAIL]);
        data
    }

    #[test]
    fn indices_alternate_between_baselines() {
        let bytes = decode(&stream(), 4, 4).unwrap();
        let indices: Vec<_> = bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!(indices, [1, 5, 0, 305]);
        assert_eq!(decode(&stream(), 4, 2).unwrap(), [1, 0, 5, 0, 0, 0, 49, 1]);
    }

    #[test]
    fn every_truncation_is_refused() {
        let data = stream();
        for len in 0..data.len() {
            assert!(decode(&data[..len], 4, 4).is_err(), "{len}");
        }
        assert!(decode(&data, 3, 4).is_err());
        assert!(decode(&data, 5, 4).is_err());
    }
}
