//! Help texts, completions and manual pages. Every printed example must work.
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::Command;

use support::TestFolder;

const COMMANDS: [&str; 10] =
    ["info", "check", "bake", "cast", "render", "convert", "bench", "isa", "completions", "man"];

/// The lines below `Examples:`.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

/// Runs a line in a shell, with the program in its path. It must succeed without messages.
fn run_in_shell(folder: &TestFolder, line: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_sinew")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    let output =
        shell.args(["-ec", line]).current_dir(&folder.path).env("PATH", path).env_remove("SINEW_ISA");
    let output = output.output().expect("a shell");
    assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
}

#[test]
fn every_example_of_the_help_works() {
    let program_help: [&[&str]; 1] = [&["--help"]];
    let command_helps = COMMANDS.map(|command| [command, "--help"]);
    for arguments in program_help.into_iter().chain(command_helps.iter().map(|arguments| &arguments[..])) {
        let folder = TestFolder::new();
        let help = folder.run(arguments);
        let examples = examples(&help);
        assert!(!examples.is_empty(), "{help}");
        for example in examples {
            run_in_shell(&folder, &example);
        }
    }
}

#[test]
fn lines_of_the_help_fit_a_terminal_of_a_hundred_columns() {
    let folder = TestFolder::new();
    let helps = COMMANDS.map(|command| folder.run(&[command, "--help"]));
    for line in helps.iter().chain([&folder.run(&["--help"])]).flat_map(|help| help.lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn help_names_every_command() {
    let help = TestFolder::new().run(&["--help"]);
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "no {command} in:\n{help}");
    }
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let folder = TestFolder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(&["completions", shell]);
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}");
    }
    assert!(folder.run(&["man"]).contains(".TH"));
    assert!(folder.run(&["man", "bake"]).contains("max\\-influences"));
    let message = folder.run_error(2, &["man", "fly"]);
    assert!(
        message.contains("no command is named \"fly\"; expected one of info, check, bake, "),
        "{message}"
    );
    folder.run_error(2, &["completions", "basic"]);
}
