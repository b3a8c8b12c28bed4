//! `sinew check`: whether a model can be used, and what is odd about it.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};
use sinew::Model;
use sinew_io::{Error, Fault, LoneClip, Noted, Oddities, Oddity, Options, Report, check_clip};

use crate::Failure;
use crate::source::Source;
use crate::words::{count, one_line};

/// What to check.
#[derive(Args, Debug)]
#[command(after_help = "\
A file of MD5 may also be a clip alone, an .md5anim. Of a document of glTF every index,
view and accessor that is at fault is listed, up to a hundred; where bytes or words cannot
be made out at all, reading ends there. What was odd before is listed too. With --strict
anything odd makes the model unusable; all of it is listed still.

The keys of --json: file, usable, faults (each: place, expected, found, text) and
oddities (each: place, found, done).

Exit code: 0 when the model can be used, 1 when it cannot.

Examples:
  sinew check @figure
  sinew check @cylinder:2 --json")]
pub(crate) struct Check {
    #[command(flatten)]
    source: Source,

    /// Print JSON, for machines
    #[arg(long)]
    json: bool,
}

/// What was found.
struct Found {
    /// What the file holds, in words, or why it cannot be used.
    holds: Result<String, Error>,
    report: Report,
}

pub(crate) fn run(arguments: &Check, out: &mut impl Write) -> Result<(), Failure> {
    let source = &arguments.source;
    let Found { holds, report } = look(source)?;
    let (odd, name) = (oddities(&report), source.name());
    let refused = source.strict && !report.is_empty();
    if arguments.json {
        print_json(out, source, holds.as_ref().err(), &report)?;
    } else {
        let verdict = if refused { "cannot be used" } else { "can be used" };
        if let Ok(holds) = &holds {
            writeln!(out, "{}: {holds}; {verdict}; {odd}", one_line(&name))?;
        }
        for oddity in report.oddities() {
            writeln!(out, "  {}", one_line(&oddity.to_string()))?;
        }
        for fault in report.further_faults() {
            writeln!(out, "  also {}", one_line(&fault.to_string()))?;
        }
    }
    holds?;
    if refused {
        return Err(Failure::Input(format!(
            "{name}: expected nothing odd, when reading strictly, found {odd}"
        )));
    }
    Ok(())
}

fn look(source: &Source) -> Result<Found, Failure> {
    // All that is odd is to be listed, so nothing of it may end the reading.
    let options = Options { oddities: Oddities::Mend, ..source.options() };
    if source.model.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md5anim")) {
        return Ok(match check_clip(&source.model, &options) {
            Ok(LoneClip { frames, joints, report, .. }) => {
                let (frames, joints) = (count(frames, "frame"), count(joints, "joint"));
                Found { holds: Ok(format!("a clip of {frames} for {joints}")), report }
            }
            Err(error) => Found { holds: Err(error), report: Report::default() },
        });
    }
    let Noted { model, report, .. } = source.look(&options)?;
    Ok(Found { holds: model.map(|model| in_words(&model)), report })
}

fn in_words(model: &Model) -> String {
    let joints = count(model.skeleton().len(), "joint");
    let (parts, clips) = (count(model.parts().len(), "part"), count(model.clips().len(), "clip"));
    format!("a model of {joints}, {parts} and {clips}")
}

fn oddities(report: &Report) -> String {
    match report.oddities().len() {
        0 => "nothing is odd".to_owned(),
        1 => "one oddity".to_owned(),
        odd => format!("{odd} oddities"),
    }
}

fn print_json(
    out: &mut impl Write,
    source: &Source,
    error: Option<&Error>,
    report: &Report,
) -> Result<(), Failure> {
    let usable = error.is_none() && (report.is_empty() || !source.strict);
    let further = report.further_faults().iter().map(|fault| {
        let Fault { place, expected, found } = fault;
        json!({ "place": place, "expected": expected, "found": found, "text": fault.to_string() })
    });
    let value = json!({
        "file": source.name(),
        "usable": usable,
        "faults": error.map(fault).into_iter().chain(further).collect::<Vec<_>>(),
        "oddities": oddities_json(report),
    });
    Ok(writeln!(out, "{value:#}")?)
}

/// The oddities of a report, for machines.
pub(crate) fn oddities_json(report: &Report) -> Vec<Value> {
    let value = |oddity: &Oddity| {
        let Oddity { place, found, done } = oddity;
        json!({ "place": place, "found": found, "done": done })
    };
    report.oddities().iter().map(value).collect()
}

fn fault(error: &Error) -> Value {
    let (place, expected, found) = match error {
        Error::Fault { place, expected, found, .. } => (&**place, &**expected, found.clone()),
        Error::Model { place, source, .. } => (&**place, "", source.to_string()),
        Error::Io { source, .. } => ("", "", source.to_string()),
        _ => ("", "", String::new()),
    };
    json!({ "place": place, "expected": expected, "found": found, "text": error.to_string() })
}
