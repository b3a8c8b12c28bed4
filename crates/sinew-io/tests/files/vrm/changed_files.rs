//! Changed files give an error or a model.

use sinew_io::{Import, ImportOptions, UpAxisConversion, load_bytes, write_vrm_glb};
use sinew_testkit::random::Random;

use super::avatars::{vrm_0, vrm_1};
use super::motion::animation;
use crate::mutations::change_value;
use crate::support::glb_writer::glb;
use crate::support::mutations::{import, mutation_count};

#[test]
fn changed_files_give_an_error_or_a_model() {
    let sources = [vrm_1(), vrm_0(), animation()];
    let mut models = 0;
    let count = mutation_count();
    for seed in 0..count {
        let (mut document, buffer) = sources[seed as usize % sources.len()].clone();
        let mut random = Random::new(seed);
        let done: Vec<_> =
            (0..1 + random.below(3)).map(|_| change_value(&mut document, &mut random)).collect();
        let bytes = glb(&serde_json::to_vec(&document).unwrap(), &buffer);
        models += usize::from(import(&bytes, || format!("seed {seed}, {done:?}")));
        check_export(&bytes);
    }
    eprintln!("{models} models of {count}");
    for (document, buffer) in sources {
        let mut bytes = glb(&serde_json::to_vec(&document).unwrap(), &buffer);
        for len in 0..bytes.len() {
            assert!(!import(&bytes[..len], || format!("cut at {len}")), "cut at {len}");
        }
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            import(&bytes, || format!("bit {bit}"));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// What is imported can be exported, expanded and retargeted.
fn check_export(bytes: &[u8]) {
    let Ok(Import { model, vrm: Some(vrm), .. }) = load_bytes(bytes, &ImportOptions::default()) else {
        return;
    };
    let _ = vrm.spring_chains(model.skeleton());
    let mut modified = model.instance();
    if let Some(springs) = vrm.spring_bones(model.skeleton()).expect("data of this model") {
        modified.modifiers_mut().push(springs).expect("data of this model");
        modified.step(0.1);
    }
    for modifier in vrm.constraint_modifiers(model.skeleton()) {
        let mut instance = model.instance();
        instance.modifiers_mut().push(modifier).expect("data of this model");
        instance.step(0.1);
        let pose = instance.pose();
        let finite = |joint| pose.rotation(joint).iter().all(|part| part.is_finite());
        assert!(model.skeleton().joints().all(finite));
    }
    if let Some(animation) = &vrm.animation {
        let _ = vrm.retarget(&model, animation, &model);
    }
    let mut glb = Vec::new();
    if write_vrm_glb(&mut glb, &model, &vrm, UpAxisConversion::None).is_ok() {
        load_bytes(&glb, &ImportOptions::default()).expect("data of this model");
    }
}
