//! INT and TERM during a long bake: whole files or none, and the exit code that a shell gives.
#![cfg(unix)]

mod run;

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use run::Folder;

/// Starts a bake that takes far longer than the test, and waits until it writes.
fn start(folder: &Folder, out: &str) -> Child {
    let arguments = ["bake", "@figure:20000", "--clip", "wave", "--fps", "3000", "-o", out];
    let mut command = run::command(&folder.path, &arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    while folder.names().is_empty() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended before it wrote");
        sleep(Duration::from_millis(5));
    }
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

#[test]
fn a_file_that_is_cut_short_does_not_appear() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let folder = Folder::new();
        let child = start(&folder, "long.npz");
        send(signal, &child);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        assert_eq!(folder.names(), [""; 0]);
    }
}

#[test]
fn a_sequence_that_is_cut_short_keeps_whole_files_only() {
    let folder = Folder::new();
    let child = start(&folder, "long.ply");
    while !folder.names().iter().any(|name| name == "long.0002.ply") {
        sleep(Duration::from_millis(5));
    }
    send("-TERM", &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    let names = folder.names();
    let len = folder.read("long.0000.ply").len();
    for (frame, name) in names.iter().enumerate() {
        assert_eq!(*name, format!("long.{frame:04}.ply"));
        assert_eq!(folder.read(name).len(), len);
    }
}

#[test]
fn a_file_that_grows_too_large_is_a_failed_write() {
    let folder = Folder::new();
    let line = "ulimit -f 100; exec \"$0\" bake @figure:5000 --fps 60 -o large.pc2";
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", line, env!("CARGO_BIN_EXE_sinew")]).current_dir(&folder.path);
    let output = shell.output().expect("a shell");
    assert!(run::refusal(1, &output).contains("large.pc2"));
    assert_eq!(folder.names(), [""; 0]);
}
