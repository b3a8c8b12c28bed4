//! Writes the seeds of every target below a folder: `cargo run --release --bin corpus -- corpus`.

#![forbid(unsafe_code)]

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).unwrap_or_else(|| "corpus".into());
    let put = |target: &str, name: &str, bytes: &[u8]| {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };
    let glb = sinew_fuzz::glb();
    put("glb", "rule.glb", &glb)?;
    put("bytes_to_vertices", "rule.glb", &glb)?;
    // The first chunk of a GLB is its JSON.
    let len = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    put("gltf_json", "rule.json", &glb[20..20 + len])?;
    for target in ["md5mesh", "bytes_to_vertices"] {
        put(target, "rule.md5mesh", sinew_fuzz::MESH.as_bytes())?;
    }
    put("md5anim", "rule.md5anim", sinew_fuzz::CLIP.as_bytes())
}
