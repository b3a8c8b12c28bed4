//! `sinew bench`: what it writes and what it rejects. No test depends on a time.

mod support;

use std::process::Stdio;

use serde_json::Value;
use support::TestFolder;

const KEYS: [&str; 11] =
    ["table", "routine", "method", "isa", "elements", "weights", "ns", "cycles", "ratio", "error", "spread"];

/// Measures one routine and returns the JSON.
fn measure(folder: &TestFolder, routine: &str) -> Value {
    folder.run(&["bench", "--quick", "--only", routine, "--json", "bench.json"]);
    serde_json::from_slice(&folder.read("bench.json")).expect("JSON")
}

#[test]
fn one_routine_is_measured_by_every_method_of_the_machine() {
    let value = measure(&TestFolder::new(), "TransformVertsAndTangents");
    let rows = value["rows"].as_array().expect("rows");
    for row in rows {
        let row = row.as_object().expect("an object");
        assert_eq!(row.keys().map(String::as_str).collect::<Vec<_>>(), KEYS);
        assert_eq!(row["table"], "papers");
        assert_eq!(row["routine"], "TransformVertsAndTangents");
        assert_eq!(row["elements"], 1024);
        assert!(row["ns"].as_f64().expect("nanoseconds") > 0.0);
        assert!(row["error"].as_f64().expect("an error") < 1e-5);
        assert_eq!(row["cycles"].is_number(), cfg!(target_arch = "x86_64"));
        assert_eq!(row["ratio"].is_number(), cfg!(target_arch = "x86_64"));
    }
    let has = |method: &str, isa: &str, weights: usize| {
        rows.iter().any(|row| row["method"] == method && row["isa"] == isa && row["weights"] == weights)
    };
    let isas = value["machine"]["isas"].as_array().expect("instruction sets");
    for weights in 1..=4 {
        assert!(has("plain", "plain", weights));
        assert_eq!(has("papers-sse2", "sse2", weights), cfg!(target_arch = "x86_64"));
        assert!(isas.iter().all(|isa| has("sinew", isa.as_str().expect("a name"), weights)));
    }
}

#[test]
fn ratios_are_relative_to_the_papers_method() {
    let value = measure(&TestFolder::new(), "transformjoints");
    let rows = value["rows"].as_array().expect("rows");
    for row in rows.iter().filter(|row| row["method"] == "papers-sse2") {
        assert_eq!(row["ratio"], 1.0);
    }
    assert!(rows.iter().all(|row| row["routine"] == "TransformJoints" && row["weights"].is_null()));
}

#[test]
fn every_layout_is_measured_beside_the_papers_method_and_a_copy() {
    let value = measure(&TestFolder::new(), "tiny50");
    let rows = value["rows"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["table"] == "layouts" && row["elements"] == 50));
    let count = |method: &str| rows.iter().filter(|row| row["method"] == method).count();
    let isas = value["machine"]["isas"].as_array().expect("instruction sets").len();
    for method in ["blocks", "packed, run", "packed, source"] {
        assert_eq!(count(method), isas, "{method}");
    }
    assert_eq!((count("copy"), count("papers-sse2")), (1, usize::from(cfg!(target_arch = "x86_64"))));
}

#[test]
fn the_first_line_is_what_a_character_costs() {
    let folder = TestFolder::new();
    let files = ["--html", "bench.html", "--doc", "doc.md"];
    folder.write("doc.md", "<!-- sinew bench -->\n<!-- end of sinew bench -->\n");
    let text = folder.run(&[&["bench", "--quick", "--only", "instance"], &files[..]].concat());
    let [character, cost] = text.lines().take(2).collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(character.starts_with("One character of "), "{character}");
    assert!(character.contains(" vertices and 64 joints, two clips blended"), "{character}");
    assert!(cost.contains(" us a frame on one core; ") && cost.ends_with(" of them at 60 Hz."), "{cost}");
    for file in ["bench.html", "doc.md"] {
        let written = String::from_utf8(folder.read(file)).expect("text");
        assert!(written.contains(character) && written.contains(cost), "{file}");
    }
}

