//! The committed header and symbol list are those of the source.
//!
//! `SINEW_UPDATE=1 cargo test -p sinew-c-header` writes them anew.

use sinew_c_header::{folder, header, symbols};

/// Compares a committed file with what it must be, or writes it.
fn compare(path: &str, text: &str) {
    let path = folder().join(path);
    if std::env::var_os("SINEW_UPDATE").is_some() {
        return std::fs::write(path, text).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "{} is not that of the source: SINEW_UPDATE=1 cargo test -p sinew-c-header",
        path.display()
    );
}

#[test]
fn the_header_is_that_of_the_source() {
    compare("include/sinew.h", &header());
}

#[test]
fn the_symbol_list_is_that_of_the_header() {
    let symbols = symbols(&header());
    assert!(symbols.lines().count() > 100, "{symbols}");
    compare("symbols.txt", &symbols);
}
