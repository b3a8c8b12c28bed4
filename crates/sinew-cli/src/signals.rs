//! What INT and TERM do: nothing unfinished is left, and the program ends at once.

/// Waits for the signals on a thread of its own. Where that cannot be had, they end the program in the usual way.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // A file that has become too large is an error of writing, once its signal is somebody's.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGXFSZ]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().find(|&signal| signal != SIGXFSZ) {
            // Held to the end, so that no file begins or is renamed any more.
            let _removed = sinew_io::remove_temporaries();
            std::process::exit(128 + signal);
        }
    };
    // Without the thread the signals do nothing, and the bake goes on to its end.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

#[cfg(not(unix))]
pub(crate) fn watch() {}