#[test]
fn unavailable_methods_are_listed() {
    let folder = TestFolder::new();
    let text = folder.run(&["bench", "--quick", "--only", "bounds"]);
    let absent = if cfg!(target_arch = "x86_64") { "absent: sinew neon (" } else { "absent: papers-sse2 (" };
    assert!(text.contains(absent), "{text}");
}

#[test]
fn an_unknown_name_is_bad_usage_and_tables_and_the_nearest_routines_are_listed() {
    let text = TestFolder::new().run_error(2, &["bench", "--only", "TransformEverything"]);
    for name in ["TransformEverything", "papers", "figure-15", "TransformVertsAndTangents", "frames"] {
        assert!(text.contains(name), "no {name} in {text}");
    }
    let (_, routines) = text.split_once("a routine (").expect("a list");
    assert_eq!(routines.split(", ").take_while(|name| !name.contains(" and ")).count(), 9, "{text}");
    assert!(routines.contains(" more, which the tables show)"), "{text}");
}

#[test]
fn only_the_block_between_the_markers_is_replaced() {
    let folder = TestFolder::new();
    folder.write("doc.md", "# Before\n\n<!-- sinew bench -->\nold\n<!-- end of sinew bench -->\n\nAfter.\n");
    folder.run(&["bench", "--quick", "--only", "TransformJoints", "--doc", "doc.md"]);
    let text = String::from_utf8(folder.read("doc.md")).expect("text");
    assert!(text.starts_with("# Before\n\n<!-- sinew bench -->\n"), "{text}");
    assert!(text.ends_with("\n<!-- end of sinew bench -->\n\nAfter.\n"), "{text}");
    assert!(
        text.contains("| TransformJoints | - | plain | plain | 1024 |") && !text.contains("old"),
        "{text}"
    );
    assert!(text.contains("\n    sinew bench --quick --only TransformJoints\n"), "{text}");
}

/// Like `| head -1`, but the reader closes the pipe before the first byte.
#[test]
fn files_are_written_even_if_standard_output_is_closed() {
    let folder = TestFolder::new();
    let arguments = ["bench", "--quick", "--only", "TransformJoints", "--json", "bench.json"];
    let mut command = support::command(&folder.path, &arguments);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(serde_json::from_slice::<Value>(&folder.read("bench.json")).is_ok());
}

#[test]
fn a_model_without_vertices_is_bad_input() {
    let folder = TestFolder::new();
    folder.write("empty.gltf", r#"{"asset":{"version":"2.0"}}"#);
    let text = folder.run_error(1, &["bench", "--quick", "--only", "models", "--model", "empty.gltf"]);
    assert!(text.contains("empty.gltf") && text.contains("vertices"), "{text}");
}

#[test]
fn a_document_without_markers_is_rejected_before_measuring() {
    let folder = TestFolder::new();
    folder.write("doc.md", "# Nothing\n");
    let text = folder.run_error(1, &["bench", "--doc", "doc.md"]);
    assert!(text.contains("<!-- sinew bench -->"), "{text}");
    folder.run_error(1, &["bench", "--doc", "nowhere.md"]);
    folder.run_error(1, &["bench", "--json", "nowhere/bench.json"]);
    assert_eq!(folder.names(), ["doc.md"]);
}

#[test]
fn the_page_is_self_contained() {
    let folder = TestFolder::new();
    folder.run(&["bench", "--quick", "--only", "TransformJoints", "--html", "bench.html"]);
    let page = String::from_utf8(folder.read("bench.html")).expect("text");
    for outside in ["http:", "https:", "src=", "@import", "url(", "<script", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(page.contains("<svg") && page.contains("TransformJoints") && page.contains("per element"));
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}
