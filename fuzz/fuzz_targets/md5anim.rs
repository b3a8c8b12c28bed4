//! Bytes as an MD5 clip, for the seed mesh.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(model) = sinew_fuzz::read_clip(bytes) {
        sinew_fuzz::bake(&model);
    }
});
