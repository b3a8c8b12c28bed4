//! `sinew bench`: measures whole frames on this machine, the tables of the papers, and more.

mod document;
mod headline;
mod json;
mod page;
mod selection;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use sinew::Model;
use sinew_bench::tables::{self, Context, Job, Measurement};
use sinew_io::{Error, OverwritePolicy};

use crate::error::CliError;
use crate::model_input::ModelInput;
use crate::notes::note;
use crate::output_file::{check_folder, write_file};
use crate::progress::Progress;
use crate::text::one_line;

use selection::Selection;

const DEFAULT_MODEL: &str = "@figure";

/// The arguments of `sinew bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
First prints what one character of 5000 vertices and 64 joints costs, with two clips blended
and skinned: microseconds a frame on one core, and how many of them fit into 60 frames a
second. Then the tables.

All methods of a table run in turn, round after round; times are medians over the rounds.
Times, cycles and errors are per element: per joint, vertex or triangle. Cycles are counted
by the time stamp counter, on machines that have one. The ratio is the speed relative to the
papers' SSE2 method for the same routine, size and weights: the median of the ratios of all
rounds. Processors without SSE2 have no ratio. The error is the largest difference from the
result with 64-bit floats, relative to the largest result. The spread is the interquartile
range of the time, relative to the time.

Tables: frames (1, 100 and 1000 figures, stage by stage), crowds, papers (the routines of van
Waveren's papers), figure-15, figure-18 and figure-19 (Davies' application: methods, threads,
and the time threads wait), models (the model of --model), layouts (every vertex layout and
order, on that model and on generated meshes, next to a copy), sizes (64 thousand and two
million vertices, next to a copy), threads (one to all), rays, bounds.

The keys of --json: machine, rows (table, routine, method, isa, elements, weights, ns,
cycles, ratio, error, spread). A number that does not exist is null. Existing files are
replaced.

Examples:
  sinew bench --quick --only frames         # what a character costs
  sinew bench --quick --only TransformVerts
  sinew bench --quick --only TransformJoints --json bench.json --html bench.html")]
pub(crate) struct Bench {
    /// Measure briefly: about half a minute for all tables
    #[arg(long)]
    quick: bool,

    /// Measure only the table or routine with this name; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// The model that the tables `models` and `layouts` measure
    #[arg(long, value_name = "MODEL", default_value = DEFAULT_MODEL)]
    model: PathBuf,

    /// Write all numbers to a JSON file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write a self-contained HTML page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// In a Markdown file, replace the text between the lines `<!-- sinew bench -->` and
    /// `<!-- end of sinew bench -->`
    #[arg(long, value_name = "FILE")]
    doc: Option<PathBuf>,
}

impl Bench {
    /// The command that repeats this measurement.
    fn command(&self) -> String {
        let mut command = "sinew bench".to_owned();
        if self.quick {
            command += " --quick";
        }
        for name in &self.only {
            command += &format!(" --only {name}");
        }
        if self.model != Path::new(DEFAULT_MODEL) {
            command += &format!(" --model {}", shell_quote(&self.model.to_string_lossy()));
        }
        command
    }
}

/// Quotes text so that a shell parses it as one word.
fn shell_quote(text: &str) -> String {
    let text = one_line(text);
    let plain = |c: char| c.is_alphanumeric() || "@:._-/".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

pub(crate) fn run(arguments: &Bench, out: &mut impl Write) -> Result<(), CliError> {
    let selection = Selection::new(&arguments.only)?;
    let doc = arguments.doc.as_deref().map(document::Document::read).transpose()?;
    for path in arguments.json.iter().chain(&arguments.html) {
        check_folder(path)?;
    }
    let jobs: Vec<_> = tables::all_jobs().into_iter().filter(|job| selection.contains_any(job)).collect();
    let context = context(arguments, &jobs)?;
    let progress = Progress::new(jobs.len(), "groups");
    let mut rows: Vec<Measurement> = Vec::new();
    for job in jobs {
        progress.set_message(job.tables[0]);
        let measured = (job.run)(&context)?;
        rows.extend(measured.into_iter().filter(|row| selection.contains(row.table, row.routine)));
        progress.step();
    }
    progress.finish();
    // The files are written first, because printing ends early when the reader closes the pipe.
    // The tables are printed even if a file could not be written.
    let written = write_files(arguments, doc, &context, &rows);
    text::print(out, &context.machine, &rows)?;
    written
}

/// The context of the jobs. The model is read only if a job needs it.
fn context(arguments: &Bench, jobs: &[Job]) -> Result<Context, CliError> {
    let source = ModelInput {
        model: arguments.model.clone(),
        with: Vec::new(),
        strict: false,
        repair: false,
        allow_outside: false,
    };
    let needs_model = jobs.iter().any(Job::needs_model);
    if !needs_model && arguments.model != Path::new(DEFAULT_MODEL) {
        note("--model has no effect: only the tables models and layouts measure it");
    }
    let model = if needs_model { Some(load_model(&source)?) } else { None };
    Ok(Context::new(model, source.name(), arguments.quick))
}

/// Reads the model to measure. It must have vertices, because times are per vertex.
fn load_model(source: &ModelInput) -> Result<Model, CliError> {
    let loaded = source.load(&[])?;
    loaded.check_vertex_limit(source)?;
    let model = loaded.into_model(source);
    if (0..model.mesh_instances().len()).all(|instance| model.primitive(instance).mesh.is_empty()) {
        return Err(CliError::Input(format!(
            "{}: expected a model with vertices, found none",
            source.name()
        )));
    }
    Ok(model)
}

fn write_files(
    arguments: &Bench,
    doc: Option<document::Document>,
    context: &Context,
    rows: &[Measurement],
) -> Result<(), CliError> {
    if let Some(path) = &arguments.json {
        write_text(path, &format!("{}\n", json::document(&context.machine, rows)))?;
    }
    if let Some(path) = &arguments.html {
        write_text(path, &page::page(&context.machine, rows))?;
    }
    if let Some(doc) = doc {
        write_text(
            &doc.path,
            &doc.with_block(&document::markdown_block(&arguments.command(), &context.machine, rows)),
        )?;
    }
    Ok(())
}

fn write_text(path: &Path, text: &str) -> Result<(), CliError> {
    let write = |source| Error::Write { file: path.to_owned(), source };
    Ok(write_file(path, OverwritePolicy::Replace, |file| file.write_all(text.as_bytes()).map_err(write))?)
}
