//! How the program handles the broken files in the folder that `SINEW_DATA` names.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{TestFolder, error_line};

#[test]
fn broken_files_are_rejected_in_one_line_and_repairable_ones_have_warnings() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: SINEW_DATA is not set");
        return;
    };
    let broken = Path::new(&data).join("hostile");
    let expected = std::fs::read(broken.join("expected.json")).expect("the list of files");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    let folder = TestFolder::new();
    for (name, verdict) in expected.as_object().expect("an object") {
        let path = broken.join(name);
        let path = path.to_str().expect("a plain path");
        let output = folder.output(&["check", path]);
        let text = String::from_utf8_lossy(&output.stdout);
        match verdict["expect"].as_str() {
            Some("reject") => {
                assert!(
                    error_line(1, &folder.output(&["info", path])).contains(name.as_str()),
                    "{name}: {output:?}"
                );
                assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
                assert!(text.lines().all(|line| line.starts_with("  ")), "{name}: {text}");
            }
            Some("warn") => {
                assert!(output.status.success() && text.contains("warning"), "{name}: {output:?}")
            }
            _ => assert!(output.status.success(), "{name}: {output:?}"),
        }
        assert!(verdict["expect"] != "warn" || !text.contains("no warnings"), "{name}: {text}");
    }
    assert_eq!(folder.names(), [""; 0]);
}
