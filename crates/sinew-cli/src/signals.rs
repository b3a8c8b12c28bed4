//! What INT and TERM do: nothing unfinished is left, and the program ends at once.

/// Waits for the signals on a thread of its own. Where that cannot be had, they end the program in the usual way.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            // Held to the end, so that no file begins or is renamed any more.
            let _removed = sinew_io::remove_temporaries();
            std::process::exit(128 + signal);
        }
    };
    // A thread that is not there would leave signals without effect, which is all that can be lost here.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

#[cfg(not(unix))]
pub(crate) fn watch() {}
