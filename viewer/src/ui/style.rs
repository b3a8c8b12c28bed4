//! The style of the controls: compact, to leave room for the scene.

use eframe::egui::{self, Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Vec2};

/// Color of selected controls.
const ACCENT: Color32 = Color32::from_rgb(214, 132, 62);

/// Sets fonts, spacing and colors.
pub(super) fn style(context: &egui::Context) {
    context.all_styles_mut(|style| {
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, font(10.5)),
            (TextStyle::Body, font(12.5)),
            (TextStyle::Button, font(12.5)),
            (TextStyle::Heading, font(16.0)),
            (TextStyle::Monospace, FontId::new(11.5, FontFamily::Monospace)),
        ]
        .into();
        style.spacing.item_spacing = Vec2::new(5.0, 3.0);
        style.spacing.button_padding = Vec2::new(5.0, 1.0);
        style.spacing.interact_size.y = 18.0;
        style.spacing.slider_width = 118.0;
        style.interaction.tooltip_delay = 0.25;
        // No animations: tests compare pictures right after a click.
        style.animation_time = 0.0;
        for widget in [
            &mut style.visuals.widgets.inactive,
            &mut style.visuals.widgets.hovered,
            &mut style.visuals.widgets.active,
            &mut style.visuals.widgets.open,
        ] {
            widget.corner_radius = CornerRadius::same(4);
        }
    });
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        context.style_mut_of(theme, |style| {
            let dark = theme == egui::Theme::Dark;
            let visuals = &mut style.visuals;
            visuals.selection.bg_fill = if dark { ACCENT.gamma_multiply(0.85) } else { ACCENT };
            visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
            visuals.panel_fill =
                if dark { Color32::from_rgb(24, 27, 32) } else { Color32::from_rgb(244, 245, 247) };
            visuals.window_fill = visuals.panel_fill;
            visuals.weak_text_alpha = 0.75;
        });
    }
}
