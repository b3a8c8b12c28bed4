//! How large a picture is.

use crate::Error;

/// The most pixels on a side: coordinates in parts of pixels, and the products of two, stay exact.
pub const MOST_SIDE: usize = 4096;

/// Width and height in pixels, each from one to [`MOST_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: usize,
    height: usize,
}

impl Size {
    /// Checks the sides.
    ///
    /// # Errors
    ///
    /// When one is zero or above [`MOST_SIDE`].
    pub fn new(width: usize, height: usize) -> Result<Self, Error> {
        let good = 1..=MOST_SIDE;
        if good.contains(&width) && good.contains(&height) {
            Ok(Self { width, height })
        } else {
            Err(Error::Size { width, height, most: MOST_SIDE })
        }
    }

    /// Pixels from left to right.
    #[must_use]
    pub fn width(self) -> usize {
        self.width
    }

    /// Pixels from top to bottom.
    #[must_use]
    pub fn height(self) -> usize {
        self.height
    }
}
