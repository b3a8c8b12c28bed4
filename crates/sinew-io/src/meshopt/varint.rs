//! Integers of variable length with seven bits per byte, and zigzag differences.

use super::stream::{Cursor, DecodeError};

/// Reads a number of one to five bytes, low bits first.
pub(super) fn read_varint(cursor: &mut Cursor<'_>) -> Result<u32, DecodeError> {
    let mut number = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = cursor.byte()?;
        number |= u32::from(byte & 127) << shift;
        if byte < 128 {
            break;
        }
    }
    Ok(number)
}

/// Decodes a zigzag difference: 0, -1, 1, -2 and so on, wrapping.
pub(super) fn unzigzag(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// Writes an index of two or four bytes.
pub(super) fn push_index(bytes: &mut Vec<u8>, index: u32, size: usize) {
    bytes.extend_from_slice(&index.to_le_bytes()[..size]);
}
