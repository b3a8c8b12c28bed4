//! The entry points for a page: start the viewer in a canvas, read its state.

use eframe::web_sys::HtmlCanvasElement;
use wasm_bindgen::prelude::*;

use crate::app::{HandOff, Viewer};
use crate::settings::Settings;
use crate::state;

/// Starts the viewer in a canvas. The options are a URL query: `model=@figure&copies=4&pause=on`.
///
/// # Errors
///
/// If the browser has no WebGL 2. Options that are not understood are named in a message over the
/// scene.
#[wasm_bindgen(js_name = startSinewViewer)]
pub async fn start(canvas: HtmlCanvasElement, options: String) -> Result<(), JsValue> {
    let (settings, message) = Settings::from_query(&options);
    eframe::WebRunner::new()
        .start(
            canvas,
            eframe::WebOptions::default(),
            Box::new(|context| {
                let viewer = Viewer::new(context, settings, HandOff::default())?;
                Ok(Box::new(viewer.with_message(message)))
            }),
        )
        .await
}

/// The viewer's state as JSON; empty before the first frame.
#[wasm_bindgen(js_name = sinewViewerState)]
#[must_use]
pub fn viewer_state() -> String {
    state::latest()
}
