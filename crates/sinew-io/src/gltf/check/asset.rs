//! Checks the glTF version of a document.

use super::super::schema::Asset;
use crate::error::BoxedError as Error;

/// Checks that a reader of glTF 2.0 may read the document.
pub(super) fn check(asset: &Asset<'_>) -> Result<(), Error> {
    match parse_version(&asset.version) {
        Some((2, _)) => {}
        Some((1, minor)) => {
            let found = format!("glTF 1.{minor}; glTF-Pipeline converts it");
            return Err(Error::invalid("asset.version", "glTF 2.0", found));
        }
        _ => return Err(version_error("asset.version", "glTF 2", &asset.version)),
    }
    match asset.min_version.as_deref().map(|text| (text, parse_version(text))) {
        None | Some((_, Some((2, 0)))) => Ok(()),
        Some((text, _)) => Err(version_error("asset.minVersion", "2.0 at most", text)),
    }
}

/// Parses the major and minor version.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(major) || !digits(minor) {
        return None;
    }
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn version_error(location: &str, expected: &str, found: &str) -> Error {
    Error::invalid(location, expected, format!("{:?}", found.chars().take(40).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_two_numbers() {
        assert_eq!(parse_version("2.0"), Some((2, 0)));
        assert_eq!(parse_version("2.10"), Some((2, 10)));
        for text in ["", "2", "2.", ".0", "2.0.1", "+2.0", "2.-0", "two.0", "2.99999999999"] {
            assert_eq!(parse_version(text), None, "{text}");
        }
    }
}
