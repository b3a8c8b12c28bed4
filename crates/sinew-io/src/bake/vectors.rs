//! Vectors as bytes, many at a time.

use std::io::{self, Write};

use crate::Error;

/// Which byte of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The least, as PC2 and NPZ have it.
    Little,
    /// The greatest, as MDD has it.
    Big,
}

/// Writes vectors one after another, as frames of PC2, MDD and NPZ have them: 12 bytes for each.
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

/// Numbers that go to the file at once: within the nearest cache, and few calls.
const AT_ONCE: usize = 2048;

/// Writes numbers, each as the bytes that are made of it.
pub(super) fn write_numbers<T: Copy, const N: usize>(
    to: &mut impl Write,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    let mut room = [[0; N]; AT_ONCE];
    for numbers in numbers.chunks(AT_ONCE) {
        let room = &mut room[..numbers.len()];
        for (to, &number) in room.iter_mut().zip(numbers) {
            *to = bytes(number);
        }
        to.write_all(room.as_flattened())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_there_in_its_order() {
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
