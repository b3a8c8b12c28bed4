//! Text in pictures: letters of few pixels, as large as asked for.

use crate::Picture;
use crate::font::{GLYPH_HEIGHT, GLYPH_WIDTH, glyph};

/// Pixels from one line to the next, at size one.
pub const LINE_HEIGHT: usize = GLYPH_HEIGHT + 2;

/// Pixels that a line takes from left to right, at a size.
#[must_use]
pub fn text_width(text: &str, size: usize) -> usize {
    (text.chars().count() * (GLYPH_WIDTH + 1)).saturating_sub(1) * size
}

impl Picture {
    /// Writes a line of text, its left upper corner at a place, each pixel of its letters so many pixels wide. What the
    /// font does not have is an empty box, and what does not fit is cut off.
    pub fn text(&mut self, [x, y]: [usize; 2], size: usize, colour: [u8; 3], text: &str) {
        for (index, letter) in text.chars().enumerate() {
            let left = x + index * (GLYPH_WIDTH + 1) * size;
            for (row, bits) in glyph(letter).into_iter().enumerate() {
                for column in (0..GLYPH_WIDTH).filter(|column| bits >> (GLYPH_WIDTH - 1 - column) & 1 == 1) {
                    self.fill([left + column * size, y + row * size], [size, size], colour);
                }
            }
        }
    }
}
