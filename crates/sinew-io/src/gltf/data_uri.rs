//! `data:` URIs in base64.

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine, alphabet};

use crate::error::BoxedError as Error;

/// Decodes base64 without padding, which `digits` checks and removes. The unused bits of the last
/// digit may have any value.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// The base64 text of a data URI; `None` for a URI of another scheme.
pub(crate) fn base64_text<'a>(uri: &'a str, location: &str) -> Result<Option<&'a str>, Error> {
    let Some(rest) = strip_scheme(uri) else { return Ok(None) };
    match rest.split_once(',') {
        Some((kind, data)) if kind.ends_with(";base64") => Ok(Some(data)),
        Some(_) => Err(Error::invalid(location, "a data URI in base64", "another encoding")),
        None => Err(Error::invalid(location, "a data URI with a comma before its data", "no comma")),
    }
}

fn strip_scheme(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    scheme.eq_ignore_ascii_case("data").then_some(rest)
}

/// Checks that base64 text decodes to `len` bytes, without decoding it.
pub(crate) fn check_len(text: &str, len: usize, location: &str) -> Result<(), Error> {
    let digits = digits(text.as_bytes(), location)?.len();
    if digits % 4 == 1 {
        return Err(Error::invalid(location, "whole bytes in base64", "a single digit at its end"));
    }
    let holds = digits / 4 * 3 + (digits % 4).saturating_sub(1);
    // Exporters pad buffers to a multiple of four bytes without counting the padding.
    if holds < len || holds - len > 3 {
        return Err(Error::invalid(
            location,
            format!("{len} bytes and at most 3 of padding"),
            format!("{holds} bytes"),
        ));
    }
    Ok(())
}

/// Decodes base64 text and returns the first `len` bytes. A single digit at the end is ignored.
pub(crate) fn decode(text: &str, len: usize, location: &str) -> Result<Vec<u8>, Error> {
    let text = digits(text.as_bytes(), location)?;
    let (digits, single) = text.split_at(text.len() - usize::from(text.len() % 4 == 1));
    // The most that `decode_vec` reserves, so that there is one allocation.
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    if BASE64.decode_vec(digits, &mut bytes).is_err() || !single.iter().all(is_digit) {
        // The text has no padding and a valid length, so the only possible error is an invalid
        // byte.
        let at = text.iter().position(|byte| !is_digit(byte)).unwrap_or_default();
        let found = format!("the byte {:#04x} at digit {at}", text[at]);
        return Err(Error::invalid(location, "digits of base64", found));
    }
    bytes.truncate(len);
    Ok(bytes)
}

fn is_digit(byte: &u8) -> bool {
    alphabet::STANDARD.as_str().as_bytes().contains(byte)
}

/// The digits without the padding at the end. Padding may be missing, but not wrong.
fn digits<'a>(text: &'a [u8], location: &str) -> Result<&'a [u8], Error> {
    let digits = text.len() - text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let padding = text.len() - digits;
    if padding > 0 && (padding > 2 || !text.len().is_multiple_of(4)) {
        return Err(Error::invalid(
            location,
            "base64 padded to a multiple of 4",
            format!("{padding} padding characters"),
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
    fn invalid_base64_is_refused() {
        for text in ["Zm9", "Z", "Zg=", "Zg===", "====", "Zm9v Zg==", "Zm_v", "Zm\u{e9}", "Z=9v", "Zg==Zg=="]
        {
            assert!(decoded(text, 3).is_err(), "{text}");
        }
    }

    #[test]
    fn invalid_base64_digit_is_named_with_its_position() {
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
    fn incomplete_last_byte_is_ignored() {
        assert_eq!(decode("Zh", 1, "uri").unwrap(), b"f");
        assert_eq!(decode("Zm9vZ", 3, "uri").unwrap(), b"foo");
        assert_eq!(decode("Z", 0, "uri").unwrap(), b"");
    }

    #[test]
    fn only_data_in_base64_has_a_payload() {
        assert_eq!(base64_text("data:application/octet-stream;base64,AA==", "").unwrap(), Some("AA=="));
        assert_eq!(base64_text("DATA:;base64,", "").unwrap(), Some(""));
        assert_eq!(base64_text("data.bin", "").unwrap(), None);
        assert!(base64_text("data:text/plain,AA", "").is_err());
        assert!(base64_text("data:;base64", "").is_err());
    }
}
