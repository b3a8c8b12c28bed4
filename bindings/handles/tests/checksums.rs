//! The vertices of models in reproducible mode have the listed bits. The tests of the npm package
//! make the same calls on the same files, and compare with the same list.
#![cfg(feature = "io")]
#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use std::path::{Path, PathBuf};

use sinew_handles::records::{Attribute, Layout, PlaySettings, SkinSettings};
use sinew_handles::*;
use sinew_testkit::checksum::Checksum;

/// Lines of a checksum and a file, which is beside the list or in the folder SINEW_DATA.
const CHECKSUMS: &str = include_str!("../../js/tests/checksums.txt");

#[test]
fn vertices_have_the_listed_checksums() {
    let mut wrong = Vec::new();
    for line in CHECKSUMS.lines() {
        let (expected, name) = line.split_once(' ').unwrap();
        let Some(path) = find(name) else {
            eprintln!("skipped: {name}, as SINEW_DATA is not set");
            continue;
        };
        let found = format!("{:016x}", checksum(&std::fs::read(path).unwrap()));
        if found != expected {
            wrong.push(format!("{found} {name}"));
        }
    }
    assert!(wrong.is_empty(), "found\n{}", wrong.join("\n"));
}

/// The path of a file of the list; `None` if it is one of SINEW_DATA and that is not set.
fn find(name: &str) -> Option<PathBuf> {
    let Some(name) = name.strip_prefix("SINEW_DATA/") else {
        return Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests").join(name));
    };
    Some(Path::new(&std::env::var_os("SINEW_DATA")?).join(name))
}

/// Three steps of the first clip, and a fourth in the middle of a cross-fade if there is a second
/// one; then the positions of every mesh, and its normals if it has some.
fn checksum(bytes: &[u8]) -> u64 {
    let settings = LoadSettings { reproducible: 1, ..LoadSettings::default() };
    let model = load_bytes(bytes, &[], &settings).unwrap();
    let info = model_info(model).unwrap();
    let instance = instance_new(model, &SkinSettings::default()).unwrap();
    play(Player::Instance(instance), 0, &PlaySettings::default()).unwrap();
    for _ in 0..3 {
        instance_step(instance, 0.25).unwrap();
    }
    if info.clips > 1 {
        let fade = PlaySettings { mode: 1, fade_seconds: 0.5, ..PlaySettings::default() };
        play(Player::Instance(instance), 1, &fade).unwrap();
    }
    instance_step(instance, 0.25).unwrap();

    let mut sum = Checksum::new();
    for mesh in 0..info.mesh_instances {
        let found = model_mesh_instance(model, mesh).unwrap();
        let attribute = |is_wanted: bool| Attribute { format: is_wanted.into(), ..Attribute::default() };
        let has_normals = found.attributes >= 2;
        let layout =
            Layout { position: attribute(true), normal: attribute(has_normals), ..Layout::default() };
        let mut buffers = vec![vec![0_u8; 12 * found.vertices as usize]; 1 + usize::from(has_normals)];
        instance_skin_into(instance, mesh, &layout, buffers.iter_mut().map(|buffer| &mut buffer[..]), None)
            .unwrap();
        for buffer in &buffers {
            let numbers: Vec<f32> =
                buffer.as_chunks().0.iter().map(|&number| f32::from_le_bytes(number)).collect();
            sum.add(&numbers);
        }
    }
    sum.value()
}
