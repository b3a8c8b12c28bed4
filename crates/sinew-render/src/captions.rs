//! The captions of a picture that compares two skinning methods.

use sinew_figures::colors::heat_color;
use sinew_raster::{LINE_HEIGHT, Picture, linear_to_srgb, text_width};

const INK: [u8; 3] = [58, 64, 72];
const PAPER: [u8; 3] = [250, 251, 252];
/// The picture height for each step of the text scale.
const HEIGHT_PER_SCALE: usize = 300;

/// The factor by which the pixels of the font are enlarged.
fn text_scale(picture: &Picture) -> usize {
    scale_at(picture.size().height())
}

fn scale_at(height: usize) -> usize {
    (height / HEIGHT_PER_SCALE).clamp(1, 6)
}

/// The height of a line of text in a picture of this height; at most a tenth of it.
pub(crate) fn line_height(height: usize) -> usize {
    (LINE_HEIGHT * scale_at(height)).min(height / 10)
}

/// Draws a name at the bottom, centered horizontally around a column.
pub(crate) fn draw_name(picture: &mut Picture, center: usize, text: &str) {
    let size = text_scale(picture);
    let left = center.saturating_sub(text_width(text, size) / 2);
    let top = picture.size().height().saturating_sub(2 * LINE_HEIGHT * size);
    picture.draw_text([left, top], size, INK, text);
}

/// Draws a vertical line between two panels.
pub(crate) fn draw_divider(picture: &mut Picture, column: usize) {
    let width = text_scale(picture);
    let height = picture.size().height();
    picture.fill_rect([column.saturating_sub(width / 2), 0], [width, height], PAPER);
}

/// Texts below the color scale, from the best to one that always fits.
const LABELS: [&str; 4] = ["distance in units of the model", "distance in units", "units", ""];

/// Draws the color scale of distances at the top, from zero to `max`.
pub(crate) fn draw_color_scale(picture: &mut Picture, max: f32) {
    let size = text_scale(picture);
    let whole = picture.size().width();
    let end = number(max);
    let space = text_width("  ", size);
    let length = |label: &str| text_width(&format!("0{label}{end}"), size) + 2 * space;
    let label = LABELS.into_iter().find(|label| length(label) <= whole - whole / 8).unwrap_or_default();
    let (width, height) = ((whole / 3).max(length(label)).min(whole), 6 * size);
    let (left, top) = ((whole - width) / 2, LINE_HEIGHT * size);
    for column in 0..width {
        let color = heat_color(column as f32 / width.max(2) as f32).map(linear_to_srgb);
        picture.fill_rect([left + column, top], [1, height], color);
    }
    let below = top + height + 3 * size;
    let right = (left + width).saturating_sub(text_width(&end, size));
    let middle = (left + text_width("0", size) + right).saturating_sub(text_width(label, size)) / 2;
    picture.draw_text([left, below], size, INK, "0");
    picture.draw_text([right, below], size, INK, &end);
    picture.draw_text([middle, below], size, INK, label);
}

/// A number with three significant digits.
fn number(value: f32) -> String {
    let value = f64::from(value);
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e6).contains(&value) {
        return format!("{value:.2e}");
    }
    let decimals = [1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3].iter().take_while(|&&size| value < size).count();
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use sinew_raster::Size;

    use super::*;

    #[test]
    fn the_color_scale_is_never_cut() {
        for (width, height) in [(96, 60), (160, 300), (480, 300), (960, 600), (64, 2000)] {
            let mut picture = Picture::new(Size::new(width, height).expect("a valid size"));
            draw_color_scale(&mut picture, 0.349);
            let is_blank = |x: usize| (0..height).all(|y| picture.pixel(x, y) == [0; 3]);
            // Text at the very border would be cut.
            if text_width("00.349", text_scale(&picture)) + 4 < width {
                assert!(is_blank(0) || is_blank(width - 1), "{width} x {height}");
            }
        }
    }

    #[test]
    fn numbers_have_three_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.012_345, "0.0123"),
            (1.5, "1.50"),
            (123.456, "123"),
            (5e-7, "5.00e-7"),
            (2.5e8, "2.50e8"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
