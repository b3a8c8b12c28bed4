//! External files.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::super::document::{AccessorUse, Document};
use super::super::source::GltfSource;
use crate::error::BoxedError as Error;
use crate::sandbox::SandboxedFolder;
use crate::scene::Budget;
use crate::{ExternalFiles, ImportOptions, Report};

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

fn read(folder: &Path, uri: &str, outside: ExternalFiles) -> Result<f32, Error> {
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":4,"uri":"{uri}"}}],
           "bufferViews":[{{"buffer":0,"byteLength":4}}],
           "accessors":[{{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}}]}}"#
    );
    let path = folder.join("asset/a.gltf");
    fs::write(&path, &text).unwrap();
    let folder = SandboxedFolder::containing(&path, outside);
    let options = ImportOptions::default().external_files(outside);
    let budget = Budget::new(&options, text.len() as u64);
    let report = &mut Report::new(false);
    let source = GltfSource::parse(text.as_bytes(), &budget, report)?;
    let document = Document::open(&source, Some(&folder), &budget, report)?;
    document.floats::<1>(0, AccessorUse::Times, &"").map(|numbers| numbers[0][0])
}

#[test]
fn only_regular_files_below_the_folder_are_opened() {
    let folder = folder("external");
    let refuse = |uri: &str| read(&folder, uri, ExternalFiles::WithinFolder);
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
fn files_outside_the_folder_are_opened_if_allowed() {
    let folder = folder("allowed");
    let allow = |uri: &str| read(&folder, uri, ExternalFiles::Anywhere);
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
    for outside in [ExternalFiles::WithinFolder, ExternalFiles::Anywhere] {
        let said = read(&folder, "pipe.bin", outside).unwrap_err().to_string();
        assert!(said.contains("regular file"), "{said}");
    }
    assert!(crate::load(&pipe).unwrap_err().to_string().contains("regular file"));
    assert!(crate::load(&folder).unwrap_err().to_string().contains("a folder"));
    fs::remove_dir_all(folder).unwrap();
}

/// Otherwise a thousand buffers of one large file would increase the budget by a thousand times its
/// size.
#[test]
fn file_of_many_buffers_increases_the_budget_once() {
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
    let sandbox = SandboxedFolder::containing(&path, ExternalFiles::WithinFolder);
    let budget = Budget::new(&ImportOptions::default(), text.len() as u64);
    let report = &mut Report::new(false);
    let source = GltfSource::parse(text.as_bytes(), &budget, report).unwrap();
    let document = Document::open(&source, Some(&sandbox), &budget, report).unwrap();
    let read =
        (0..40).filter(|&accessor| document.floats::<1>(accessor, AccessorUse::Times, &"").is_ok()).count();
    assert!((16..25).contains(&read), "{read}");
    fs::remove_dir_all(folder).unwrap();
}
