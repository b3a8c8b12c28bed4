//! `sinew bench`: the papers' tables measured on this machine, and what the papers did not have.

mod contest;
mod crowds;
mod cylinders;
mod document;
mod figure_15;
mod figure_18;
mod frames;
mod machine;
mod meeting;
mod models;
mod names;
mod page;
mod papers;
mod plan;
mod rays;
mod row;
mod sizes;
mod surface;
mod text;
mod threads;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::json;
use sinew_io::{Error, OverwritePolicy};
use sinew_testkit::timer::Length;

use crate::Failure;
use crate::output_file::write_file;
use crate::progress::Progress;
use crate::words::one_line;

use contest::Context;
use names::Selection;
use row::Row;

/// Many short samples: most of them fall between what else the machine does.
const QUICK: Length = Length { rounds: 9, sample: Duration::from_micros(100) };

const USUAL_MODEL: &str = "@figure";

/// What to measure, and where to put it.
#[derive(Args, Debug)]
#[command(after_help = "\
Everything in a table is run in turns, round after round; times are medians of the rounds.
Times, cycles and errors are those of one element: a joint, a vertex or a triangle. Cycles
are those of the time stamp counter, where there is one. The ratio is how many times as fast
as the papers' SSE2 method of the same routine, size and weights: the median of the rounds'
ratios; on processors without SSE2 there is none. The error is the largest difference from
64-bit floats, as a share of the largest result. The spread is how far the quartiles of the
time are apart, as a share of it.

Tables: papers (the routines of van Waveren's papers), figure-15, figure-18 and figure-19
(Davies' application: methods, threads, and how long threads wait), models (--model as it
is), sizes (64 thousand and two million vertices, beside a copy), threads (one to all),
frames (one, a hundred and a thousand figures, stage by stage), crowds, rays, bounds.

The keys of --json: machine, rows (table, routine, method, isa, elements, weights, ns,
cycles, ratio, error, spread); null where there is no such number. Files that are there are
replaced.

Examples:
  sinew bench --quick --only TransformVerts
  sinew bench --quick --only TransformJoints --json bench.json --html bench.html")]
pub(crate) struct Bench {
    /// Measure briefly: about half a minute for all tables
    #[arg(long)]
    quick: bool,

    /// Measure only the table or the routine of this name; may be given many times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// The model of the table `models`
    #[arg(long, value_name = "MODEL", default_value = USUAL_MODEL)]
    model: PathBuf,

    /// Write all numbers as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write a page for a browser, with plots, which needs nothing beside itself
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Replace what stands between the lines `<!-- sinew bench -->` and `<!-- end of sinew bench -->` of a Markdown file
    #[arg(long, value_name = "FILE")]
    doc: Option<PathBuf>,
}

impl Bench {
    /// What measures the same again.
    fn command(&self) -> String {
        let mut command = "sinew bench".to_owned();
        if self.quick {
            command += " --quick";
        }
        for name in &self.only {
            command += &format!(" --only {name}");
        }
        if self.model != Path::new(USUAL_MODEL) {
            command += &format!(" --model {}", quoted(&self.model.to_string_lossy()));
        }
        command
    }
}

/// As a shell takes it for one word.
fn quoted(text: &str) -> String {
    let text = one_line(text);
    let plain = |c: char| c.is_alphanumeric() || "@:._-/".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

pub(crate) fn run(arguments: &Bench, out: &mut impl Write) -> Result<(), Failure> {
    let selection = Selection::new(&arguments.only)?;
    let doc = arguments.doc.as_deref().map(document::Document::read).transpose()?;
    for path in arguments.json.iter().chain(&arguments.html) {
        refuse_unwritable(path)?;
    }
    let jobs: Vec<_> = plan::all().into_iter().filter(|job| selection.wants_some(job)).collect();
    let context = Context::new(arguments, &jobs)?;
    let progress = Progress::new(jobs.len(), "races");
    let mut rows: Vec<Row> = Vec::new();
    for job in jobs {
        progress.tell(job.tables[0]);
        let found = (job.run)(&context)?;
        rows.extend(found.into_iter().filter(|row| selection.wants(row.table, row.routine)));
        progress.step();
    }
    progress.end();
    // Whoever reads the tables may have read enough before the last, and wants the files all the same; and the tables where a
    // file could not be written.
    let written = write_files(arguments, doc, &context, &rows);
    text::print(out, &context.machine, &rows)?;
    written
}

fn write_files(
    arguments: &Bench,
    doc: Option<document::Document>,
    context: &Context,
    rows: &[Row],
) -> Result<(), Failure> {
    if let Some(path) = &arguments.json {
        let rows: Vec<_> = rows.iter().map(Row::json).collect();
        let value = json!({ "machine": context.machine.json(), "rows": rows });
        write_text(path, &format!("{value:#}\n"))?;
    }
    if let Some(path) = &arguments.html {
        write_text(path, &page::page(&context.machine, rows))?;
    }
    if let Some(doc) = doc {
        write_text(&doc.path, &doc.with(&document::block(&arguments.command(), &context.machine, rows)))?;
    }
    Ok(())
}

fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    let write = |source| Error::Write { file: path.to_owned(), source };
    Ok(write_file(path, OverwritePolicy::Replace, |file| file.write_all(text.as_bytes()).map_err(write))?)
}

/// Nobody should wait for minutes to learn that there is no such folder.
fn refuse_unwritable(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let kind = if path.is_dir() {
        std::io::ErrorKind::IsADirectory
    } else if !folder.is_dir() {
        std::io::ErrorKind::NotFound
    } else {
        return Ok(());
    };
    Err(Error::Write { file: path.to_owned(), source: kind.into() }.into())
}
