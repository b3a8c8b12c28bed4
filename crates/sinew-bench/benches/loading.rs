//! Times imports against the `gltf` crate, which parses a document, checks it, and decodes its
//! accessors to arrays. sinew does this too, and then repairs the arrays and builds a model of
//! them. Neither decodes images. Both are given the bytes of the file.
//!
//! `cargo bench -p sinew-bench --bench loading -- a.glb b.glb`; without arguments, CesiumMan and the
//! Knight from `SINEW_DATA`. A generated GLB with a million vertices is always included. Prints
//! milliseconds and their ratio, and the largest memory in use while the file is loaded from its
//! path, and what the model keeps, both relative to the size of the file. Imports are timed in
//! turns, and then alone: the fastest of each in a process of its own, where no import gets memory
//! that the other one has freed.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use sinew_bench::timer::{AlternatingTimer, Length};
use sinew_io::{ImportOptions, UpAxisConversion};

const FULL: Length = Length { rounds: 15, sample: Duration::from_millis(20) };

/// How long imports are repeated in a process of their own.
const ALONE: Duration = Duration::from_millis(1500);

/// The argument of such a process, before the name of the importer and the file.
const ALONE_ARGUMENT: &str = "--alone";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    if let [_, alone, importer, file] = &arguments[..]
        && alone == ALONE_ARGUMENT
    {
        return time_alone(importer, Path::new(file));
    }
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let full = env::args().any(|argument| argument == "--bench");
    let (length, vertices) = if full { (FULL, 1_000_000) } else { (Length::SMOKE, 1_000) };
    let mut files: Vec<String> =
        arguments.into_iter().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if let (true, Some(data)) = (files.is_empty(), env::var_os("SINEW_DATA")) {
        let model = |name: &str| Path::new(&data).join(name).display().to_string();
        files.push(model("khronos-sample-assets/CesiumMan/glTF-Binary/CesiumMan.glb"));
        files.push(model("kaykit-adventurers/Knight.glb"));
    }
    for file in files {
        let name = Path::new(&file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        measure(&name, Path::new(&file), length)?;
    }
    let generated = sinew_figures::scene(&format!("@figure:{vertices}"))?.model()?;
    let mut glb = tempfile::NamedTempFile::new()?;
    sinew_io::write_model_glb(&mut glb, &generated, UpAxisConversion::None)?;
    drop(generated);
    measure("@figure", glb.path(), length)
}

fn measure(name: &str, file: &Path, length: Length) -> Result<(), Box<dyn Error>> {
    let bytes = &std::fs::read(file)?[..];
    let options = ImportOptions::default();
    // Both must succeed before they are timed.
    decode(bytes)?;
    let model = sinew_io::load_bytes(bytes, &options)?.model;
    let vertices: usize = model.primitives().iter().map(|primitive| primitive.mesh.len()).sum();
    drop(model);
    let mut timer = AlternatingTimer::new();
    timer.add("gltf", || drop(black_box(decode(bytes))));
    timer.add("sinew", || drop(black_box(sinew_io::load_bytes(bytes, &options))));
    let timings = timer.run(length);
    let [gltf, sinew] = [0, 1].map(|i| timings[i].seconds * 1e3);
    let ratio = 1.0 / timings[1].speed;
    // The bytes of the file are in memory as well while it is read.
    let mut import = None;
    let memory = allocation_counter::measure(|| import = Some(sinew_io::load(file)));
    drop(import);
    let [peak, kept] =
        [memory.bytes_max as f64, memory.bytes_current as f64].map(|used| used / bytes.len() as f64);
    write!(
        stdout(),
        "{name:<12} {vertices:>8} vertices {:>10} bytes: gltf {gltf:8.3} ms, sinew {sinew:8.3} ms, \
         ratio {ratio:.2}, memory {peak:.2} x file, kept {kept:.2}",
        bytes.len()
    )?;
    if length.rounds > 1 {
        let [gltf, sinew] = [run_alone("gltf", file)?, run_alone("sinew", file)?];
        let ratio = sinew / gltf;
        write!(stdout(), "; alone gltf {gltf:8.3} ms, sinew {sinew:8.3} ms, ratio {ratio:.2}")?;
    }
    Ok(writeln!(stdout())?)
}

/// The milliseconds of the fastest import in a new process.
fn run_alone(importer: &str, file: &Path) -> Result<f64, Box<dyn Error>> {
    let output = Command::new(env::current_exe()?).args([ALONE_ARGUMENT, importer]).arg(file).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

/// Prints the milliseconds of the fastest import.
fn time_alone(importer: &str, file: &Path) -> Result<(), Box<dyn Error>> {
    let bytes = &std::fs::read(file)?[..];
    let options = ImportOptions::default();
    let (start, mut fastest) = (Instant::now(), Duration::MAX);
    while start.elapsed() < ALONE {
        let start = Instant::now();
        match importer {
            "gltf" => drop(black_box(decode(bytes))),
            _ => drop(black_box(sinew_io::load_bytes(bytes, &options))),
        }
        fastest = fastest.min(start.elapsed());
    }
    Ok(writeln!(stdout(), "{}", fastest.as_secs_f64() * 1e3)?)
}

/// Parses and checks a GLB with the `gltf` crate, and decodes all of its meshes, skins and
/// animations.
fn decode(bytes: &[u8]) -> Result<(), gltf::Error> {
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(bytes)?;
    let data = |_: gltf::Buffer<'_>| blob.as_deref();
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives()) {
        let reader = primitive.reader(data);
        keep(reader.read_positions());
        keep(reader.read_normals());
        keep(reader.read_tangents());
        keep(reader.read_indices().map(|indices| indices.into_u32()));
        for set in 0..2 {
            keep(reader.read_tex_coords(set).map(|coordinates| coordinates.into_f32()));
            keep(reader.read_colors(set).map(|colors| colors.into_rgba_f32()));
            keep(reader.read_joints(set).map(|joints| joints.into_u16()));
            keep(reader.read_weights(set).map(|weights| weights.into_f32()));
        }
        for (positions, normals, tangents) in reader.read_morph_targets() {
            keep(positions);
            keep(normals);
            keep(tangents);
        }
    }
    for skin in document.skins() {
        keep(skin.reader(data).read_inverse_bind_matrices());
    }
    for channel in document.animations().flat_map(|animation| animation.channels()) {
        use gltf::animation::util::ReadOutputs;
        let reader = channel.reader(data);
        keep(reader.read_inputs());
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(values) | ReadOutputs::Scales(values)) => keep(Some(values)),
            Some(ReadOutputs::Rotations(values)) => keep(Some(values.into_f32())),
            Some(ReadOutputs::MorphTargetWeights(values)) => keep(Some(values.into_f32())),
            None => {}
        }
    }
    Ok(())
}

/// Collects an accessor into an array.
fn keep<T>(elements: Option<impl Iterator<Item = T>>) {
    black_box(elements.map(Iterator::collect::<Vec<T>>));
}
