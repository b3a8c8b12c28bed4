//! The GLB container: a header, a JSON chunk and an optional BIN chunk.

use crate::Report;
use crate::error::BoxedError as Error;

pub(crate) const MAGIC: &[u8; 4] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The JSON of a file, and the BIN chunk of a GLB.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Container<'a> {
    pub(crate) json: &'a [u8],
    pub(crate) blob: Option<&'a [u8]>,
}

/// Splits a GLB into its chunks. Any other file is JSON as a whole.
pub(crate) fn parse<'a>(bytes: &'a [u8], report: &mut Report) -> Result<Container<'a>, Error> {
    if bytes.starts_with(MAGIC) {
        parse_glb(bytes, report)
    } else {
        Ok(Container { json: bytes, blob: None })
    }
}

fn parse_glb<'a>(bytes: &'a [u8], report: &mut Report) -> Result<Container<'a>, Error> {
    let bytes = check_header(bytes, report)?;
    let mut rest = &bytes[HEADER..];
    let (chunk_type, json, after) = chunk(bytes, rest)?;
    if chunk_type != JSON {
        return Err(Error::invalid(byte_location(bytes, rest), "a JSON chunk first", type_name(chunk_type)));
    }
    rest = after;
    let mut blob = None;
    let mut order = 1_usize;
    while !rest.is_empty() {
        let (chunk_type, data, after) = chunk(bytes, rest)?;
        match chunk_type {
            JSON => return Err(Error::invalid(byte_location(bytes, rest), "one JSON chunk", "another one")),
            BIN if order == 1 => blob = Some(data),
            BIN => {
                return Err(Error::invalid(
                    byte_location(bytes, rest),
                    "a BIN chunk only as the second chunk",
                    "a later one",
                ));
            }
            // Chunks of other types belong to extensions and are ignored.
            _ => {}
        }
        rest = after;
        order += 1;
    }
    Ok(Container { json, blob })
}

/// Checks the GLB header and returns the bytes of the GLB, without any that follow it.
fn check_header<'a>(bytes: &'a [u8], report: &mut Report) -> Result<&'a [u8], Error> {
    let (Some(version), Some(length)) = (read_u32(bytes, 4), read_u32(bytes, 8)) else {
        return Err(Error::invalid("byte 0", "a GLB header of 12 bytes", format!("{} bytes", bytes.len())));
    };
    if version == 1 {
        return Err(Error::invalid("byte 4", "glTF 2.0", "glTF 1.0; glTF-Pipeline converts it"));
    }
    if version != 2 {
        return Err(Error::invalid("byte 4", "GLB version 2", version.to_string()));
    }
    let glb = usize::try_from(length).ok().and_then(|length| bytes.get(..length));
    let Some(glb) = glb.filter(|glb| glb.len() >= HEADER) else {
        let expected = format!("{HEADER} to {}, the file's length", bytes.len());
        return Err(Error::invalid("byte 8", expected, length.to_string()));
    };
    if glb.len() < bytes.len() {
        let found = format!("{} bytes after the GLB", bytes.len() - glb.len());
        report.warn(format!("byte {length}"), found, "they were ignored")?;
    }
    Ok(glb)
}

/// The type and data of the first chunk of `rest`, and the bytes after it.
fn chunk<'a>(bytes: &[u8], rest: &'a [u8]) -> Result<(u32, &'a [u8], &'a [u8]), Error> {
    let location = byte_location(bytes, rest);
    let (Some(length), Some(chunk_type)) = (read_u32(rest, 0), read_u32(rest, 4)) else {
        return Err(Error::invalid(location, "a chunk header of 8 bytes", format!("{} bytes", rest.len())));
    };
    if length % 4 != 0 {
        return Err(Error::invalid(location, "a chunk length that is a multiple of 4", length.to_string()));
    }
    let body = &rest[CHUNK_HEADER..];
    match usize::try_from(length).ok().and_then(|length| body.split_at_checked(length)) {
        Some((data, after)) => Ok((chunk_type, data, after)),
        None => Err(Error::invalid(
            location,
            format!("a chunk of {length} bytes, as its header says"),
            format!("{} bytes", body.len()),
        )),
    }
}

fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

/// The offset of `rest`, the end of `bytes`, for messages.
fn byte_location(bytes: &[u8], rest: &[u8]) -> String {
    format!("byte {}", bytes.len() - rest.len())
}

fn type_name(chunk_type: u32) -> String {
    format!("the chunk type {chunk_type:#010x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_quietly(bytes: &[u8]) -> Result<Container<'_>, Error> {
        parse(bytes, &mut Report::new(true))
    }

    fn glb(chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (chunk_type, data) in chunks {
            body.extend((data.len() as u32).to_le_bytes());
            body.extend(chunk_type.to_le_bytes());
            body.extend(*data);
        }
        let length = (HEADER + body.len()) as u32;
        [&MAGIC[..], &2_u32.to_le_bytes(), &length.to_le_bytes(), &body].concat()
    }

    #[test]
    fn chunks_are_found() {
        let bytes = glb(&[(JSON, b"{}  "), (BIN, b"abcd"), (7, b"else")]);
        assert_eq!(parse_quietly(&bytes).unwrap(), Container { json: b"{}  ", blob: Some(b"abcd") });
        assert_eq!(parse_quietly(&glb(&[(JSON, b"{}  ")])).unwrap().blob, None);
        assert_eq!(parse_quietly(b"{}").unwrap(), Container { json: b"{}", blob: None });
    }

    #[test]
    fn chunks_out_of_order_are_refused() {
        let broken: [&[(u32, &[u8])]; 6] = [
            &[],
            &[(BIN, b"abcd"), (JSON, b"{}  ")],
            &[(7, b"else"), (JSON, b"{}  ")],
            &[(JSON, b"{}  "), (JSON, b"{}  ")],
            &[(JSON, b"{}  "), (7, b"else"), (BIN, b"abcd")],
            &[(JSON, b"{}  "), (BIN, b"abcd"), (BIN, b"abcd")],
        ];
        for chunks in broken {
            assert!(parse_quietly(&glb(chunks)).is_err(), "{chunks:?}");
        }
        assert!(parse_quietly(&glb(&[(JSON, b"{} ")])).is_err());
    }

    #[test]
    fn every_truncation_and_every_length_is_refused() {
        let bytes = glb(&[(JSON, b"{}  "), (BIN, b"abcd")]);
        for len in MAGIC.len()..bytes.len() {
            assert!(parse_quietly(&bytes[..len]).is_err(), "{len}");
        }
        for (at, value) in
            [(4, 1_u32), (8, 0), (8, u32::MAX), (12, u32::MAX), (12, 8), (24, 8), (24, u32::MAX - 3)]
        {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            assert!(parse_quietly(&bytes).is_err(), "{value} at {at}");
        }
    }

    #[test]
    fn bytes_after_the_glb_are_a_warning() {
        let mut bytes = glb(&[(JSON, b"{}  "), (BIN, b"abcd")]);
        bytes.extend(b"more bytes");
        let mut report = Report::new(false);
        let container = parse(&bytes, &mut report).unwrap();
        assert_eq!(container, Container { json: b"{}  ", blob: Some(b"abcd") });
        assert_eq!(report.to_string(), "byte 36: 10 bytes after the GLB; they were ignored\n");
    }

    #[test]
    fn version_1_is_refused_by_name() {
        let mut bytes = glb(&[(JSON, b"{}  ")]);
        bytes[4] = 1;
        let error = parse_quietly(&bytes).unwrap_err().to_string();
        assert_eq!(error, "byte 4: expected glTF 2.0, found glTF 1.0; glTF-Pipeline converts it");
    }
}
