//! INT, TERM and KILL during a bake: no partial file is left, and the exit code is that of a shell.
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sinew_testkit::random::Random;
use support::TestFolder;

/// How many times each signal is sent for each file format.
const MOMENTS: usize = 12;
/// How long the program may take to exit. A hundred times the time it needs, including a flush, so
/// only a hang exceeds it.
const LIMIT: Duration = Duration::from_secs(60);
/// The interval between two checks of a condition.
const POLL: Duration = Duration::from_micros(500);

/// Starts a bake that takes far longer than the test, and waits until it writes.
fn start_long_bake(folder: &TestFolder, out: &str) -> Child {
    let arguments = ["bake", "@figure:20000", "--clip", "wave", "--fps", "3000", "--force", "-o", out];
    let mut command = support::command(&folder.path, &arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    while temporary_bytes(folder, &child).is_none() {
        assert!(child.try_wait().expect("the status of the child").is_none(), "it ended before it wrote");
        sleep(POLL);
    }
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

/// A bake that takes a few hundred milliseconds, most of them writing.
const BAKE: [&str; 6] = ["bake", "@cylinder:1", "--fps", "20", "--force", "-o"];

fn bake(folder: &TestFolder, out: &str) {
    folder.run(&[&BAKE[..], &[out]].concat());
}

/// When a signal is sent.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Immediately after the program was started.
    Start,
    /// When the temporary file has this many bytes.
    Written(u64),
}

/// Moments from the first byte to the last, the same in every run.
fn moments(complete: &[u8], seed: u64) -> impl Iterator<Item = Moment> {
    let mut random = Random::new(seed);
    let len = complete.len() as u64;
    let within = move |_| Moment::Written((f64::from(random.fraction()) * len as f64) as u64);
    // At the last byte, the file is being flushed and renamed.
    [Moment::Start, Moment::Written(len)].into_iter().chain((2..MOMENTS).map(within))
}

/// The bytes of a bake that is not interrupted.
fn complete_bytes(folder: &TestFolder, out: &str) -> Vec<u8> {
    bake(folder, out);
    let bytes = folder.read(out);
    fs::remove_file(folder.path.join(out)).expect("it was just written");
    bytes
}

/// The size of a process's temporary file; `None` when there is none.
fn temporary_bytes(folder: &TestFolder, child: &Child) -> Option<u64> {
    let end = format!(".{}.tmp", child.id());
    let name = folder.names().into_iter().find(|name| name.ends_with(&end))?;
    Some(fs::metadata(folder.path.join(name)).ok()?.len())
}

/// Waits for the moment; false when the program exits first.
fn wait_for(moment: Moment, folder: &TestFolder, child: &mut Child) -> bool {
    let Moment::Written(bytes) = moment else { return true };
    while temporary_bytes(folder, child).is_none_or(|seen| seen < bytes) {
        if child.try_wait().expect("the status of the child").is_some() {
            return false;
        }
        sleep(POLL);
    }
    true
}

/// Waits until the program exits; panics after [`LIMIT`].
fn wait_for_exit(mut child: Child) -> Output {
    let sent = Instant::now();
    while child.try_wait().expect("the status of the child").is_none() {
        if sent.elapsed() > LIMIT {
            child.kill().expect("it runs");
            panic!("it goes on after {LIMIT:?}");
        }
        sleep(POLL);
    }
    child.wait_with_output().expect("it has ended")
}

/// The result of an interrupted bake.
struct Interrupted {
    status: ExitStatus,
    /// The names of all files in the folder.
    left: Vec<String>,
}

/// Starts a bake, sends a signal at a moment, and waits until the program exits.
fn interrupt_bake(folder: &TestFolder, out: &str, signal: &str, moment: Moment) -> Interrupted {
    let mut command = support::command(&folder.path, &BAKE);
    command.arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    if wait_for(moment, folder, &mut child) {
        send(signal, &child);
    }
    let Output { status, stderr, .. } = wait_for_exit(child);
    let left = folder.names();
    eprintln!("{out}, {signal} at {moment:?}: {status}, left: {left:?}");
    assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    Interrupted { status, left }
}

/// Checks at many moments that a signal leaves no file and sets the exit code, or that the bake was
/// faster and its file is complete.
fn check_no_partial_file(signal: &str, number: i32) {
    let mut interrupted = 0;
    for (out, seed) in [("a.pc2", 1), ("a.npz", 2)] {
        let folder = TestFolder::new();
        let complete = complete_bytes(&folder, out);
        for moment in moments(&complete, seed) {
            let Interrupted { status, left } = interrupt_bake(&folder, out, signal, moment);
            if status.success() {
                assert_eq!(left, [out]);
                assert!(
                    folder.read(out) == complete,
                    "the file differs from that of a bake without a signal"
                );
                fs::remove_file(folder.path.join(out)).expect("it is there");
                continue;
            }
            // Before the handler is installed, the signal itself kills the program; a shell reports
            // the same code.
            let ended = status.code() == Some(128 + number) || status.signal() == Some(number);
            assert!(ended, "{status}");
            // A file that exists was complete before the signal.
            let expected: &[&str] = if left.is_empty() { &[] } else { &[out] };
            assert_eq!(left, expected);
            for name in left {
                assert!(folder.read(&name) == complete, "a partial file is left");
                fs::remove_file(folder.path.join(name)).expect("it is there");
            }
            interrupted += 1;
        }
    }
    eprintln!("{signal}: {interrupted} of {} were interrupted", 2 * MOMENTS);
    assert!(interrupted > 0, "every bake ended before its signal");
}

#[test]
fn int_at_any_moment_leaves_no_partial_file() {
    check_no_partial_file("-INT", 2);
}

#[test]
fn term_at_any_moment_leaves_no_partial_file() {
    check_no_partial_file("-TERM", 15);
}

#[test]
fn kill_keeps_the_old_file_and_the_next_run_removes_temporary_files() {
    for (out, seed, old) in [("a.pc2", 3, Some("old")), ("a.npz", 4, None)] {
        let folder = TestFolder::new();
        let complete = complete_bytes(&folder, out);
        let is_temporary = |name: &String| name.starts_with(&format!(".{out}.")) && name.ends_with(".tmp");
        for moment in moments(&complete, seed) {
            if let Some(old) = old {
                folder.write(out, old);
            }
            let Interrupted { left, .. } = interrupt_bake(&folder, out, "-KILL", moment);
            for name in left.iter().filter(|name| !is_temporary(name)) {
                assert_eq!(name, out);
                let found = folder.read(out);
                assert!(found == complete || old.is_some_and(|old| found == old.as_bytes()));
            }
            assert!(old.is_none() || left.iter().any(|name| name == out), "the old file is gone: {left:?}");
        }
        // A bake that is killed far from its end leaves a temporary file for certain.
        let long = start_long_bake(&folder, out);
        send("-KILL", &long);
        wait_for_exit(long);
        assert!(folder.names().iter().any(is_temporary), "{:?}", folder.names());
        bake(&folder, out);
        assert_eq!(folder.names(), [out]);
        assert!(folder.read(out) == complete);
    }
}

#[test]
fn an_interrupted_bake_leaves_an_empty_folder() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let folder = TestFolder::new();
        let child = start_long_bake(&folder, "long.npz");
        send(signal, &child);
        let output = wait_for_exit(child);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let mut messages = output.stderr.split_inclusive(|&byte| byte == b'\n');
        assert!(messages.all(|line| line.starts_with(b"sinew: note: ")), "{output:?}");
        assert_eq!(folder.names(), [""; 0]);
    }
}

