//! The `--size` argument.

use std::str::FromStr;

use sinew_raster::{MAX_SIDE, Size};

/// Width and height in pixels, parsed from text such as `960x600`.
#[derive(Clone, Copy, Debug)]
pub(super) struct PictureSize(pub(super) Size);

impl FromStr for PictureSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected WIDTHxHEIGHT, each from 1 to {MAX_SIDE}");
        let (width, height) = text.split_once(['x', 'X']).ok_or_else(expected)?;
        let side = |text: &str| text.parse().map_err(|_| expected());
        Size::new(side(width)?, side(height)?).map(Self).map_err(|_| expected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_positive_numbers_separated_by_an_x() {
        for good in ["1x1", "960x600", "4096X4096"] {
            assert!(good.parse::<PictureSize>().is_ok(), "{good}");
        }
        for bad in
            ["", "x", "960", "0x600", "960x0", "100000x100000", "-1x5", "5x", "9x9x9", "1e3x5", "NaNx5"]
        {
            assert!(bad.parse::<PictureSize>().is_err(), "{bad}");
        }
    }
}
