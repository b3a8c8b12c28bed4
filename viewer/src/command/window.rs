//! The window, and the one that takes its place.

use std::sync::{Arc, PoisonError};

use eframe::egui;

use super::arguments::Arguments;
use crate::app::{Heir, Viewer};
use crate::settings::Settings;

/// Opens the window until it is closed for good.
pub(super) fn window(arguments: &Arguments, settings: Settings) -> Result<(), String> {
    let heir = Heir::default();
    let mut next = Some((settings, arguments.size.map(|side| side as f32)));
    while let Some((settings, [width, height])) = next {
        let mut options = eframe::NativeOptions {
            viewport: egui::ViewportBuilder::default()
                .with_title("sinew")
                .with_inner_size([width, height])
                .with_min_inner_size([760.0, 480.0])
                .with_drag_and_drop(true)
                .with_icon(egui::IconData::default()),
            ..eframe::NativeOptions::default()
        };
        options.glow_options.vsync = settings.vsync;
        let (own, frames) = (Arc::clone(&heir), arguments.frames);
        eframe::run_native(
            "sinew-viewer",
            options,
            Box::new(move |context| {
                Ok(Box::new(Viewer::new(context, settings, own)?.stopping_after(frames)))
            }),
        )
        .map_err(|error| format!("no window: {}; --screenshot needs none", reason(&error)))?;
        next = heir.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
    Ok(())
}

/// Why there is no window, without the places in the code of others that have found out.
fn reason(error: &eframe::Error) -> String {
    match error {
        eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => {
            "there is no display to open it on".to_owned()
        }
        other => other.to_string(),
    }
}
