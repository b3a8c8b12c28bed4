//! The bar at the top: what is shown, and buttons that open windows.

use eframe::egui::{RichText, Ui};

use super::controls::Controls;
use crate::session::Session;
use crate::settings::Settings;

/// Which windows are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenWindows {
    /// The window settings.
    pub window: bool,
    /// The list of keys.
    pub help: bool,
}

/// Shows the bar. Returns whether the view is to be reset.
pub fn top_bar(
    ui: &mut Ui,
    controls: &mut Controls,
    settings: &mut Settings,
    open: &mut OpenWindows,
    session: &Session,
) -> bool {
    let mut reset = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new("sinew").heading().strong());
        let (subject, copies) = (&session.subject, session.copies());
        ui.separator();
        ui.label(format!(
            "{}   {} x {} vertices, {} triangles, {} joints",
            subject.name,
            copies,
            subject.vertices(),
            subject.triangles(),
            subject.model.skeleton().len()
        ));
        ui.with_layout(eframe::egui::Layout::right_to_left(eframe::egui::Align::Center), |ui| {
            if controls.record("help", ui.button("Keys  F1")).clicked() {
                open.help = !open.help;
            }
            if controls.record("window", ui.button("Window  F2")).clicked() {
                open.window = !open.window;
            }
            let label = if settings.bright { "Dark" } else { "Bright" };
            if controls.record("bright", ui.button(label)).clicked() {
                settings.bright = !settings.bright;
            }
            reset = controls.record("reset-view", ui.button("Reset view")).clicked();
        });
    });
    reset
}
