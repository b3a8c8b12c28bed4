//! Temporary files that killed processes have left.
//!
//! Each temporary file is locked for as long as somebody writes it, so one that is not locked was
//! left by a process that is no more. The number of the process in its name tells nothing, since
//! other machines and containers have the same numbers.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::temporary::shortened;

/// The temporary files that were in folders when a file was first written there. Keep one to write
/// many files, so that each folder is looked through once: one of 10,000 files takes 4 ms.
#[derive(Debug, Default)]
pub struct StaleFiles {
    folders: Vec<Folder>,
}

/// What was found in a folder.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    found: Vec<Found>,
}

/// A temporary file of somebody.
#[derive(Debug)]
struct Found {
    /// What it was to become.
    name: OsString,
    path: PathBuf,
}

impl StaleFiles {
    /// No folder has been looked through.
    #[must_use]
    pub const fn new() -> Self {
        Self { folders: Vec::new() }
    }

    /// Removes the temporary files of a name that nobody writes.
    pub(super) fn remove(&mut self, folder: &Path, name: &OsStr) {
        let known = self.folders.iter().position(|known| known.path == folder);
        let known = known.unwrap_or_else(|| {
            self.folders.push(Folder { path: folder.to_owned(), found: found_in(folder) });
            self.folders.len() - 1
        });
        let name = shortened(name);
        self.folders[known].found.retain(|found| {
            let same = found.name == name;
            if same {
                remove_if_stale(&found.path);
            }
            !same
        });
    }
}

/// The temporary files in a folder; none where it cannot be read.
fn found_in(folder: &Path) -> Vec<Found> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let found = |entry: fs::DirEntry| {
        let name = name_in(entry.file_name().to_str()?)?.into();
        Some(Found { name, path: entry.path() })
    };
    entries.filter_map(Result::ok).filter_map(found).collect()
}

/// The name in `.<name>.<pid>.tmp`.
fn name_in(temporary: &str) -> Option<&str> {
    let (name, pid) = temporary.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (pid, attempt) = pid.split_once('_').unwrap_or((pid, "0"));
    let numbers = pid.parse::<u32>().is_ok() && attempt.parse::<u8>().is_ok();
    (numbers && !name.is_empty()).then_some(name)
}

/// Removes a temporary file that nobody has locked. The lock is held until it is gone, so that
/// nobody begins to write it in between. If it stays, the new file can be written all the same.
fn remove_if_stale(temporary: &Path) {
    // Opening a pipe of that name must not wait.
    if !fs::symlink_metadata(temporary).is_ok_and(|there| there.is_file()) {
        return;
    }
    // Some systems want it open for writing.
    let Ok(file) = File::options().read(true).write(true).open(temporary) else { return };
    if file.try_lock().is_ok() {
        let _ = fs::remove_file(temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic_file::temporary::{MOST_ATTEMPTS, temporary_name};

    #[test]
    fn names_of_temporary_files_are_told_from_others() {
        assert_eq!(name_in(".walk.obj.123.tmp"), Some("walk.obj"));
        let others = [
            "walk.obj.123.tmp",
            ".walk.obj.tmp",
            ".walk.obj.12x.tmp",
            ".walk.obj.123",
            "",
            ".123.tmp",
            "..1.tmp",
        ];
        for other in others.into_iter().chain([".a.1_x.tmp", ".a._1.tmp", ".a.1_.tmp"]) {
            assert_eq!(name_in(other), None, "{other}");
        }
        for attempt in [0, MOST_ATTEMPTS - 1] {
            let made = temporary_name(OsStr::new("a b"), attempt);
            assert_eq!(name_in(made.to_str().expect("plain")), Some("a b"));
        }
    }
}
