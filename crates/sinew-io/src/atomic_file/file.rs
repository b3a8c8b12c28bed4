//! A file that is written atomically.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::StaleFiles;
use super::temporary::Temporary;
use crate::Error;
use crate::sandbox::FileIdentity;

/// The size of the write buffer: large enough for few system calls, small enough for the cache.
const BUFFER: usize = 256 * 1024;

/// What happens when the file exists already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverwritePolicy {
    /// The existing file stays, and writing is an error. This includes a file that appears while
    /// the new one is being written.
    #[default]
    Refuse,
    /// The new file replaces it and keeps its permissions. A read-only file is not replaced.
    Replace,
}

/// A file that is written atomically. The bytes go to a temporary file `.<name>.<pid>.tmp` in the
/// same folder. [`commit`](Self::commit) renames it to its target; dropping this type without a
/// commit removes it.
///
/// Symbolic links are followed: the file that they lead to is written. Anything that is not a
/// regular file, such as `/dev/null` or a pipe, is written directly, without regard to the
/// [`OverwritePolicy`].
///
/// Creating an `AtomicFile` also removes stale temporary files for the same target: those that no
/// process has locked. A signal that ends the process leaves the temporary file behind, unless the
/// program handles the signal and removes the file that [`temporary`](Self::temporary) names.
#[derive(Debug)]
pub struct AtomicFile {
    /// `None` when the bytes go directly to a pipe or device. This field is dropped before the
    /// writer, which removes the name before an abandoned buffer is flushed.
    temporary: Option<Temporary>,
    to: BufWriter<File>,
    /// The path of the caller, for error messages.
    path: PathBuf,
    policy: OverwritePolicy,
}

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    ///
    /// When the file exists and must not be replaced, when it is a folder or not writable, or when
    /// the system cannot create a file in its folder.
    pub fn create(path: impl AsRef<Path>, policy: OverwritePolicy) -> Result<Self, Error> {
        Self::create_with(path, policy, &mut StaleFiles::new())
    }

    /// Creates the temporary file for one of many files. `stale` remembers the folders that have
    /// been searched for stale temporary files, so that each is searched once.
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

    /// Creates the temporary file for a path without a file. A dangling link counts as existing.
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

    /// The path that was given to [`create`](Self::create).
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that will be written, as an absolute path with links resolved. `None` when the
    /// bytes go directly to a pipe or device.
    #[must_use]
    pub fn target(&self) -> Option<&Path> {
        self.temporary.as_ref().map(Temporary::target)
    }

    /// The temporary file, as an absolute path. `None` when the bytes go directly to a pipe or
    /// device.
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

    /// Writes all bytes to the disk: the first and slow half of [`commit`](Self::commit). Programs
    /// that must not be interrupted during the rename call both halves themselves.
    ///
    /// # Errors
    ///
    /// When the system cannot write. A file that existed before is unchanged.
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

/// A file whose bytes are all on the disk, under a temporary name. Dropping it removes the file.
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
    /// When the system cannot rename the file, or when a file has appeared that must not be
    /// replaced. A file that existed before is unchanged.
    pub fn rename(self) -> Result<(), Error> {
        let Some(temporary) = self.temporary else { return Ok(()) };
        temporary.rename(&self.file, self.policy).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::Exists { file: self.path },
            _ => Error::Write { file: self.path, source },
        })
    }
}

/// Resolves links whose target does not exist yet. The system has resolved the same links before,
/// so there is no cycle.
fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

/// The number of links in a row that Linux follows.
const MAX_LINKS: usize = 40;

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

/// Writes a file atomically. When `write` fails, no file is written. An error without a file gets
/// this path.
///
/// # Errors
///
/// As [`AtomicFile::create`] and [`AtomicFile::commit`], or the error of `write`.
pub fn write_atomic(
    path: impl AsRef<Path>,
    policy: OverwritePolicy,
    write: impl FnOnce(&mut AtomicFile) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut file = AtomicFile::create(&path, policy)?;
    write(&mut file).map_err(|error| error.with_target(path.as_ref()))?;
    file.commit()
}

/// Whether two paths lead to the same existing file. Use it to refuse an output that is also an
/// input.
#[must_use]
pub fn same_file(a: impl AsRef<Path>, b: impl AsRef<Path>) -> bool {
    let identity = |path: &Path| fs::metadata(path).ok().map(|there| FileIdentity::new(&there, path));
    identity(a.as_ref()).is_some_and(|of_a| identity(b.as_ref()) == Some(of_a))
}
