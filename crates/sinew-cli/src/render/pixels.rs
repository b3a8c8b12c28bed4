//! The size of a picture, as it is asked for.

use std::str::FromStr;

use sinew_raster::{MOST_SIDE, Size};

/// Width and height, as in `960x600`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pixels(pub(super) Size);

impl FromStr for Pixels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected WIDTHxHEIGHT, each from 1 to {MOST_SIDE}");
        let (width, height) = text.split_once(['x', 'X']).ok_or_else(expected)?;
        let side = |text: &str| text.parse().map_err(|_| expected());
        Size::new(side(width)?, side(height)?).map(Self).map_err(|_| expected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers_with_an_x_between() {
        for good in ["1x1", "960x600", "4096X4096"] {
            assert!(good.parse::<Pixels>().is_ok(), "{good}");
        }
        for bad in
            ["", "x", "960", "0x600", "960x0", "100000x100000", "-1x5", "5x", "9x9x9", "1e3x5", "NaNx5"]
        {
            assert!(bad.parse::<Pixels>().is_err(), "{bad}");
        }
    }
}
