//! The temporary files of this process, and those that others have left.
//!
//! One lock guards the list and every rename, so that whoever ends the process sees each file either temporary or done.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Existing;

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
    left: Vec<Left>,
}

/// A temporary file that a process has left which runs no more.
struct Left {
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
    let temporary = folder.join(temporary_name(name));
    let mut registry = registry();
    registry.remove_left(folder, name);
    let file = match File::create_new(&temporary) {
        // One with our number that is not ours is of a process that had the number before.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !registry.live.contains(&temporary) => {
            fs::remove_file(&temporary)?;
            File::create_new(&temporary)?
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(io::Error::other("it is being written already"));
        }
        made => made?,
    };
    registry.live.push(temporary.clone());
    Ok((temporary, file))
}

/// The temporary file, all of which is on the disk, becomes the target.
pub(super) fn settle(temporary: &Path, target: &Path, existing: Existing) -> io::Result<()> {
    let mut registry = registry();
    let live = registry.live.iter().position(|path| path == temporary);
    let live = live.ok_or_else(|| io::Error::other("its temporary file was removed"))?;
    match existing {
        Existing::Replace => fs::rename(temporary, target)?,
        Existing::Refuse => rename_new(temporary, target)?,
    }
    registry.live.swap_remove(live);
    drop(registry);
    sync_folder(folder_of(target))
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

fn temporary_name(name: &OsStr) -> OsString {
    let mut temporary = OsString::from(".");
    temporary.push(shortened(name));
    temporary.push(format!(".{}.tmp", process::id()));
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
            self.folders.push(Folder { path: folder.to_owned(), left: left_in(folder) });
            self.folders.len() - 1
        });
        let name = shortened(name);
        self.folders[known].left.retain(|left| {
            let same = left.name == name;
            if same {
                // Whether it goes or not, the new file can be written.
                let _ = fs::remove_file(&left.path);
            }
            !same
        });
    }
}

/// What processes that run no more have left in a folder; nothing where it cannot be read.
fn left_in(folder: &Path) -> Vec<Left> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let left = |entry: fs::DirEntry| {
        let (name, pid) = parts_of(entry.file_name().to_str()?)?;
        let over = pid != process::id() && is_over(pid, &entry);
        over.then(|| Left { name: name.into(), path: entry.path() })
    };
    entries.filter_map(Result::ok).filter_map(left).collect()
}

/// The name and the process of `.<name>.<pid>.tmp`.
fn parts_of(temporary: &str) -> Option<(String, u32)> {
    let (name, pid) = temporary.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    Some((name.to_owned(), pid.parse().ok()?))
}

#[cfg(target_os = "linux")]
fn is_over(pid: u32, _: &fs::DirEntry) -> bool {
    Path::new("/proc/self").exists() && !Path::new("/proc").join(pid.to_string()).exists()
}

/// Nothing is written for a day.
#[cfg(not(target_os = "linux"))]
fn is_over(_: u32, entry: &fs::DirEntry) -> bool {
    let written = entry.metadata().and_then(|there| there.modified()).ok();
    let age = written.and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age > std::time::Duration::from_secs(24 * 60 * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_temporary_files_are_told_from_others() {
        assert_eq!(parts_of(".walk.obj.123.tmp"), Some(("walk.obj".to_owned(), 123)));
        for other in
            ["walk.obj.123.tmp", ".walk.obj.tmp", ".walk.obj.12x.tmp", ".walk.obj.123", "", ".123.tmp"]
        {
            assert_eq!(parts_of(other), None, "{other}");
        }
        let made = temporary_name(OsStr::new("a b"));
        assert_eq!(parts_of(made.to_str().expect("plain")), Some(("a b".to_owned(), process::id())));
    }
}
