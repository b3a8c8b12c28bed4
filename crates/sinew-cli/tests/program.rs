//! The program as its users meet it: what it prints, and how it exits.

use std::process::{Command, Output};

/// Runs the program, with `SINEW_ISA` as given and otherwise unset.
fn sinew(arguments: &[&str], isa: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(arguments).env_remove("SINEW_ISA");
    if let Some(isa) = isa {
        command.env("SINEW_ISA", isa);
    }
    command.output().expect("the program starts")
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// What a refusal says: one line, no output, exit code 2.
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn without_arguments_it_takes_the_tour() {
    let text = printed(&sinew(&[], None));
    for stage in ["64 joints", "pose", "model space", "palette", "skin", "back to local", "Try next"] {
        assert!(text.contains(stage), "no {stage} in:\n{text}");
    }
    assert!(text.contains("The right hand is at (-0.469, 1.320, 0.270) metres."), "{text}");
}

#[test]
fn isa_lists_every_instruction_set_and_says_why() {
    let text = printed(&sinew(&["isa"], None));
    for name in ["plain", "sse2", "avx2", "avx512", "neon", "simd128"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "no {name} in:\n{text}");
    }
    assert_eq!(text.matches(" in use ").count(), 1, "{text}");
    assert!(text.contains("the fastest here"), "{text}");
}

#[test]
fn an_instruction_set_can_be_asked_for() {
    let text = printed(&sinew(&["isa"], Some("plain")));
    assert!(text.contains("In use: plain (SINEW_ISA asks for it)."), "{text}");
    let tour = printed(&sinew(&[], Some("plain")));
    assert!(tour.contains("on plain"), "{tour}");
}

#[test]
fn an_empty_wish_is_none() {
    assert!(printed(&sinew(&["isa"], Some(""))).contains("the fastest here"));
}

#[test]
fn an_unknown_instruction_set_is_bad_usage() {
    for arguments in [&[][..], &["isa"]] {
        let text = refusal(&sinew(arguments, Some("mmx")));
        let expected = "sinew: SINEW_ISA: unknown instruction set \"mmx\": \
                        expected one of plain, sse2, avx2, avx512, neon, simd128\n";
        assert_eq!(text, expected);
    }
}

#[test]
fn an_instruction_set_of_another_processor_is_bad_usage() {
    let other = if cfg!(target_arch = "x86_64") { "neon" } else { "sse2" };
    let text = refusal(&sinew(&["isa"], Some(other)));
    assert!(text.contains(&format!("{other:?} is not available: not in a program built for")), "{text}");
}

#[test]
fn an_unknown_command_is_bad_usage() {
    let output = sinew(&["fly"], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("fly"));
}

#[test]
fn help_names_the_commands_and_the_environment() {
    let text = printed(&sinew(&["--help"], None));
    for word in ["isa", "SINEW_ISA", "Examples", "tour"] {
        assert!(text.contains(word), "no {word} in:\n{text}");
    }
}
