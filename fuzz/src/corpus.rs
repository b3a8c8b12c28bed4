//! Writes the seeds of every target below a folder: `cargo run --release --bin corpus -- corpus`.

#![forbid(unsafe_code)]

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).unwrap_or_else(|| "corpus".into());
    let put = |target: &str, name: String, bytes: &[u8]| {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };
    for (number, glb) in sinew_fuzz::glbs().iter().enumerate() {
        put("glb", format!("{number}.glb"), glb)?;
        put("bytes_to_vertices", format!("{number}.glb"), glb)?;
        // The first chunk of a GLB is its JSON.
        let len = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
        put("gltf_json", format!("{number}.json"), &glb[20..20 + len])?;
    }
    for target in ["md5mesh", "bytes_to_vertices"] {
        put(target, "rule.md5mesh".to_owned(), sinew_fuzz::MESH.as_bytes())?;
    }
    put("md5anim", "rule.md5anim".to_owned(), sinew_fuzz::CLIP.as_bytes())
}
