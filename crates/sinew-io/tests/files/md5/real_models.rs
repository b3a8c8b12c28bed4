//! Real models and clips from `SINEW_DATA` match the oracle that comes with them.

use std::path::{Path, PathBuf};
use std::process::Command;

use sinew::Model;
use sinew_io::{ClipFile, ImportOptions, load_with};

use crate::support::data::{data_folder, files_below};
use crate::support::md5::skin_model::{assert_near, relative_errors, skin_model};

/// The folder of the oracle, if it can be run.
fn oracle_folder(data: &Path) -> Option<PathBuf> {
    let folder = data.join("../oracle");
    let python = Command::new("python3").arg("--version").output();
    let there = folder.join("oracle_md5.py").exists() && python.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: the oracle of MD5, as python3 or oracle_md5.py is not there");
    }
    there.then_some(folder)
}

/// Evaluates one model in many poses: `bind`, or a frame of a clip as `path=frame`.
const SCRIPT: &str = "
import sys, struct
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import oracle_md5 as o
joints, meshes = o.mesh(sys.argv[2])
for poses in sys.argv[3:]:
    pose = [(j[2], j[3]) for j in joints]
    if poses != 'bind':
        path, frame = poses.rsplit('=', 1)
        pose = o.pose(o.anim(path), float(frame))
    flat = [c for m in o.skin(joints, meshes, pose) for v in m for c in v]
    sys.stdout.buffer.write(struct.pack('<%dd' % len(flat), *flat))
";

fn oracle(folder: &Path, mesh: &Path, poses: &[String]) -> Vec<Vec<[f64; 3]>> {
    let output = Command::new("python3").args(["-c", SCRIPT]).arg(folder).arg(mesh).args(poses).output();
    let output = output.expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let numbers = output.stdout.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes));
    let points = numbers.collect::<Vec<f64>>().as_chunks::<3>().0.to_vec();
    points.chunks(points.len() / poses.len()).map(<[_]>::to_vec).collect()
}

/// The number after a keyword in a clip's header.
fn number_after(text: &str, word: &str) -> f64 {
    let rest = &text[text.find(word).expect("the word") + word.len()..];
    rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

/// The poses for the oracle, and the positions of the model in these poses.
fn oracle_poses(model: &Model, anims: &[PathBuf]) -> (Vec<String>, Vec<Vec<[f32; 3]>>) {
    let (mut poses, mut found) = (vec!["bind".to_owned()], vec![skin_model(model, None).0]);
    for (clip, anim) in model.clips().iter().zip(anims) {
        let text = std::fs::read_to_string(anim).expect("a clip");
        let [frames, rate] = ["numFrames", "frameRate"].map(|word| number_after(&text, word));
        assert!((f64::from(clip.end()) - (frames - 1.0) / rate).abs() < 1e-5 * frames);
        for share in [0.0, 0.37, 0.71, 1.0] {
            let seconds = ((frames - 1.0) * share / rate) as f32;
            poses.push(format!("{}={}", anim.display(), f64::from(seconds) * rate));
            found.push(skin_model(model, Some((clip, seconds))).0);
        }
    }
    (poses, found)
}

#[test]
fn real_models_match_the_oracle() {
    let Some(data) = data_folder() else { return };
    let Some(oracle_folder) = oracle_folder(&data) else { return };
    let (mut models, mut clips, mut compared, mut worst) = (0, 0, 0, (0.0_f64, 0.0_f64));
    for mesh in ["redeclipse-md5", "unvanquished-md5"]
        .iter()
        .flat_map(|folder| files_below(&data.join(folder), &["md5mesh"]))
    {
        let anims = files_below(mesh.parent().expect("a folder"), &["md5anim"]);
        let options = ImportOptions::default().clips(anims.iter().cloned().map(ClipFile::Path).collect());
        let import = load_with(&mesh, &options).expect("a real model");
        // The weights of the first sum to 0.5; the second declares two meshes and has one.
        let has_warning = ["mine.md5mesh", "ball.md5mesh"].iter().any(|name| mesh.ends_with(name));
        // Some clips have another number of bounds than frames.
        let others =
            import.report.warnings().iter().filter(|warning| !warning.action.starts_with("bounds")).count();
        assert_eq!(others, usize::from(has_warning), "{}: {}", mesh.display(), import.report);
        let (poses, found) = oracle_poses(&import.model, &anims);
        for ((what, found), expected) in poses.iter().zip(&found).zip(oracle(&oracle_folder, &mesh, &poses)) {
            let (median, most) = relative_errors(found, &expected);
            worst = (worst.0.max(median), worst.1.max(most));
            assert_near(found, &expected, &format!("{}, {what}", mesh.display()));
        }
        (models, clips, compared) = (models + 1, clips + anims.len(), compared + poses.len());
    }
    let (median, most) = worst;
    eprintln!("{models} models, {clips} clips, {compared} poses: worst median {median:e}, most {most:e}");
    assert!(models >= 17 && clips >= 57);
}

#[test]
fn broken_files_of_other_projects_are_refused() {
    let Some(data) = data_folder() else { return };
    let broken = files_below(&data.join("assimp/models"), &["md5mesh"]);
    assert!(!broken.is_empty());
    for file in broken {
        let error = load_with(&file, &ImportOptions::default()).expect_err("a broken file").to_string();
        assert!(error.contains(&*file.to_string_lossy()), "{error}");
    }
}
