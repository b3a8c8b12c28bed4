//! The tables in Markdown, between two marks of a document.

use std::fs;
use std::path::{Path, PathBuf};

use super::machine::Machine;
use super::names::TABLES;
use super::row::Row;
use super::text::{COLUMNS, cells};
use crate::Failure;

const BEGIN: &str = "<!-- sinew bench -->";
const END: &str = "<!-- end of sinew bench -->";

/// A document that has the marks.
pub(super) struct Document {
    pub(super) path: PathBuf,
    before: String,
    after: String,
}

impl Document {
    /// Demands that each mark stands on a line of its own, once and in order.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path)
            .map_err(|source| sinew_io::Error::Io { file: path.to_owned(), source })?;
        match split(&text) {
            Some((before, after)) => Ok(Self { path: path.to_owned(), before, after }),
            None => Err(Failure::Input(format!(
                "{}: expected a line {BEGIN} and after it a line {END}, each once",
                path.display()
            ))),
        }
    }

    /// The document with another block.
    pub(super) fn with(&self, block: &str) -> String {
        format!("{}{BEGIN}\n\n{block}\n{END}\n{}", self.before, self.after)
    }
}

/// What stands before the first mark and after the second.
fn split(text: &str) -> Option<(String, String)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let places = |mark: &str| {
        let places: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].trim_end() == mark).collect();
        if let [place] = places[..] { Some(place) } else { None }
    };
    let (begin, end) = (places(BEGIN)?, places(END)?);
    (begin < end).then(|| (lines[..begin].concat(), lines[end + 1..].concat()))
}

/// Command, machine and every table that has rows.
pub(super) fn block(command: &str, machine: &Machine, rows: &[Row]) -> String {
    let mut block = format!("    {command}\n\n{}.\n", machine.told());
    if !machine.absent.is_empty() {
        let absent: Vec<String> =
            machine.absent.iter().map(|(method, reason)| format!("{method} ({reason})")).collect();
        block += &format!("Absent: {}.\n", absent.join("; "));
    }
    for table in &TABLES {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.table == table.name).collect();
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
    fn a_document_is_split_at_its_marks() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nb");
        assert_eq!(split(&text), Some(("a\n".to_owned(), "b".to_owned())));
        let (before, after) = split(&text).unwrap();
        let document = Document { path: PathBuf::new(), before, after };
        let written = document.with("new\n");
        assert_eq!(written, format!("a\n{BEGIN}\n\nnew\n\n{END}\nb"));
        assert!(split(&written).is_some());
    }

    #[test]
    fn marks_that_are_missing_doubled_or_out_of_order_are_no_marks() {
        for text in [
            "a\n".to_owned(),
            format!("{BEGIN}\n"),
            format!("{END}\n{BEGIN}\n"),
            format!("{BEGIN}\n{BEGIN}\n{END}\n"),
            format!("said in a line: {BEGIN}\n{END}\n"),
        ] {
            assert_eq!(split(&text), None, "{text}");
        }
    }
}
