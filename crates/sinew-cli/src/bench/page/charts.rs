//! Which charts a table has.

use super::super::contest::UNIT;
use super::super::row::Row;
use super::plot::{Bar, Chart, Group};

/// The charts of a table. Plain lanes and reproducible mode are left to the numbers.
pub(super) fn of_table(table: &str, rows: &[&Row]) -> Vec<Chart> {
    let shown: Vec<&Row> = rows.iter().copied().filter(|row| is_shown(row)).collect();
    match table {
        "papers" => papers(&shown),
        "figure-15" => {
            let of = |routine: &str| shown.iter().copied().filter(|row| row.routine == routine).collect();
            let (frames, skins): (Vec<&Row>, Vec<&Row>) = (of("frame"), of("skin"));
            [("Whole frames", frames), ("The skin alone", skins)]
                .into_iter()
                .filter(|(_, rows)| !rows.is_empty())
                .map(|(title, rows)| amounts(title, "frames of 64 cylinders per second", &rows, weights))
                .collect()
        }
        "figure-18" => vec![amounts("Threads", "frames of 64 cylinders per second", &shown, routine)],
        "figure-19" => {
            vec![amounts("Waiting", "share of each frame that the thread waits, %", &shown, routine)]
        }
        "models" => {
            vec![grouped("Speed", "times the speed of the papers' SSE2 method", &shown, routine, |row| {
                row.ratio
            })]
        }
        "sizes" => vec![amounts("Bandwidth", "gigabytes read and written per second", &shown, elements)],
        "threads" => vec![amounts("Speed", "times the speed of one thread", &shown, routine)],
        "frames" => frames(&shown),
        "crowds" => vec![amounts("Time", "microseconds per figure, less is better", &shown, |row| {
            format!("{}, {} elements", row.routine, row.elements)
        })],
        "bounds" => vec![amounts("Time", "microseconds per figure, less is better", &shown, routine)],
        _ => vec![grouped("Time", "nanoseconds per element, less is better", &shown, routine, |row| {
            Some(row.ns)
        })],
    }
}

fn is_shown(row: &Row) -> bool {
    let own = row.method.starts_with("sinew");
    let alone = !row.method.contains("reproducible");
    !own || (alone && row.isa != Some("plain"))
}

fn routine(row: &Row) -> String {
    row.routine.to_owned()
}

fn elements(row: &Row) -> String {
    format!("{} vertices", row.elements)
}

fn weights(row: &Row) -> String {
    match row.weights {
        Some(1) => "1 weight".to_owned(),
        Some(weights) => format!("{weights} weights"),
        None => row.routine.to_owned(),
    }
}

/// Cycles, or nanoseconds where there is no counter: all routines with two weights, then those with weights.
fn papers(rows: &[&Row]) -> Vec<Chart> {
    let counted = rows.iter().all(|row| row.cycles.is_some());
    let value = |row: &Row| if counted { row.cycles } else { Some(row.ns) };
    let axis = if counted {
        "clock cycles per element, less is better"
    } else {
        "nanoseconds per element, less is better"
    };
    let some = |wanted: &dyn Fn(&Row) -> bool| -> Vec<&Row> {
        rows.iter().copied().filter(|row| wanted(row)).collect()
    };
    let mut charts = Vec::new();
    let title = "Every routine, 1024 elements; two weights where there are any";
    let main = some(&|row| row.weights.is_none_or(|weights| weights == 2));
    if !main.is_empty() {
        charts.push(grouped(title, axis, &main, routine, value));
    }
    for name in ["TransformVerts", "TransformVertsAndTangents"] {
        let rows = some(&|row| row.routine == name);
        if !rows.is_empty() {
            charts.push(grouped(&format!("{name}, by number of weights"), axis, &rows, weights, value));
        }
    }
    charts
}

/// By what the times amount to.
fn amounts(title: &str, axis: &str, rows: &[&Row], group: impl Fn(&Row) -> String) -> Chart {
    grouped(title, axis, rows, group, |row| row.amount.map(|amount| amount.value))
}

/// A bar for each row, in groups of rows that follow each other.
fn grouped(
    title: &str,
    axis: &str,
    rows: &[&Row],
    group: impl Fn(&Row) -> String,
    value: impl Fn(&Row) -> Option<f64>,
) -> Chart {
    let mut groups: Vec<Group> = Vec::new();
    for row in rows {
        let Some(value) = value(row) else { continue };
        let label = group(row);
        let note = row.published.map(|published| format!("papers: {published}")).unwrap_or_default();
        let bar = Bar { label: named(row), parts: vec![(class(row), value)], spread: row.spread, note };
        match groups.iter_mut().find(|group| group.label == label) {
            Some(group) => group.bars.push(bar),
            None => groups.push(Group { label, bars: vec![bar] }),
        }
    }
    Chart { title: title.to_owned(), axis: axis.to_owned(), groups, legend: Vec::new() }
}

const STAGES: [(&str, &str); 5] = [
    ("sample", "stage0"),
    ("blend", "stage1"),
    ("model", "stage2"),
    ("palette", "stage3"),
    ("skin", "stage4"),
];

/// The stages of a frame in a row, for each number of figures.
fn frames(rows: &[&Row]) -> Vec<Chart> {
    let mut bars: Vec<Bar> = Vec::new();
    for row in rows {
        let Some((amount, stage)) = row.amount.zip(STAGES.iter().find(|stage| stage.0 == row.routine)) else {
            continue;
        };
        let figures = (row.seconds() * 1e6 / amount.value).round();
        let label = if figures == 1.0 { "1 figure".to_owned() } else { format!("{figures} figures") };
        let part = (stage.1, amount.value);
        match bars.iter_mut().find(|bar| bar.label == label) {
            Some(bar) => bar.parts.push(part),
            None => bars.push(Bar { label, parts: vec![part], spread: 0.0, note: String::new() }),
        }
    }
    if bars.is_empty() {
        return Vec::new();
    }
    vec![Chart {
        title: "Stages of a frame".to_owned(),
        axis: "microseconds per figure, less is better".to_owned(),
        groups: vec![Group { label: "one thread".to_owned(), bars }],
        legend: STAGES.iter().map(|&(name, class)| (class, name.to_owned())).collect(),
    }]
}

/// Method and instruction set.
fn named(row: &Row) -> String {
    match row.isa {
        Some(isa) if row.method.starts_with("sinew") => format!("{} {isa}", row.method),
        _ => row.method.clone(),
    }
}

/// The class that gives a row its colour.
fn class(row: &Row) -> &'static str {
    match row.method.as_str() {
        UNIT => "unit",
        method if method.starts_with("papers") => "papers",
        method if method.starts_with("plain") => "plain",
        "copy" => "copy",
        _ => "sinew",
    }
}
