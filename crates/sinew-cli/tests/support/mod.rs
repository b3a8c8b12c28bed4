//! Test support: runs the program in a temporary folder, and small MD5 files.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A temporary folder that is removed when it is dropped.
pub(crate) struct TestFolder {
    pub(crate) path: PathBuf,
}

impl TestFolder {
    pub(crate) fn new() -> Self {
        static CREATED: AtomicUsize = AtomicUsize::new(0);
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sinew-cli-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self { path }
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path.join(name), contents).expect("a file for the test");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files, including hidden ones, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).expect("the folder exists");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs the program in the folder.
    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        command(&self.path, arguments).output().expect("the program starts")
    }

    /// Runs the program with these bytes on its standard input.
    pub(crate) fn output_with_input(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = command(&self.path, arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("it was piped");
        // The program may stop reading before the end.
        let _ = stdin.write_all(input);
        drop(stdin);
        child.wait_with_output().expect("the program ends")
    }

    /// Runs the program, which must succeed without messages, and returns its output.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        stdout(&self.output(arguments))
    }

    /// Runs the program, which must succeed with a note, and returns its output.
    pub(crate) fn run_with_note(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(output.status.success() && output.stderr.starts_with(b"sinew: note: "), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Runs the program, which must fail with this exit code, and returns its one-line message.
    pub(crate) fn run_error(&self, code: i32, arguments: &[&str]) -> String {
        error_line(code, &self.output(arguments))
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A command that runs the program in a folder.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.current_dir(folder).args(arguments).env_remove("SINEW_ISA");
    command
}

/// The output of a run that succeeded without messages.
pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The message of a run that failed with this exit code: one line, and no output.
pub(crate) fn error_line(code: i32, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("sinew: "), "{text}");
    text
}

/// An MD5 model with two joints and one triangle.
pub(crate) const MD5_MESH: &str = r#"MD5Version 10
commandline ""
numJoints 2
numMeshes 1
joints {
	"root" -1 ( 0 0 0 ) ( 0 0 0 )
	"tip" 0 ( 0 0 1 ) ( 0 0 0 )
}
mesh {
	shader "skin"
	numverts 3
	vert 0 ( 0 0 ) 0 1
	vert 1 ( 1 0 ) 1 1
	vert 2 ( 0 1 ) 2 1
	numtris 1
	tri 0 0 1 2
	numweights 3
	weight 0 0 1 ( 0 0 0 )
	weight 1 0 1 ( 1 0 0 )
	weight 2 1 1 ( 0 1 0 )
}
"#;

/// A clip for the model: three frames, two per second, in which the root rises by one unit each.
pub(crate) const MD5_ANIM: &str = r#"MD5Version 10
commandline ""
numFrames 3
numJoints 2
frameRate 2
numAnimatedComponents 1
hierarchy {
	"root" -1 4 0
	"tip" 0 0 0
}
bounds {
	( 0 0 0 ) ( 1 1 1 )
	( 0 0 0 ) ( 1 1 1 )
	( 0 0 0 ) ( 1 1 1 )
}
baseframe {
	( 0 0 0 ) ( 0 0 0 )
	( 0 0 1 ) ( 0 0 0 )
}
frame 0 {
	0
}
frame 1 {
	1
}
frame 2 {
	2
}
"#;
