//! The plot of the last frames, stages stacked.

use eframe::egui::{Align2, Color32, CornerRadius, FontId, Rect, Sense, Ui, pos2, vec2};

use crate::session::StageTimes;
use crate::stats::Stats;

/// A stage: name, color and its seconds.
type Stage = (&'static str, Color32, fn(&StageTimes) -> f64);

pub(super) const STAGES: [Stage; 4] = [
    ("animate", Color32::from_rgb(94, 158, 214), |stages| stages.pipeline.animate),
    ("skin", Color32::from_rgb(226, 138, 64), |stages| stages.pipeline.skin),
    ("planes, shadow", Color32::from_rgb(160, 128, 208), |stages| stages.shapes),
    ("draw", Color32::from_rgb(112, 176, 120), |stages| stages.draw),
];

const HEIGHT: f32 = 96.0;

/// One thin column per frame.
pub(super) fn plot(ui: &mut Ui, stats: &Stats) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, CornerRadius::same(3), ui.visuals().extreme_bg_color);
    let all = |stages: &StageTimes| STAGES.iter().map(|stage| (stage.2)(stages)).sum::<f64>();
    let most = stats.frames().map(|frame| all(&frame.stages)).fold(0.0, f64::max);
    let scale = round_up(most.max(1e-5));
    let width = rect.width() / 240.0;
    let first = 240_usize.saturating_sub(stats.len());
    for (index, frame) in stats.frames().enumerate() {
        let left = rect.left() + (first + index) as f32 * width;
        let mut low = 0.0;
        for (_, color, seconds) in STAGES {
            let high = low + seconds(&frame.stages) / scale;
            let at = |share: f64| rect.bottom() - share as f32 * rect.height();
            let column = Rect::from_min_max(pos2(left, at(high)), pos2(left + width + 0.2, at(low)));
            painter.rect_filled(column, CornerRadius::ZERO, color);
            low = high;
        }
    }
    let text = format!("{} ms", format_short(1e3 * scale));
    let (font, color) = (FontId::proportional(10.0), ui.visuals().weak_text_color());
    painter.text(rect.left_top() + vec2(4.0, 2.0), Align2::LEFT_TOP, text, font, color);
}

/// The next larger number out of 1, 2, 5, 10 and so on.
fn round_up(seconds: f64) -> f64 {
    let power = 10.0_f64.powf(seconds.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|&step| step >= seconds).unwrap_or(10.0 * power)
}

/// A number with three significant digits.
pub(super) fn format_short(number: f64) -> String {
    match number {
        _ if !number.is_finite() => "-".to_owned(),
        _ if number >= 99.95 => format!("{number:.0}"),
        _ if number >= 9.995 => format!("{number:.1}"),
        _ if number >= 0.9995 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_round_and_large_enough() {
        for (seconds, expected) in [(0.011, 0.02), (0.002, 0.002), (0.3, 0.5), (0.0007, 0.001)] {
            let found = round_up(seconds);
            assert!((found - expected).abs() < 1e-9, "{seconds}: {found}");
        }
    }

    #[test]
    fn numbers_have_three_significant_digits() {
        assert_eq!([1234.5, 12.34, 1.234, 0.1234].map(format_short), ["1234", "12.3", "1.23", "0.123"]);
    }
}
