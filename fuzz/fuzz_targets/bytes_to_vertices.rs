//! Bytes of any format, to a model, to vertices in the middle of its clips.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(model) = sinew_fuzz::read(bytes) {
        sinew_fuzz::bake(&model);
    }
});
