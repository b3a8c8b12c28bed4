//! What INT and TERM do: temporary files are removed, and the program ends at once.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sinew_io::StaleFiles;

/// The temporary files of the program.
pub(crate) static TEMPORARIES: TemporaryList = TemporaryList::new();

/// Temporary files that are being written. Whoever creates or renames one holds the lock, so that
/// whoever ends the program finds each of them either here, or gone.
#[derive(Debug)]
pub(crate) struct TemporaryList(Mutex<Temporaries>);

/// What the lock guards.
#[derive(Debug)]
pub(crate) struct Temporaries {
    pub(crate) files: Vec<Temporary>,
    /// What killed processes have left in the folders that were written to.
    pub(crate) stale: StaleFiles,
}

/// A temporary file, and the file that it becomes.
#[derive(Debug)]
pub(crate) struct Temporary {
    pub(crate) path: PathBuf,
    pub(crate) target: PathBuf,
}

impl TemporaryList {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Temporaries { files: Vec::new(), stale: StaleFiles::new() }))
    }

    /// Nothing panics under the lock, and what it guards would be sound even so.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Temporaries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes all of them. A file whose renaming has begun is complete first; any other does not
    /// appear. While the guard is held, no file is created or renamed: hold it until the program is
    /// over. It takes a lock, so it is not for a signal's handler itself.
    #[must_use = "files may be created again once this is dropped"]
    pub(crate) fn remove_all(&self) -> MutexGuard<'_, Temporaries> {
        let mut temporaries = self.lock();
        for temporary in temporaries.files.drain(..) {
            // There is nobody left to tell.
            let _ = fs::remove_file(temporary.path);
        }
        temporaries
    }
}

/// Waits for the signals on a thread of its own. Where that cannot be had, they end the program in
/// the usual way.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // A file that has become too large is an error of writing, once its signal is somebody's.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGXFSZ]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().find(|&signal| signal != SIGXFSZ) {
            let _removed = TEMPORARIES.remove_all();
            std::process::exit(128 + signal);
        }
    };
    // Without the thread the signals do nothing, and the bake goes on to its end.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

#[cfg(not(unix))]
pub(crate) fn watch() {}
