//! A file that appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::temporaries;
use crate::Error;
use crate::folder::Identity;

/// Few calls of the system, and still within a cache.
const BUFFER: usize = 256 * 1024;

/// What is done about a file that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and writing is an error; also when it appears while the new one is being written.
    #[default]
    Refuse,
    /// The new file takes its place, with its permissions. One that may not be written is refused.
    Replace,
}

/// A file that appears whole or not at all. What is written goes to a temporary file `.<name>.<pid>.tmp` in the same
/// folder, which becomes the file in [`finish`](Self::finish) and is removed when this is dropped before.
///
/// A link is followed: the file that it leads to is written. What is no regular file, such as `/dev/null` or a pipe, has
/// nothing to lose: it is written straight through, whatever [`Existing`] says.
///
/// A temporary file that a killed process has left of the same file is removed: one that nobody has locked. A folder is
/// looked through for these once in the life of a process.
#[derive(Debug)]
pub struct WholeFile {
    to: BufWriter<File>,
    /// As the caller named it, for messages.
    path: PathBuf,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// By way of a temporary file.
    Beside { temporary: PathBuf, target: PathBuf, existing: Existing },
    /// Straight to what is there.
    Through,
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// When the file is there and may not be replaced, when it is a folder or may not be written, and when the system
    /// cannot make a file beside it.
    pub fn create(path: impl AsRef<Path>, existing: Existing) -> Result<Self, Error> {
        let path = path.as_ref();
        let there = match fs::metadata(path) {
            Ok(there) => there,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::create_new(path, existing),
            Err(source) => return Err(Error::Write { file: path.to_owned(), source }),
        };
        let failed = |source| Error::Write { file: path.to_owned(), source };
        if there.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if !there.is_file() {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(Self::with(file, path, Way::Through));
        }
        if existing == Existing::Refuse {
            return Err(Error::Exists { file: path.to_owned() });
        }
        if there.permissions().readonly() {
            return Err(failed(io::ErrorKind::PermissionDenied.into()));
        }
        let target = fs::canonicalize(path).map_err(failed)?;
        let (temporary, file) = temporaries::begin(&target).map_err(failed)?;
        let whole = Self::with(file, path, Way::Beside { temporary, target, existing });
        whole.to.get_ref().set_permissions(there.permissions()).map_err(failed)?;
        Ok(whole)
    }

    /// Where no file is; a link that leads nowhere is something that is there.
    fn create_new(path: &Path, existing: Existing) -> Result<Self, Error> {
        if existing == Existing::Refuse && fs::symlink_metadata(path).is_ok() {
            return Err(Error::Exists { file: path.to_owned() });
        }
        let target = led_to(path);
        let begun = temporaries::begin(&target);
        let (temporary, file) = begun.map_err(|source| Error::Write { file: path.to_owned(), source })?;
        Ok(Self::with(file, path, Way::Beside { temporary, target, existing }))
    }

    fn with(file: File, path: &Path, way: Way) -> Self {
        Self { to: BufWriter::with_capacity(BUFFER, file), path: path.to_owned(), way }
    }

    /// The file, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends the file: all of it is on the disk, and then under its name.
    ///
    /// # Errors
    ///
    /// When the system cannot write the rest or rename the file, or when a file has appeared that may not be replaced.
    /// What was there before is there still.
    pub fn finish(mut self) -> Result<(), Error> {
        let finished = self.complete();
        finished.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::Exists { file: self.path.clone() },
            _ => Error::Write { file: self.path.clone(), source },
        })
    }

    fn complete(&mut self) -> io::Result<()> {
        self.to.flush()?;
        let Way::Beside { temporary, target, existing } = &self.way else { return Ok(()) };
        self.to.get_ref().sync_all()?;
        temporaries::settle(self.to.get_ref(), temporary, target, *existing)
    }
}

/// Where links lead, though there is no file yet. The system has followed them before, so they make no circle.
fn led_to(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

/// As many links in a row as Linux follows.
const MOST_LINKS: usize = 40;

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Way::Beside { temporary, .. } = &self.way {
            temporaries::abandon(temporary);
        }
    }
}

/// Writes a file whole, or not at all when `write` fails. An error that names no file names this one.
///
/// # Errors
///
/// As [`WholeFile::create`] and [`WholeFile::finish`], and as `write` says.
pub fn write_whole(
    path: impl AsRef<Path>,
    existing: Existing,
    write: impl FnOnce(&mut WholeFile) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut file = WholeFile::create(&path, existing)?;
    write(&mut file).map_err(|error| error.in_target(path.as_ref()))?;
    file.finish()
}

/// Whether two paths lead to one file that is there: what is read must not be what is written.
#[must_use]
pub fn same_file(a: impl AsRef<Path>, b: impl AsRef<Path>) -> bool {
    let identity = |path: &Path| fs::metadata(path).ok().map(|there| Identity::of(&there, path));
    identity(a.as_ref()).is_some_and(|of_a| identity(b.as_ref()) == Some(of_a))
}
