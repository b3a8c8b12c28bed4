//! The entry of a page: it starts the viewer in a canvas, and reads its state.

use eframe::web_sys::HtmlCanvasElement;
use wasm_bindgen::prelude::*;

use crate::app::{Heir, Viewer};
use crate::settings::Settings;
use crate::state;

/// Starts the viewer in a canvas. The options are a query as addresses have it: `model=@figure&copies=4&pause=on`.
///
/// # Errors
///
/// When an option cannot be, or the browser has no WebGL 2.
#[wasm_bindgen(js_name = startSinewViewer)]
pub async fn start(canvas: HtmlCanvasElement, options: String) -> Result<(), JsValue> {
    let settings = Settings::of_query(&options).map_err(|error| JsValue::from_str(&error))?;
    eframe::WebRunner::new()
        .start(
            canvas,
            eframe::WebOptions::default(),
            Box::new(|context| Ok(Box::new(Viewer::new(context, settings, Heir::default())?))),
        )
        .await
}

/// What the viewer shows, as JSON; empty before its first frame.
#[wasm_bindgen(js_name = sinewViewerState)]
#[must_use]
pub fn viewer_state() -> String {
    state::last()
}
