//! Names that a document may give to files beside it: plain relative paths, downwards only.

use crate::Error;

/// Names that are devices to some systems, whatever their extension.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];

/// Longer paths are no names of files.
const LONGEST: usize = 1024;

/// The path that a URI stands for, its percent signs resolved once.
pub(super) fn decode(uri: &str, place: &str) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = after.split_at_checked(2).and_then(|(digits, after)| Some((hex(digits)?, after)));
        let (value, after) = digits.ok_or_else(|| refuse(uri, "a percent sign without two digits", place))?;
        bytes.push(value);
        rest = after;
    }
    String::from_utf8(bytes).map_err(|_| refuse(uri, "bytes that are no UTF-8", place))
}

/// That a path stays below where it begins.
pub(super) fn check(name: &str, place: &str) -> Result<(), Error> {
    match fault(name) {
        Some(why) => Err(refuse(name, why, place)),
        None => Ok(()),
    }
}

/// Why a path may not be opened.
fn fault(name: &str) -> Option<&'static str> {
    if name.chars().any(char::is_control) {
        return Some("control characters");
    }
    if name.len() > LONGEST {
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
        ".." => Some("a way up"),
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

fn refuse(name: &str, why: &str, place: &str) -> Error {
    let name: String = name.chars().take(80).collect();
    Error::fault(place, "a plain relative path below the asset's folder", format!("{why} in {name:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_are_taken() {
        for name in
            ["a.bin", "sub/a.bin", "./a.bin", "sub//a.bin", "a b.bin", "..a", "a..", "consul.bin", "é.bin"]
        {
            assert_eq!(fault(name), None, "{name}");
        }
    }

    #[test]
    fn what_leads_elsewhere_is_refused_by_name() {
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
            assert!(fault(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn percent_signs_are_resolved_once() {
        assert_eq!(decode("a%20b%2ebin", "").unwrap(), "a b.bin");
        assert_eq!(decode("%252e%252e/a", "").unwrap(), "%2e%2e/a");
        assert!(check(&decode("%2e%2e/a", "").unwrap(), "").is_err());
        assert!(check(&decode("%2Fetc", "").unwrap(), "").is_err());
        for uri in ["%", "%4", "%zz", "a%+1", "%ff%fe"] {
            assert!(decode(uri, "").is_err(), "{uri}");
        }
    }
}
