//! What the fuzz targets share: seeds by rule, and what must hold of everything that is read.

#![forbid(unsafe_code)]

use sinew::{Attributes, Instance, Mesh, Model};
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

/// Numbers below this lead to finite vertices, whatever is multiplied on the way.
const MODERATE: f32 = 1e6;

/// Poses a model at rest and in the middle of its first clips, and demands finite vertices wherever its shape and its joints are
/// moderate. Of others anything may come but a panic.
///
/// # Panics
///
/// When moderate numbers lead to a vertex that is not finite.
pub fn bake(model: &Model) {
    // What takes long is not what is looked for here.
    let vertices: usize = model.surfaces().iter().map(|surface| surface.mesh.len()).sum();
    if vertices > 100_000 || model.parts().len() > 1000 || model.skeleton().len() > 10_000 {
        return;
    }
    let shape = is_shape_moderate(model);
    let mut instance = model.instance();
    let demanded = |instance: &mut Instance| shape && is_pose_moderate(instance);
    let made = Baked::new(model);
    assert!(made.is_ok() || !demanded(&mut instance), "at rest: {:?}", made.err());
    let Ok(mut baked) = made else { return };
    let clips = model.clips().len().min(3);
    for clip in 0..=clips {
        instance.stop();
        if clip > 0 {
            let middle = 0.5 * f64::from(model.clips()[clip - 1].end());
            instance.start(clip - 1).at(middle).speed(0.0);
        }
        instance.step(0.0);
        let taken = baked.take(&mut instance);
        assert!(taken.is_ok() || !demanded(&mut instance), "after {clip} clips: {:?}", taken.err());
    }
}

fn is_moderate<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> bool {
    numbers.into_iter().all(|number| number.abs() < MODERATE)
}

/// Whether all that moves joints or is moved by them is moderate. Of influences in joint space only the vertices at rest can be
/// asked for.
fn is_shape_moderate(model: &Model) -> bool {
    let of_mesh = |mesh: &Mesh| {
        let rest = mesh.rest(Attributes::Positions).unwrap_or_default();
        let deltas = |target| is_moderate(mesh.morph_deltas(target).positions.as_flattened());
        is_moderate(rest.as_flattened())
            && is_moderate(&mesh.influences().weights)
            && (0..mesh.morph_count()).all(deltas)
    };
    let binds = || model.skins().iter().flat_map(|skin| skin.inverse_binds());
    is_moderate(binds().flat_map(|bind| bind.rows.as_flattened()))
        && model.surfaces().iter().all(|surface| of_mesh(&surface.mesh))
}

/// Whether all joints and morph weights are moderate, where they are now.
fn is_pose_moderate(instance: &mut Instance) -> bool {
    is_moderate(instance.pose().morph_weights())
        && is_moderate(instance.model_matrices().iter().flat_map(|matrix| matrix.rows.as_flattened()))
}
