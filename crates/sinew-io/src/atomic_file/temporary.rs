//! The temporary file beside a target.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{self, Path, PathBuf};
use std::process;

use tempfile::TempPath;

use super::{OverwritePolicy, StaleFiles};
use crate::folder::Identity;

/// A temporary file that is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    path: TempPath,
    /// Absolute, as the path is, so that neither depends on the current folder.
    target: PathBuf,
}

impl Temporary {
    /// Creates the temporary file of a target, and removes what killed processes have left of it.
    pub(super) fn create(target: &Path, stale: &mut StaleFiles) -> io::Result<(Self, File)> {
        let name = target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let target = path::absolute(target)?;
        let folder = folder_of(&target);
        stale.remove(folder, name);
        // Somebody else may have the same number, and even the next.
        for attempt in 0..MOST_ATTEMPTS {
            let temporary = folder.join(temporary_name(name, attempt));
            match File::create_new(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => {
                    let file = created?;
                    // Somebody who takes it for stale either has the lock, or has removed it.
                    if is_locked(&file) && is_at(&file, &temporary) {
                        let path = TempPath::try_from_path(temporary)?;
                        return Ok((Self { path, target }, file));
                    }
                }
            }
        }
        Err(io::Error::other("too many others are writing it"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// The temporary file, all of which is on the disk, becomes the target.
    pub(super) fn rename(self, file: &File, policy: OverwritePolicy) -> io::Result<()> {
        if !is_at(file, &self.path) {
            return Err(io::Error::other("its temporary file was removed"));
        }
        let Self { path, target } = self;
        match policy {
            OverwritePolicy::Replace => path.persist(&target)?,
            OverwritePolicy::Refuse => rename_new(path, &target)?,
        }
        sync_folder(folder_of(&target))
    }
}

/// Names that are tried.
pub(super) const MOST_ATTEMPTS: usize = 10;

/// Locks a new file. Where files cannot be locked, nobody removes what others have left.
fn is_locked(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Whether this is the file of that name.
fn is_at(file: &File, path: &Path) -> bool {
    let [there, own] = [fs::metadata(path), file.metadata()];
    matches!((there, own), (Ok(there), Ok(own)) if Identity::of(&there, path) == Identity::of(&own, path))
}

/// Renames, unless there is something of that name.
fn rename_new(temporary: TempPath, target: &Path) -> io::Result<()> {
    match temporary.persist_noclobber(target) {
        Ok(()) => Ok(()),
        Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Err(failed.error),
        // Some file systems have neither such a rename nor links. There an empty file takes the
        // name first, so that nobody else can.
        Err(failed) => {
            File::create_new(target)?;
            failed.path.persist(target).map_err(|failed| {
                let _ = fs::remove_file(target);
                failed.error
            })
        }
    }
}

/// The new name is on the disk, too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot, and some folders may be written but not read.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        synced => synced,
    }
}

/// An absolute path with a name has a parent.
fn folder_of(target: &Path) -> &Path {
    target.parent().unwrap_or(target)
}

/// `.<name>.<pid>.tmp`, or `.<name>.<pid>_<attempt>.tmp` where that is taken.
pub(super) fn temporary_name(name: &OsStr, attempt: usize) -> OsString {
    let attempt = if attempt == 0 { String::new() } else { format!("_{attempt}") };
    let mut temporary = OsString::from(".");
    temporary.push(shortened(name));
    temporary.push(format!(".{}{attempt}.tmp", process::id()));
    temporary
}

/// The longest name that what stands around it leaves room for.
const LONGEST: usize = 230;

/// A name that may be as long as the system allows, with room for more.
pub(super) fn shortened(name: &OsStr) -> OsString {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let text = name.to_string_lossy();
    let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end));
    text[..end.unwrap_or(0)].into()
}
