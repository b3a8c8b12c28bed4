//! The tables as Markdown, between two marker lines of a document.

use std::fs;
use std::path::{Path, PathBuf};

use sinew_bench::Machine;
use sinew_bench::tables::{Measurement, TABLES};

use super::headline::headline;
use super::text::{COLUMNS, cells};
use crate::error::CliError;

const BEGIN: &str = "<!-- sinew bench -->";
const END: &str = "<!-- end of sinew bench -->";

/// A document with both marker lines.
pub(super) struct Document {
    pub(super) path: PathBuf,
    before: String,
    after: String,
}

impl Document {
    /// Reads a document. Each marker must be on a line of its own, once, and in order.
    pub(super) fn read(path: &Path) -> Result<Self, CliError> {
        let text = fs::read_to_string(path)
            .map_err(|source| sinew_io::Error::Io { file: path.to_owned(), source })?;
        match split_at_markers(&text) {
            Some((before, after)) => Ok(Self { path: path.to_owned(), before, after }),
            None => Err(CliError::Input(format!(
                "{}: expected a line {BEGIN} and after it a line {END}, each once",
                path.display()
            ))),
        }
    }

    /// The document with a new block between the markers.
    pub(super) fn with_block(&self, block: &str) -> String {
        format!("{}{BEGIN}\n\n{block}\n{END}\n{}", self.before, self.after)
    }
}

/// Splits a text into the parts before the first marker and after the second.
fn split_at_markers(text: &str) -> Option<(String, String)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let find_marker = |marker: &str| {
        let found: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].trim_end() == marker).collect();
        if let [line] = found[..] { Some(line) } else { None }
    };
    let (begin, end) = (find_marker(BEGIN)?, find_marker(END)?);
    (begin < end).then(|| (lines[..begin].concat(), lines[end + 1..].concat()))
}

/// The command, what a character costs, the machine, and every table that has rows.
pub(super) fn markdown_block(command: &str, machine: &Machine, rows: &[Measurement]) -> String {
    let mut block = format!("    {command}\n\n");
    if let Some(headline) = headline(rows) {
        block += &format!("{}\n\n", headline.join("\n"));
    }
    block += &format!("{}.\n", machine.summary());
    if !machine.absent.is_empty() {
        let absent: Vec<String> =
            machine.absent.iter().map(|(method, reason)| format!("{method} ({reason})")).collect();
        block += &format!("Absent: {}.\n", absent.join("; "));
    }
    for table in &TABLES {
        let rows: Vec<&Measurement> = rows.iter().filter(|row| row.table == table.name).collect();
        if !rows.is_empty() {
            block += &format!("\n### {}\n\n{}\n\n", table.title, table.caption);
            block += &format!("| {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
            for row in rows {
                block += &format!("| {} |\n", cells(row).join(" | "));
            }
        }
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_split_at_its_markers() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nb");
        assert_eq!(split_at_markers(&text), Some(("a\n".to_owned(), "b".to_owned())));
        let (before, after) = split_at_markers(&text).unwrap();
        let document = Document { path: PathBuf::new(), before, after };
        let written = document.with_block("new\n");
        assert_eq!(written, format!("a\n{BEGIN}\n\nnew\n\n{END}\nb"));
        assert!(split_at_markers(&written).is_some());
    }

    #[test]
    fn missing_repeated_or_misordered_markers_are_rejected() {
        for text in [
            "a\n".to_owned(),
            format!("{BEGIN}\n"),
            format!("{END}\n{BEGIN}\n"),
            format!("{BEGIN}\n{BEGIN}\n{END}\n"),
            format!("text before the marker: {BEGIN}\n{END}\n"),
        ] {
            assert_eq!(split_at_markers(&text), None, "{text}");
        }
    }
}
