//! Output files: written atomically, and registered while they are temporary, so that signals
//! remove them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sinew_io::{AtomicFile, Error, OverwritePolicy};

use crate::CliError;
use crate::error::missing_folder;
use crate::model_input::LoadedModel;
use crate::signals::{TEMPORARIES, Temporary, TemporaryList};

/// A file that is written atomically. INT and TERM remove its temporary file.
#[derive(Debug)]
pub(crate) struct OutputFile {
    file: AtomicFile,
    /// Dropped after `file`, so that an existing temporary file is always in the list.
    registration: Registration,
}

/// Keeps a temporary file in the list until it is dropped.
#[derive(Debug)]
struct Registration {
    list: &'static TemporaryList,
    /// `None` when there is no temporary file.
    path: Option<PathBuf>,
}

impl OutputFile {
    /// Like [`AtomicFile::create`], but fails for a file that this process is already writing.
    pub(crate) fn create(path: &Path, policy: OverwritePolicy) -> Result<Self, Error> {
        Self::create_in(&TEMPORARIES, path, policy)
    }

    fn create_in(list: &'static TemporaryList, path: &Path, policy: OverwritePolicy) -> Result<Self, Error> {
        // Without the lock: opening a pipe may block forever, and signals must not wait for it. A
        // pipe or device has no temporary file.
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let file = AtomicFile::create(path, policy)?;
            return Ok(Self { file, registration: Registration { list, path: None } });
        }
        let mut temporaries = list.lock();
        let file = AtomicFile::create_with(path, policy, &mut temporaries.stale)?;
        let mut registration = Registration { list, path: None };
        if let (Some(temporary), Some(target)) = (file.temporary(), file.target()) {
            if temporaries.files.iter().any(|other| other.target == target) {
                let source = io::Error::other("it is already being written");
                return Err(Error::Write { file: path.to_owned(), source });
            }
            let (path, target) = (temporary.to_owned(), target.to_owned());
            registration.path = Some(path.clone());
            temporaries.files.push(Temporary { path, target });
        }
        Ok(Self { file, registration })
    }

    /// Like [`AtomicFile::commit`]. Signals wait until the rename has reached the folder on disk.
    pub(crate) fn commit(self) -> Result<(), Error> {
        let Self { file, registration } = self;
        let synced = file.sync()?;
        let _lock = registration.list.lock();
        synced.rename()
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            self.list.lock().files.retain(|temporary| temporary.path != *path);
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file atomically; when `write` fails, no file appears. An error that names no file is
/// given this file's name.
pub(crate) fn write_file(
    path: impl AsRef<Path>,
    policy: OverwritePolicy,
    write: impl FnOnce(&mut OutputFile) -> Result<(), Error>,
) -> Result<(), Error> {
    let path = path.as_ref();
    let mut file = OutputFile::create(path, policy)?;
    write(&mut file).map_err(|error| error.with_target(path))?;
    file.commit()
}

/// Checks before any work that a file can be written, as far as can be known: it is neither an
/// input nor a directory, and does not exist unless it may be replaced.
pub(crate) fn check_output_path(
    path: PathBuf,
    policy: OverwritePolicy,
    loaded: &LoadedModel,
) -> Result<(), CliError> {
    loaded.check_not_input(&path)?;
    check_folder(&path)?;
    if policy == OverwritePolicy::Refuse && path.is_file() {
        return Err(suggest_force(Error::Exists { file: path }));
    }
    Ok(())
}

/// Checks before any work that the folder of an output file exists, and that the file is none.
pub(crate) fn check_folder(path: &Path) -> Result<(), CliError> {
    if path.is_dir() {
        let source = io::ErrorKind::IsADirectory.into();
        return Err(Error::Write { file: path.to_owned(), source }.into());
    }
    missing_folder(path).map_or(Ok(()), |message| Err(CliError::Input(message)))
}

/// Adds to the error for an existing file that `--force` replaces it.
pub(crate) fn suggest_force(error: Error) -> CliError {
    match error {
        Error::Exists { .. } => CliError::Input(format!("{error}; --force replaces it")),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use tempfile::TempDir;

    use super::*;

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder.path()).expect("the folder is there");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn removing_all_temporary_files_leaves_no_unfinished_file() {
        static LIST: TemporaryList = TemporaryList::new();
        let folder = TempDir::new().expect("disk space");
        let create = |name: &str, policy| OutputFile::create_in(&LIST, &folder.path().join(name), policy);
        fs::write(folder.path().join("a"), "old").expect("disk space");
        let mut open: Vec<OutputFile> =
            ["a", "b", "c"].map(|name| create(name, OverwritePolicy::Replace).expect("a new file")).into();
        open.iter_mut().for_each(|file| file.write_all(b"half").expect("disk space"));
        open.remove(2).commit().expect("a rename");
        drop(LIST.remove_all());
        assert_eq!(names(&folder), ["a", "c"]);
        for file in open {
            assert!(matches!(file.commit(), Err(Error::Write { .. })));
        }
        assert_eq!(names(&folder), ["a", "c"]);
        assert_eq!(fs::read(folder.path().join("a")).expect("there"), b"old");
        create("b", OverwritePolicy::Refuse).expect("a new file").commit().expect("a rename");
        assert_eq!(names(&folder), ["a", "b", "c"]);
        assert!(LIST.lock().files.is_empty());
    }

    #[test]
    fn no_file_is_created_or_renamed_while_the_guard_is_held() {
        static LIST: TemporaryList = TemporaryList::new();
        let folder = TempDir::new().expect("disk space");
        let path = |name: &str| folder.path().join(name);
        let early = OutputFile::create_in(&LIST, &path("early"), OverwritePolicy::Refuse).expect("new");
        let held = LIST.remove_all();
        let begun = thread::spawn({
            let path = path("a");
            move || OutputFile::create_in(&LIST, &path, OverwritePolicy::Refuse).map(OutputFile::commit)
        });
        let ended = thread::spawn(move || early.commit());
        thread::sleep(Duration::from_millis(50));
        assert!(names(&folder).is_empty() && !begun.is_finished() && !ended.is_finished());
        drop(held);
        begun.join().expect("no panic").expect("begun").expect("ended");
        assert!(matches!(ended.join().expect("no panic"), Err(Error::Write { .. })));
        assert_eq!(names(&folder), ["a"]);
    }

    #[test]
    fn one_target_cannot_be_written_twice_at_the_same_time() {
        static LIST: TemporaryList = TemporaryList::new();
        let folder = TempDir::new().expect("disk space");
        let create = || OutputFile::create_in(&LIST, &folder.path().join("a"), OverwritePolicy::Refuse);
        let first = create().expect("a new file");
        let second = create().expect_err("the first is there");
        assert!(second.to_string().ends_with("it is already being written"), "{second}");
        assert_eq!(names(&folder), [format!(".a.{}.tmp", std::process::id())]);
        first.commit().expect("a rename");
        assert_eq!(names(&folder), ["a"]);
    }

    #[test]
    fn dropping_a_file_removes_its_temporary_file_and_list_entry() {
        static LIST: TemporaryList = TemporaryList::new();
        let folder = TempDir::new().expect("disk space");
        let file = OutputFile::create_in(&LIST, &folder.path().join("a"), OverwritePolicy::Refuse);
        assert_eq!(LIST.lock().files.len(), 1);
        drop(file);
        assert!(names(&folder).is_empty() && LIST.lock().files.is_empty());
    }
}
