//! The elements of accessors: borrowed from the bytes of the file, or decoded to arrays.

use std::fmt::Display;

use bytemuck::AnyBitPattern;

use super::schema::accessor::ComponentType;
use crate::error::BoxedError as Error;

/// Elements that lie side by side as in memory; `None` if they are not aligned, or if numbers have
/// their bytes in another order here.
pub(super) fn borrow_packed<T: AnyBitPattern, const N: usize>(bytes: &[u8]) -> Option<&[[T; N]]> {
    let whole = bytes.len() - bytes.len() % size_of::<[T; N]>();
    let numbers: &[T] = bytemuck::try_cast_slice(&bytes[..whole]).ok()?;
    cfg!(target_endian = "little").then(|| numbers.as_chunks().0)
}

/// `count` vectors of floats that lie side by side.
pub(super) fn read_packed<const N: usize>(bytes: &[u8], count: usize) -> Vec<[f32; N]> {
    let mut floats = vec![[0.0; N]; count];
    for (float, bytes) in floats.as_flattened_mut().iter_mut().zip(bytes.as_chunks().0) {
        *float = f32::from_le_bytes(*bytes);
    }
    floats
}

/// `count` indices that lie side by side.
pub(super) fn widen(bytes: &[u8], component: ComponentType, count: usize) -> Vec<u32> {
    let mut indices = vec![0; count];
    match component.size() {
        1 => indices.iter_mut().zip(bytes).for_each(|(index, byte)| *index = u32::from(*byte)),
        2 => {
            let pairs = bytes.as_chunks().0;
            indices.iter_mut().zip(pairs).for_each(|(index, pair)| *index = u16::from_le_bytes(*pair).into());
        }
        _ => {
            let words = bytes.as_chunks().0;
            indices.iter_mut().zip(words).for_each(|(index, word)| *index = u32::from_le_bytes(*word));
        }
    }
    indices
}

/// Reads `count` elements of `size` bytes. The last element need not have a whole stride.
pub(super) fn read_elements<T>(
    bytes: &[u8],
    (size, stride): (usize, usize),
    count: usize,
    read: impl Fn(&[u8]) -> T,
) -> Vec<T> {
    let mut elements = Vec::with_capacity(count.min(bytes.len().div_ceil(stride)));
    // A loop, because a closure in an iterator need not be inlined.
    for bytes in bytes.chunks(stride).take(count) {
        elements.push(read(&bytes[..size]));
    }
    elements
}

pub(super) fn read_f32s<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let (floats, _) = bytes.as_chunks::<4>();
    let mut numbers = [0.0; N];
    for (number, bytes) in numbers.iter_mut().zip(floats) {
        *number = f32::from_le_bytes(*bytes);
    }
    numbers
}

/// `count` copies of the zero element, or an error if there is not enough memory.
pub(super) fn zeros<T: Copy>(count: usize, zero: T, location: &dyn Display) -> Result<Vec<T>, Error> {
    let mut zeros = Vec::new();
    match zeros.try_reserve_exact(count) {
        Ok(()) => zeros.resize(count, zero),
        Err(error) => {
            let expected = format!("memory for {count} elements");
            return Err(Error::invalid(location.to_string(), expected, error.to_string()));
        }
    }
    Ok(zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_elements_are_borrowed_as_they_would_be_read() {
        let words: Vec<u32> = (0..9).map(|i| (i as f32 - 3.5).to_bits()).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        for len in 0..=bytes.len() {
            let count = len / 12;
            let borrowed = borrow_packed::<f32, 3>(&bytes[..len]).map(<[_]>::to_vec);
            if cfg!(target_endian = "little") {
                assert_eq!(borrowed, Some(read_packed(&bytes[..len], count)), "{len}");
            }
        }
        for offset in 1..4 {
            assert_eq!(borrow_packed::<f32, 1>(&bytes[offset..]), None, "{offset}");
        }
        assert_eq!(borrow_packed::<u16, 4>(&bytes[2..]).is_some(), cfg!(target_endian = "little"));
        assert_eq!(borrow_packed::<u16, 4>(&bytes[1..]), None);
    }
}
