//! Files that the program writes: atomically, and listed for as long as they are temporary.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sinew_io::{AtomicFile, Error, OverwritePolicy};

use crate::signals::{TEMPORARIES, Temporary, TemporaryList};

/// A file that is written atomically, and of which INT and TERM leave nothing.
#[derive(Debug)]
pub(crate) struct OutputFile {
    file: AtomicFile,
    /// Dropped after the file: what is there is listed.
    listed: Listed,
}

/// Keeps a temporary file in the list.
#[derive(Debug)]
struct Listed {
    list: &'static TemporaryList,
    /// `None` where there is no temporary file.
    path: Option<PathBuf>,
}

impl OutputFile {
    /// As [`AtomicFile::create`]; but a file is refused that the program is writing already.
    pub(crate) fn create(path: &Path, policy: OverwritePolicy) -> Result<Self, Error> {
        Self::create_in(&TEMPORARIES, path, policy)
    }

    fn create_in(list: &'static TemporaryList, path: &Path, policy: OverwritePolicy) -> Result<Self, Error> {
        // A pipe may take for ever to open, and leaves no temporary file: signals must not wait for
        // it.
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let file = AtomicFile::create(path, policy)?;
            return Ok(Self { file, listed: Listed { list, path: None } });
        }
        let mut temporaries = list.lock();
        let file = AtomicFile::create_with(path, policy, &mut temporaries.stale)?;
        let mut listed = Listed { list, path: None };
        if let (Some(temporary), Some(target)) = (file.temporary(), file.target()) {
            if temporaries.files.iter().any(|other| other.target == target) {
                let source = io::Error::other("it is being written already");
                return Err(Error::Write { file: path.to_owned(), source });
            }
            let (path, target) = (temporary.to_owned(), target.to_owned());
            listed.path = Some(path.clone());
            temporaries.files.push(Temporary { path, target });
        }
        Ok(Self { file, listed })
    }

    /// As [`AtomicFile::commit`]. Signals wait for the renaming, and until the folder has it.
    pub(crate) fn commit(self) -> Result<(), Error> {
        let Self { file, listed } = self;
        let synced = file.sync()?;
        let _lock = listed.list.lock();
        synced.rename()
    }
}

impl Drop for Listed {
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

/// Writes a file atomically, or not at all when `write` fails. An error that names no file names
/// this one.
pub(crate) fn write_file(
    path: impl AsRef<Path>,
    policy: OverwritePolicy,
    write: impl FnOnce(&mut OutputFile) -> Result<(), Error>,
) -> Result<(), Error> {
    let path = path.as_ref();
    let mut file = OutputFile::create(path, policy)?;
    write(&mut file).map_err(|error| error.in_target(path))?;
    file.commit()
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
    fn no_temporary_file_outlives_their_removal_and_none_of_them_appears() {
        static LIST: TemporaryList = TemporaryList::new();
        let folder = TempDir::new().expect("room");
        let create = |name: &str, policy| OutputFile::create_in(&LIST, &folder.path().join(name), policy);
        fs::write(folder.path().join("a"), "old").expect("room");
        let mut open: Vec<OutputFile> =
            ["a", "b", "c"].map(|name| create(name, OverwritePolicy::Replace).expect("a new file")).into();
        open.iter_mut().for_each(|file| file.write_all(b"half").expect("room"));
        open.remove(2).commit().expect("whole");
        drop(LIST.remove_all());
        assert_eq!(names(&folder), ["a", "c"]);
        for file in open {
            assert!(matches!(file.commit(), Err(Error::Write { .. })));
        }
        assert_eq!(names(&folder), ["a", "c"]);
        assert_eq!(fs::read(folder.path().join("a")).expect("there"), b"old");
        create("b", OverwritePolicy::Refuse).expect("others may begin").commit().expect("whole");
        assert_eq!(names(&folder), ["a", "b", "c"]);
        assert!(LIST.lock().files.is_empty());
    }

    #[test]
    fn while_they_are_being_removed_no_file_begins_or_ends() {
        static LIST: TemporaryList = TemporaryList::new();
        let folder = TempDir::new().expect("room");
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
    fn two_at_once_of_one_name_are_refused() {
        static LIST: TemporaryList = TemporaryList::new();
        let folder = TempDir::new().expect("room");
        let create = || OutputFile::create_in(&LIST, &folder.path().join("a"), OverwritePolicy::Refuse);
        let first = create().expect("a new file");
        let second = create().expect_err("the first is there");
        assert!(second.to_string().ends_with("it is being written already"), "{second}");
        assert_eq!(names(&folder), [format!(".a.{}.tmp", std::process::id())]);
        first.commit().expect("whole");
        assert_eq!(names(&folder), ["a"]);
    }

    #[test]
    fn a_file_that_is_dropped_leaves_the_list_with_its_temporary_file() {
        static LIST: TemporaryList = TemporaryList::new();
        let folder = TempDir::new().expect("room");
        let file = OutputFile::create_in(&LIST, &folder.path().join("a"), OverwritePolicy::Refuse);
        assert_eq!(LIST.lock().files.len(), 1);
        drop(file);
        assert!(names(&folder).is_empty() && LIST.lock().files.is_empty());
    }
}
