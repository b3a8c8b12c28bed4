//! Files are written atomically, and unfinished files leave nothing behind.

use std::fs;
use std::io::Write;
use std::path::Path;

use sinew_io::{AtomicFile, Error, OverwritePolicy, same_file, write_atomic};

use crate::support::temp_folder::TempFolder;

fn write(path: impl AsRef<Path>, policy: OverwritePolicy, text: &str) -> Result<(), Error> {
    let mut file = AtomicFile::create(path, policy)?;
    file.write_all(text.as_bytes()).expect("a writable file");
    file.commit()
}

#[test]
fn a_file_appears_only_when_it_is_committed() {
    let folder = TempFolder::new("appears");
    let mut file = AtomicFile::create(folder.join("walk.obj"), OverwritePolicy::Refuse).expect("a new file");
    file.write_all(b"v 1 2 3\n").expect("a writable file");
    assert_eq!(folder.names(), [format!(".walk.obj.{}.tmp", std::process::id())]);
    file.commit().expect("whole");
    assert_eq!(folder.names(), ["walk.obj"]);
    assert_eq!(fs::read(folder.join("walk.obj")).expect("an existing file"), b"v 1 2 3\n");
}

#[test]
fn an_uncommitted_file_leaves_nothing_behind() {
    let folder = TempFolder::new("dropped");
    let mut file = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    file.write_all(b"half").expect("a writable file");
    drop(file);
    assert!(folder.names().is_empty());
    fs::write(folder.join("a"), "old").expect("a writable file");
    let failed = write_atomic(folder.join("a"), OverwritePolicy::Replace, |to| {
        to.write_all(b"half").expect("a writable file");
        Err(Error::Exists { file: "other".into() })
    });
    assert!(matches!(failed, Err(Error::Exists { file }) if file == Path::new("other")));
    assert_eq!(
        (folder.names(), fs::read(folder.join("a")).expect("an existing file")),
        (vec!["a".into()], b"old".into())
    );
}

