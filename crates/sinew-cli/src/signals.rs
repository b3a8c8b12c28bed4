//! Handling of the signals INT and TERM: temporary files are removed, then the program exits.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sinew_io::StaleFiles;

/// The temporary files of this process.
pub(crate) static TEMPORARIES: TemporaryList = TemporaryList::new();

/// The temporary files that are being written. A thread holds the lock while it creates or renames
/// one, so the signal handler finds every existing temporary file in this list.
#[derive(Debug)]
pub(crate) struct TemporaryList(Mutex<Temporaries>);

/// The data that the lock protects.
#[derive(Debug)]
pub(crate) struct Temporaries {
    pub(crate) files: Vec<Temporary>,
    /// Temporary files that killed processes have left in the output folders.
    pub(crate) stale: StaleFiles,
}

/// A temporary file, and the target file it is renamed to.
#[derive(Debug)]
pub(crate) struct Temporary {
    pub(crate) path: PathBuf,
    pub(crate) target: PathBuf,
}

impl TemporaryList {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Temporaries { files: Vec::new(), stale: StaleFiles::new() }))
    }

    /// Locks the list. Poison is ignored: nothing panics while it holds the lock, and the data
    /// would be valid even then.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Temporaries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes all temporary files. A rename that has begun finishes first; no other target file
    /// appears. While the returned guard is held, no file can be created or renamed, so hold it
    /// until the program exits. Blocks on a lock, so it must not be called in a signal handler.
    #[must_use = "files may be created again once this is dropped"]
    pub(crate) fn remove_all(&self) -> MutexGuard<'_, Temporaries> {
        let mut temporaries = self.lock();
        for temporary in temporaries.files.drain(..) {
            // The program is about to exit: there is nowhere left to report an error.
            let _ = fs::remove_file(temporary.path);
        }
        temporaries
    }
}

/// Starts a thread that waits for INT and TERM, and exits the program when one arrives. If the
/// handlers cannot be installed, the signals keep their default action.
#[cfg(unix)]
pub(crate) fn handle_termination() {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // With a handler for XFSZ, a file that grows past its size limit is a write error; without
    // one, the signal would kill the program.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGXFSZ]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().find(|&signal| signal != SIGXFSZ) {
            let _removed = TEMPORARIES.remove_all();
            std::process::exit(128 + signal);
        }
    };
    // If the thread cannot be started, the signals have no effect and the command runs to its end.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

#[cfg(not(unix))]
pub(crate) fn handle_termination() {}
