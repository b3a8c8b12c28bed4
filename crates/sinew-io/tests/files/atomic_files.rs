//! Files are written atomically, and nothing is left of those that are not finished.

use std::fs;
use std::io::Write;
use std::path::Path;

use sinew_io::{AtomicFile, Error, OverwritePolicy, same_file, write_atomic};

use crate::places::Folder;

fn write(path: impl AsRef<Path>, policy: OverwritePolicy, text: &str) -> Result<(), Error> {
    let mut file = AtomicFile::create(path, policy)?;
    file.write_all(text.as_bytes()).expect("room");
    file.commit()
}

#[test]
fn a_file_appears_when_it_is_finished_and_not_before() {
    let folder = Folder::new("appears");
    let mut file = AtomicFile::create(folder.join("walk.obj"), OverwritePolicy::Refuse).expect("a new file");
    file.write_all(b"v 1 2 3\n").expect("room");
    assert_eq!(folder.names(), [format!(".walk.obj.{}.tmp", std::process::id())]);
    file.commit().expect("whole");
    assert_eq!(folder.names(), ["walk.obj"]);
    assert_eq!(fs::read(folder.join("walk.obj")).expect("there"), b"v 1 2 3\n");
}

#[test]
fn nothing_is_left_of_a_file_that_is_not_finished() {
    let folder = Folder::new("dropped");
    let mut file = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    file.write_all(b"half").expect("room");
    drop(file);
    assert!(folder.names().is_empty());
    fs::write(folder.join("a"), "old").expect("room");
    let failed = write_atomic(folder.join("a"), OverwritePolicy::Replace, |to| {
        to.write_all(b"half").expect("room");
        Err(Error::Exists { file: "other".into() })
    });
    assert!(matches!(failed, Err(Error::Exists { file }) if file == Path::new("other")));
    assert_eq!(
        (folder.names(), fs::read(folder.join("a")).expect("there")),
        (vec!["a".into()], b"old".into())
    );
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_that_is_asked_for() {
    let folder = Folder::new("there");
    let path = folder.join("a");
    fs::write(&path, "old").expect("room");
    let error = write(&path, OverwritePolicy::Refuse, "new").expect_err("it is there");
    assert_eq!(error.to_string(), format!("{}: is there already, and may not be replaced", path.display()));
    assert_eq!(fs::read(&path).expect("there"), b"old");
    write(&path, OverwritePolicy::Replace, "new").expect("replaced");
    assert_eq!(fs::read(&path).expect("there"), b"new");
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn a_file_that_appears_meanwhile_stays() {
    let folder = Folder::new("meanwhile");
    let mut file = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    file.write_all(b"mine").expect("room");
    fs::write(folder.join("a"), "theirs").expect("room");
    assert!(matches!(file.commit(), Err(Error::Exists { .. })));
    assert_eq!(
        (folder.names(), fs::read(folder.join("a")).expect("there")),
        (vec!["a".into()], b"theirs".into())
    );
}

#[test]
fn a_file_that_cannot_be_made_is_an_error_with_its_name() {
    let folder = Folder::new("cannot");
    for path in [folder.join(""), folder.join("missing/a"), folder.join("..")] {
        let error = write(&path, OverwritePolicy::Replace, "").expect_err("no file can be there").to_string();
        assert!(error.starts_with(&format!("{}: cannot write: ", path.display())), "{error}");
    }
    fs::write(folder.join("file"), "").expect("room");
    assert!(matches!(write(folder.join("file/a"), OverwritePolicy::Replace, ""), Err(Error::Write { .. })));
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn a_name_may_be_as_long_as_the_system_allows() {
    let folder = Folder::new("long");
    for name in ["x".repeat(255), "é".repeat(127)] {
        write(folder.join(&name), OverwritePolicy::Refuse, "").expect("room");
        assert!(folder.names().contains(&name));
    }
}

#[test]
fn two_at_once_of_one_name_are_apart_and_the_policy_decides() {
    let folder = Folder::new("twice");
    let mut first = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    let mut second = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("none is there");
    assert_ne!(first.temporary(), second.temporary());
    assert_eq!(first.target(), second.target());
    second.write_all(b"second").and_then(|()| first.write_all(b"first")).expect("room");
    first.commit().expect("whole");
    assert!(matches!(second.commit(), Err(Error::Exists { .. })));
    assert_eq!(folder.names(), ["a"]);
    assert_eq!(fs::read(folder.join("a")).expect("there"), b"first");
}

#[test]
fn a_file_can_be_synced_first_and_renamed_later() {
    let folder = Folder::new("synced");
    let mut file = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    file.write_all(b"whole").expect("room");
    let temporary = file.temporary().expect("a regular file").to_owned();
    let synced = file.sync().expect("room");
    assert_eq!(folder.names(), [temporary.file_name().expect("a name").to_str().expect("plain")]);
    assert_eq!(fs::read(&temporary).expect("there"), b"whole");
    synced.rename().expect("nothing is in the way");
    assert_eq!(folder.names(), ["a"]);
    let abandoned = AtomicFile::create(folder.join("b"), OverwritePolicy::Refuse).expect("a new file");
    drop(abandoned.sync().expect("room"));
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn a_temporary_file_that_is_removed_does_not_appear() {
    let folder = Folder::new("removed");
    fs::write(folder.join("a"), "old").expect("room");
    let mut file = AtomicFile::create(folder.join("a"), OverwritePolicy::Replace).expect("replaced");
    file.write_all(b"half").expect("room");
    fs::remove_file(file.temporary().expect("a regular file")).expect("ours");
    assert!(matches!(file.commit(), Err(Error::Write { .. })));
    assert_eq!(folder.names(), ["a"]);
    assert_eq!(fs::read(folder.join("a")).expect("there"), b"old");
}

#[test]
fn the_same_file_is_known_under_any_name() {
    let folder = Folder::new("same");
    fs::write(folder.join("a"), "").expect("room");
    fs::write(folder.join("b"), "").expect("room");
    fs::create_dir(folder.join("deep")).expect("room");
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
    fn links_are_followed_and_permissions_stay() {
        let folder = Folder::new("links");
        fs::create_dir(folder.join("deep")).expect("room");
        fs::write(folder.join("deep/a"), "old").expect("room");
        fs::set_permissions(folder.join("deep/a"), fs::Permissions::from_mode(0o600)).expect("ours");
        symlink("deep/a", folder.join("link")).expect("a link");
        assert!(same_file(folder.join("link"), folder.join("deep/a")));
        write(folder.join("link"), OverwritePolicy::Replace, "new").expect("replaced");
        assert!(fs::symlink_metadata(folder.join("link")).expect("there").is_symlink());
        assert_eq!(fs::read(folder.join("deep/a")).expect("there"), b"new");
        let mode = fs::metadata(folder.join("deep/a")).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_there_and_leads_to_the_new_file() {
        let folder = Folder::new("loose");
        fs::create_dir(folder.join("deep")).expect("room");
        symlink("deep/second", folder.join("first")).expect("a link");
        symlink("new", folder.join("deep/second")).expect("a link");
        symlink("nowhere/new", folder.join("lost")).expect("a link");
        symlink("circle", folder.join("circle")).expect("a link");
        assert!(matches!(
            write(folder.join("first"), OverwritePolicy::Refuse, ""),
            Err(Error::Exists { .. })
        ));
        write(folder.join("first"), OverwritePolicy::Replace, "whole").expect("a new file");
        assert_eq!(fs::read(folder.join("deep/new")).expect("there"), b"whole");
        assert!(fs::symlink_metadata(folder.join("first")).expect("there").is_symlink());
        for name in ["lost", "circle"] {
            assert!(matches!(
                write(folder.join(name), OverwritePolicy::Replace, ""),
                Err(Error::Write { .. })
            ));
        }
        assert_eq!(folder.names(), ["circle", "deep", "first", "lost"]);
    }

    #[test]
    fn what_may_not_be_written_stays() {
        let folder = Folder::new("read-only");
        fs::write(folder.join("a"), "old").expect("room");
        fs::set_permissions(folder.join("a"), fs::Permissions::from_mode(0o444)).expect("ours");
        let error = write(folder.join("a"), OverwritePolicy::Replace, "new").expect_err("read-only");
        assert!(
            matches!(&error, Error::Write { source, .. }
            if source.kind() == std::io::ErrorKind::PermissionDenied),
            "{error}"
        );
        fs::create_dir(folder.join("closed")).expect("room");
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o555)).expect("ours");
        if fs::write(folder.join("closed/probe"), "").is_ok() {
            eprintln!("skipped: this user writes to read-only folders");
        } else {
            assert!(matches!(
                write(folder.join("closed/a"), OverwritePolicy::Replace, ""),
                Err(Error::Write { .. })
            ));
        }
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o755)).expect("ours");
    }

    #[test]
    fn what_is_no_regular_file_is_written_through() {
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
    fn a_pipe_gets_the_bytes_themselves() {
        let folder = Folder::new("pipe");
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
fn what_a_killed_process_left_is_removed_when_the_same_file_is_written() {
    let folder = Folder::new("left");
    let own = format!(".a.{}.tmp", std::process::id());
    let names = [".a.1.tmp", ".a.4999999_3.tmp", ".b.4999999.tmp", "a.4999999.tmp", &own];
    for name in names {
        fs::write(folder.join(name), "half").expect("room");
    }
    write(folder.join("a"), OverwritePolicy::Refuse, "whole").expect("a new file");
    assert_eq!(folder.names(), [".b.4999999.tmp", "a", "a.4999999.tmp"]);
}

/// Another container may have a process of our number.
#[cfg(unix)]
#[test]
fn what_somebody_writes_stays_whatever_the_number_of_the_process() {
    let folder = Folder::new("others");
    let others = [".a.4999999.tmp".to_owned(), format!(".a.{}.tmp", std::process::id())];
    let locked = others.each_ref().map(|name| {
        let file = fs::File::create_new(folder.join(name)).expect("room");
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
fn a_temporary_file_that_somebody_has_exchanged_does_not_appear() {
    let folder = Folder::new("exchanged");
    let file = AtomicFile::create(folder.join("a"), OverwritePolicy::Refuse).expect("a new file");
    let temporary = folder.join(&format!(".a.{}.tmp", std::process::id()));
    fs::rename(&temporary, folder.join("away")).expect("ours");
    fs::write(&temporary, "theirs").expect("room");
    assert!(matches!(file.commit(), Err(Error::Write { .. })));
    assert!(!folder.names().contains(&"a".to_owned()));
}
