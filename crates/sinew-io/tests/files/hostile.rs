//! Broken files get the verdict that is due to them. The files lie where `SINEW_DATA` points.

use crate::posed;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use sinew_io::{Error, KeyTimes, Oddities, Options, Read};

/// Far above what any of the files takes, and far below a hang, on a busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(60);

fn data() -> Option<PathBuf> {
    let data = std::env::var_os("SINEW_DATA").map(PathBuf::from);
    if data.is_none() {
        eprintln!("skipped: SINEW_DATA does not say where the files are");
    }
    data
}

/// Reads a file; what is read must pose and skin, and say something finite where its joints are.
fn read(path: &Path, options: &Options) -> Result<Read, Error> {
    let start = Instant::now();
    let read = sinew_io::read_with(path, options);
    assert!(start.elapsed() < PATIENCE, "{}: {:?}", path.display(), start.elapsed());
    let found = read?;
    // A model of very many clips is looked at in the first few.
    posed::finite_from_finite(&found.model, 8).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    Ok(found)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Reject,
    Warn,
    Accept,
}

fn verdict(read: &Result<Read, Error>) -> Verdict {
    match read {
        Err(_) => Verdict::Reject,
        Ok(read) if read.report.is_empty() => Verdict::Accept,
        Ok(_) => Verdict::Warn,
    }
}

#[test]
fn broken_files_get_their_verdict() {
    let Some(data) = data() else { return };
    let text = std::fs::read_to_string(data.join("hostile/expected.json")).unwrap();
    let expected: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    let strictly = Options { oddities: Oddities::Refuse, ..Options::default() };
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<_, usize>::new());
    for (file, entry) in &expected {
        let wanted = match entry["expect"].as_str().unwrap() {
            "reject" => Verdict::Reject,
            "warn" => Verdict::Warn,
            _ => Verdict::Accept,
        };
        // Clips of MD5 belong to a mesh; their own tests have both.
        if file.starts_with("md5/") {
            continue;
        }
        let path = data.join("hostile").join(file);
        let found = read(&path, &Options::default());
        *counts.entry(wanted).or_default() += 1;
        let either = entry["note"].as_str().is_some_and(|note| note.starts_with("or accept"));
        if verdict(&found) != wanted && !(either && verdict(&found) == Verdict::Accept) {
            let said = found.as_ref().map_or_else(|error| error.to_string(), |read| read.report.to_string());
            wrong.push(format!("{file}: expected {wanted:?}, found {:?}: {said}", verdict(&found)));
        }
        if let Err(error) = &found {
            assert!(!error.to_string().contains('\n') && error.to_string().contains("hostile"), "{error}");
        }
        let strict = verdict(&read(&path, &strictly));
        if (strict == Verdict::Accept) != (verdict(&found) == Verdict::Accept) {
            wrong.push(format!("{file}: strictly {strict:?}"));
        }
    }
    eprintln!("{counts:?} of broken files");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), expected.len(), wrong.join("\n"));
}

#[test]
fn key_times_out_of_order_are_repaired_on_request() {
    let Some(data) = data() else { return };
    let repair = Options { key_times: KeyTimes::Repair, ..Options::default() };
    for name in ["all_equal", "duplicate", "inf", "nan", "negative", "nonmonotonic"] {
        let path = data.join(format!("hostile/gltf/anim_time_{name}.gltf"));
        let read = read(&path, &repair).unwrap_or_else(|error| panic!("{error}"));
        assert!(!read.report.is_empty(), "{name}");
    }
}

/// Everything below a folder with one of the endings, without recursion.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let (mut files, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of models") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|end| endings.iter().any(|ending| end == *ending)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn files_that_broke_others_neither_panic_nor_hang() {
    let Some(data) = data() else { return };
    let folders = ["assimp", "cgltf-fuzz", "gltf-rs", "khronos-validator", "tinygltf", "meshoptimizer-fuzz"];
    for folder in folders {
        let mut counts = BTreeMap::<_, usize>::new();
        for file in files(&data.join(folder), &["gltf", "glb", "bin", "json", "md5mesh"]) {
            *counts.entry(verdict(&read(&file, &Options::default()))).or_default() += 1;
        }
        eprintln!("{folder}: {counts:?}");
    }
}

/// What sound files demand that is not here, and that an error must name.
const DEMANDS: [&str; 3] =
    ["KHR_draco_mesh_compression", "FAKE_materials_quantumRendering", "asset.minVersion"];

#[test]
fn sound_models_load() {
    let Some(data) = data() else { return };
    for folder in ["khronos-asset-generator/Positive", "khronos-sample-assets", "rigs", "kaykit-adventurers"]
    {
        let (mut loaded, mut odd, mut refused) = (0, Vec::new(), Vec::new());
        for file in files(&data.join(folder), &["gltf", "glb"]) {
            match read(&file, &Options::default()) {
                Ok(read) => {
                    loaded += 1;
                    if !read.report.is_empty() {
                        odd.push(format!("{}: {}", file.display(), read.report));
                    }
                }
                Err(error) if DEMANDS.iter().any(|demand| error.to_string().contains(demand)) => {}
                Err(error) => refused.push(error.to_string()),
            }
        }
        eprintln!("{folder}: {loaded} loaded, {} with oddities", odd.len());
        odd.iter().for_each(|line| eprintln!("  {line}"));
        assert!(refused.is_empty(), "{}", refused.join("\n"));
    }
}
