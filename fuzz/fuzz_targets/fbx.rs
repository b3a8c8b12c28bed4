//! Bytes as FBX, to posed vertices.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(model) = sinew_fuzz::read_fbx(bytes) {
        sinew_fuzz::bake(&model);
    }
});
