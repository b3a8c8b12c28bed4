//! The size of a picture.

use crate::Error;

/// Maximum width and height in pixels. Up to here fixed-point coordinates, and products of two of
/// them, are exact.
pub const MAX_SIDE: usize = 4096;

/// Width and height in pixels, each from one to [`MAX_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: usize,
    height: usize,
}

impl Size {
    /// A checked size.
    ///
    /// # Errors
    ///
    /// When width or height is zero or above [`MAX_SIDE`].
    pub fn new(width: usize, height: usize) -> Result<Self, Error> {
        let valid = 1..=MAX_SIDE;
        if valid.contains(&width) && valid.contains(&height) {
            Ok(Self { width, height })
        } else {
            Err(Error::Size { width, height, max: MAX_SIDE })
        }
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(self) -> usize {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(self) -> usize {
        self.height
    }
}
