//! No file outside the model's folder is opened, according to the system calls.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable with the folder of the models, set for the traced process.
const FOLDER: &str = "SINEW_TEST_OUTSIDE";

/// All kinds of paths that lead out of a folder.
fn ways_out(secret: &Path) -> Vec<String> {
    let absolute = secret.to_str().expect("a name in UTF-8");
    let mut ways: Vec<String> = [
        "../secret.bin",
        "sub/../../secret.bin",
        "./../secret.bin",
        "%2e%2e/secret.bin",
        "..%2fsecret.bin",
        "%2e%2e%2fsecret.bin",
        "..\\\\secret.bin",
        "sub\\\\..\\\\..\\\\secret.bin",
        "link.bin",
        "linked/secret.bin",
        "C:/secret.bin",
        "//host/secret.bin",
        "https://127.0.0.1/secret.bin",
    ]
    .map(str::to_owned)
    .into();
    ways.extend([absolute.to_owned(), format!("file://{absolute}"), absolute.replace('/', "%2f")]);
    ways
}

fn model(folder: &Path, number: usize, uri: &str) -> PathBuf {
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],
           "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
           "buffers":[{{"byteLength":12,"uri":"{uri}"}}],"bufferViews":[{{"buffer":0,"byteLength":12}}],
           "accessors":[{{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}}],
           "images":[{{"uri":"{uri}"}}]}}"#
    );
    let path = folder.join(format!("asset/{number}.gltf"));
    fs::write(&path, text).expect("a folder to write to");
    path
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("outside-{}", std::process::id()));
    fs::create_dir_all(folder.join("asset/sub")).expect("a folder of our own");
    fs::write(folder.join("secret.bin"), [0; 12]).expect("a file of our own");
    symlink("../secret.bin", folder.join("asset/link.bin")).expect("a link");
    symlink("..", folder.join("asset/linked")).expect("a link");
    folder
}

/// Loads all these models in the traced process; does nothing otherwise.
#[test]
fn models_that_refer_to_files_outside_are_refused() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    for (number, uri) in ways_out(&folder.join("secret.bin")).iter().enumerate() {
        let path = model(&folder, number, uri);
        let error = sinew_io::load(&path).expect_err(uri).to_string();
        assert!(error.contains("buffers[0]"), "{uri}: {error}");
    }
}

#[test]
fn no_file_outside_the_folder_is_opened() {
    let folder = folder();
    let log = folder.join("trace.txt");
    let program = std::env::current_exe().expect("the name of this program");
    let traced = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=open,openat,openat2", "-o"])
        .arg(&log)
        .arg(program)
        .args(["--exact", "sandbox::models_that_refer_to_files_outside_are_refused"])
        .env(FOLDER, &folder)
        .output();
    match traced {
        Ok(output) if output.status.success() => {
            let log = fs::read_to_string(&log).expect("what was traced");
            assert!(log.contains("0.gltf"), "the models were opened");
            let opened = log.lines().filter(|line| line.contains("secret.bin") && !line.contains("= -1"));
            assert_eq!(opened.collect::<Vec<_>>(), [""; 0]);
        }
        Ok(output) if String::from_utf8_lossy(&output.stderr).contains("ptrace") => {
            eprintln!("skipped: strace (it may not trace here)");
        }
        Ok(output) => {
            panic!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
        }
        Err(_) => eprintln!("skipped: strace (it is not installed)"),
    }
    fs::remove_dir_all(folder).expect("the folder of our own");
}
