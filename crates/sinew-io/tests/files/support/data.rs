//! The folder of test models.

use std::path::{Path, PathBuf};

/// The folder that `SINEW_DATA` names. Without it, prints that the test is skipped.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("SINEW_DATA").map(PathBuf::from);
    if folder.is_none() {
        let thread = std::thread::current();
        eprintln!("skipped: {}, as SINEW_DATA is not set", thread.name().unwrap_or("a test"));
    }
    folder
}

/// All files below a folder with one of these extensions, sorted.
pub(crate) fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of models") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
