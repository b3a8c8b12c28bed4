//! Bytes as a clip of MD5, for a mesh by rule.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(model) = sinew_fuzz::read_clip(bytes) {
        sinew_fuzz::bake(&model);
    }
});