#[test]
fn an_interrupted_sequence_keeps_complete_files_only() {
    let folder = TestFolder::new();
    let mut child = start_long_bake(&folder, "long.ply");
    while !folder.names().iter().any(|name| name == "long.0002.ply") {
        assert!(
            child.try_wait().expect("the status of the child").is_none(),
            "it ended before the third file"
        );
        sleep(POLL);
    }
    send("-TERM", &child);
    let output = wait_for_exit(child);
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    let names = folder.names();
    let len = folder.read("long.0000.ply").len();
    for (frame, name) in names.iter().enumerate() {
        assert_eq!(*name, format!("long.{frame:04}.ply"));
        assert_eq!(folder.read(name).len(), len);
    }
}

#[test]
fn exceeding_the_file_size_limit_is_a_write_error() {
    let folder = TestFolder::new();
    let line = "ulimit -f 100; exec \"$0\" bake @figure:5000 --fps 60 -o large.pc2";
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", line, env!("CARGO_BIN_EXE_sinew")]).current_dir(&folder.path);
    let output = shell.output().expect("a shell");
    assert!(support::error_line(1, &output).contains("large.pc2"));
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn term_ends_a_bake_that_waits_for_a_reader_of_its_pipe() {
    let folder = TestFolder::new();
    let pipe = folder.path.join("a.pc2");
    let status = Command::new("mkfifo").arg(&pipe).status();
    assert!(status.expect("mkfifo exists").success());
    let mut command = support::command(&folder.path, &[&BAKE[..], &["a.pc2"]].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    // The program opens the pipe for writing, which blocks until there is a reader.
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("the status of the child").is_none(), "the pipe has no reader");
    send("-TERM", &child);
    let status = wait_for_exit(child).status;
    assert!(status.code() == Some(143) || status.signal() == Some(15), "{status}");
}
