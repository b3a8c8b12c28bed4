//! The tour, `sinew isa`, and the environment variable `SINEW_ISA`.

mod support;

use std::process::Output;

use support::{TestFolder, command, error_line, stdout};

/// Runs the program, with `SINEW_ISA` set or unset.
fn sinew(arguments: &[&str], isa: Option<&str>) -> Output {
    let folder = TestFolder::new();
    let mut command = command(&folder.path, arguments);
    if let Some(isa) = isa {
        command.env("SINEW_ISA", isa);
    }
    command.output().expect("the program starts")
}

#[test]
fn without_arguments_the_tour_runs() {
    let text = stdout(&sinew(&[], None));
    for stage in ["64 joints", "pose", "model space", "palette", "skin", "to local space", "Try next"] {
        assert!(text.contains(stage), "no {stage} in:\n{text}");
    }
    assert!(text.contains("The right hand is at (-0.469, 1.320, 0.270) meters."), "{text}");
}

#[test]
fn isa_lists_every_instruction_set_and_the_reason() {
    let text = stdout(&sinew(&["isa"], None));
    for name in ["plain", "sse2", "avx2", "avx512", "neon", "simd128"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "no {name} in:\n{text}");
    }
    assert_eq!(text.matches(" in use ").count(), 1, "{text}");
    assert!(text.contains("the fastest available"), "{text}");
}

#[test]
fn sinew_isa_selects_an_instruction_set() {
    let text = stdout(&sinew(&["isa"], Some("plain")));
    assert!(text.contains("In use: plain (selected by SINEW_ISA)."), "{text}");
    let tour = stdout(&sinew(&[], Some("plain")));
    assert!(tour.contains("running on plain"), "{tour}");
}

#[test]
fn an_empty_sinew_isa_selects_the_fastest() {
    assert!(stdout(&sinew(&["isa"], Some(""))).contains("the fastest available"));
}

#[test]
fn an_unknown_instruction_set_is_bad_usage() {
    for arguments in [&[][..], &["isa"]] {
        let text = error_line(2, &sinew(arguments, Some("mmx")));
        let expected = "sinew: SINEW_ISA: unknown instruction set \"mmx\": \
                        expected one of plain, sse2, avx2, avx512, neon, simd128\n";
        assert_eq!(text, expected);
    }
}

#[test]
fn an_instruction_set_of_another_processor_is_bad_usage() {
    let other = if cfg!(target_arch = "x86_64") { "neon" } else { "sse2" };
    let text = error_line(2, &sinew(&["isa"], Some(other)));
    assert!(text.contains(&format!("{other:?} is not available: not in a program built for")), "{text}");
}

#[test]
fn an_unknown_command_is_bad_usage() {
    let output = sinew(&["fly"], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("fly"));
}

#[test]
fn help_names_commands_and_environment_variables() {
    let text = stdout(&sinew(&["--help"], None));
    for word in ["isa", "SINEW_ISA", "Examples", "tour"] {
        assert!(text.contains(word), "no {word} in:\n{text}");
    }
}
