//! Every help text teaches: its examples work as they are printed.
#![cfg(unix)]

mod run;

use std::path::Path;
use std::process::Command;

use run::Folder;

const COMMANDS: [&str; 10] =
    ["info", "check", "bake", "cast", "render", "convert", "bench", "isa", "completions", "man"];

/// The lines under `Examples:`.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

fn run_in_shell(folder: &Folder, line: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_sinew")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    let output =
        shell.args(["-ec", line]).current_dir(&folder.path).env("PATH", path).env_remove("SINEW_ISA");
    let output = output.output().expect("a shell");
    assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
}

#[test]
fn every_example_works_as_printed() {
    let of_program: [&[&str]; 1] = [&["--help"]];
    let of_commands = COMMANDS.map(|command| [command, "--help"]);
    for arguments in of_program.into_iter().chain(of_commands.iter().map(|arguments| &arguments[..])) {
        let folder = Folder::new();
        let help = folder.printed(arguments);
        let examples = examples(&help);
        assert!(!examples.is_empty(), "{help}");
        for example in examples {
            run_in_shell(&folder, &example);
        }
    }
}

#[test]
fn help_names_every_command() {
    let help = Folder::new().printed(&["--help"]);
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "no {command} in:\n{help}");
    }
}

#[test]
fn shells_and_the_manual_know_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.printed(&["completions", shell]);
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}");
    }
    assert!(folder.printed(&["man"]).contains(".TH"));
    assert!(folder.printed(&["man", "bake"]).contains("max\\-influences"));
    folder.refused(2, &["man", "fly"]);
    folder.refused(2, &["completions", "basic"]);
}
