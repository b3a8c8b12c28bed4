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

/// That a text in base64 has the length of so many bytes. Nothing is decoded for it.
pub(crate) fn check_len(text: &str, len: usize, place: &str) -> Result<(), Error> {
    let digits = digits(text.as_bytes(), place)?.len();
    if digits % 4 == 1 {
        return Err(Error::fault(place, "whole bytes in base64", "a single digit at its end"));
    }
    let holds = digits / 4 * 3 + (digits % 4).saturating_sub(1);
    // Exporters pad a buffer to a multiple of four without counting the padding.
    if holds < len || holds - len > 3 {
        return Err(Error::fault(
            place,
            format!("{len} bytes and at most 3 of padding"),
            format!("{holds} bytes"),
        ));
    }
    Ok(())
}

/// The first `len` bytes of a text in base64 that holds them.
pub(crate) fn decode(text: &str, len: usize, place: &str) -> Result<Vec<u8>, Error> {
    let text = digits(text.as_bytes(), place)?;
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for (quad, digits) in text.chunks(4).enumerate() {
        push_quad(&mut bytes, digits).map_err(|digit| {
            let at = quad * 4 + digit;
            Error::fault(place, "digits of base64", format!("the byte {:#04x} at digit {at}", text[at]))
        })?;
    }
    bytes.truncate(len);
    Ok(bytes)
}

/// The digits without the padding at the end, which may be missing but not wrong.
fn digits<'a>(text: &'a [u8], place: &str) -> Result<&'a [u8], Error> {
    let digits = text.len() - text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let padding = text.len() - digits;
    if padding > 0 && (padding > 2 || !text.len().is_multiple_of(4)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str, len: usize) -> Result<Vec<u8>, Error> {
        check_len(text, len, "uri")?;
        decode(text, len, "uri")
    }

    #[test]
    fn every_length_decodes() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob")]
        {
            assert_eq!(decoded(text, bytes.len()).unwrap(), bytes.as_bytes());
        }
        assert_eq!(decoded("Zm9vYg", 4).unwrap(), b"foob");
        assert_eq!(decoded("+/+/", 3).unwrap(), [0xfb, 0xff, 0xbf]);
    }

    #[test]
    fn a_few_bytes_of_padding_are_dropped_and_more_are_refused() {
        assert_eq!(decoded("Zm9vYg==", 1).unwrap(), b"f");
        assert!(decoded("Zm9vYmFy", 2).is_err());
        assert!(decoded("Zm9v", 4).is_err());
    }

    #[test]
    fn what_is_not_base64_is_refused() {
        for text in ["Zm9", "Z", "Zg=", "Zg===", "====", "Zm9v Zg==", "Zm_v", "Zm\u{e9}", "Z=9v", "Zg==Zg=="]
        {
            assert!(decoded(text, 3).is_err(), "{text}");
        }
    }

    #[test]
    fn only_data_in_base64_has_a_payload() {
        assert_eq!(payload("data:application/octet-stream;base64,AA==", "").unwrap(), Some("AA=="));
        assert_eq!(payload("DATA:;base64,", "").unwrap(), Some(""));
        assert_eq!(payload("data.bin", "").unwrap(), None);
        assert!(payload("data:text/plain,AA", "").is_err());
        assert!(payload("data:;base64", "").is_err());
    }
}
