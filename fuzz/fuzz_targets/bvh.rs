//! Bytes as BVH, to posed vertices.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(model) = sinew_fuzz::read(bytes) {
        sinew_fuzz::bake(&model);
    }
});
