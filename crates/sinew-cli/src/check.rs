//! `sinew check`: lists the errors and warnings of a model.

use std::io::Write;

use clap::Args;
use sinew::Model;
use sinew_io::{
    ClipSummary, Error, ImportOutcome, RepairPolicy, Report, ValidationError, Warning, check_clip,
};

use crate::CliError;
use crate::json::{Value, json};
use crate::model_input::ModelInput;
use crate::text::{count, one_line};

/// The arguments of `sinew check`.
#[derive(Args, Debug)]
#[command(after_help = "\
An error makes a model unusable. A warning reports data that is unusual, or that was repaired
while reading; with --strict, warnings make a model unusable too. All warnings are listed, and
up to a hundred errors: every invalid index, buffer view and accessor of a glTF file. A file
that cannot be parsed ends the check with one error. An MD5 clip, a .md5anim file, can be
checked without its model.

The keys of --json: file, usable, errors (each: location, expected, found, message) and
warnings (each: location, found, action).

Exit code: 0 when the model can be used, 1 when it cannot.

Examples:
  sinew check @figure
  sinew check @cylinder:2 --json")]
pub(crate) struct Check {
    #[command(flatten)]
    input: ModelInput,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// What a check has found.
struct CheckOutcome {
    /// A description of the contents, or why the file cannot be used.
    contents: Result<String, Error>,
    report: Report,
}

pub(crate) fn run(arguments: &Check, out: &mut impl Write) -> Result<(), CliError> {
    let input = &arguments.input;
    let CheckOutcome { contents, report } = check_input(input)?;
    let (warnings, name) = (warning_count(&report), input.name());
    let rejected = input.strict && !report.is_empty();
    if arguments.json {
        print_json(out, input, contents.as_ref().err(), &report)?;
    } else {
        let verdict = if rejected { "unusable" } else { "usable" };
        if let Ok(contents) = &contents {
            writeln!(out, "{}: {contents}; {verdict}; {warnings}", one_line(&name))?;
        }
        for warning in report.warnings() {
            writeln!(out, "  warning: {}", one_line(&warning.to_string()))?;
        }
        for error in report.further_errors() {
            writeln!(out, "  error: {}", one_line(&error.to_string()))?;
        }
    }
    contents?;
    if rejected {
        return Err(CliError::Input(format!("{name}: expected no warnings with --strict, found {warnings}")));
    }
    Ok(())
}

fn check_input(input: &ModelInput) -> Result<CheckOutcome, CliError> {
    // Not strict: the first warning would end the import, and all of them must be listed.
    let options = input.options().repairs(RepairPolicy::Repair);
    if input.model.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md5anim")) {
        return Ok(match check_clip(&input.model, &options) {
            Ok(ClipSummary { frames, joints, report, .. }) => {
                let (frames, joints) = (count(frames, "frame"), count(joints, "joint"));
                CheckOutcome { contents: Ok(format!("a clip with {frames} for {joints}")), report }
            }
            Err(error) => CheckOutcome { contents: Err(error), report: Report::default() },
        });
    }
    let ImportOutcome { model, report, .. } = input.import(&options)?;
    Ok(CheckOutcome { contents: model.map(|model| summarize(&model)), report })
}

fn summarize(model: &Model) -> String {
    let joints = count(model.skeleton().len(), "joint");
    let (instances, clips) =
        (count(model.mesh_instances().len(), "mesh instance"), count(model.clips().len(), "clip"));
    format!("a model with {joints}, {instances} and {clips}")
}

fn warning_count(report: &Report) -> String {
    match report.warnings().len() {
        0 => "no warnings".to_owned(),
        warnings => count(warnings, "warning"),
    }
}

fn print_json(
    out: &mut impl Write,
    input: &ModelInput,
    error: Option<&Error>,
    report: &Report,
) -> Result<(), CliError> {
    let usable = error.is_none() && (report.is_empty() || !input.strict);
    let further = report.further_errors().iter().map(|error| {
        let ValidationError { location, expected, found } = error;
        json!({ "location": location, "expected": expected, "found": found, "message": error.to_string() })
    });
    let value = json!({
        "file": input.name(),
        "usable": usable,
        "errors": error.map(error_json).into_iter().chain(further).collect::<Vec<_>>(),
        "warnings": warnings_json(report),
    });
    Ok(writeln!(out, "{value}")?)
}

/// The warnings of a report as JSON.
pub(crate) fn warnings_json(report: &Report) -> Vec<Value> {
    let value = |warning: &Warning| {
        let Warning { location, found, action } = warning;
        json!({ "location": location, "found": found, "action": action })
    };
    report.warnings().iter().map(value).collect()
}

fn error_json(error: &Error) -> Value {
    let (location, expected, found) = match error {
        Error::Invalid { location, expected, found, .. } => (&**location, &**expected, found.clone()),
        Error::Model { location, source, .. } => (&**location, "", source.to_string()),
        Error::Io { source, .. } => ("", "", source.to_string()),
        _ => ("", "", String::new()),
    };
    json!({ "location": location, "expected": expected, "found": found, "message": error.to_string() })
}
