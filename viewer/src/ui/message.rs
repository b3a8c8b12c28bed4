//! The error message over the scene.

use eframe::egui::{self, Align2, Color32, Context, Frame, Rect, RichText, Stroke, Vec2};

use super::controls::Controls;

/// Shows the message at the top of the scene until it is dismissed.
pub fn message(context: &Context, controls: &mut Controls, scene: Rect, error: &mut Option<String>) {
    let Some(text) = error.clone() else { return };
    let mut dismissed = false;
    let width = (scene.width() - 80.0).clamp(160.0, 640.0);
    egui::Area::new(egui::Id::unique("message"))
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(scene.center_top() + Vec2::new(0.0, 14.0))
        .order(egui::Order::Foreground)
        .show(context, |ui| {
            let frame = Frame::popup(ui.style())
                .fill(Color32::from_rgb(96, 30, 26))
                .stroke(Stroke::new(1.0, Color32::from_rgb(220, 96, 80)));
            frame.show(ui, |ui| {
                ui.set_max_width(width);
                ui.horizontal_top(|ui| {
                    dismissed = controls.record("error:dismiss", ui.button("OK")).clicked();
                    ui.add(egui::Label::new(RichText::new(text).color(Color32::WHITE)).wrap());
                });
            });
        });
    if dismissed {
        *error = None;
    }
}
