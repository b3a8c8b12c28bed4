//! What the fuzz targets share: seeds by rule, and what must hold of everything that is read.

#![forbid(unsafe_code)]

use sinew::Model;
use sinew_io::{Baked, ClipFile, Options, read_bytes};

/// A mesh of MD5 by rule: two joints, and a strip that hangs on both.
pub const MESH: &str = "MD5Version 10
commandline \"\"
numJoints 2
numMeshes 1
joints {
\t\"root\" -1 ( 0 0 0 ) ( 0 0 0 )
\t\"tip\" 0 ( 0 0 1 ) ( 0 0 0.5 )
}
mesh {
\tshader \"skin\"
\tnumverts 4
\tvert 0 ( 0 0 ) 0 1
\tvert 1 ( 0 1 ) 1 2
\tvert 2 ( 1 0 ) 2 1
\tvert 3 ( 1 1 ) 0 3
\tnumtris 2
\ttri 0 0 1 2
\ttri 1 2 1 3
\tnumweights 3
\tweight 0 0 0.5 ( 0 0 0.5 )
\tweight 1 1 0.25 ( 0.5 0 0 )
\tweight 2 1 0.25 ( 0 0.5 1 )
}
";

/// A clip for it.
pub const CLIP: &str = "MD5Version 10
commandline \"\"
numFrames 2
numJoints 2
frameRate 24
numAnimatedComponents 7
hierarchy {
\t\"root\" -1 1 0
\t\"tip\" 0 63 1
}
bounds {
\t( -1 -1 -1 ) ( 1 1 1 )
\t( -1 -1 -1 ) ( 1 1 1 )
}
baseframe {
\t( 0 0 0 ) ( 0 0 0 )
\t( 0 0 1 ) ( 0 0 0.5 )
}
frame 0 {
\t0
\t0 0 1 0 0 0.5
}
frame 1 {
\t0.5
\t0 0 1 0 0.5 0.5
}
";

/// A GLB of the same mesh and clip: 3 KB, since a fuzzer gets further with many small files than with a few large ones.
///
/// # Panics
///
/// When a seed cannot be read, which is a fault of its own.
#[must_use]
pub fn glb() -> Vec<u8> {
    let model = read_clip(CLIP.as_bytes()).expect("the mesh and the clip go together");
    let mut bytes = Vec::new();
    sinew_io::write_model_glb(&mut bytes, &model, sinew_io::Turn::None).expect("a small model");
    bytes
}

/// Reads bytes; an error is fine.
pub fn read(bytes: &[u8]) -> Option<Model> {
    read_bytes(bytes, &Options::default()).ok().map(|read| read.model)
}

/// Reads a clip for the mesh by rule.
pub fn read_clip(bytes: &[u8]) -> Option<Model> {
    let clip = ClipFile::Bytes { name: "clip".to_owned(), bytes: bytes.to_vec() };
    let options = Options { clips: vec![clip], ..Options::default() };
    read_bytes(MESH.as_bytes(), &options).ok().map(|read| read.model)
}

/// Poses a model at rest and in the middle of its first clips, and demands finite vertices wherever joints are finite.
///
/// # Panics
///
/// When a vertex is not finite though all joints are.
pub fn bake(model: &Model) {
    // What takes long is not what is looked for here.
    let vertices: usize = model.surfaces().iter().map(|surface| surface.mesh.len()).sum();
    if vertices > 100_000 || model.parts().len() > 1000 || model.skeleton().len() > 10_000 {
        return;
    }
    let Ok(mut baked) = Baked::new(model) else { return };
    let mut instance = model.instance();
    let clips = model.clips().len().min(3);
    for clip in 0..=clips {
        instance.stop();
        if clip > 0 {
            let middle = 0.5 * f64::from(model.clips()[clip - 1].end());
            instance.start(clip - 1).at(middle).speed(0.0);
        }
        instance.step(0.0);
        baked.take(&mut instance).expect("an instance of the model");
        let joints = instance.model_matrices().iter().all(|matrix| matrix.is_finite());
        let vertices = baked.positions().iter().flatten().all(|number| number.is_finite());
        assert!(vertices || !joints, "finite joints give finite vertices");
    }
}
