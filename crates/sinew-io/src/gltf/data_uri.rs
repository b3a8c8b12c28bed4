//! Buffers within the document: `data:` URIs in base64.

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine, alphabet};

use crate::Error;

/// Decodes digits without padding, which `digits` has checked and removed. The bits of the last
/// digit that belong to no byte may be anything.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

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

/// The first `len` bytes of a text in base64 that holds them. A single digit at its end is ignored.
pub(crate) fn decode(text: &str, len: usize, place: &str) -> Result<Vec<u8>, Error> {
    let text = digits(text.as_bytes(), place)?;
    let (digits, single) = text.split_at(text.len() - usize::from(text.len() % 4 == 1));
    // What `decode_vec` asks for at most, so that the array is allocated once.
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    if BASE64.decode_vec(digits, &mut bytes).is_err() || !single.iter().all(is_digit) {
        // Without padding and of this length, only a byte that is no digit is refused.
        let at = text.iter().position(|byte| !is_digit(byte)).unwrap_or_default();
        let found = format!("the byte {:#04x} at digit {at}", text[at]);
        return Err(Error::fault(place, "digits of base64", found));
    }
    bytes.truncate(len);
    Ok(bytes)
}

fn is_digit(byte: &u8) -> bool {
    alphabet::STANDARD.as_str().as_bytes().contains(byte)
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
    fn what_is_no_digit_is_named_with_its_place() {
        let cases = [
            ("Zm9v Zg=", "0x20 at digit 4"),
            ("Zm_v", "0x5f at digit 2"),
            ("Zm=vZg==", "0x3d at digit 2"),
            ("Zg==Zg==", "0x3d at digit 2"),
            ("Zm9vZm9vZm=v", "0x3d at digit 10"),
            ("Zm9v?", "0x3f at digit 4"),
            ("Zg==Z", "0x3d at digit 2"),
            ("\u{e9}", "0xc3 at digit 0"),
        ];
        for (text, found) in cases {
            let said = decode(text, 0, "uri").unwrap_err().to_string();
            assert_eq!(said, format!("uri: expected digits of base64, found the byte {found}"));
        }
    }

    /// Images are decoded without a check of their length.
    #[test]
    fn bits_and_digits_that_make_no_byte_are_passed_over() {
        assert_eq!(decode("Zh", 1, "uri").unwrap(), b"f");
        assert_eq!(decode("Zm9vZ", 3, "uri").unwrap(), b"foo");
        assert_eq!(decode("Z", 0, "uri").unwrap(), b"");
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
