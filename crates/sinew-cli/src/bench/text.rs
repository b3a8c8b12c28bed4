//! Tables for a terminal.

use std::io::{self, Write};

use super::machine::Machine;
use super::names::TABLES;
use super::row::{Amount, Row};

/// The heading of each column, and what stands in it.
pub(super) const COLUMNS: [&str; 11] =
    ["routine", "weights", "method", "isa", "elements", "ns", "cycles", "ratio", "error", "spread", ""];

/// Every table that has rows.
pub(super) fn print(out: &mut impl Write, machine: &Machine, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "{}", machine.told())?;
    for (method, reason) in &machine.absent {
        writeln!(out, "absent: {method} ({reason})")?;
    }
    for table in &TABLES {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.table == table.name).collect();
        if !rows.is_empty() {
            writeln!(out, "\n{}: {}", table.name, table.title)?;
            for line in wrapped(table.caption) {
                writeln!(out, "  {line}")?;
            }
            print_rows(out, &rows)?;
        }
    }
    Ok(())
}

/// Words in lines of at most a hundred characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + word.len() < 100 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn print_rows(out: &mut impl Write, rows: &[&Row]) -> io::Result<()> {
    let lines: Vec<[String; 11]> = rows.iter().map(|row| cells(row)).collect();
    let widths: [usize; 11] = std::array::from_fn(|column| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0).max(COLUMNS[column].len())
    });
    let headings = COLUMNS.map(str::to_owned);
    for line in std::iter::once(&headings).chain(&lines) {
        let mut text = String::new();
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            // Words to the left, numbers to the right.
            text += &match column {
                0 | 2 | 3 => format!("{cell:<width$}  "),
                10 => cell.clone(),
                _ => format!("{cell:>width$}  "),
            };
        }
        writeln!(out, "  {}", text.trim_end())?;
    }
    Ok(())
}

/// What stands in each column.
pub(super) fn cells(row: &Row) -> [String; 11] {
    let number = |value: Option<f64>, digits: usize| match value {
        Some(value) => format!("{value:.digits$}"),
        None => "-".to_owned(),
    };
    [
        row.routine.to_owned(),
        row.weights.map_or_else(|| "-".to_owned(), |weights| weights.to_string()),
        row.method.clone(),
        row.isa.unwrap_or("-").to_owned(),
        row.elements.to_string(),
        number(Some(row.ns), 2),
        number(row.cycles, 1),
        number(row.ratio, 2),
        row.error.map_or_else(|| "-".to_owned(), |error| format!("{error:.0e}")),
        format!("{:.0} %", row.spread * 100.0),
        remarks(row),
    ]
}

/// What the time amounts to, and what the papers have in its place.
pub(super) fn remarks(row: &Row) -> String {
    let amount = row.amount.map(|Amount { value, unit }| format!("{} {unit}", short(value)));
    let published = row.published.map(|published| format!("papers: {published}"));
    amount.into_iter().chain(published).collect::<Vec<_>>().join("; ")
}

/// About three digits.
pub(super) fn short(value: f64) -> String {
    let digits = if value.abs() >= 100.0 {
        0
    } else if value.abs() >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}")
}
