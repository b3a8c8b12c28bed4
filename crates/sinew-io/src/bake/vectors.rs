//! Vectors as bytes, written in chunks.

use std::io::{self, Write};

use crate::Error;

/// The byte order of numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// Little-endian, as in PC2 and NPZ.
    Little,
    /// Big-endian, as in MDD.
    Big,
}

/// Writes vectors as in the frames of PC2, MDD and NPZ: 12 bytes each.
///
/// # Errors
///
/// When the system cannot write.
pub fn write_vectors(mut to: impl Write, vectors: &[[f32; 3]], order: ByteOrder) -> Result<(), Error> {
    let write = match order {
        ByteOrder::Little => write_numbers(&mut to, vectors.as_flattened(), f32::to_le_bytes),
        ByteOrder::Big => write_numbers(&mut to, vectors.as_flattened(), f32::to_be_bytes),
    };
    write.map_err(Error::writing)
}

/// The numbers per write: few enough for the L1 cache, and enough for few calls.
const CHUNK: usize = 2048;

/// Writes numbers, converted to bytes by `bytes`.
pub(super) fn write_numbers<T: Copy, const N: usize>(
    to: &mut dyn Write,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    let mut buffer = [[0; N]; CHUNK];
    for numbers in numbers.chunks(CHUNK) {
        let buffer = &mut buffer[..numbers.len()];
        for (to, &number) in buffer.iter_mut().zip(numbers) {
            *to = bytes(number);
        }
        to.write_all(buffer.as_flattened())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_written_in_either_byte_order() {
        for len in [0, 1, 682, 683, 684, 5000] {
            let vectors: Vec<[f32; 3]> = (0..len).map(|i| [i as f32, -0.5, 1e-3 * i as f32]).collect();
            let [mut little, mut big] = [Vec::new(), Vec::new()];
            write_vectors(&mut little, &vectors, ByteOrder::Little).expect("memory");
            write_vectors(&mut big, &vectors, ByteOrder::Big).expect("memory");
            let numbers = vectors.as_flattened();
            assert!(
                little.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).eq(numbers.iter().copied())
            );
            assert!(
                big.as_chunks().0.iter().map(|&four| f32::from_be_bytes(four)).eq(numbers.iter().copied())
            );
            assert_eq!((little.len(), big.len()), (12 * len, 12 * len));
        }
    }
}
