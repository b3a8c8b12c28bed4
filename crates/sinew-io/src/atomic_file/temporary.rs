//! The temporary file next to a target.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{self, Path, PathBuf};
use std::process;

use tempfile::TempPath;

use super::{OverwritePolicy, StaleFiles};
use crate::sandbox::FileIdentity;

/// A temporary file. Dropping it removes the file.
#[derive(Debug)]
pub(super) struct Temporary {
    path: TempPath,
    /// Absolute, like the path, so that neither depends on the working directory.
    target: PathBuf,
}

impl Temporary {
    /// Creates the temporary file for a target, and removes stale ones.
    pub(super) fn create(target: &Path, stale: &mut StaleFiles) -> io::Result<(Self, File)> {
        let name = target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let target = path::absolute(target)?;
        let folder = parent_folder(&target);
        stale.remove(folder, name);
        // Another process, on another machine or in a container, may use the same id and even the
        // same attempt.
        for attempt in 0..MAX_ATTEMPTS {
            let temporary = folder.join(temporary_name(name, attempt));
            match File::create_new(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => {
                    let file = created?;
                    // A process that considers the file stale has locked or removed it.
                    if lock(&file) && is_still_at(&file, &temporary) {
                        let path = TempPath::try_from_path(temporary)?;
                        return Ok((Self { path, target }, file));
                    }
                }
            }
        }
        Err(io::Error::other("too many processes are writing it"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Renames the temporary file, which is completely on the disk, to its target.
    pub(super) fn rename(self, file: &File, policy: OverwritePolicy) -> io::Result<()> {
        if !is_still_at(file, &self.path) {
            return Err(io::Error::other("its temporary file was removed"));
        }
        let Self { path, target } = self;
        match policy {
            OverwritePolicy::Replace => path.persist(&target)?,
            OverwritePolicy::Refuse => rename_new(path, &target)?,
        }
        sync_folder(parent_folder(&target))
    }
}

/// The number of names to try.
pub(super) const MAX_ATTEMPTS: usize = 10;

/// Locks a new file. On systems without locks this succeeds, and stale files are never removed.
fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Whether `path` still leads to this file.
fn is_still_at(file: &File, path: &Path) -> bool {
    let [there, own] = [fs::metadata(path), file.metadata()];
    matches!((there, own), (Ok(there), Ok(own)) if FileIdentity::new(&there, path) == FileIdentity::new(&own, path))
}

/// Renames a file, unless the target exists.
fn rename_new(temporary: TempPath, target: &Path) -> io::Result<()> {
    match temporary.persist_noclobber(target) {
        Ok(()) => Ok(()),
        Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Err(failed.error),
        // Some file systems support neither such a rename nor hard links. There, an empty file
        // reserves the name first, so that no other process takes it.
        Err(failed) => {
            File::create_new(target)?;
            failed.path.persist(target).map_err(|failed| {
                let _ = fs::remove_file(target);
                failed.error
            })
        }
    }
}

/// Writes the folder, with the new name, to the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot sync folders, and some folders are writable but not readable.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        synced => synced,
    }
}

/// The folder of a target. An absolute path with a file name always has one.
fn parent_folder(target: &Path) -> &Path {
    target.parent().unwrap_or(target)
}

/// `.<name>.<pid>.tmp`, or `.<name>.<pid>_<attempt>.tmp` after the first attempt.
pub(super) fn temporary_name(name: &OsStr, attempt: usize) -> OsString {
    let attempt = if attempt == 0 { String::new() } else { format!("_{attempt}") };
    let mut temporary = OsString::from(".");
    temporary.push(shorten_name(name));
    temporary.push(format!(".{}{attempt}.tmp", process::id()));
    temporary
}

/// The longest file name that leaves room for the dot, the process id and the extension.
const MAX_NAME_LEN: usize = 230;

/// Cuts a file name that would be too long together with the rest of the temporary name.
pub(super) fn shorten_name(name: &OsStr) -> OsString {
    if name.len() <= MAX_NAME_LEN {
        return name.to_owned();
    }
    let text = name.to_string_lossy();
    let end = (0..=MAX_NAME_LEN).rev().find(|&end| text.is_char_boundary(end));
    text[..end.unwrap_or(0)].into()
}
