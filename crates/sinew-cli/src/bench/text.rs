//! The tables as text for a terminal.

use std::io::{self, Write};

use sinew_bench::Machine;
use sinew_bench::tables::{Amount, Measurement, TABLES};

use super::headline::headline;

/// The heading of each column.
pub(super) const COLUMNS: [&str; 11] =
    ["routine", "weights", "method", "isa", "elements", "ns", "cycles", "ratio", "error", "spread", ""];

/// Prints what a character costs, the machine, and every table that has rows.
pub(super) fn print(out: &mut impl Write, machine: &Machine, rows: &[Measurement]) -> io::Result<()> {
    for line in headline(rows).iter().flatten() {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", machine.summary())?;
    for (method, reason) in &machine.absent {
        writeln!(out, "absent: {method} ({reason})")?;
    }
    for table in &TABLES {
        let rows: Vec<&Measurement> = rows.iter().filter(|row| row.table == table.name).collect();
        if !rows.is_empty() {
            writeln!(out, "\n{}: {}", table.name, table.title)?;
            for line in wrap(table.caption) {
                writeln!(out, "  {line}")?;
            }
            print_rows(out, &rows)?;
        }
    }
    Ok(())
}

/// Wraps text into lines of at most a hundred characters.
fn wrap(text: &str) -> Vec<String> {
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

fn print_rows(out: &mut impl Write, rows: &[&Measurement]) -> io::Result<()> {
    let lines: Vec<[String; 11]> = rows.iter().map(|row| cells(row)).collect();
    let widths: [usize; 11] = std::array::from_fn(|column| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0).max(COLUMNS[column].len())
    });
    let headings = COLUMNS.map(str::to_owned);
    for line in std::iter::once(&headings).chain(&lines) {
        let mut text = String::new();
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            // Text is left-aligned, numbers are right-aligned.
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

/// The cells of a row, one for each column.
pub(super) fn cells(row: &Measurement) -> [String; 11] {
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

/// The derived amount of a row, such as its bandwidth, and the papers' published number.
pub(super) fn remarks(row: &Measurement) -> String {
    let amount = row.amount.map(|Amount { value, unit }| format!("{} {unit}", format_short(value)));
    let published = row.published.map(|published| format!("papers: {published}"));
    amount.into_iter().chain(published).collect::<Vec<_>>().join("; ")
}

/// Formats a number with about three digits.
pub(super) fn format_short(value: f64) -> String {
    let digits = if value.abs() >= 100.0 {
        0
    } else if value.abs() >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}")
}
