//! Broken files, as the program answers them. They lie where `SINEW_DATA` points.

mod run;

use std::path::Path;

use run::{Folder, refusal};
use serde_json::Value;

#[test]
fn broken_files_are_refused_in_one_line_and_odd_ones_are_used() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: SINEW_DATA does not say where the broken files are");
        return;
    };
    let broken = Path::new(&data).join("hostile");
    let expected = std::fs::read(broken.join("expected.json")).expect("the list of files");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    let folder = Folder::new();
    for (name, verdict) in expected.as_object().expect("an object") {
        let path = broken.join(name);
        let path = path.to_str().expect("a plain path");
        let output = folder.sinew(&["check", path]);
        let text = String::from_utf8_lossy(&output.stdout);
        match verdict["expect"].as_str() {
            Some("reject") => {
                assert!(
                    refusal(1, &folder.sinew(&["info", path])).contains(name.as_str()),
                    "{name}: {output:?}"
                );
                assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
                assert!(text.lines().all(|line| line.starts_with("  ")), "{name}: {text}");
            }
            Some("warn") => assert!(output.status.success() && text.contains("odd"), "{name}: {output:?}"),
            _ => assert!(output.status.success(), "{name}: {output:?}"),
        }
        assert!(verdict["expect"] != "warn" || !text.contains("nothing is odd"), "{name}: {text}");
    }
    assert_eq!(folder.names(), [""; 0]);
}
