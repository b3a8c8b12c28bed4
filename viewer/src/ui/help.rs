//! The list of keys.

use eframe::egui::{self, Align2, Context, Vec2};

use super::controls::Controls;

const KEYS: [(&str, &str); 13] = [
    ("Drag", "turn the view"),
    ("Shift + drag, right button", "move the view"),
    ("Wheel, Page Up, Page Down", "zoom in, zoom out"),
    ("Arrows", "turn the view"),
    ("One finger, two fingers", "turn; move and zoom"),
    ("Click, tap", "show the triangle and joint there"),
    ("Space", "pause, resume"),
    ("Drop a file", "open a model: glTF, GLB, MD5, BVH"),
    ("Drop several", "a glTF with its .bin and pictures, an MD5 mesh with clips"),
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
            ui.set_max_width((context.viewport_rect().width() - 40.0).min(460.0));
            for (key, what) in KEYS {
                ui.horizontal_wrapped(|ui| {
                    ui.strong(key);
                    ui.label(what);
                });
            }
            close = controls.record("help:close", ui.button("Close")).clicked();
        });
    *open &= !close;
}
