//! The program `sinew-viewer`. In a browser, the page starts the library instead.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    sinew_viewer::command::run()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
