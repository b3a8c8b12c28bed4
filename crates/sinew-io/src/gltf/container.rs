//! The GLB container: a header, a chunk of JSON, perhaps a chunk of bytes.

use crate::Error;

pub(crate) const MAGIC: &[u8; 4] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The parts of a file: its JSON, and the bytes of a GLB's own buffer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Container<'a> {
    pub(crate) json: &'a [u8],
    pub(crate) blob: Option<&'a [u8]>,
}

/// The parts of a GLB, or the whole as JSON where it is none.
pub(crate) fn split(bytes: &[u8]) -> Result<Container<'_>, Error> {
    if bytes.starts_with(MAGIC) { split_glb(bytes) } else { Ok(Container { json: bytes, blob: None }) }
}

fn split_glb(bytes: &[u8]) -> Result<Container<'_>, Error> {
    let mut rest = after_header(bytes)?;
    let (kind, json, after) = chunk(bytes, rest)?;
    if kind != JSON {
        return Err(Error::fault(at(bytes, rest), "a chunk of JSON first", kind_name(kind)));
    }
    rest = after;
    let mut blob = None;
    let mut order = 1_usize;
    while !rest.is_empty() {
        let (kind, data, after) = chunk(bytes, rest)?;
        match kind {
            JSON => return Err(Error::fault(at(bytes, rest), "one chunk of JSON", "another")),
            BIN if order == 1 => blob = Some(data),
            BIN => return Err(Error::fault(at(bytes, rest), "the chunk BIN second, once", "it later")),
            // Chunks of other kinds belong to extensions, and are passed over.
            _ => {}
        }
        rest = after;
        order += 1;
    }
    Ok(Container { json, blob })
}

/// What follows a header that is sound, up to the length it gives.
fn after_header(bytes: &[u8]) -> Result<&[u8], Error> {
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(Error::fault("byte 0", "a GLB header of 12 bytes", format!("{} bytes", bytes.len())));
    };
    if version != 2 {
        return Err(Error::fault("byte 4", "GLB version 2", version.to_string()));
    }
    if u64::from(length) != bytes.len() as u64 {
        return Err(Error::fault(
            "byte 8",
            format!("the file's length, {}", bytes.len()),
            length.to_string(),
        ));
    }
    Ok(&bytes[HEADER..])
}

/// The kind and data of the chunk that `rest` begins with, and what follows it.
fn chunk<'a>(bytes: &[u8], rest: &'a [u8]) -> Result<(u32, &'a [u8], &'a [u8]), Error> {
    let place = at(bytes, rest);
    let (Some(length), Some(kind)) = (word(rest, 0), word(rest, 4)) else {
        return Err(Error::fault(place, "a chunk header of 8 bytes", format!("{} bytes", rest.len())));
    };
    if length % 4 != 0 {
        return Err(Error::fault(place, "a chunk length that is a multiple of 4", length.to_string()));
    }
    let body = &rest[CHUNK_HEADER..];
    match usize::try_from(length).ok().and_then(|length| body.split_at_checked(length)) {
        Some((data, after)) => Ok((kind, data, after)),
        None => Err(Error::fault(
            place,
            format!("a chunk of {length} bytes, as its header says"),
            format!("{} bytes", body.len()),
        )),
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

/// Where `rest`, an end of `bytes`, begins.
fn at(bytes: &[u8], rest: &[u8]) -> String {
    format!("byte {}", bytes.len() - rest.len())
}

fn kind_name(kind: u32) -> String {
    format!("the kind {kind:#010x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (kind, data) in chunks {
            body.extend((data.len() as u32).to_le_bytes());
            body.extend(kind.to_le_bytes());
            body.extend(*data);
        }
        let length = (HEADER + body.len()) as u32;
        [&MAGIC[..], &2_u32.to_le_bytes(), &length.to_le_bytes(), &body].concat()
    }

    #[test]
    fn parts_are_found() {
        let bytes = glb(&[(JSON, b"{}  "), (BIN, b"abcd"), (7, b"else")]);
        assert_eq!(split(&bytes).unwrap(), Container { json: b"{}  ", blob: Some(b"abcd") });
        assert_eq!(split(&glb(&[(JSON, b"{}  ")])).unwrap().blob, None);
        assert_eq!(split(b"{}").unwrap(), Container { json: b"{}", blob: None });
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
            assert!(split(&glb(chunks)).is_err(), "{chunks:?}");
        }
        assert!(split(&glb(&[(JSON, b"{} ")])).is_err());
    }

    #[test]
    fn every_truncation_and_every_length_is_refused() {
        let bytes = glb(&[(JSON, b"{}  "), (BIN, b"abcd")]);
        for len in MAGIC.len()..bytes.len() {
            assert!(split(&bytes[..len]).is_err(), "{len}");
        }
        for (at, value) in
            [(4, 1_u32), (8, 0), (8, u32::MAX), (12, u32::MAX), (12, 8), (24, 8), (24, u32::MAX - 3)]
        {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            assert!(split(&bytes).is_err(), "{value} at {at}");
        }
    }
}
