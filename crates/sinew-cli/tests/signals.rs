//! INT, TERM and KILL during a bake: whole files or none, and the exit code that a shell gives.
#![cfg(unix)]

mod run;

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use run::Folder;
use sinew_testkit::random::Random;

/// How many times each signal is sent.
const MOMENTS: usize = 40;
/// Ten times as long as the end may take, so that only a hang passes it.
const LIMIT: Duration = Duration::from_secs(2);

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

/// A bake that takes a few hundred milliseconds, most of them writing.
const BAKE: [&str; 6] = ["bake", "@cylinder:1", "--fps", "20", "--force", "-o"];

fn bake(folder: &Folder, out: &str) {
    folder.printed(&[&BAKE[..], &[out]].concat());
}

/// What came of a bake that was cut short.
struct Cut {
    status: ExitStatus,
    /// All that lies in the folder.
    left: Vec<String>,
}

/// Bakes to a file, sends a signal after a moment, and waits for the end.
fn cut_short(folder: &Folder, out: &str, signal: &str, moment: Duration) -> Cut {
    let mut command = run::command(&folder.path, &BAKE);
    command.arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    sleep(moment);
    let sending = Instant::now();
    send(signal, &child);
    // On a busy machine nothing is prompt: sending takes a process, too.
    let limit = LIMIT.max(10 * sending.elapsed());
    let sent = Instant::now();
    let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
    let (took, left) = (sent.elapsed(), folder.names());
    eprintln!("{out}, {signal} after {moment:?}: {status} within {took:?}, left: {left:?}");
    assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    assert!(took < limit, "it took {took:?}, where {limit:?} would be a hang");
    Cut { status, left }
}

/// Moments over the time that the whole bake takes, the same shares of it in every run; and that bake's bytes.
fn moments(folder: &Folder, out: &str, seed: u64) -> (Vec<Duration>, Vec<u8>) {
    let started = Instant::now();
    bake(folder, out);
    let whole = started.elapsed();
    let mut random = Random::new(seed);
    let moments = (0..MOMENTS / 2).map(|_| whole.mul_f32(random.fraction())).collect();
    let bytes = folder.read(out);
    std::fs::remove_file(folder.path.join(out)).expect("it was just written");
    (moments, bytes)
}

/// At any moment: no file and the code of the signal, or the whole file where the bake was quicker.
fn no_file_is_left_by(signal: &str, number: i32) {
    for (out, seed) in [("a.pc2", 1), ("a.npz", 2)] {
        let folder = Folder::new();
        let (moments, whole) = moments(&folder, out, seed);
        let mut cut = 0;
        for moment in moments {
            let Cut { status, left } = cut_short(&folder, out, signal, moment);
            if status.success() {
                assert_eq!(left, [out]);
                assert!(folder.read(out) == whole, "the file is not as it is without a signal");
                std::fs::remove_file(folder.path.join(out)).expect("it is there");
                continue;
            }
            // Before the program has begun, the signal itself ends it: a shell gives the same code.
            let ended = status.code() == Some(128 + number) || status.signal() == Some(number);
            assert!(ended, "{status}");
            // The file was whole already where it is there.
            let expected: &[&str] = if left.is_empty() { &[] } else { &[out] };
            assert_eq!(left, expected);
            for name in left {
                assert!(folder.read(&name) == whole, "a file that is not whole is left");
                std::fs::remove_file(folder.path.join(name)).expect("it is there");
            }
            cut += 1;
        }
        assert!(cut > MOMENTS / 4, "most moments lie within the bake, and {cut} did");
    }
}

#[test]
fn int_leaves_no_file_at_any_moment() {
    no_file_is_left_by("-INT", 2);
}

#[test]
fn term_leaves_no_file_at_any_moment() {
    no_file_is_left_by("-TERM", 15);
}

#[test]
fn kill_leaves_the_old_file_or_none_and_the_next_run_removes_the_rest() {
    for (out, seed, old) in [("a.pc2", 3, Some("old")), ("a.npz", 4, None)] {
        let folder = Folder::new();
        let (moments, whole) = moments(&folder, out, seed);
        let mut temporaries = 0;
        for moment in moments {
            if let Some(old) = old {
                folder.write(out, old);
            }
            let Cut { left, .. } = cut_short(&folder, out, "-KILL", moment);
            let is_temporary =
                |name: &&String| name.starts_with(&format!(".{out}.")) && name.ends_with(".tmp");
            temporaries = temporaries.max(left.iter().filter(is_temporary).count());
            for name in left.iter().filter(|name| !is_temporary(name)) {
                assert_eq!(name, out);
                let found = folder.read(out);
                assert!(found == whole || old.is_some_and(|old| found == old.as_bytes()));
            }
            assert!(old.is_none() || left.iter().any(|name| name == out), "the old file is gone: {left:?}");
        }
        assert!(temporaries > 0, "no moment lay within the writing");
        bake(&folder, out);
        assert_eq!(folder.names(), [out]);
        assert!(folder.read(out) == whole);
    }
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
