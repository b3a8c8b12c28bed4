//! Shared code of the fuzz targets: generated seeds, and what must hold for every model that is
//! read.

#![forbid(unsafe_code)]

use sinew::mesh::Attributes;
use sinew::{Instance, Mesh, Model};
use sinew_io::{BakedModel, ClipFile, ImportOptions, load_bytes};

/// A small model whose extensions are replaced: `ROOT` by those of the document, `NODE` by those of
/// its first node.
pub const VRM: &str = r#"{"asset":{"version":"2.0"},"extensions":ROOT,"nodes":[
    {"children":[1,2],"extensions":NODE},{"children":[3]},{},{"mesh":0},{}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"targets":[{"POSITION":0},{"POSITION":0}]}]}],
    "accessors":[{"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}]}"#;

/// VRM data for it.
pub const VRM_SEED: &str = r#"{"VRMC_vrm":{"meta":{"name":"a"},"humanoid":{"humanBones":{"hips":{"node":0}}},"firstPerson":{"meshAnnotations":[{"node":3,"type":"auto"}]},"expressions":{"preset":{"happy":{"morphTargetBinds":[{"node":3,"index":0,"weight":1}],"overrideBlink":"blend"}}}},"VRMC_springBone":{"colliders":[{"node":0,"shape":{"capsule":{"offset":[0,0,0],"radius":1,"tail":[0,1,0]}},"extensions":{"VRMC_springBone_extended_collider":{"shape":{"plane":{"normal":[0,1,0]}}}}}],"colliderGroups":[{"colliders":[0]}],"springs":[{"joints":[{"node":1},{"node":3}],"colliderGroups":[0],"center":0}]},"VRMC_vrm_animation":{"humanoid":{"humanBones":{"hips":{"node":0}}},"expressions":{"preset":{"happy":{"node":2}}}}}
{"VRMC_node_constraint":{"constraint":{"aim":{"source":2,"aimAxis":"PositiveX","weight":0.5}}}}"#;

/// VRM data of the older version.
pub const VRM_0_SEED: &str = r#"{"VRM":{"meta":{"title":"a"},"humanoid":{"humanBones":[{"bone":"hips","node":0}]},"blendShapeMaster":{"blendShapeGroups":[{"name":"a","presetName":"joy","binds":[{"mesh":0,"index":1,"weight":100}]}]},"secondaryAnimation":{"boneGroups":[{"stiffiness":1,"gravityDir":{"y":-1},"center":-1,"bones":[1],"colliderGroups":[0]}],"colliderGroups":[{"node":0,"colliders":[{"offset":{"x":1},"radius":1}]}]}}}"#;

/// A small MD5 mesh: two joints, and a strip that both of them influence.
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

/// A small BVH file.
pub const BVH: &str = "HIERARCHY
ROOT hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT leg
  {
    OFFSET 1 -2 0.5
    CHANNELS 3 Xrotation Zrotation Yrotation
    End Site
    {
      OFFSET 0 -1 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.25
0 1 2 10 20 30 45 -45 90
1 2 3 -170 40 80 50 -50 179
";

/// A small FBX file, as text.
pub const FBX: &str = include_str!("../../crates/sinew-fbx/tests/fbx/rise.fbx");

/// Reads bytes as FBX.
pub fn read_fbx(bytes: &[u8]) -> Option<Model> {
    let loader = sinew_io::Loader::default().with(sinew_fbx::FbxImporter);
    loader.load_bytes(bytes, &ImportOptions::default()).ok().map(|read| read.model)
}

/// A GLB of the same mesh and clip. It has only 3 KB, since a fuzzer gets further with many small
/// files than with a few large ones.
///
/// # Panics
///
/// If a seed cannot be read, which is a bug in this crate.
#[must_use]
pub fn glb() -> Vec<u8> {
    let model = read_clip(CLIP.as_bytes()).expect("the clip fits the mesh");
    let mut bytes = Vec::new();
    sinew_io::write_model_glb(&mut bytes, &model, sinew_io::UpAxisConversion::None).expect("a small model");
    bytes
}

/// Reads bytes as a model. An error is a valid outcome.
pub fn read(bytes: &[u8]) -> Option<Model> {
    load_bytes(bytes, &ImportOptions::default()).ok().map(|read| read.model)
}

/// Reads bytes as a clip for the seed mesh.
pub fn read_clip(bytes: &[u8]) -> Option<Model> {
    let clip = ClipFile::Bytes { name: "clip".to_owned(), bytes: bytes.to_vec() };
    let options = ImportOptions::default().clips(vec![clip]);
    load_bytes(MESH.as_bytes(), &options).ok().map(|read| read.model)
}

/// Numbers below this lead to finite vertices, whatever they are multiplied with on the way.
const MODERATE: f32 = 1e6;

/// Poses a model at rest and in the middle of its first clips. Vertices must be finite if the
/// numbers of its mesh and joints are moderate; otherwise only a panic is a bug.
///
/// # Panics
///
/// If moderate numbers lead to a vertex that is not finite.
pub fn bake(model: &Model) {
    // Large models are slow, and not what this test is about.
    let vertices: usize = model.primitives().iter().map(|surface| surface.mesh.len()).sum();
    if vertices > 100_000 || model.mesh_instances().len() > 1000 || model.skeleton().len() > 10_000 {
        return;
    }
    let mesh_is_moderate = is_mesh_moderate(model);
    let mut instance = model.instance();
    let must_be_finite = |instance: &mut Instance| mesh_is_moderate && is_pose_moderate(instance);
    let result = BakedModel::new(model);
    assert!(result.is_ok() || !must_be_finite(&mut instance), "at rest: {:?}", result.err());
    let Ok(mut baked) = result else { return };
    let clips = model.clips().len().min(3);
    for clip in 0..=clips {
        instance.stop();
        if clip > 0 {
            let middle = 0.5 * f64::from(model.clips()[clip - 1].end());
            instance.start(clip - 1).seek(middle).set_speed(0.0);
        }
        instance.step(0.0);
        let result = baked.update(&mut instance);
        assert!(result.is_ok() || !must_be_finite(&mut instance), "pose {clip}: {:?}", result.err());
    }
}

fn is_moderate<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> bool {
    numbers.into_iter().all(|number| number.abs() < MODERATE)
}

/// Whether the numbers of meshes and skins are moderate. For influences in joint space, only the
/// rest positions can be checked.
fn is_mesh_moderate(model: &Model) -> bool {
    let check_mesh = |mesh: &Mesh| {
        let rest = mesh.rest(Attributes::Positions).unwrap_or_default();
        let deltas = |target| is_moderate(mesh.morph_deltas(target).positions.as_flattened());
        is_moderate(rest.as_flattened())
            && is_moderate(&mesh.influences().weights)
            && (0..mesh.morph_count()).all(deltas)
    };
    let binds = || model.skins().iter().flat_map(|skin| skin.inverse_binds());
    is_moderate(binds().flat_map(|bind| bind.rows.as_flattened()))
        && model.primitives().iter().all(|surface| check_mesh(&surface.mesh))
}

/// Whether the joints and morph weights of the current pose are moderate.
fn is_pose_moderate(instance: &mut Instance) -> bool {
    is_moderate(instance.pose().morph_weights())
        && is_moderate(instance.model_matrices().iter().flat_map(|matrix| matrix.rows.as_flattened()))
}
