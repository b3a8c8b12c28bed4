//! The temporary files of this process, and those that others have left.
//!
//! One lock guards the list and every rename, so that whoever ends the process sees each file either temporary or done.
//! Each file is locked, too, for as long as somebody writes it: one that is not was left by a process that is no more. The
//! number of the process in its name tells nothing, since other machines and containers have the same numbers.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Existing;
use crate::folder::Identity;

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { live: Vec::new(), folders: Vec::new() });

struct Registry {
    /// Those of this process.
    live: Vec<PathBuf>,
    /// The folders that were looked through.
    folders: Vec<Folder>,
}

/// What was found in a folder.
struct Folder {
    path: PathBuf,
    found: Vec<Found>,
}

/// A temporary file of somebody.
struct Found {
    /// What it was to become.
    name: OsString,
    path: PathBuf,
}

/// Nothing panics under the lock, and what it guards would be whole even so.
fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All temporary files are removed. While this is held, no file of the process begins, ends, or is renamed: hold it
/// until the process is over.
#[must_use = "files may begin again once this is dropped"]
pub struct Removed {
    _registry: MutexGuard<'static, Registry>,
}

/// Removes the temporary files of this process, for a thread that waits for signals and is about to end it:
///
/// ```no_run
/// let _removed = sinew_io::remove_temporaries();
/// std::process::exit(130);
/// ```
///
/// A file whose renaming has begun becomes whole first; any other does not appear. It takes a lock, so it is not for a
/// signal's handler itself.
pub fn remove_temporaries() -> Removed {
    let mut registry = registry();
    for temporary in registry.live.drain(..) {
        // There is nobody left to tell.
        let _ = fs::remove_file(temporary);
    }
    Removed { _registry: registry }
}

/// Makes the temporary file of a target, and removes what others have left of it.
pub(super) fn begin(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let folder = folder_of(target);
    let mut registry = registry();
    registry.remove_left(folder, name);
    // Somebody elsewhere may have the same number, and even the next.
    for again in 0..=MOST_AGAIN {
        let temporary = folder.join(temporary_name(name, again));
        if registry.live.contains(&temporary) {
            return Err(io::Error::other("it is being written already"));
        }
        match File::create_new(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                let file = made?;
                // Where files cannot be locked, nobody removes what others have left.
                let _ = file.try_lock();
                registry.live.push(temporary.clone());
                return Ok((temporary, file));
            }
        }
    }
    Err(io::Error::other("too many others are writing it"))
}

/// Names that are tried beyond the first.
const MOST_AGAIN: usize = 9;

/// The temporary file, all of which is on the disk, becomes the target.
pub(super) fn settle(file: &File, temporary: &Path, target: &Path, existing: Existing) -> io::Result<()> {
    let mut registry = registry();
    let live = registry.live.iter().position(|path| path == temporary);
    let live = live.filter(|_| is_at(file, temporary));
    let live = live.ok_or_else(|| io::Error::other("its temporary file was removed"))?;
    match existing {
        Existing::Replace => fs::rename(temporary, target)?,
        Existing::Refuse => rename_new(temporary, target)?,
    }
    registry.live.swap_remove(live);
    drop(registry);
    sync_folder(folder_of(target))
}

/// Whether this is the file of that name.
fn is_at(file: &File, path: &Path) -> bool {
    let [there, own] = [fs::metadata(path), file.metadata()];
    matches!((there, own), (Ok(there), Ok(own)) if Identity::of(&there, path) == Identity::of(&own, path))
}

/// Renames, unless there is something of that name.
fn rename_new(temporary: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, target) {
        // The file has both names now. If this one stays, the next process removes it.
        Ok(()) => {
            let _ = fs::remove_file(temporary);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Without links an empty file takes the name first, so that nobody else can.
        Err(_) => {
            File::create_new(target)?;
            fs::rename(temporary, target).inspect_err(|_| {
                let _ = fs::remove_file(target);
            })
        }
    }
}

/// Removes a temporary file that has not become anything.
pub(super) fn abandon(temporary: &Path) {
    let mut registry = registry();
    if let Some(live) = registry.live.iter().position(|path| path == temporary) {
        let _ = fs::remove_file(temporary);
        registry.live.swap_remove(live);
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

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// `.<name>.<pid>.tmp`, or `.<name>.<pid>_<again>.tmp` where that is taken.
fn temporary_name(name: &OsStr, again: usize) -> OsString {
    let again = if again == 0 { String::new() } else { format!("_{again}") };
    let mut temporary = OsString::from(".");
    temporary.push(shortened(name));
    temporary.push(format!(".{}{again}.tmp", process::id()));
    temporary
}

/// The longest name that what stands around it leaves room for.
const LONGEST: usize = 230;

/// A name that may be as long as the system allows, with room for more.
fn shortened(name: &OsStr) -> OsString {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let text = name.to_string_lossy();
    let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end));
    text[..end.unwrap_or(0)].into()
}

impl Registry {
    fn remove_left(&mut self, folder: &Path, name: &OsStr) {
        let known = self.folders.iter().position(|known| known.path == folder);
        let known = known.unwrap_or_else(|| {
            self.folders.push(Folder { path: folder.to_owned(), found: found_in(folder) });
            self.folders.len() - 1
        });
        let name = shortened(name);
        self.folders[known].found.retain(|found| {
            let same = found.name == name;
            if same && !self.live.contains(&found.path) && is_left(&found.path) {
                // Whether it goes or not, the new file can be written.
                let _ = fs::remove_file(&found.path);
            }
            !same
        });
    }
}

/// The temporary files in a folder; none where it cannot be read.
fn found_in(folder: &Path) -> Vec<Found> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let found = |entry: fs::DirEntry| {
        let name = name_in(entry.file_name().to_str()?)?;
        Some(Found { name: name.into(), path: entry.path() })
    };
    entries.filter_map(Result::ok).filter_map(found).collect()
}

/// The name in `.<name>.<pid>.tmp`.
fn name_in(temporary: &str) -> Option<String> {
    let (name, pid) = temporary.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (pid, again) = pid.split_once('_').unwrap_or((pid, "0"));
    let numbers = pid.parse::<u32>().is_ok() && again.parse::<u8>().is_ok();
    (numbers && !name.is_empty()).then(|| name.to_owned())
}

/// Whether nobody writes it any more. Opening a pipe of that name must not wait.
fn is_left(temporary: &Path) -> bool {
    let regular = fs::symlink_metadata(temporary).is_ok_and(|there| there.is_file());
    // Some systems want it open for writing.
    let open = || File::options().read(true).write(true).open(temporary);
    regular && open().is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_temporary_files_are_told_from_others() {
        assert_eq!(name_in(".walk.obj.123.tmp").as_deref(), Some("walk.obj"));
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
        for again in [0, MOST_AGAIN] {
            let made = temporary_name(OsStr::new("a b"), again);
            assert_eq!(name_in(made.to_str().expect("plain")).as_deref(), Some("a b"));
        }
    }
}
