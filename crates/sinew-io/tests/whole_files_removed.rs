//! A program that is told to end removes its temporary files. Alone in its process, because that concerns all of them.

use std::fs;
use std::io::Write;

use sinew_io::{Error, Existing, WholeFile, remove_temporaries};

#[path = "files/places/mod.rs"]
mod places;

/// One test: each would remove the files of the other.
#[test]
fn temporary_files_can_be_removed_at_once() {
    no_temporary_file_outlives_their_removal_and_none_of_them_appears();
    while_they_are_being_removed_no_file_begins_or_ends();
}

fn no_temporary_file_outlives_their_removal_and_none_of_them_appears() {
    let folder = places::Folder::new("removed");
    fs::write(folder.join("a"), "old").expect("room");
    let mut open: Vec<WholeFile> = ["a", "b", "c"]
        .map(|name| WholeFile::create(folder.join(name), Existing::Replace).expect("a new file"))
        .into();
    open.iter_mut().for_each(|file| file.write_all(b"half").expect("room"));
    open.remove(2).finish().expect("whole");
    drop(remove_temporaries());
    assert_eq!(folder.names(), ["a", "c"]);
    for file in open {
        assert!(matches!(file.finish(), Err(Error::Write { .. })));
    }
    assert_eq!(
        (folder.names(), fs::read(folder.join("a")).expect("there")),
        (vec!["a".into(), "c".into()], b"old".into())
    );
    let again = WholeFile::create(folder.join("b"), Existing::Refuse).expect("others may begin");
    again.finish().expect("whole");
    assert_eq!(folder.names(), ["a", "b", "c"]);
}

fn while_they_are_being_removed_no_file_begins_or_ends() {
    let folder = places::Folder::new("held");
    let held = remove_temporaries();
    let begun = std::thread::spawn({
        let path = folder.join("a");
        move || WholeFile::create(path, Existing::Refuse).map(|file| file.finish())
    });
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(folder.names().is_empty() && !begun.is_finished());
    drop(held);
    begun.join().expect("no panic").expect("begun").expect("ended");
    assert_eq!(folder.names(), ["a"]);
}
