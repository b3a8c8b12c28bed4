//! Broken files get the verdict that is recorded for them: accept, warn or reject. The files come
//! from `SINEW_DATA`.

use crate::support::data::{data_folder, files_below};
use crate::support::pose_model;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use sinew_io::{Error, Import, ImportOptions, KeyTimes, RepairPolicy};

/// Far more than any of the files needs, even on a busy machine without optimization; an import
/// that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Imports a file. A model must pose and skin to finite vertices.
fn import(path: &Path, options: &ImportOptions) -> Result<Import, Error> {
    let start = Instant::now();
    let import = sinew_io::load_with(path, options);
    assert!(start.elapsed() < PATIENCE, "{}: {:?}", path.display(), start.elapsed());
    let found = import?;
    // Of a model with very many clips, only the first few are checked.
    pose_model::check_finite(&found.model, 8).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Ok(found)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Reject,
    Warn,
    Accept,
}

fn verdict(import: &Result<Import, Error>) -> Verdict {
    match import {
        Err(_) => Verdict::Reject,
        Ok(import) if import.report.is_empty() => Verdict::Accept,
        Ok(_) => Verdict::Warn,
    }
}

#[test]
fn broken_files_get_their_recorded_verdict() {
    let Some(data) = data_folder() else { return };
    let text = std::fs::read_to_string(data.join("hostile/expected.json")).unwrap();
    let expected: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    let strictly = ImportOptions::default().repairs(RepairPolicy::Refuse);
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<_, usize>::new());
    for (file, entry) in &expected {
        let expected_verdict = match entry["expect"].as_str().unwrap() {
            "reject" => Verdict::Reject,
            "warn" => Verdict::Warn,
            _ => Verdict::Accept,
        };
        // MD5 clips need a mesh; the tests of the MD5 importer check them.
        if file.starts_with("md5/") {
            continue;
        }
        let path = data.join("hostile").join(file);
        let found = import(&path, &ImportOptions::default());
        *counts.entry(expected_verdict).or_default() += 1;
        let either = entry["note"].as_str().is_some_and(|note| note.starts_with("or accept"));
        if verdict(&found) != expected_verdict && !(either && verdict(&found) == Verdict::Accept) {
            let message =
                found.as_ref().map_or_else(|error| error.to_string(), |import| import.report.to_string());
            wrong.push(format!(
                "{file}: expected {expected_verdict:?}, found {:?}: {message}",
                verdict(&found)
            ));
        }
        if let Err(error) = &found {
            assert!(!error.to_string().contains('\n') && error.to_string().contains("hostile"), "{error}");
        }
        let strict = verdict(&import(&path, &strictly));
        if (strict == Verdict::Accept) != (verdict(&found) == Verdict::Accept) {
            wrong.push(format!("{file}: strictly {strict:?}"));
        }
    }
    eprintln!("{counts:?} of broken files");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), expected.len(), wrong.join("\n"));
}

#[test]
fn key_times_out_of_order_are_repaired_on_request() {
    let Some(data) = data_folder() else { return };
    let repair = ImportOptions::default().key_times(KeyTimes::Repair);
    for name in ["all_equal", "duplicate", "inf", "nan", "negative", "nonmonotonic"] {
        let path = data.join(format!("hostile/gltf/anim_time_{name}.gltf"));
        let import = import(&path, &repair).unwrap_or_else(|error| panic!("{error}"));
        assert!(!import.report.is_empty(), "{name}");
    }
}

#[test]
fn files_that_broke_other_importers_neither_panic_nor_hang() {
    let Some(data) = data_folder() else { return };
    let folders = ["assimp", "cgltf-fuzz", "gltf-rs", "khronos-validator", "tinygltf", "meshoptimizer-fuzz"];
    for folder in folders {
        let mut counts = BTreeMap::<_, usize>::new();
        for file in files_below(&data.join(folder), &["gltf", "glb", "bin", "json", "md5mesh"]) {
            *counts.entry(verdict(&import(&file, &ImportOptions::default()))).or_default() += 1;
        }
        eprintln!("{folder}: {counts:?}");
    }
}

/// Requirements of valid files that are not supported. The error must name them.
const DEMANDS: [&str; 3] =
    ["KHR_draco_mesh_compression", "FAKE_materials_quantumRendering", "asset.minVersion"];

#[test]
fn valid_models_load() {
    let Some(data) = data_folder() else { return };
    for folder in ["khronos-asset-generator/Positive", "khronos-sample-assets", "rigs", "kaykit-adventurers"]
    {
        let (mut loaded, mut warned, mut refused) = (0, Vec::new(), Vec::new());
        for file in files_below(&data.join(folder), &["gltf", "glb"]) {
            match import(&file, &ImportOptions::default()) {
                Ok(import) => {
                    loaded += 1;
                    if !import.report.is_empty() {
                        warned.push(format!("{}: {}", file.display(), import.report));
                    }
                }
                Err(error) if DEMANDS.iter().any(|demand| error.to_string().contains(demand)) => {}
                Err(error) => refused.push(error.to_string()),
            }
        }
        eprintln!("{folder}: {loaded} loaded, {} with warnings", warned.len());
        warned.iter().for_each(|line| eprintln!("  {line}"));
        assert!(refused.is_empty(), "{}", refused.join("\n"));
    }
}
