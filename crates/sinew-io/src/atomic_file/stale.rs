//! Removal of temporary files that killed processes have left.
//!
//! A temporary file is locked while it is being written, so an unlocked one is stale. The process
//! id in its name proves nothing, because other machines and containers use the same ids.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::temporary::shorten_name;

/// A list of the temporary files in each folder, made when a file is first written there. Share one
/// list among many files, so that each folder is searched once: searching a folder of 10,000 files
/// takes 4 ms.
#[derive(Debug, Default)]
pub struct StaleFiles {
    folders: Vec<SearchedFolder>,
}

/// The temporary files of a folder.
#[derive(Debug)]
struct SearchedFolder {
    path: PathBuf,
    files: Vec<TemporaryFile>,
}

/// A temporary file, of this or another process.
#[derive(Debug)]
struct TemporaryFile {
    /// The name of its target.
    name: OsString,
    path: PathBuf,
}

impl StaleFiles {
    /// An empty list: no folder has been searched.
    #[must_use]
    pub const fn new() -> Self {
        Self { folders: Vec::new() }
    }

    /// Removes the stale temporary files for a target.
    pub(super) fn remove(&mut self, folder: &Path, name: &OsStr) {
        let known = self.folders.iter().position(|known| known.path == folder);
        let known = known.unwrap_or_else(|| {
            self.folders
                .push(SearchedFolder { path: folder.to_owned(), files: find_temporary_files(folder) });
            self.folders.len() - 1
        });
        let name = shorten_name(name);
        self.folders[known].files.retain(|file| {
            let same = file.name == name;
            if same {
                remove_if_stale(&file.path);
            }
            !same
        });
    }
}

/// Finds the temporary files in a folder; none if it cannot be read.
fn find_temporary_files(folder: &Path) -> Vec<TemporaryFile> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let found = |entry: fs::DirEntry| {
        let name = target_name(entry.file_name().to_str()?)?.into();
        Some(TemporaryFile { name, path: entry.path() })
    };
    entries.filter_map(Result::ok).filter_map(found).collect()
}

/// The target's name in `.<name>.<pid>.tmp`.
fn target_name(temporary: &str) -> Option<&str> {
    let (name, pid) = temporary.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (pid, attempt) = pid.split_once('_').unwrap_or((pid, "0"));
    let numbers = pid.parse::<u32>().is_ok() && attempt.parse::<u8>().is_ok();
    (numbers && !name.is_empty()).then_some(name)
}

/// Removes a temporary file that is not locked. The lock is held until the file is removed, so that
/// no process starts to write it in between. If it cannot be removed, the new file can still be
/// written.
fn remove_if_stale(temporary: &Path) {
    // Opening a pipe with such a name must not block.
    if !fs::symlink_metadata(temporary).is_ok_and(|there| there.is_file()) {
        return;
    }
    // Some systems lock only files that are open for writing.
    let Ok(file) = File::options().read(true).write(true).open(temporary) else { return };
    if file.try_lock().is_ok() {
        let _ = fs::remove_file(temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic_file::temporary::{MAX_ATTEMPTS, temporary_name};

    #[test]
    fn names_of_temporary_files_are_recognized() {
        assert_eq!(target_name(".walk.obj.123.tmp"), Some("walk.obj"));
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
            assert_eq!(target_name(other), None, "{other}");
        }
        for attempt in [0, MAX_ATTEMPTS - 1] {
            let temporary = temporary_name(OsStr::new("a b"), attempt);
            assert_eq!(target_name(temporary.to_str().expect("plain")), Some("a b"));
        }
    }
}
