//! Real models and clips, where `SINEW_DATA` has them, against the oracle beside them.

use std::path::{Path, PathBuf};
use std::process::Command;

use sinew::Model;
use sinew_io::{ClipFile, Options, read_with};

use super::skinned::{apart, assert_near, skinned};

/// The folder of models.
fn data() -> Option<PathBuf> {
    let data = std::env::var_os("SINEW_DATA").map(PathBuf::from);
    if data.is_none() {
        eprintln!("skipped: models of MD5, as SINEW_DATA is not set");
    }
    data
}

/// The folder of the oracle, where it can be run.
fn oracle_folder(data: &Path) -> Option<PathBuf> {
    let folder = data.join("../oracle");
    let python = Command::new("python3").arg("--version").output();
    let there = folder.join("oracle_md5.py").exists() && python.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: the oracle of MD5, as python3 or oracle_md5.py is not there");
    }
    there.then_some(folder)
}

/// Every file below the folder whose name ends so, in order.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Asks the oracle for one model in many poses: `bind`, or a frame of a clip as `path=frame`.
const SCRIPT: &str = "
import sys, struct
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import oracle_md5 as o
joints, meshes = o.mesh(sys.argv[2])
for asked in sys.argv[3:]:
    pose = [(j[2], j[3]) for j in joints]
    if asked != 'bind':
        path, frame = asked.rsplit('=', 1)
        pose = o.pose(o.anim(path), float(frame))
    flat = [c for m in o.skin(joints, meshes, pose) for v in m for c in v]
    sys.stdout.buffer.write(struct.pack('<%dd' % len(flat), *flat))
";

fn oracle(folder: &Path, mesh: &Path, asked: &[String]) -> Vec<Vec<[f64; 3]>> {
    let output = Command::new("python3").args(["-c", SCRIPT]).arg(folder).arg(mesh).args(asked).output();
    let output = output.expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let numbers = output.stdout.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes));
    let points = numbers.collect::<Vec<f64>>().as_chunks::<3>().0.to_vec();
    points.chunks(points.len() / asked.len()).map(<[_]>::to_vec).collect()
}

/// The number after a word of a clip's head.
fn number_after(text: &str, word: &str) -> f64 {
    let rest = &text[text.find(word).expect("the word") + word.len()..];
    rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

/// What to ask the oracle for, and what the model has.
fn poses(model: &Model, anims: &[PathBuf]) -> (Vec<String>, Vec<Vec<[f32; 3]>>) {
    let (mut asked, mut found) = (vec!["bind".to_owned()], vec![skinned(model, None).0]);
    for (clip, anim) in model.clips().iter().zip(anims) {
        let text = std::fs::read_to_string(anim).expect("a clip");
        let [frames, rate] = ["numFrames", "frameRate"].map(|word| number_after(&text, word));
        assert!((f64::from(clip.end()) - (frames - 1.0) / rate).abs() < 1e-5 * frames);
        for share in [0.0, 0.37, 0.71, 1.0] {
            let seconds = ((frames - 1.0) * share / rate) as f32;
            asked.push(format!("{}={}", anim.display(), f64::from(seconds) * rate));
            found.push(skinned(model, Some((clip, seconds))).0);
        }
    }
    (asked, found)
}

#[test]
fn real_models_are_where_the_oracle_has_them() {
    let Some(data) = data() else { return };
    let Some(oracle_folder) = oracle_folder(&data) else { return };
    let (mut models, mut clips, mut compared, mut worst) = (0, 0, 0, (0.0_f64, 0.0_f64));
    for mesh in
        ["redeclipse-md5", "unvanquished-md5"].iter().flat_map(|folder| files(&data.join(folder), ".md5mesh"))
    {
        let anims = files(mesh.parent().expect("a folder"), ".md5anim");
        let options =
            Options { clips: anims.iter().cloned().map(ClipFile::Path).collect(), ..Options::default() };
        let read = read_with(&mesh, &options).expect("a real model");
        // The weights of the first sum to 0.5; the second says two meshes and has one.
        let odd = ["mine.md5mesh", "ball.md5mesh"].iter().any(|name| mesh.ends_with(name));
        // Some clips have bounds for other frames than theirs.
        let others =
            read.report.oddities().iter().filter(|oddity| !oddity.done.starts_with("bounds")).count();
        assert_eq!(others, usize::from(odd), "{}: {}", mesh.display(), read.report);
        let (asked, found) = poses(&read.model, &anims);
        for ((what, found), expected) in asked.iter().zip(&found).zip(oracle(&oracle_folder, &mesh, &asked)) {
            let (median, most) = apart(found, &expected);
            worst = (worst.0.max(median), worst.1.max(most));
            assert_near(found, &expected, &format!("{}, {what}", mesh.display()));
        }
        (models, clips, compared) = (models + 1, clips + anims.len(), compared + asked.len());
    }
    let (median, most) = worst;
    eprintln!("{models} models, {clips} clips, {compared} poses: worst median {median:e}, most {most:e}");
    assert!(models >= 17 && clips >= 57);
}

#[test]
fn broken_files_of_others_are_refused() {
    let Some(data) = data() else { return };
    let broken = files(&data.join("assimp/models"), ".md5mesh");
    assert!(!broken.is_empty());
    for file in broken {
        let error = read_with(&file, &Options::default()).expect_err("a broken file").to_string();
        assert!(error.contains(&*file.to_string_lossy()), "{error}");
    }
}
