//! Turns the viewer's module into one that a page can import: sinew-bindgen MODULE.wasm FOLDER
//!
//! Replaces the program wasm-bindgen, which would have to be installed in exactly the right
//! version; here the lock file sets the version.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [module, folder] = &arguments[..] else {
        eprintln!("sinew-bindgen: expected a module and a folder, found {} arguments", arguments.len());
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let result =
        bindgen.input_path(module).typescript(false).web(true).and_then(|page| page.generate(folder));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sinew-bindgen: {}: {error:#}", module.display());
            ExitCode::FAILURE
        }
    }
}
