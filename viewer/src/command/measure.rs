//! Times without a window: what the window shows with drawing off.

use std::io::Write as _;

use crate::settings::Settings;
use crate::show::Show;

/// Prints the middle of so many samples.
pub(super) fn measure(mut settings: Settings, samples: u64) -> Result<(), String> {
    let (mut show, told) = Show::new(&mut settings)?;
    if let Some(told) = told {
        return Err(told);
    }
    let mut times: Vec<_> = (0..samples).map(|_| show.measure(&mut settings, 1.0 / 60.0)).collect();
    let mut middle = |of: fn(&crate::methods::Times) -> f64| {
        times.sort_by(|a, b| of(a).total_cmp(&of(b)));
        times.get(times.len() / 2).map(of).unwrap_or_default()
    };
    let (animate, skin, both) = (middle(|t| t.animate), middle(|t| t.skin), middle(|t| t.both));
    let vertices = (show.subject.vertices() * show.copies()).max(1);
    let line = serde_json::json!({
        "subject": show.subject.name,
        "copies": show.copies(),
        "method": settings.kind.name(),
        "isa": settings.kind.has_rows().then(|| settings.row.name()),
        "weights": settings.weights,
        "threads": settings.threads.name(),
        "milliseconds": { "animate": 1e3 * animate, "skin": 1e3 * skin, "both": 1e3 * both },
        "skin_ns": 1e9 * skin / vertices as f64,
        "frame_ns": 1e9 * both / vertices as f64,
        "frames_per_second": if both > 0.0 { 1.0 / both } else { 0.0 },
    });
    writeln!(std::io::stdout(), "{line}").map_err(|error| format!("cannot write the output: {error}"))
}
