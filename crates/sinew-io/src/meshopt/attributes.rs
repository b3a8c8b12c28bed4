//! Decodes vertex attributes: each byte as its difference from the previous vertex, in groups of
//! sixteen with as few bits as possible. In version 1, each four bytes choose their difference and
//! their bit widths.

use super::stream::{Cursor, DecodeError, open_stream};

const KIND: u8 = 0xa0;
const GROUP: usize = 16;
const BLOCK_BYTES: usize = 8192;
const MAX_BLOCK: usize = 256;
/// The bits per byte of a group, by the control mode of the channel and the code of the group.
const BITS: [[u8; 4]; 3] = [[0, 2, 4, 8], [0, 1, 2, 4], [1, 2, 4, 8]];

/// Decodes `count` elements of `stride` bytes, a multiple of 4 up to 256.
pub(super) fn decode(data: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, DecodeError> {
    let version = data.first().map_or(0, |header| header & 0x0f);
    let (tail, min_tail) = if version == 0 { (stride, 32) } else { (stride + stride / 4, 24) };
    let (mut cursor, version, tail_bytes) = open_stream(data, KIND, tail.max(min_tail))?;
    // The padding of a short tail comes first.
    let tail = &tail_bytes[tail_bytes.len() - tail..];
    let (baseline, channels) = tail.split_at(stride);
    let mut last = baseline.to_vec();
    let mut bytes = vec![0; count * stride];
    let block = (BLOCK_BYTES / stride / GROUP * GROUP).min(MAX_BLOCK);
    for elements in bytes.chunks_mut(block * stride) {
        decode_block(&mut cursor, elements, stride, &last, (version, channels))?;
        last.copy_from_slice(&elements[elements.len() - stride..]);
    }
    cursor.end()?;
    Ok(bytes)
}

fn decode_block(
    cursor: &mut Cursor<'_>,
    elements: &mut [u8],
    stride: usize,
    last: &[u8],
    (version, channels): (u8, &[u8]),
) -> Result<(), DecodeError> {
    let count = elements.len() / stride;
    let controls = if version == 0 { &[][..] } else { cursor.take(stride / 4)? };
    let mut deltas = [[0; MAX_BLOCK]; 4];
    for word in 0..stride / 4 {
        for (byte, deltas) in deltas.iter_mut().enumerate() {
            match controls.get(word).map(|control| control >> (2 * byte) & 3) {
                None => decode_bytes(cursor, deltas, count, &BITS[0])?,
                Some(2) => deltas.fill(0),
                Some(3) => deltas[..count].copy_from_slice(cursor.take(count)?),
                Some(control) => decode_bytes(cursor, deltas, count, &BITS[1 + usize::from(control)])?,
            }
        }
        let channel = channels.get(word).copied().unwrap_or(0);
        let before = [last[4 * word], last[4 * word + 1], last[4 * word + 2], last[4 * word + 3]];
        let words = elements.chunks_mut(stride).map(|element| &mut element[4 * word..4 * word + 4]);
        integrate(words, &deltas, before, channel)
            .ok_or_else(|| cursor.error("a channel mode from 0 to 2"))?;
    }
    Ok(())
}

/// Decodes one byte of each of `count` elements.
fn decode_bytes(
    cursor: &mut Cursor<'_>,
    bytes: &mut [u8; MAX_BLOCK],
    count: usize,
    bits: &[u8; 4],
) -> Result<(), DecodeError> {
    let groups = count.div_ceil(GROUP);
    let header = cursor.take(groups.div_ceil(4))?;
    for (group, bytes) in bytes.chunks_exact_mut(GROUP).take(groups).enumerate() {
        let code = header[group / 4] >> (2 * (group % 4)) & 3;
        decode_group(cursor, bytes, bits[usize::from(code)])?;
    }
    Ok(())
}

/// Decodes sixteen bytes of `bits` bits each. A byte that does not fit has all bits set, and
/// follows the group.
fn decode_group(cursor: &mut Cursor<'_>, bytes: &mut [u8], bits: u8) -> Result<(), DecodeError> {
    match bits {
        0 => bytes.fill(0),
        8 => bytes.copy_from_slice(cursor.take(GROUP)?),
        _ => {
            let packed = cursor.take(GROUP * usize::from(bits) / 8)?;
            let per_byte = usize::from(8 / bits);
            let escape = (1 << bits) - 1;
            for (index, byte) in bytes.iter_mut().enumerate() {
                let position = (index % per_byte) as u8;
                // Single bits start at the low end, wider ones at the high end.
                let shift = if bits == 1 { position } else { 8 - bits * (position + 1) };
                let value = packed[index / per_byte] >> shift & escape;
                *byte = if value == escape { cursor.byte()? } else { value };
            }
        }
    }
    Ok(())
}

/// Integrates the differences of four bytes of each element; `None` for an unknown channel mode.
fn integrate<'a>(
    words: impl Iterator<Item = &'a mut [u8]>,
    deltas: &[[u8; MAX_BLOCK]; 4],
    mut last: [u8; 4],
    channel: u8,
) -> Option<()> {
    if channel & 3 == 3 {
        return None;
    }
    for (i, word) in words.enumerate() {
        let delta = [deltas[0][i], deltas[1][i], deltas[2][i], deltas[3][i]];
        last = match channel & 3 {
            0 => add_bytes(last, delta),
            1 => add_halves(last, delta),
            _ => xor_word(last, delta, channel >> 4),
        };
        word.copy_from_slice(&last);
    }
    Some(())
}

