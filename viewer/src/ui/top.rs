//! The bar above everything: what is shown, and what opens something else.

use eframe::egui::{RichText, Ui};

use super::controls::Controls;
use crate::settings::Settings;
use crate::show::Show;

/// What is open beside the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// The window's settings.
    pub window: bool,
    /// The list of keys.
    pub help: bool,
}

/// The bar. Tells whether the usual view is asked for.
pub fn top(
    ui: &mut Ui,
    controls: &mut Controls,
    settings: &mut Settings,
    open: &mut Open,
    show: &Show,
) -> bool {
    let mut reset = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new("sinew").heading().strong());
        let (subject, copies) = (&show.subject, show.copies());
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
            if controls.note("help", ui.button("Keys  F1")).clicked() {
                open.help = !open.help;
            }
            if controls.note("window", ui.button("Window  F2")).clicked() {
                open.window = !open.window;
            }
            let label = if settings.bright { "Dark" } else { "Bright" };
            if controls.note("bright", ui.button(label)).clicked() {
                settings.bright = !settings.bright;
            }
            reset = controls.note("reset-view", ui.button("Reset view")).clicked();
        });
    });
    reset
}
