//! The list of keys.

use eframe::egui::{self, Align2, Context, Vec2};

use super::controls::Controls;

const KEYS: [(&str, &str); 11] = [
    ("Drag", "turn the view"),
    ("Shift + drag, right button", "move the view"),
    ("Wheel, Page Up, Page Down", "zoom in, zoom out"),
    ("Arrows", "turn the view"),
    ("Click", "show the triangle and joint there"),
    ("Space", "pause, resume"),
    ("Drop a file", "open a model: glTF, GLB, MD5"),
    ("Home", "reset the view"),
    ("F1", "this list"),
    ("F2", "window settings"),
    ("Ctrl + Q", "quit"),
];

/// Shows the list while it is open.
pub fn key_list(context: &Context, controls: &mut Controls, open: &mut bool) {
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
            close = controls.record("help:close", ui.button("Close")).clicked();
        });
    *open &= !close;
}
