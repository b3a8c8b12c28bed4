//! Writes the seeds of every target into a folder: `cargo run --release --bin corpus -- corpus`.

#![forbid(unsafe_code)]

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).unwrap_or_else(|| "corpus".into());
    let write_seed = |target: &str, name: &str, bytes: &[u8]| {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };
    let glb = sinew_fuzz::glb();
    write_seed("glb", "seed.glb", &glb)?;
    write_seed("bytes_to_vertices", "seed.glb", &glb)?;
    // The first chunk of a GLB is its JSON.
    let len = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    write_seed("gltf_json", "seed.json", &glb[20..20 + len])?;
    for target in ["md5mesh", "bytes_to_vertices"] {
        write_seed(target, "seed.md5mesh", sinew_fuzz::MESH.as_bytes())?;
    }
    for target in ["bvh", "bytes_to_vertices"] {
        write_seed(target, "seed.bvh", sinew_fuzz::BVH.as_bytes())?;
    }
    write_seed("fbx", "seed.fbx", sinew_fuzz::FBX.as_bytes())?;
    write_seed("vrm", "seed.json", sinew_fuzz::VRM_SEED.as_bytes())?;
    write_seed("vrm", "seed_0.json", sinew_fuzz::VRM_0_SEED.as_bytes())?;
    write_seed("md5anim", "seed.md5anim", sinew_fuzz::CLIP.as_bytes())
}
