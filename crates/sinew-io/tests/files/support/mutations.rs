//! Imports of files that were changed at random.

use sinew_io::ImportOptions;

use super::pose_model;

/// The number of random mutations: 20,000, or what `SINEW_MUTATIONS` says.
pub(crate) fn mutation_count() -> u64 {
    std::env::var("SINEW_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

/// Imports bytes, and checks the memory and the model. Returns whether there is a model.
#[track_caller]
pub(crate) fn import(bytes: &[u8], what: impl Fn() -> String) -> bool {
    let mut import = None;
    let memory =
        allocation_counter::measure(|| import = Some(sinew_io::load_bytes(bytes, &ImportOptions::default())));
    let limit = (256 << 20) + 4 * bytes.len() as u64;
    assert!(memory.bytes_max <= limit, "{}: {} bytes", what(), memory.bytes_max);
    match import.expect("it was measured") {
        Ok(import) => {
            pose_model::check_finite(&import.model, 2).unwrap_or_else(|error| panic!("{}: {error}", what()));
            true
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{}: {error}", what());
            false
        }
    }
}
