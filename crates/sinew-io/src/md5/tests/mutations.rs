//! Files with tokens changed at random.

use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{Model, Palette, SkinOptions};
use sinew_testkit::random::Random;

use super::support::{anim_text, check_clip, import, mesh_text};

/// The most memory that an import may take, plus four times the size of the file.
const MEMORY: u64 = 256_000_000;

/// Replacements for a token or a byte.
const HOSTILE: [&str; 24] = [
    "",
    "-1",
    "0",
    "1",
    "2",
    "63",
    "64",
    "2147483648",
    "4294967295",
    "18446744073709551616",
    "1e30",
    "-1e16",
    "1e999",
    "nan",
    "inf",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "/*",
    "//",
    "\0",
    "numverts",
];

fn mutated(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(2) {
        let at = random.below(bytes.len());
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        let start = bytes[..at].iter().rposition(is_space).map_or(0, |space| space + 1);
        let end = bytes[at..].iter().position(is_space).map_or(bytes.len(), |space| at + space);
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.splice(at..at, HOSTILE[random.below(HOSTILE.len())].bytes())),
            2 => {
                let token = bytes[start..end.max(start)].to_vec();
                drop(bytes.splice(start..start, token));
            }
            _ => drop(bytes.splice(start..end.max(start), HOSTILE[random.below(HOSTILE.len())].bytes())),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Whether all vertices are finite, at rest and within the clips.
fn is_finite(model: &Model) -> bool {
    let skeleton = model.skeleton();
    let mut poses = vec![skeleton.rest_pose()];
    for clip in model.clips() {
        let mut pose = skeleton.rest_pose();
        clip.sample(0.4 * clip.end(), &mut clip.cursor(), &mut pose).expect("a clip of the model");
        poses.push(pose);
    }
    poses.iter().all(|pose| {
        let mut model_from_joint = skeleton.identity_matrices();
        skeleton.to_model(pose, .., &mut model_from_joint).expect("matrices");
        model.primitives().iter().all(|primitive| {
            let mut palette = Palette::new(&model.skins()[0]);
            palette.update(&model_from_joint, &model.skins()[0]).expect("a palette");
            let mut skinned = Skinned::new(&primitive.mesh, Attributes::Normals).expect("normals");
            primitive
                .mesh
                .skin(&palette, &SkinOptions::default(), &mut skinned)
                .expect("a skinned primitive");
            let mut vectors = [(); 2].map(|()| vec![[0.0; 3]; primitive.mesh.len()]);
            skinned.positions(&primitive.mesh, &mut vectors[0]).expect("positions");
            skinned.normals(&primitive.mesh, &mut vectors[1]).expect("normals");
            vectors.iter().flatten().flatten().all(|component: &f32| component.is_finite())
        })
    })
}

#[test]
fn mutated_files_give_a_usable_model_or_an_error() {
    let (mesh, anim) = (mesh_text(2), anim_text(3));
    let mut random = Random::new(7);
    let mut read_well = 0;
    for _ in 0..10_000 {
        let of_mesh = mutated(&mesh, &mut random);
        let of_clip = mutated(&anim, &mut random);
        for (mesh, clip) in [(&*of_mesh, anim.as_bytes()), (mesh.as_bytes(), &*of_clip)] {
            let mut found = None;
            let memory = allocation_counter::measure(|| found = Some(import(mesh, clip)));
            let limit = MEMORY + 4 * (mesh.len() + clip.len()) as u64;
            assert!(memory.bytes_max <= limit, "{}", String::from_utf8_lossy(mesh));
            let Some(Ok((model, _))) = found else { continue };
            assert!(is_finite(&model), "{}", String::from_utf8_lossy(mesh));
            read_well += 1;
        }
        drop(check_clip(&of_clip));
    }
    // Some mutations do no harm, and some are repaired.
    assert!((500..15_000).contains(&read_well), "{read_well}");
}
