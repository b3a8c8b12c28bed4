//! The charts of each table.

use sinew_bench::tables::{Measurement, UNIT};

use super::plot::{Bar, Chart, Group};

/// The charts of a table. The plain backend and reproducible mode are listed in the numbers only.
pub(super) fn table_charts(table: &str, rows: &[&Measurement]) -> Vec<Chart> {
    let shown: Vec<&Measurement> = rows.iter().copied().filter(|row| is_shown(row)).collect();
    match table {
        "papers" => papers(&shown),
        "figure-15" => {
            let select = |routine: &str| shown.iter().copied().filter(|row| row.routine == routine).collect();
            let (frames, skins): (Vec<&Measurement>, Vec<&Measurement>) = (select("frame"), select("skin"));
            [("Whole frames", frames), ("The skin alone", skins)]
                .into_iter()
                .filter(|(_, rows)| !rows.is_empty())
                .map(|(title, rows)| amount_chart(title, "frames of 64 cylinders per second", &rows, weights))
                .collect()
        }
        "figure-18" => vec![amount_chart("Threads", "frames of 64 cylinders per second", &shown, routine)],
        "figure-19" => {
            vec![amount_chart("Waiting", "share of each frame that the thread waits, %", &shown, routine)]
        }
        "models" => {
            vec![grouped_chart(
                "Speed",
                "times the speed of the papers' SSE2 method",
                &shown,
                routine,
                |row| row.ratio,
            )]
        }
        "sizes" => vec![amount_chart("Bandwidth", "gigabytes read and written per second", &shown, elements)],
        "threads" => vec![amount_chart("Speed", "times the speed of one thread", &shown, routine)],
        "frames" => frames(&shown),
        "crowds" => vec![amount_chart("Time", "microseconds per figure, less is better", &shown, |row| {
            format!("{}, {} elements", row.routine, row.elements)
        })],
        "bounds" => vec![amount_chart("Time", "microseconds per figure, less is better", &shown, routine)],
        _ => vec![grouped_chart("Time", "nanoseconds per element, less is better", &shown, routine, |row| {
            Some(row.ns)
        })],
    }
}

fn is_shown(row: &Measurement) -> bool {
    let is_sinew = row.method.starts_with("sinew");
    let is_fast = !row.method.contains("reproducible");
    !is_sinew || (is_fast && row.isa != Some("plain"))
}

fn routine(row: &Measurement) -> String {
    row.routine.to_owned()
}

fn elements(row: &Measurement) -> String {
    format!("{} vertices", row.elements)
}

fn weights(row: &Measurement) -> String {
    match row.weights {
        Some(1) => "1 weight".to_owned(),
        Some(weights) => format!("{weights} weights"),
        None => row.routine.to_owned(),
    }
}

/// Cycles, or nanoseconds without a cycle counter: all routines with two weights, then the
/// skinning routines by number of weights.
fn papers(rows: &[&Measurement]) -> Vec<Chart> {
    let counted = rows.iter().all(|row| row.cycles.is_some());
    let value = |row: &Measurement| if counted { row.cycles } else { Some(row.ns) };
    let axis = if counted {
        "clock cycles per element, less is better"
    } else {
        "nanoseconds per element, less is better"
    };
    let select = |selected: &dyn Fn(&Measurement) -> bool| -> Vec<&Measurement> {
        rows.iter().copied().filter(|row| selected(row)).collect()
    };
    let mut charts = Vec::new();
    let title = "Every routine, 1024 elements; two weights where there are any";
    let main = select(&|row| row.weights.is_none_or(|weights| weights == 2));
    if !main.is_empty() {
        charts.push(grouped_chart(title, axis, &main, routine, value));
    }
    for name in ["TransformVerts", "TransformVertsAndTangents"] {
        let rows = select(&|row| row.routine == name);
        if !rows.is_empty() {
            charts.push(grouped_chart(&format!("{name}, by number of weights"), axis, &rows, weights, value));
        }
    }
    charts
}

/// A chart of the derived amounts, such as frames per second.
fn amount_chart(
    title: &str,
    axis: &str,
    rows: &[&Measurement],
    group: impl Fn(&Measurement) -> String,
) -> Chart {
    grouped_chart(title, axis, rows, group, |row| row.amount.map(|amount| amount.value))
}

/// A chart with a bar for each row, in groups with the same label.
fn grouped_chart(
    title: &str,
    axis: &str,
    rows: &[&Measurement],
    group: impl Fn(&Measurement) -> String,
    value: impl Fn(&Measurement) -> Option<f64>,
) -> Chart {
    let mut groups: Vec<Group> = Vec::new();
    for row in rows {
        let Some(value) = value(row) else { continue };
        let label = group(row);
        let note = row.published.map(|published| format!("papers: {published}")).unwrap_or_default();
        let bar =
            Bar { label: bar_label(row), segments: vec![(css_class(row), value)], spread: row.spread, note };
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

/// The stages of a frame as a stacked bar, for each number of figures.
fn frames(rows: &[&Measurement]) -> Vec<Chart> {
    let mut bars: Vec<Bar> = Vec::new();
    for row in rows {
        let Some((amount, stage)) = row.amount.zip(STAGES.iter().find(|stage| stage.0 == row.routine)) else {
            continue;
        };
        let figures = (row.seconds() * 1e6 / amount.value).round();
        let label = if figures == 1.0 { "1 figure".to_owned() } else { format!("{figures} figures") };
        let segment = (stage.1, amount.value);
        match bars.iter_mut().find(|bar| bar.label == label) {
            Some(bar) => bar.segments.push(segment),
            None => bars.push(Bar { label, segments: vec![segment], spread: 0.0, note: String::new() }),
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

/// The method and the instruction set of a row.
fn bar_label(row: &Measurement) -> String {
    match row.isa {
        Some(isa) if row.method.starts_with("sinew") => format!("{} {isa}", row.method),
        _ => row.method.clone(),
    }
}

/// The CSS class that selects the color of a row.
fn css_class(row: &Measurement) -> &'static str {
    match row.method.as_str() {
        UNIT => "unit",
        method if method.starts_with("papers") => "papers",
        method if method.starts_with("plain") => "plain",
        "copy" => "copy",
        _ => "sinew",
    }
}
