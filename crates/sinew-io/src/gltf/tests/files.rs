//! Files beside the asset.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::super::document::{Document, Use};
use crate::folder::Folder;
use crate::{Error, Options, Outside, Report};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("sinew-io-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("asset/sub")).unwrap();
    fs::write(folder.join("outside.bin"), 1_f32.to_le_bytes()).unwrap();
    fs::write(folder.join("asset/sub/a b.bin"), 2_f32.to_le_bytes()).unwrap();
    fs::write(folder.join("asset/short.bin"), [0; 3]).unwrap();
    symlink("../outside.bin", folder.join("asset/link.bin")).unwrap();
    folder
}

fn read(folder: &Path, uri: &str, outside: Outside) -> Result<f32, Error> {
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":4,"uri":"{uri}"}}],
           "bufferViews":[{{"buffer":0,"byteLength":4}}],
           "accessors":[{{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}}]}}"#
    );
    let path = folder.join("asset/a.gltf");
    fs::write(&path, &text).unwrap();
    let folder = Folder::of(&path, outside);
    let options = Options { outside, ..Options::default() };
    let document = Document::open(text.as_bytes(), Some(&folder), &options, &mut Report::new(false))?;
    document.floats::<1>(0, Use::Times, "").map(|numbers| numbers[0][0])
}

#[test]
fn only_regular_files_below_the_folder_are_opened() {
    let folder = folder("beside");
    let refuse = |uri: &str| read(&folder, uri, Outside::Refuse);
    assert_eq!(refuse("sub/a%20b.bin").unwrap(), 2.0);
    assert_eq!(refuse("./sub/a b.bin").unwrap(), 2.0);
    for uri in [
        "../outside.bin",
        "link.bin",
        "sub",
        ".",
        "a.gltf",
        "sub/../a.gltf",
        "short.bin",
        "missing",
        "/dev/zero",
    ] {
        assert!(refuse(uri).is_err(), "{uri}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_outside_are_opened_when_allowed() {
    let folder = folder("allowed");
    let allow = |uri: &str| read(&folder, uri, Outside::Allow);
    assert_eq!(allow("../outside.bin").unwrap(), 1.0);
    assert_eq!(allow("link.bin").unwrap(), 1.0);
    assert_eq!(allow(folder.join("outside.bin").to_str().unwrap()).unwrap(), 1.0);
    assert!(allow("/dev/zero").is_err());
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_are_refused_without_waiting() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let folder = folder("pipes");
    let pipe = folder.join("asset/pipe.bin");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    for outside in [Outside::Refuse, Outside::Allow] {
        let said = read(&folder, "pipe.bin", outside).unwrap_err().to_string();
        assert!(said.contains("regular file"), "{said}");
    }
    assert!(crate::read(&pipe).unwrap_err().to_string().contains("regular file"));
    assert!(crate::read(&folder).unwrap_err().to_string().contains("a folder"));
    fs::remove_dir_all(folder).unwrap();
}

/// A thousand buffers of one large file would otherwise justify a thousand times its size.
#[test]
fn a_file_that_many_buffers_name_justifies_memory_once() {
    let folder = folder("many");
    fs::write(folder.join("asset/large.bin"), vec![0; 1 << 22]).unwrap();
    let many = |what: &str| (0..40).map(|i| what.replace('#', &i.to_string())).collect::<Vec<_>>().join(",");
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{}],"bufferViews":[{}],"accessors":[{}]}}"#,
        many(r#"{"byteLength":4194304,"uri":"large.bin"}"#),
        many(r##"{"buffer":#,"byteLength":4}"##),
        many(r##"{"bufferView":#,"componentType":5126,"count":1,"type":"SCALAR"}"##)
    );
    let path = folder.join("asset/a.gltf");
    fs::write(&path, &text).unwrap();
    let beside = Folder::of(&path, Outside::Refuse);
    let document =
        Document::open(text.as_bytes(), Some(&beside), &Options::default(), &mut Report::new(false)).unwrap();
    let read = (0..40).filter(|&accessor| document.floats::<1>(accessor, Use::Times, "").is_ok()).count();
    assert!((16..25).contains(&read), "{read}");
    fs::remove_dir_all(folder).unwrap();
}
