//! Text in pictures, in a scalable pixel font.

use crate::Picture;
use crate::font::{GLYPH_HEIGHT, GLYPH_WIDTH, glyph};

/// Pixels from one line to the next, at size one.
pub const LINE_HEIGHT: usize = GLYPH_HEIGHT + 2;

/// The width of a line of text in pixels.
#[must_use]
pub fn text_width(text: &str, size: usize) -> usize {
    (text.chars().count() * (GLYPH_WIDTH + 1)).saturating_sub(1) * size
}

impl Picture {
    /// Draws a line of text. `[x, y]` is its top left corner; `size` is the width in pixels of one
    /// font pixel. Characters that the font lacks become empty boxes, and text is clipped at the
    /// picture's border.
    pub fn draw_text(&mut self, [x, y]: [usize; 2], size: usize, color: [u8; 3], text: &str) {
        for (index, character) in text.chars().enumerate() {
            let left = x + index * (GLYPH_WIDTH + 1) * size;
            for (row, bits) in glyph(character).into_iter().enumerate() {
                for column in (0..GLYPH_WIDTH).filter(|column| bits >> (GLYPH_WIDTH - 1 - column) & 1 == 1) {
                    self.fill_rect([left + column * size, y + row * size], [size, size], color);
                }
            }
        }
    }
}
