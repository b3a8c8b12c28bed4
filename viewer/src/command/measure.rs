//! Timings without a window: what the window shows with drawing off.

use std::io::Write as _;

use crate::session::Session;
use crate::settings::Settings;
use crate::state::weights_value;

/// Prints the median of `samples` samples as a line of JSON.
pub(super) fn measure(mut settings: Settings, samples: u64) -> Result<(), String> {
    let (mut session, message) = Session::new(&mut settings)?;
    if let Some(message) = message {
        return Err(message);
    }
    let mut times: Vec<_> = (0..samples).map(|_| session.measure(&mut settings, 1.0 / 60.0)).collect();
    let mut median = |of: fn(&crate::methods::PipelineTimes) -> f64| {
        times.sort_by(|a, b| of(a).total_cmp(&of(b)));
        times.get(times.len() / 2).map(of).unwrap_or_default()
    };
    let (animate, skin, total) = (median(|t| t.animate), median(|t| t.skin), median(|t| t.total));
    let vertices = (session.subject.vertices() * session.copies()).max(1);
    let line = serde_json::json!({
        "subject": session.subject.name,
        "copies": session.copies(),
        "method": settings.method.name(),
        "isa": settings.method.has_isa_choice().then(|| settings.backend.name()),
        "weights": weights_value(settings.weights),
        "threads": settings.threads.name(),
        "milliseconds": { "animate": 1e3 * animate, "skin": 1e3 * skin, "both": 1e3 * total },
        "skin_ns": 1e9 * skin / vertices as f64,
        "frame_ns": 1e9 * total / vertices as f64,
        "frames_per_second": if total > 0.0 { 1.0 / total } else { 0.0 },
    });
    writeln!(std::io::stdout(), "{line}").map_err(|error| format!("cannot write to stdout: {error}"))
}
