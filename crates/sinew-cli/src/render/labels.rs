//! What is written into a picture of two sides.

use sinew_figures::colours::heat_colour;
use sinew_raster::{LINE_HEIGHT, Picture, text_width, to_code};

const INK: [u8; 3] = [58, 64, 72];
const PAPER: [u8; 3] = [250, 251, 252];
/// The height of the picture for which letters have single pixels.
const SMALL_HEIGHT: usize = 300;

/// How many pixels wide a pixel of a letter is.
fn letters(picture: &Picture) -> usize {
    scale_at(picture.size().height())
}

fn scale_at(height: usize) -> usize {
    (height / SMALL_HEIGHT).clamp(1, 6)
}

/// Pixels that a line takes in a picture of some height; at most a tenth of it.
pub(super) fn line(height: usize) -> usize {
    (LINE_HEIGHT * scale_at(height)).min(height / 10)
}

/// A name at the lower border, around a middle.
pub(super) fn name(picture: &mut Picture, middle: usize, text: &str) {
    let size = letters(picture);
    let left = middle.saturating_sub(text_width(text, size) / 2);
    let top = picture.size().height().saturating_sub(2 * LINE_HEIGHT * size);
    picture.text([left, top], size, INK, text);
}

/// A line between two sides.
pub(super) fn divide(picture: &mut Picture, at: usize) {
    let width = letters(picture);
    let height = picture.size().height();
    picture.fill([at.saturating_sub(width / 2), 0], [width, height], PAPER);
}

/// A bar with the colours of distances at the upper border, from none to the most.
pub(super) fn scale(picture: &mut Picture, most: f32) {
    let size = letters(picture);
    let (width, height) = (picture.size().width() / 3, 6 * size);
    let (left, top) = ((picture.size().width() - width) / 2, LINE_HEIGHT * size);
    for column in 0..width {
        let colour = heat_colour(column as f32 / width.max(2) as f32).map(to_code);
        picture.fill([left + column, top], [1, height], colour);
    }
    let below = top + height + 3 * size;
    picture.text([left, below], size, INK, "0");
    let text = number(most);
    picture.text([(left + width).saturating_sub(text_width(&text, size)), below], size, INK, &text);
    let what = "distance";
    let middle = picture.size().width() / 2 - text_width(what, size).min(picture.size().width()) / 2;
    picture.text([middle, below], size, INK, what);
}

/// Three digits that count, in the model's units.
fn number(most: f32) -> String {
    let most = f64::from(most);
    if most == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e6).contains(&most) {
        return format!("{most:.2e}");
    }
    let decimals = [1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3].iter().take_while(|&&size| most < size).count();
    format!("{most:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_that_count() {
        for (most, text) in [
            (0.0, "0"),
            (0.012_345, "0.0123"),
            (1.5, "1.50"),
            (123.456, "123"),
            (5e-7, "5.00e-7"),
            (2.5e8, "2.50e8"),
        ] {
            assert_eq!(number(most), text);
        }
    }
}
