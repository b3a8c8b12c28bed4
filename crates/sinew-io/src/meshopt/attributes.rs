//! Attributes of vertices: byte by byte, as differences to the vertex before, in groups of sixteen that take as many
//! bits as they need. Version 1 lets each four bytes say how they are joined and how their differences are taken.

use super::broken::{Broken, Cursor, open};

const KIND: u8 = 0xa0;
const GROUP: usize = 16;
const BLOCK_BYTES: usize = 8192;
const BLOCK_MAX: usize = 256;
/// What groups may take, in bits to the byte, by the code of the group and the control of the channel.
const BITS: [[u8; 4]; 3] = [[0, 2, 4, 8], [0, 1, 2, 4], [1, 2, 4, 8]];

/// `count` elements of `stride` bytes, a multiple of 4 up to 256.
pub(super) fn decode(data: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Broken> {
    let version = data.first().map_or(0, |header| header & 0x0f);
    let (tail, least) = if version == 0 { (stride, 32) } else { (stride + stride / 4, 24) };
    let (mut cursor, version, tail_bytes) = open(data, KIND, tail.max(least))?;
    // What pads a short tail comes before it.
    let tail = &tail_bytes[tail_bytes.len() - tail..];
    let (baseline, channels) = tail.split_at(stride);
    let mut last = baseline.to_vec();
    let mut bytes = vec![0; count * stride];
    let block = (BLOCK_BYTES / stride / GROUP * GROUP).min(BLOCK_MAX);
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
) -> Result<(), Broken> {
    let count = elements.len() / stride;
    let controls = if version == 0 { &[][..] } else { cursor.take(stride / 4)? };
    let mut deltas = [[0; BLOCK_MAX]; 4];
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
            .ok_or_else(|| cursor.broken("a channel of kind 0 to 2"))?;
    }
    Ok(())
}

/// One byte of each of `count` elements.
fn decode_bytes(
    cursor: &mut Cursor<'_>,
    bytes: &mut [u8; BLOCK_MAX],
    count: usize,
    bits: &[u8; 4],
) -> Result<(), Broken> {
    let groups = count.div_ceil(GROUP);
    let header = cursor.take(groups.div_ceil(4))?;
    for (group, bytes) in bytes.chunks_exact_mut(GROUP).take(groups).enumerate() {
        let code = header[group / 4] >> (2 * (group % 4)) & 3;
        decode_group(cursor, bytes, bits[usize::from(code)])?;
    }
    Ok(())
}

/// Sixteen bytes of so many bits each; those that do not fit have all bits set and follow the group.
fn decode_group(cursor: &mut Cursor<'_>, bytes: &mut [u8], bits: u8) -> Result<(), Broken> {
    match bits {
        0 => bytes.fill(0),
        8 => bytes.copy_from_slice(cursor.take(GROUP)?),
        _ => {
            let packed = cursor.take(GROUP * usize::from(bits) / 8)?;
            let each = usize::from(8 / bits);
            let escape = (1 << bits) - 1;
            for (place, byte) in bytes.iter_mut().enumerate() {
                let within = (place % each) as u8;
                // Single bits begin at the low end, wider ones at the high end.
                let shift = if bits == 1 { within } else { 8 - bits * (within + 1) };
                let value = packed[place / each] >> shift & escape;
                *byte = if value == escape { cursor.byte()? } else { value };
            }
        }
    }
    Ok(())
}

/// Adds differences up, four bytes of each element at a time; `None` where the channel is of no known kind.
fn integrate<'a>(
    words: impl Iterator<Item = &'a mut [u8]>,
    deltas: &[[u8; BLOCK_MAX]; 4],
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

fn xor_word(last: [u8; 4], delta: [u8; 4], turn: u8) -> [u8; 4] {
    let turned = u32::from_le_bytes(delta).rotate_right(u32::from(turn));
    (turned ^ u32::from_le_bytes(last)).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three elements of four bytes that count up from (10, 20, 30, 40), by 1, 2, 3 and 200.
    fn version_0() -> Vec<u8> {
        let mut data = vec![0xa0];
        // Zigzag 2, 4, 6 are the steps, the first element equals the baseline; 2 bits take numbers below 3 themselves.
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
    fn groups_take_as_many_bits_as_they_need() {
        let bytes = decode(&version_0(), 3, 4).unwrap();
        assert_eq!(bytes, [10, 20, 30, 40, 11, 22, 33, 240, 12, 24, 36, 184]);
    }

    /// Two elements of eight bytes: halves that are added, and a word that is turned.
    fn version_1() -> Vec<u8> {
        let mut data = vec![0xa1];
        // The first word's bytes are literal, literal, nought, single bits; the second's all literal.
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
    fn channels_add_halves_and_turn_words() {
        let bytes = decode(&version_1(), 2, 8).unwrap();
        assert_eq!(bytes[..8], [0xff, 0x00, 7, 0, 1, 2, 3, 4]);
        // 0x0402 is +0x201; 0x0900 is +0x480; 0x010000f0 turned by four is 0x0010000f.
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
