//! Opens the window, and reopens it when a setting needs a new one.

use std::sync::{Arc, PoisonError};

use eframe::egui;

use super::arguments::Arguments;
use crate::app::{HandOff, Viewer};
use crate::settings::Settings;

/// Shows the window until it is closed without a hand-off to another one.
pub(super) fn window(arguments: &Arguments, settings: Settings) -> Result<(), String> {
    let hand_off = HandOff::default();
    let mut next = Some((settings, arguments.size.map(|side| side as f32)));
    while let Some((settings, [width, height])) = next {
        let mut options = eframe::NativeOptions {
            viewport: egui::ViewportBuilder::default()
                .with_title("sinew")
                .with_inner_size([width, height])
                .with_min_inner_size([320.0, 400.0])
                .with_drag_and_drop(true)
                .with_icon(egui::IconData::default()),
            ..eframe::NativeOptions::default()
        };
        options.glow_options.vsync = settings.vsync;
        let (own, frames) = (Arc::clone(&hand_off), arguments.frames);
        eframe::run_native(
            "sinew-viewer",
            options,
            Box::new(move |context| {
                Ok(Box::new(Viewer::new(context, settings, own)?.with_frame_limit(frames)))
            }),
        )
        .map_err(|error| format!("cannot open a window: {}; --screenshot needs none", reason(&error)))?;
        next = hand_off.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
    Ok(())
}

/// Why no window could be opened, without the source locations that winit's errors contain.
fn reason(error: &eframe::Error) -> String {
    match error {
        eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => "there is no display".to_owned(),
        other => other.to_string(),
    }
}
