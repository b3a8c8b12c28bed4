//! A picture: codes of sRGB, row by row.

use crate::Size;

/// Pixels from left to right and from top to bottom: red, green and blue as codes of sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    size: Size,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Black.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { size, pixels: vec![[0; 3]; size.width() * size.height()] }
    }

    /// How large it is.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// All pixels.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// All pixels, as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    pub(crate) fn pixels_mut(&mut self) -> &mut [[u8; 3]] {
        &mut self.pixels
    }

    /// One pixel.
    ///
    /// # Panics
    ///
    /// When there is no such pixel.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        assert!(x < self.size.width(), "pixel {x} of {}", self.size.width());
        self.pixels[y * self.size.width() + x]
    }

    /// Sets one pixel; one outside the picture is nobody's.
    pub fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        if x < self.size.width() && y < self.size.height() {
            self.pixels[y * self.size.width() + x] = colour;
        }
    }

    /// Fills a rectangle as far as it lies in the picture.
    pub fn fill(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], colour: [u8; 3]) {
        let right = x.saturating_add(width).min(self.size.width());
        let bottom = y.saturating_add(height).min(self.size.height());
        for row in y..bottom {
            let start = row * self.size.width();
            if let Some(row) = self.pixels.get_mut(start + x.min(right)..start + right) {
                row.fill(colour);
            }
        }
    }

    /// Puts another picture into this one, its left upper corner at a place, as far as it fits.
    pub fn put(&mut self, [x, y]: [usize; 2], other: &Self) {
        let width = self.size.width();
        let fits = other.size.width().min(width.saturating_sub(x));
        let rows = other.pixels.chunks(other.size.width());
        for (row, from) in rows.enumerate().take(self.size.height().saturating_sub(y)) {
            let start = (y + row) * width + x;
            self.pixels[start..start + fits].copy_from_slice(&from[..fits]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: usize, height: usize) -> Picture {
        Picture::new(Size::new(width, height).unwrap())
    }

    #[test]
    fn what_does_not_fit_is_cut_off() {
        let mut to = picture(4, 3);
        let mut from = picture(3, 3);
        from.fill([0, 0], [3, 3], [9; 3]);
        to.put([2, 1], &from);
        let filled = to.pixels().iter().filter(|pixel| **pixel == [9; 3]).count();
        assert_eq!((filled, to.pixel(2, 1), to.pixel(1, 1)), (4, [9; 3], [0; 3]));
        to.put([4, 0], &from);
        to.put([0, 3], &from);
        to.put([9, 9], &from);
        to.fill([5, 0], [usize::MAX, 2], [1; 3]);
        to.set(4, 0, [1; 3]);
        assert!(!to.pixels().contains(&[1; 3]));
        to.fill([3, 2], [usize::MAX, usize::MAX], [1; 3]);
        assert_eq!(to.pixel(3, 2), [1; 3]);
    }
}
