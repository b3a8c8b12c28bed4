//! A file that is written atomically.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::StaleFiles;
use super::temporary::Temporary;
use crate::Error;
use crate::folder::Identity;

/// Few calls of the system, and still within a cache.
const BUFFER: usize = 256 * 1024;

/// What is done about a file that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverwritePolicy {
    /// It stays, and writing is an error; also when it appears while the new one is being written.
    #[default]
    Refuse,
    /// The new file takes its place, with its permissions. A read-only file is refused.
    Replace,
}

/// A file that is written atomically. The bytes go to a temporary file `.<name>.<pid>.tmp` in the
/// same folder, which becomes the file in [`commit`](Self::commit) and is removed when this is
/// dropped before.
///
/// A link is followed: the file that it leads to is written. What is no regular file, such as
/// `/dev/null` or a pipe, has nothing to lose: it is written directly, whatever the
/// [`OverwritePolicy`].
///
/// A temporary file that a killed process has left of the same file is removed: one that nobody has
/// locked. A signal that ends the process leaves one, too, unless the program handles the signal
/// and removes what [`temporary`](Self::temporary) names.
#[derive(Debug)]
pub struct AtomicFile {
    /// `None` where the bytes go directly to what is there. Dropped before the writer, so that
    /// nobody sees the rest of an abandoned file being written.
    temporary: Option<Temporary>,
    to: BufWriter<File>,
    /// As the caller named it, for messages.
    path: PathBuf,
    policy: OverwritePolicy,
}

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    ///
    /// When the file is there and may not be replaced, when it is a folder or may not be written,
    /// and when the system cannot create a file beside it.
    pub fn create(path: impl AsRef<Path>, policy: OverwritePolicy) -> Result<Self, Error> {
        Self::create_with(path, policy, &mut StaleFiles::new())
    }

    /// The same for one of many files, so that folders are looked through for stale temporary files
    /// once.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn create_with(
        path: impl AsRef<Path>,
        policy: OverwritePolicy,
        stale: &mut StaleFiles,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let there = match fs::metadata(path) {
            Ok(there) => there,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Self::create_new(path, policy, stale);
            }
            Err(source) => return Err(Error::Write { file: path.to_owned(), source }),
        };
        let failed = |source| Error::Write { file: path.to_owned(), source };
        if there.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if !there.is_file() {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(Self::with(file, None, path, policy));
        }
        if policy == OverwritePolicy::Refuse {
            return Err(Error::Exists { file: path.to_owned() });
        }
        if there.permissions().readonly() {
            return Err(failed(io::ErrorKind::PermissionDenied.into()));
        }
        let target = fs::canonicalize(path).map_err(failed)?;
        let (temporary, file) = Temporary::create(&target, stale).map_err(failed)?;
        file.set_permissions(there.permissions()).map_err(failed)?;
        Ok(Self::with(file, Some(temporary), path, policy))
    }

    /// Where no file is; a link that leads nowhere is something that is there.
    fn create_new(path: &Path, policy: OverwritePolicy, stale: &mut StaleFiles) -> Result<Self, Error> {
        if policy == OverwritePolicy::Refuse && fs::symlink_metadata(path).is_ok() {
            return Err(Error::Exists { file: path.to_owned() });
        }
        let created = Temporary::create(&follow_links(path), stale);
        let (temporary, file) = created.map_err(|source| Error::Write { file: path.to_owned(), source })?;
        Ok(Self::with(file, Some(temporary), path, policy))
    }

    fn with(file: File, temporary: Option<Temporary>, path: &Path, policy: OverwritePolicy) -> Self {
        Self { temporary, to: BufWriter::with_capacity(BUFFER, file), path: path.to_owned(), policy }
    }

    /// The file, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that will be written, as an absolute path with its links followed. `None` where the
    /// bytes go directly to what is there.
    #[must_use]
    pub fn target(&self) -> Option<&Path> {
        self.temporary.as_ref().map(Temporary::target)
    }

    /// The temporary file, as an absolute path. `None` where there is none, since the bytes go
    /// directly to what is there.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        self.temporary.as_ref().map(Temporary::path)
    }

    /// Writes all bytes to the disk and renames the temporary file to its target.
    ///
    /// # Errors
    ///
    /// As [`sync`](Self::sync) and [`SyncedFile::rename`].
    pub fn commit(self) -> Result<(), Error> {
        self.sync()?.rename()
    }

    /// The first and long half of [`commit`](Self::commit): writes all bytes to the disk. For a
    /// program that must not be interrupted in the second.
    ///
    /// # Errors
    ///
    /// When the system cannot write the rest. What was there before is there still.
    pub fn sync(self) -> Result<SyncedFile, Error> {
        let Self { temporary, to, path, policy } = self;
        let written = to.into_inner().map_err(io::IntoInnerError::into_error);
        let synced = written.and_then(|file| {
            if temporary.is_some() {
                file.sync_all()?;
            }
            Ok(file)
        });
        match synced {
            Ok(file) => Ok(SyncedFile { temporary, file, path, policy }),
            Err(source) => Err(Error::Write { file: path, source }),
        }
    }
}

/// A file whose bytes are all on the disk, under a temporary name. Dropping this removes it.
#[derive(Debug)]
#[must_use = "the file is not there until it is renamed"]
pub struct SyncedFile {
    temporary: Option<Temporary>,
    file: File,
    path: PathBuf,
    policy: OverwritePolicy,
}

impl SyncedFile {
    /// Renames the temporary file to its target: the second half of [`AtomicFile::commit`].
    ///
    /// # Errors
    ///
    /// When the system cannot rename the file, or a file has appeared that may not be replaced.
    /// What was there before is there still.
    pub fn rename(self) -> Result<(), Error> {
        let Some(temporary) = self.temporary else { return Ok(()) };
        temporary.rename(&self.file, self.policy).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::Exists { file: self.path },
            _ => Error::Write { file: self.path, source },
        })
    }
}

/// Where links lead, though there is no file yet. The system has followed them before, so they make
/// no circle.
fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

/// As many links in a row as Linux follows.
const MOST_LINKS: usize = 40;

impl Write for AtomicFile {
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

/// Writes a file atomically, or not at all when `write` fails. An error that names no file names
/// this one.
///
/// # Errors
///
/// As [`AtomicFile::create`] and [`AtomicFile::commit`], and as `write` says.
pub fn write_atomic(
    path: impl AsRef<Path>,
    policy: OverwritePolicy,
    write: impl FnOnce(&mut AtomicFile) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut file = AtomicFile::create(&path, policy)?;
    write(&mut file).map_err(|error| error.in_target(path.as_ref()))?;
    file.commit()
}

/// Whether two paths lead to one file that is there: what is read must not be what is written.
#[must_use]
pub fn same_file(a: impl AsRef<Path>, b: impl AsRef<Path>) -> bool {
    let identity = |path: &Path| fs::metadata(path).ok().map(|there| Identity::of(&there, path));
    identity(a.as_ref()).is_some_and(|of_a| identity(b.as_ref()) == Some(of_a))
}
