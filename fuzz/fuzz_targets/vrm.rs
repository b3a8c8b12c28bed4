//! Bytes as the VRM data of a small model: its root extensions, and those of its first node.

#![no_main]

use sinew_io::{ImportOptions, UpAxisConversion, load_bytes, write_vrm_glb};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (root, node) = text.split_once('\n').unwrap_or((text, "{}"));
    let json = sinew_fuzz::VRM.replace("ROOT", root).replace("NODE", node);
    let Ok(import) = load_bytes(json.as_bytes(), &ImportOptions::default()) else { return };
    let Some(vrm) = &import.vrm else { return };
    let _ = vrm.spring_chains(import.model.skeleton());
    if let Some(animation) = &vrm.animation {
        let _ = vrm.retarget(&import.model, animation, &import.model);
    }
    let mut glb = Vec::new();
    write_vrm_glb(&mut glb, &import.model, vrm, UpAxisConversion::None).expect("a small model");
    load_bytes(&glb, &ImportOptions::default()).expect("what was exported is valid");
});