#[test]
fn an_existing_file_is_replaced_only_on_request() {
    let folder = TempFolder::new("there");
    let path = folder.join("a");
    fs::write(&path, "old").expect("a writable file");
    let error = write(&path, OverwritePolicy::Refuse, "new").expect_err("it is there");
    assert_eq!(error.to_string(), format!("{}: file exists already", path.display()));
    assert_eq!(fs::read(&path).expect("an existing file"), b"old");
    write(&path, OverwritePolicy::Replace, "new").expect("replaced");
    assert_eq!(fs::read(&path).expect("an existing file"), b"new");
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn a_file_that_appears_while_writing_is_kept() {
    let folder = TempFolder::new("meanwhile");
    let mut file = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    file.write_all(b"mine").expect("a writable file");
    fs::write(folder.join("a"), "theirs").expect("a writable file");
    assert!(matches!(file.commit(), Err(Error::Exists { .. })));
    assert_eq!(
        (folder.names(), fs::read(folder.join("a")).expect("an existing file")),
        (vec!["a".into()], b"theirs".into())
    );
}

#[test]
fn an_error_names_the_file_that_cannot_be_created() {
    let folder = TempFolder::new("cannot");
    for path in [folder.join(""), folder.join("missing/a"), folder.join("..")] {
        let error = write(&path, OverwritePolicy::Replace, "").expect_err("no file can be there").to_string();
        assert!(error.starts_with(&format!("{}: cannot write: ", path.display())), "{error}");
    }
    fs::write(folder.join("file"), "").expect("a writable file");
    assert!(matches!(write(folder.join("file/a"), OverwritePolicy::Replace, ""), Err(Error::Write { .. })));
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn names_may_be_as_long_as_the_system_allows() {
    let folder = TempFolder::new("long");
    for name in ["x".repeat(255), "é".repeat(127)] {
        write(folder.join(&name), OverwritePolicy::Refuse, "").expect("a writable file");
        assert!(folder.names().contains(&name));
    }
}

#[test]
fn two_writers_of_one_file_use_different_temporary_files() {
    let folder = TempFolder::new("twice");
    let mut first = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    let mut second = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("none is there");
    assert_ne!(first.temporary(), second.temporary());
    assert_eq!(first.target(), second.target());
    second.write_all(b"second").and_then(|()| first.write_all(b"first")).expect("a writable file");
    first.commit().expect("whole");
    assert!(matches!(second.commit(), Err(Error::Exists { .. })));
    assert_eq!(folder.names(), ["a"]);
    assert_eq!(fs::read(folder.join("a")).expect("an existing file"), b"first");
}

#[test]
fn sync_and_rename_can_be_called_separately() {
    let folder = TempFolder::new("synced");
    let mut file = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    file.write_all(b"whole").expect("a writable file");
    let temporary = file.temporary().expect("a regular file").to_owned();
    let synced = file.sync().expect("a writable file");
    assert_eq!(folder.names(), [temporary.file_name().expect("a name").to_str().expect("plain")]);
    assert_eq!(fs::read(&temporary).expect("an existing file"), b"whole");
    synced.rename().expect("nothing is in the way");
    assert_eq!(folder.names(), ["a"]);
    let abandoned = AtomicFile::create(folder.join("b"), OverwritePolicy::Refuse).expect("a new file");
    drop(abandoned.sync().expect("a writable file"));
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn a_removed_temporary_file_is_an_error() {
    let folder = TempFolder::new("removed");
    fs::write(folder.join("a"), "old").expect("a writable file");
    let mut file = AtomicFile::create(folder.join("a"), OverwritePolicy::Replace).expect("replaced");
    file.write_all(b"half").expect("a writable file");
    fs::remove_file(file.temporary().expect("a regular file")).expect("a file of the test");
    assert!(matches!(file.commit(), Err(Error::Write { .. })));
    assert_eq!(folder.names(), ["a"]);
    assert_eq!(fs::read(folder.join("a")).expect("an existing file"), b"old");
}

#[test]
fn same_file_recognizes_a_file_under_any_path() {
    let folder = TempFolder::new("same");
    fs::write(folder.join("a"), "").expect("a writable file");
    fs::write(folder.join("b"), "").expect("a writable file");
    fs::create_dir(folder.join("deep")).expect("a writable file");
    let roundabout = folder.join("deep/../a");
    assert!(same_file(folder.join("a"), &roundabout));
    assert!(!same_file(folder.join("a"), folder.join("b")));
    assert!(!same_file(folder.join("missing"), folder.join("missing")));
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_are_followed_and_permissions_are_kept() {
        let folder = TempFolder::new("links");
        fs::create_dir(folder.join("deep")).expect("a writable file");
        fs::write(folder.join("deep/a"), "old").expect("a writable file");
        fs::set_permissions(folder.join("deep/a"), fs::Permissions::from_mode(0o600))
            .expect("a file of the test");
        symlink("deep/a", folder.join("link")).expect("a link");
        assert!(same_file(folder.join("link"), folder.join("deep/a")));
        write(folder.join("link"), OverwritePolicy::Replace, "new").expect("replaced");
        assert!(fs::symlink_metadata(folder.join("link")).expect("an existing file").is_symlink());
        assert_eq!(fs::read(folder.join("deep/a")).expect("an existing file"), b"new");
        let mode = fs::metadata(folder.join("deep/a")).expect("an existing file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_dangling_link_counts_as_existing_and_is_followed() {
        let folder = TempFolder::new("loose");
        fs::create_dir(folder.join("deep")).expect("a writable file");
        symlink("deep/second", folder.join("first")).expect("a link");
        symlink("new", folder.join("deep/second")).expect("a link");
        symlink("nowhere/new", folder.join("lost")).expect("a link");
        symlink("circle", folder.join("circle")).expect("a link");
        assert!(matches!(
            write(folder.join("first"), OverwritePolicy::Refuse, ""),
            Err(Error::Exists { .. })
        ));
        write(folder.join("first"), OverwritePolicy::Replace, "whole").expect("a new file");
        assert_eq!(fs::read(folder.join("deep/new")).expect("an existing file"), b"whole");
        assert!(fs::symlink_metadata(folder.join("first")).expect("an existing file").is_symlink());
        for name in ["lost", "circle"] {
            assert!(matches!(
                write(folder.join(name), OverwritePolicy::Replace, ""),
                Err(Error::Write { .. })
            ));
        }
        assert_eq!(folder.names(), ["circle", "deep", "first", "lost"]);
    }

    #[test]
    fn read_only_files_and_folders_are_not_written() {
        let folder = TempFolder::new("read-only");
        fs::write(folder.join("a"), "old").expect("a writable file");
        fs::set_permissions(folder.join("a"), fs::Permissions::from_mode(0o444)).expect("a file of the test");
        let error = write(folder.join("a"), OverwritePolicy::Replace, "new").expect_err("read-only");
        assert!(
            matches!(&error, Error::Write { source, .. }
            if source.kind() == std::io::ErrorKind::PermissionDenied),
            "{error}"
        );
        fs::create_dir(folder.join("closed")).expect("a writable file");
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o555))
            .expect("a file of the test");
        if fs::write(folder.join("closed/probe"), "").is_ok() {
            eprintln!("skipped: this user writes to read-only folders");
        } else {
            assert!(matches!(
                write(folder.join("closed/a"), OverwritePolicy::Replace, ""),
                Err(Error::Write { .. })
            ));
        }
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o755))
            .expect("a file of the test");
    }

    #[test]
    fn devices_are_written_directly() {
        write("/dev/null", OverwritePolicy::Refuse, "anything").expect("all of it goes");
        if !Path::new("/dev/full").exists() {
            eprintln!("skipped: no /dev/full here");
            return;
        }
        let error = write("/dev/full", OverwritePolicy::Replace, "anything").expect_err("it is full");
        assert!(error.to_string().starts_with("/dev/full: cannot write: "), "{error}");
        assert!(
            matches!(error, Error::Write { source, .. } if source.kind() == std::io::ErrorKind::StorageFull)
        );
    }

    #[test]
    fn pipes_are_written_directly() {
        let folder = TempFolder::new("pipe");
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("skipped: no mkfifo here");
            return;
        }
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).expect("bytes")
        });
        write(&pipe, OverwritePolicy::Refuse, "through").expect("a reader is there");
        assert_eq!(reader.join().expect("no panic"), b"through");
        assert_eq!(folder.names(), ["pipe"]);
    }
}

