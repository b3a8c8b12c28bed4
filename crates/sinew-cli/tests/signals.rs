//! INT, TERM and KILL during a bake: whole files or none, and the exit code that a shell gives.
#![cfg(unix)]

mod run;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use run::Folder;
use sinew_testkit::random::Random;

/// How many times each signal is sent for each kind of file.
const MOMENTS: usize = 12;
/// A hundred times as long as the end may take, a flush under way counted in: only a hang passes it.
const LIMIT: Duration = Duration::from_secs(60);
/// How often it is looked whether something has happened.
const LOOK: Duration = Duration::from_micros(500);

/// Starts a bake that takes far longer than the test, and waits until it writes.
fn start(folder: &Folder, out: &str) -> Child {
    let arguments = ["bake", "@figure:20000", "--clip", "wave", "--fps", "3000", "--force", "-o", out];
    let mut command = run::command(&folder.path, &arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    while written(folder, &child).is_none() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended before it wrote");
        sleep(LOOK);
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

/// When a signal is sent.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// As soon as the program has begun.
    Start,
    /// When so many bytes are seen in the temporary file, or the program has ended.
    Written(u64),
}

/// Moments from the first to the last byte, the same in every run.
fn moments(whole: &[u8], seed: u64) -> impl Iterator<Item = Moment> {
    let mut random = Random::new(seed);
    let len = whole.len() as u64;
    let within = move |_| Moment::Written((f64::from(random.fraction()) * len as f64) as u64);
    // When all is written, it is flushed and renamed.
    [Moment::Start, Moment::Written(len)].into_iter().chain((2..MOMENTS).map(within))
}

/// The bytes of a bake that nobody cuts short.
fn whole(folder: &Folder, out: &str) -> Vec<u8> {
    bake(folder, out);
    let bytes = folder.read(out);
    fs::remove_file(folder.path.join(out)).expect("it was just written");
    bytes
}

/// How many bytes the temporary file of a process has; `None` where there is none.
fn written(folder: &Folder, child: &Child) -> Option<u64> {
    let end = format!(".{}.tmp", child.id());
    let name = folder.names().into_iter().find(|name| name.ends_with(&end))?;
    Some(fs::metadata(folder.path.join(name)).ok()?.len())
}

/// Whether the moment has come before the program has ended.
fn has_come(moment: Moment, folder: &Folder, child: &mut Child) -> bool {
    let Moment::Written(bytes) = moment else { return true };
    while written(folder, child).is_none_or(|seen| seen < bytes) {
        if child.try_wait().expect("it can be asked").is_some() {
            return false;
        }
        sleep(LOOK);
    }
    true
}

/// Waits for the end, but not for one that never comes.
fn end(mut child: Child) -> Output {
    let sent = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if sent.elapsed() > LIMIT {
            child.kill().expect("it runs");
            panic!("it goes on after {LIMIT:?}");
        }
        sleep(LOOK);
    }
    child.wait_with_output().expect("it has ended")
}

/// What came of a bake that was cut short.
struct Cut {
    status: ExitStatus,
    /// All that lies in the folder.
    left: Vec<String>,
}

/// Bakes to a file, sends a signal at a moment, and waits for the end.
fn cut_short(folder: &Folder, out: &str, signal: &str, moment: Moment) -> Cut {
    let mut command = run::command(&folder.path, &BAKE);
    command.arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    if has_come(moment, folder, &mut child) {
        send(signal, &child);
    }
    let Output { status, stderr, .. } = end(child);
    let left = folder.names();
    eprintln!("{out}, {signal} at {moment:?}: {status}, left: {left:?}");
    assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    Cut { status, left }
}

/// At any moment: no file and the code of the signal, or the whole file where the bake was quicker.
fn no_file_is_left_by(signal: &str, number: i32) {
    let mut cut = 0;
    for (out, seed) in [("a.pc2", 1), ("a.npz", 2)] {
        let folder = Folder::new();
        let whole = whole(&folder, out);
        for moment in moments(&whole, seed) {
            let Cut { status, left } = cut_short(&folder, out, signal, moment);
            if status.success() {
                assert_eq!(left, [out]);
                assert!(folder.read(out) == whole, "the file is not as it is without a signal");
                fs::remove_file(folder.path.join(out)).expect("it is there");
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
                fs::remove_file(folder.path.join(name)).expect("it is there");
            }
            cut += 1;
        }
    }
    eprintln!("{signal}: {cut} of {} were cut short", 2 * MOMENTS);
    assert!(cut > 0, "no moment came before the end");
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
        let whole = whole(&folder, out);
        let is_temporary = |name: &String| name.starts_with(&format!(".{out}.")) && name.ends_with(".tmp");
        for moment in moments(&whole, seed) {
            if let Some(old) = old {
                folder.write(out, old);
            }
            let Cut { left, .. } = cut_short(&folder, out, "-KILL", moment);
            for name in left.iter().filter(|name| !is_temporary(name)) {
                assert_eq!(name, out);
                let found = folder.read(out);
                assert!(found == whole || old.is_some_and(|old| found == old.as_bytes()));
            }
            assert!(old.is_none() || left.iter().any(|name| name == out), "the old file is gone: {left:?}");
        }
        // One at least is left by a bake that is far from its end.
        let long = start(&folder, out);
        send("-KILL", &long);
        end(long);
        assert!(folder.names().iter().any(is_temporary), "{:?}", folder.names());
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
        let output = end(child);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        assert_eq!(folder.names(), [""; 0]);
    }
}

#[test]
fn a_sequence_that_is_cut_short_keeps_whole_files_only() {
    let folder = Folder::new();
    let mut child = start(&folder, "long.ply");
    while !folder.names().iter().any(|name| name == "long.0002.ply") {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended before the third file");
        sleep(LOOK);
    }
    send("-TERM", &child);
    let output = end(child);
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

#[test]
fn term_ends_a_bake_that_waits_for_somebody_to_read_its_pipe() {
    let folder = Folder::new();
    let pipe = folder.path.join("a.pc2");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let mut command = run::command(&folder.path, &[&BAKE[..], &["a.pc2"]].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    // It opens the pipe for writing, which takes until somebody reads.
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("it can be asked").is_none(), "nobody reads");
    send("-TERM", &child);
    let status = end(child).status;
    assert!(status.code() == Some(143) || status.signal() == Some(15), "{status}");
}
