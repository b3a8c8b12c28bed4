//! Writes the figures of the plain JavaScript page as GLB files: sinew-figures-glb FOLDER

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use sinew_io::UpAxisConversion;

/// Files and the scenes that they hold.
const FIGURES: [(&str, &str); 3] =
    [("figure.glb", "@figure"), ("figure-50000.glb", "@figure:50000"), ("twist.glb", "@twist")];

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [folder] = &arguments[..] else {
        eprintln!("sinew-figures-glb: expected a folder, found {} arguments", arguments.len());
        return ExitCode::from(2);
    };
    for (file, scene) in FIGURES {
        if let Err(error) = write(&Path::new(folder).join(file), scene) {
            eprintln!("sinew-figures-glb: {file}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn write(path: &Path, scene: &str) -> Result<(), Box<dyn std::error::Error>> {
    let model = sinew_figures::scene(scene)?.model()?;
    let mut bytes = Vec::new();
    sinew_io::write_model_glb(&mut bytes, &model, UpAxisConversion::ToYUp)?;
    Ok(fs::write(path, bytes)?)
}
