//! Bytes as an MD5 mesh, to a model.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::read(bytes);
});
