//! The keys.

use eframe::egui::{self, Align2, Context, Vec2};

use super::controls::Controls;

const KEYS: [(&str, &str); 11] = [
    ("Drag", "turn the view"),
    ("Shift + drag, right button", "move it"),
    ("Wheel, Page Up, Page Down", "nearer, further"),
    ("Arrows", "turn the view"),
    ("Click", "which triangle and joint is there"),
    ("Space", "pause, go on"),
    ("Drop a file", "show a model: glTF, GLB, MD5"),
    ("Home", "the usual view"),
    ("F1", "this list"),
    ("F2", "the window's settings"),
    ("Ctrl + Q", "quit"),
];

/// Shows the list while it is open.
pub fn help(context: &Context, controls: &mut Controls, open: &mut bool) {
    let mut close = false;
    egui::Window::new("Keys")
        .open(open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(context, |ui| {
            ui.set_min_width(400.0);
            egui::Grid::new("keys").num_columns(2).spacing([18.0, 4.0]).show(ui, |ui| {
                for (key, what) in KEYS {
                    ui.strong(key);
                    ui.label(what);
                    ui.end_row();
                }
            });
            close = controls.note("help:close", ui.button("Close")).clicked();
        });
    *open &= !close;
}
