//! TGA pictures become PNG pictures with the same pixels.

use crate::md5::tga::png_from_tga;

/// The header of a picture, three pixels wide and two high unless changed.
fn header(kind: u8, bits: u8, flags: u8) -> Vec<u8> {
    vec![0, u8::from(kind & 7 == 1), kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0, bits, flags]
}

/// Converts a picture. Returns the color type of the PNG and its rows, without their filters.
fn convert(tga: &[u8]) -> Result<(u8, Vec<Vec<u8>>), String> {
    let png = png_from_tga(tga, 1 << 20, "picture").map_err(|error| error.to_string())?;
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").expect("the signature of PNG");
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let len = u32::from_be_bytes(rest[..4].try_into().expect("four bytes")) as usize;
        let checksum = u32::from_be_bytes(rest[8 + len..12 + len].try_into().expect("four bytes"));
        assert_eq!(crc32fast::hash(&rest[4..8 + len]), checksum);
        chunks.push((&rest[4..8], &rest[8..8 + len]));
        rest = &rest[12 + len..];
    }
    let [(b"IHDR", header), (b"IDAT", zlib), (b"IEND", [])] = chunks[..] else { panic!("{chunks:?}") };
    assert_eq!((&header[..9], &header[10..]), (&[0, 0, 0, 3, 0, 0, 0, 2, 8][..], &[0; 3][..]));
    // One stored block.
    let [0x78, 0x01, 1, low, high, _, _, data @ .., a, b, c, d] = zlib else { panic!("{zlib:?}") };
    assert_eq!(data.len(), usize::from(u16::from_le_bytes([*low, *high])));
    let [mut sum, mut sums] = [1_u64, 0];
    for byte in data {
        sum += u64::from(*byte);
        sums += sum;
    }
    let checksum = u64::from(u32::from_be_bytes([*a, *b, *c, *d]));
    assert_eq!(checksum, (sums % 65521) << 16 | (sum % 65521));
    let row = |row: &[u8]| row.strip_prefix(&[0]).expect("no filter").to_vec();
    Ok((header[9], data.chunks(data.len() / 2).map(row).collect()))
}

#[test]
fn rows_and_columns_run_as_the_header_says() {
    let gray = |flags: u8| convert(&[header(3, 8, flags), (1..7).collect()].concat()).expect("valid");
    assert_eq!(gray(0x20), (0, vec![vec![1, 2, 3], vec![4, 5, 6]]));
    assert_eq!(gray(0x00), (0, vec![vec![4, 5, 6], vec![1, 2, 3]]));
    assert_eq!(gray(0x30), (0, vec![vec![3, 2, 1], vec![6, 5, 4]]));
    assert_eq!(gray(0x10), (0, vec![vec![6, 5, 4], vec![3, 2, 1]]));
}

#[test]
fn colors_of_every_depth_are_red_green_blue() {
    let rgb = vec![[3, 2, 1].repeat(3); 2];
    let color = |header: Vec<u8>, color: &[u8]| convert(&[&header, &color.repeat(6)[..]].concat());
    assert_eq!(color(header(2, 24, 0), &[1, 2, 3]), Ok((2, rgb.clone())));
    // The fourth byte is alpha only if the header says so.
    assert_eq!(color(header(2, 32, 0), &[1, 2, 3, 9]), Ok((2, rgb)));
    assert_eq!(color(header(2, 32, 8), &[1, 2, 3, 9]), Ok((6, vec![[3, 2, 1, 9].repeat(3); 2])));
    // 5 bits of red, green and blue: 31, 16 and 1.
    let bits = (31_u16 << 10 | 16 << 5 | 1).to_le_bytes();
    for depth in [15, 16] {
        assert_eq!(color(header(2, depth, 0), &bits), Ok((2, vec![[255, 132, 8].repeat(3); 2])));
    }
}

#[test]
fn a_color_map_is_looked_up_and_an_index_outside_it_is_refused() {
    let mut mapped = header(1, 8, 0x20);
    // Colors 5 and 6, after three bytes of the picture's own.
    (mapped[0], mapped[3], mapped[5], mapped[7]) = (3, 5, 2, 24);
    mapped.extend(b"own\x01\x02\x03\x04\x05\x06");
    let rows = convert(&[&mapped[..], &[5, 6, 5, 6, 5, 6]].concat());
    assert_eq!(rows, Ok((2, vec![vec![3, 2, 1, 6, 5, 4, 3, 2, 1], vec![6, 5, 4, 3, 2, 1, 6, 5, 4]])));
    for index in [4, 7] {
        let error = convert(&[&mapped[..], &[5, 6, 5, 6, 5, index]].concat()).expect_err("no such color");
        assert!(error.contains("an index from 5 up to, but not including, 7"), "{error}");
    }
}

#[test]
fn packets_are_unpacked() {
    let packed = |data: &[u8]| convert(&[&header(11, 8, 0x20), data].concat());
    let rows = vec![vec![1, 1, 1], vec![1, 2, 3]];
    assert_eq!(packed(&[0x83, 1, 1, 2, 3]), Ok((0, rows.clone())));
    // The last packet passes the end.
    assert_eq!(packed(&[0x83, 1, 0, 2, 0xFF, 3]), Ok((0, rows)));
    let colors = convert(&[&header(10, 24, 0x20), &[0x85, 1, 2, 3][..]].concat());
    assert_eq!(colors, Ok((2, vec![[3, 2, 1].repeat(3); 2])));
}

#[test]
fn broken_pictures_are_refused() {
    let mut mapped = header(9, 8, 0);
    (mapped[3], mapped[5], mapped[7]) = (5, 2, 24);
    mapped.extend(b"\x01\x02\x03\x04\x05\x06\x82\x05\x82\x06");
    let pictures = [
        mapped,
        [header(2, 24, 0), vec![0; 18]].concat(),
        [header(10, 24, 0), vec![1, 1, 2, 3, 4, 5, 6, 0x83, 1, 2, 3]].concat(),
        [header(3, 8, 0), vec![0; 6]].concat(),
    ];
    for picture in &pictures {
        convert(picture).expect("valid");
        for len in 0..picture.len() {
            convert(&picture[..len]).expect_err("cut");
        }
        // No change of a byte causes a panic, or much memory.
        for at in 0..picture.len() {
            for byte in 0..=255 {
                let mut changed = picture.clone();
                changed[at] = byte;
                let _ = png_from_tga(&changed, 1 << 20, "picture");
            }
        }
    }
    let mut empty = header(3, 8, 0);
    empty[12] = 0;
    assert!(convert(&empty).expect_err("no pixels").contains("expected pixels, found 0 by 2"));
    let mut large = header(11, 8, 0);
    (large[13], large[15]) = (255, 255);
    assert!(convert(&large).expect_err("4 GB").contains("at most 1048576 bytes of pixels"));
}
