//! Buffers within the document: `data:` URIs in base64.

use crate::Error;

/// The text in base64 of a data URI, or `None` where the URI is of another scheme.
pub(crate) fn payload<'a>(uri: &'a str, place: &str) -> Result<Option<&'a str>, Error> {
    let Some(rest) = strip_scheme(uri) else { return Ok(None) };
    match rest.split_once(',') {
        Some((kind, data)) if kind.ends_with(";base64") => Ok(Some(data)),
        Some(_) => Err(Error::fault(place, "a data URI in base64", "one that is not")),
        None => Err(Error::fault(place, "a data URI with a comma before its data", "no comma")),
    }
}

fn strip_scheme(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    scheme.eq_ignore_ascii_case("data").then_some(rest)
}

/// Exactly `len` bytes from base64. Nothing is decoded unless the text has the length of so many bytes.
pub(crate) fn decode(text: &str, len: usize, place: &str) -> Result<Vec<u8>, Error> {
    let text = trim(text.as_bytes(), place)?;
    let holds = text.len() / 4 * 3 + (text.len() % 4).saturating_sub(1);
    if text.len() % 4 == 1 {
        return Err(Error::fault(place, "whole bytes in base64", "a single digit at its end"));
    }
    if holds < len {
        return Err(Error::fault(place, format!("{len} bytes"), format!("{holds} bytes")));
    }
    // Exporters pad a buffer to a multiple of four without counting the padding.
    if holds - len > 3 {
        return Err(Error::fault(
            place,
            format!("{len} bytes and at most 3 of padding"),
            format!("{holds} bytes"),
        ));
    }
    let mut bytes = Vec::with_capacity(holds);
    for (quad, digits) in text.chunks(4).enumerate() {
        push_quad(&mut bytes, digits).map_err(|digit| {
            let found = text[quad * 4 + digit];
            Error::fault(place, "digits of base64", format!("the byte {found:#04x} at {}", quad * 4 + digit))
        })?;
    }
    bytes.truncate(len);
    Ok(bytes)
}

/// The digits without the padding at the end, which may be missing but not wrong.
fn trim<'a>(text: &'a [u8], place: &str) -> Result<&'a [u8], Error> {
    let digits = text.len() - text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let padding = text.len() - digits;
    if padding > 0 && (padding > 2 || text.len() % 4 != 0) {
        return Err(Error::fault(
            place,
            "base64 padded to a multiple of 4",
            format!("{padding} signs of padding"),
        ));
    }
    Ok(&text[..digits])
}

/// Up to four digits, or which of them is none.
fn push_quad(bytes: &mut Vec<u8>, digits: &[u8]) -> Result<(), usize> {
    let mut bits = 0_u32;
    for (place, &digit) in digits.iter().enumerate() {
        bits |= u32::from(value(digit).ok_or(place)?) << (18 - 6 * place);
    }
    bytes.extend_from_slice(&bits.to_be_bytes()[1..digits.len()]);
    Ok(())
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