fn add_bytes(last: [u8; 4], delta: [u8; 4]) -> [u8; 4] {
    std::array::from_fn(|i| last[i].wrapping_add((delta[i] >> 1) ^ (delta[i] & 1).wrapping_neg()))
}

fn add_halves(last: [u8; 4], delta: [u8; 4]) -> [u8; 4] {
    let half = |bytes: [u8; 4], i: usize| u16::from_le_bytes([bytes[i], bytes[i + 1]]);
    let sum = |i: usize| {
        let delta = half(delta, i);
        half(last, i).wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg()).to_le_bytes()
    };
    let ([a, b], [c, d]) = (sum(0), sum(2));
    [a, b, c, d]
}

fn xor_word(last: [u8; 4], delta: [u8; 4], rotation: u8) -> [u8; 4] {
    let rotated = u32::from_le_bytes(delta).rotate_right(u32::from(rotation));
    (rotated ^ u32::from_le_bytes(last)).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three elements of four bytes, which start at (10, 20, 30, 40) and increase by 1, 2, 3 and
    /// 200.
    fn version_0() -> Vec<u8> {
        let mut data = vec![0xa0];
        // The steps are 2, 4 and 6 in zigzag, and the first element equals the baseline. With 2
        // bits, numbers below 3 are stored directly.
        data.extend([1, 0b00_10_10_00, 0, 0, 0]);
        data.extend([1, 0b00_11_11_00, 0, 0, 0, 4, 4]);
        data.extend([2, 0x06, 0x60, 0, 0, 0, 0, 0, 0]);
        let mut last = [0; 16];
        // 200 is -56, whose zigzag is 111.
        last[1..3].fill(111);
        data.push(3);
        data.extend(last);
        data.extend([0; 28]);
        data.extend([10, 20, 30, 40]);
        data
    }

    #[test]
    fn groups_use_the_coded_number_of_bits() {
        let bytes = decode(&version_0(), 3, 4).unwrap();
        assert_eq!(bytes, [10, 20, 30, 40, 11, 22, 33, 240, 12, 24, 36, 184]);
    }

    /// Two elements of eight bytes: 16-bit differences, and a rotated XOR.
    fn version_1() -> Vec<u8> {
        let mut data = vec![0xa1];
        // The bytes of the first word are literal, literal, zero, single bits; those of the second
        // are all literal.
        data.extend([0b00_10_11_11, 0xff]);
        data.extend([0, 0x02]);
        data.extend([0, 0x04]);
        // The second of sixteen bits is set, so its byte follows.
        data.extend([1, 0b10, 0, 9]);
        for byte in [0xf0, 0x00, 0x00, 0x01] {
            data.extend([0, byte]);
        }
        data.extend([0; 14]);
        data.extend([0xff, 0x00, 7, 0, 1, 2, 3, 4]);
        data.extend([1, 4 << 4 | 2]);
        data
    }

    #[test]
    fn channels_add_16_bit_differences_and_xor_rotated_words() {
        let bytes = decode(&version_1(), 2, 8).unwrap();
        assert_eq!(bytes[..8], [0xff, 0x00, 7, 0, 1, 2, 3, 4]);
        // 0x0402 is +0x201; 0x0900 is +0x480; 0x010000f0 rotated by four is 0x0010000f.
        assert_eq!(bytes[8..], [0x00, 0x03, 0x87, 0x04, 0x0e, 2, 0x13, 4]);
    }

    #[test]
    fn every_truncation_is_refused() {
        for (data, count, stride) in [(version_0(), 3, 4), (version_1(), 2, 8)] {
            for len in 0..data.len() {
                assert!(decode(&data[..len], count, stride).is_err(), "{len}");
            }
            assert!(decode(&data, 300, stride).is_err());
        }
        let mut unknown = version_1();
        *unknown.last_mut().unwrap() = 3;
        assert!(decode(&unknown, 2, 8).is_err());
    }
}
