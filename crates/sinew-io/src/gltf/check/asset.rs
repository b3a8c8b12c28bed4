//! The version of glTF that a document is of.

use super::super::schema::Asset;
use crate::Error;

/// That this reader, which knows glTF 2.0, may read it.
pub(super) fn check(asset: &Asset) -> Result<(), Error> {
    match version(&asset.version) {
        Some((2, _)) => {}
        _ => return Err(fault("asset.version", "glTF 2", &asset.version)),
    }
    match asset.min_version.as_deref().map(|text| (text, version(text))) {
        None | Some((_, Some((2, 0)))) => Ok(()),
        Some((text, _)) => Err(fault("asset.minVersion", "2.0 at most", text)),
    }
}

/// Major and minor.
fn version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(major) || !digits(minor) {
        return None;
    }
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn fault(place: &str, expected: &str, found: &str) -> Error {
    Error::fault(place, expected, format!("{:?}", found.chars().take(40).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_two_numbers() {
        assert_eq!(version("2.0"), Some((2, 0)));
        assert_eq!(version("2.10"), Some((2, 10)));
        for text in ["", "2", "2.", ".0", "2.0.1", "+2.0", "2.-0", "two.0", "2.99999999999"] {
            assert_eq!(version(text), None, "{text}");
        }
    }
}
