//! The numbers as a self-contained HTML page.

mod charts;
mod plot;

use sinew_bench::Machine;
use sinew_bench::tables::{Measurement, TABLES};

use super::headline::headline;
use super::text::{COLUMNS, cells};

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(machine: &Machine, rows: &[Measurement]) -> String {
    let mut body = String::new();
    for table in &TABLES {
        let rows: Vec<&Measurement> = rows.iter().filter(|row| row.table == table.name).collect();
        if rows.is_empty() {
            continue;
        }
        body += &format!("<section id=\"{}\">\n<h2>{}</h2>\n", table.name, escape(table.title));
        body += &format!("<p>{}</p>\n", escape(table.caption));
        for chart in charts::table_charts(table.name, &rows) {
            body += &chart.svg();
        }
        body += &number_table(&rows);
        body += "</section>\n";
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>sinew bench</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}{body}</main>\n</body>\n</html>\n",
        heading(machine, rows)
    )
}

fn heading(machine: &Machine, rows: &[Measurement]) -> String {
    let mut heading = "<h1>sinew bench</h1>\n".to_owned();
    if let Some(headline) = headline(rows) {
        heading += &format!("<p><strong>{}</strong></p>\n", escape(&headline.join(" ")));
    }
    heading += &format!("<p>{}.</p>\n", escape(&machine.summary()));
    let absent: Vec<String> =
        machine.absent.iter().map(|(method, reason)| format!("{method} ({reason})")).collect();
    if !absent.is_empty() {
        heading += &format!("<p>Absent: {}.</p>\n", escape(&absent.join("; ")));
    }
    heading += "<p>All methods of a table ran in turn, round after round. Numbers are medians; the line \
                across the end of a bar spans the middle half of the rounds. Cycles are counted by the \
                time stamp counter. The ratio is the speed relative to the papers' SSE2 method for the \
                same routine, size and weights. The error is the largest difference from the result \
                with 64-bit floats, relative to the largest result.</p>\n";
    let link = |name: &str, title: &str| format!("<a href=\"#{name}\">{}</a>", escape(title));
    let links: Vec<String> = TABLES
        .iter()
        .filter(|table| rows.iter().any(|row| row.table == table.name))
        .map(|table| link(table.name, table.title))
        .collect();
    heading + &format!("<nav>{}</nav>\n", links.join(" "))
}

/// All numbers of a table, collapsed.
fn number_table(rows: &[&Measurement]) -> String {
    let mut html = "<details><summary>All numbers</summary>\n<div class=\"wide\"><table>\n<tr>".to_owned();
    for column in COLUMNS {
        html += &format!("<th>{}</th>", escape(column));
    }
    html += "</tr>\n";
    for row in rows {
        let line: Vec<String> = cells(row).iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect();
        html += &format!("<tr>{}</tr>\n", line.concat());
    }
    html + "</table></div></details>\n"
}

/// Escapes text for HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    }
}
