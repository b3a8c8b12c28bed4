//! Bytes as the JSON chunk of a GLB whose binary chunk holds plausible numbers.

#![no_main]

/// Binary chunk of small floats, which the JSON may use as positions, weights, joints or keys.
fn binary_chunk() -> Vec<u8> {
    (0..1024_u32).flat_map(|i| (i as f32 * 0.01).to_le_bytes()).collect()
}

fn chunk(kind: &[u8; 4], bytes: &[u8], pad: u8) -> Vec<u8> {
    let len = bytes.len().next_multiple_of(4);
    let mut chunk = (len as u32).to_le_bytes().to_vec();
    chunk.extend(kind);
    chunk.extend(bytes);
    chunk.resize(8 + len, pad);
    chunk
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let chunks = [chunk(b"JSON", bytes, b' '), chunk(b"BIN\0", &binary_chunk(), 0)].concat();
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((12 + chunks.len() as u32).to_le_bytes());
    glb.extend(chunks);
    if let Some(model) = sinew_fuzz::read(&glb) {
        sinew_fuzz::bake(&model);
    }
});
