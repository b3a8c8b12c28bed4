//! The window settings: size, full screen, vsync.

use eframe::egui::{self, Align2, Context, Vec2, ViewportCommand};

use super::controls::Controls;
use crate::settings::Settings;

/// A request that the window cannot fulfil itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowRequest {
    /// No request.
    None,
    /// Close the window and open a new one with the same settings.
    Reopen,
}

const SIZES: [[u32; 2]; 5] = [[800, 600], [1024, 768], [1280, 800], [1600, 900], [1920, 1080]];

/// Shows the settings while they are open.
pub fn window_settings(
    context: &Context,
    controls: &mut Controls,
    settings: &mut Settings,
    open: &mut bool,
) -> WindowRequest {
    let mut request = WindowRequest::None;
    let mut close = false;
    egui::Window::new("Window")
        .open(open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(context, |ui| {
            ui.set_max_width((context.viewport_rect().width() - 40.0).min(420.0));
            if cfg!(target_arch = "wasm32") {
                ui.label("The browser controls size, full screen (F11) and vsync.");
            } else {
                size_buttons(ui, controls);
                let mut fullscreen = ui.input(|input| input.viewport().fullscreen.unwrap_or(false));
                if controls.checkbox(ui, "window:fullscreen", "full screen", &mut fullscreen).changed() {
                    ui.ctx().send_viewport_cmd(ViewportCommand::Fullscreen(fullscreen));
                }
                let text = "Frames wait for the display; a change reopens the window";
                let vsync = controls.checkbox(ui, "window:vsync", "vsync", &mut settings.vsync);
                if vsync.on_hover_text(text).changed() {
                    request = WindowRequest::Reopen;
                }
            }
            let mut smooth = settings.samples > 0;
            if controls.checkbox(ui, "window:smooth", "smooth edges", &mut smooth).changed() {
                settings.samples = if smooth { 4 } else { 0 };
            }
            close = controls.record("window:close", ui.button("Close")).clicked();
        });
    *open &= !close;
    request
}

fn size_buttons(ui: &mut egui::Ui, controls: &mut Controls) {
    let current = ui.ctx().viewport_rect().size();
    ui.label(format!("Size: {:.0} x {:.0}", current.x, current.y));
    ui.horizontal_wrapped(|ui| {
        for [width, height] in SIZES {
            let size = Vec2::new(width as f32, height as f32);
            let label = format!("{width} x {height}");
            let name = format!("window:size:{width}x{height}");
            if controls.choice(ui, (name, &label), current == size, (None, "")) {
                ui.ctx().send_viewport_cmd(ViewportCommand::InnerSize(size));
            }
        }
    });
}
