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
/// If an option is invalid, or the browser has no WebGL 2.
#[wasm_bindgen(js_name = startSinewViewer)]
pub async fn start(canvas: HtmlCanvasElement, options: String) -> Result<(), JsValue> {
    let settings = Settings::from_query(&options).map_err(|error| JsValue::from_str(&error))?;
    eframe::WebRunner::new()
        .start(
            canvas,
            eframe::WebOptions::default(),
            Box::new(|context| Ok(Box::new(Viewer::new(context, settings, HandOff::default())?))),
        )
        .await
}

/// The viewer's state as JSON; empty before the first frame.
#[wasm_bindgen(js_name = sinewViewerState)]
#[must_use]
pub fn viewer_state() -> String {
    state::latest()
}
