//! The window's settings: size, full screen, waiting for the display.

use eframe::egui::{self, Align2, Context, Vec2, ViewportCommand};

use super::controls::Controls;
use crate::settings::Settings;

/// What only another window can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Nothing.
    Nothing,
    /// To be opened anew, with the settings as they are.
    Reopen,
}

const SIZES: [[u32; 2]; 5] = [[800, 600], [1024, 768], [1280, 800], [1600, 900], [1920, 1080]];

/// Shows the settings while they are open.
pub fn window(context: &Context, controls: &mut Controls, settings: &mut Settings, open: &mut bool) -> Ask {
    let mut ask = Ask::Nothing;
    let mut close = false;
    egui::Window::new("Window")
        .open(open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(context, |ui| {
            ui.set_min_width(400.0);
            if cfg!(target_arch = "wasm32") {
                ui.label("The browser decides about size, full screen (F11) and vsync.");
            } else {
                sizes(ui, controls);
                let mut full = ui.input(|input| input.viewport().fullscreen.unwrap_or(false));
                if controls.tick(ui, "window:fullscreen", "full screen", &mut full).changed() {
                    ui.ctx().send_viewport_cmd(ViewportCommand::Fullscreen(full));
                }
                let text = "Frames wait for the display; switching opens the window anew";
                let vsync = controls.tick(ui, "window:vsync", "vsync", &mut settings.vsync);
                if vsync.on_hover_text(text).changed() {
                    ask = Ask::Reopen;
                }
            }
            let mut smooth = settings.samples > 0;
            if controls.tick(ui, "window:smooth", "smooth edges", &mut smooth).changed() {
                settings.samples = if smooth { 4 } else { 0 };
            }
            close = controls.note("window:close", ui.button("Close")).clicked();
        });
    *open &= !close;
    ask
}

fn sizes(ui: &mut egui::Ui, controls: &mut Controls) {
    let now = ui.ctx().viewport_rect().size();
    ui.label(format!("Size: {:.0} x {:.0}", now.x, now.y));
    ui.horizontal(|ui| {
        for [width, height] in SIZES {
            let size = Vec2::new(width as f32, height as f32);
            let label = format!("{width} x {height}");
            let name = format!("window:size:{width}x{height}");
            if controls.choice(ui, (name, &label), now == size, (None, "")) {
                ui.ctx().send_viewport_cmd(ViewportCommand::InnerSize(size));
            }
        }
    });
}
