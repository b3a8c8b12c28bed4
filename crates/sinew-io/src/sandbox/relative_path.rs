//! The paths that a document may use for external files: relative, and without `..`.

use crate::Error;

/// Device names on Windows, with any extension.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];

/// The longest path in bytes.
const MAX_LEN: usize = 1024;

/// Decodes the percent signs of a URI, once.
pub(super) fn decode_uri(uri: &str, location: &str) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = after.split_at_checked(2).and_then(|(digits, after)| Some((hex(digits)?, after)));
        let (value, after) =
            digits.ok_or_else(|| refuse(uri, "a percent sign without two digits", location))?;
        bytes.push(value);
        rest = after;
    }
    String::from_utf8(bytes).map_err(|_| refuse(uri, "bytes that are not UTF-8", location))
}

/// A path as a URI: every byte that a URI gives a meaning of its own is a percent sign and two
/// digits.
pub(crate) fn encode_uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// Checks that a path cannot leave the folder that it starts in.
pub(super) fn check(name: &str, location: &str) -> Result<(), Error> {
    match rejection(name) {
        Some(why) => Err(refuse(name, why, location)),
        None => Ok(()),
    }
}

/// Why a path is refused; `None` if it is allowed.
fn rejection(name: &str) -> Option<&'static str> {
    if name.chars().any(char::is_control) {
        return Some("control characters");
    }
    if name.len() > MAX_LEN {
        return Some("more than 1024 bytes");
    }
    if name.contains('\\') {
        return Some("a backslash");
    }
    if name.contains(':') {
        return Some("a scheme or drive");
    }
    if name.starts_with('/') {
        return Some("an absolute path");
    }
    let mut parts = name.split('/').filter(|part| !matches!(*part, "" | ".")).peekable();
    if parts.peek().is_none() {
        return Some("no file");
    }
    parts.find_map(|part| match part {
        ".." => Some("`..`"),
        part if is_device(part) => Some("the name of a device"),
        _ => None,
    })
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end();
    let numbered = |prefix: &str| {
        stem.len() == 4
            && stem.is_char_boundary(3)
            && stem[..3].eq_ignore_ascii_case(prefix)
            && matches!(stem.as_bytes()[3], b'1'..=b'9')
    };
    DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) || numbered("COM") || numbered("LPT")
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(digits[0])? * 16 + digit(digits[1])?) as u8)
}

fn refuse(name: &str, why: &str, location: &str) -> Error {
    let name: String = name.chars().take(80).collect();
    Error::invalid(location, "a relative path within the document's folder", format!("{why} in {name:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_relative_paths_are_allowed() {
        for name in
            ["a.bin", "sub/a.bin", "./a.bin", "sub//a.bin", "a b.bin", "..a", "a..", "consul.bin", "é.bin"]
        {
            assert_eq!(rejection(name), None, "{name}");
        }
    }

    #[test]
    fn paths_that_leave_the_folder_are_refused() {
        let names = [
            "",
            ".",
            "/",
            "./",
            "..",
            "../a",
            "a/../b",
            "a/..",
            "/etc/passwd",
            "C:a",
            "C:\\a",
            "\\\\host\\a",
            "a\\b",
            "http://a/b",
            "file:a",
            "a\0b",
            "a\nb",
            "CON",
            "con.bin",
            "sub/NUL",
            "LPT1.txt",
            "com9",
        ];
        for name in names {
            assert!(rejection(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn percent_signs_are_decoded_once() {
        assert_eq!(decode_uri("a%20b%2ebin", "").unwrap(), "a b.bin");
        assert_eq!(decode_uri("%252e%252e/a", "").unwrap(), "%2e%2e/a");
        assert!(check(&decode_uri("%2e%2e/a", "").unwrap(), "").is_err());
        assert!(check(&decode_uri("%2Fetc", "").unwrap(), "").is_err());
        for path in ["a b.png", "é%/ü.png", "#?&", ""] {
            assert_eq!(decode_uri(&encode_uri(path), "").unwrap(), path);
        }
        for uri in ["%", "%4", "%zz", "a%+1", "%ff%fe"] {
            assert!(decode_uri(uri, "").is_err(), "{uri}");
        }
    }
}
