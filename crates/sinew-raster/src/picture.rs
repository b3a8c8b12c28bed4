//! The rendered picture: sRGB pixels, row by row.

use crate::Size;

/// A picture of sRGB pixels, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    size: Size,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// A black picture.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { size, pixels: vec![[0; 3]; size.width() * size.height()] }
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// All pixels.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// All pixels, as bytes: red, green and blue in turn.
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
    /// When the position is outside the picture.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        assert!(x < self.size.width(), "pixel column {x} is outside a width of {}", self.size.width());
        self.pixels[y * self.size.width() + x]
    }

    /// Sets one pixel. Does nothing outside the picture.
    pub fn set_pixel(&mut self, x: usize, y: usize, color: [u8; 3]) {
        if x < self.size.width() && y < self.size.height() {
            self.pixels[y * self.size.width() + x] = color;
        }
    }

    /// Fills a rectangle, clipped at the picture's border.
    pub fn fill_rect(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], color: [u8; 3]) {
        let right = x.saturating_add(width).min(self.size.width());
        let bottom = y.saturating_add(height).min(self.size.height());
        for row in y..bottom {
            let start = row * self.size.width();
            if let Some(row) = self.pixels.get_mut(start + x.min(right)..start + right) {
                row.fill(color);
            }
        }
    }

    /// Copies another picture into this one with its top left corner at `[x, y]`, clipped at the
    /// border.
    pub fn blit(&mut self, [x, y]: [usize; 2], other: &Self) {
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
    fn drawing_is_clipped_at_the_border() {
        let mut to = picture(4, 3);
        let mut from = picture(3, 3);
        from.fill_rect([0, 0], [3, 3], [9; 3]);
        to.blit([2, 1], &from);
        let filled = to.pixels().iter().filter(|pixel| **pixel == [9; 3]).count();
        assert_eq!((filled, to.pixel(2, 1), to.pixel(1, 1)), (4, [9; 3], [0; 3]));
        to.blit([4, 0], &from);
        to.blit([0, 3], &from);
        to.blit([9, 9], &from);
        to.fill_rect([5, 0], [usize::MAX, 2], [1; 3]);
        to.set_pixel(4, 0, [1; 3]);
        assert!(!to.pixels().contains(&[1; 3]));
        to.fill_rect([3, 2], [usize::MAX, usize::MAX], [1; 3]);
        assert_eq!(to.pixel(3, 2), [1; 3]);
    }
}