#[cfg(unix)]
#[test]
fn stale_temporary_files_of_the_same_target_are_removed() {
    let folder = TempFolder::new("left");
    let own = format!(".a.{}.tmp", std::process::id());
    let names = [".a.1.tmp", ".a.4999999_3.tmp", ".b.4999999.tmp", "a.4999999.tmp", &own];
    for name in names {
        fs::write(folder.join(name), "half").expect("a writable file");
    }
    write(folder.join("a"), OverwritePolicy::Refuse, "whole").expect("a new file");
    assert_eq!(folder.names(), [".b.4999999.tmp", "a", "a.4999999.tmp"]);
}

/// A process in another container may have the same id.
#[cfg(unix)]
#[test]
fn locked_temporary_files_are_kept_whatever_their_process_id() {
    let folder = TempFolder::new("others");
    let others = [".a.4999999.tmp".to_owned(), format!(".a.{}.tmp", std::process::id())];
    let locked = others.each_ref().map(|name| {
        let file = fs::File::create_new(folder.join(name)).expect("a writable file");
        file.lock().expect("nobody else has it");
        file
    });
    write(folder.join("a"), OverwritePolicy::Refuse, "whole").expect("a new file");
    let expected: Vec<&str> = others.iter().rev().map(String::as_str).chain(["a"]).collect();
    let (mut found, mut expected) = (folder.names(), expected);
    found.sort();
    expected.sort_unstable();
    assert_eq!(found, expected);
    drop(locked);
}

#[cfg(unix)]
#[test]
fn an_exchanged_temporary_file_is_an_error() {
    let folder = TempFolder::new("exchanged");
    let file = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    let temporary = folder.join(&format!(".a.{}.tmp", std::process::id()));
    fs::rename(&temporary, folder.join("away")).expect("a file of the test");
    fs::write(&temporary, "theirs").expect("a writable file");
    assert!(matches!(file.commit(), Err(Error::Write { .. })));
    assert!(!folder.names().contains(&"a".to_owned()));
}
