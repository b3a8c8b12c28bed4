//! Any change to the bytes of a file gives an error or a usable model.

use sinew_io::ImportOptions;
use sinew_testkit::random::Random;

use crate::generated::TEXT;
use crate::support::{fbx_folder, load_measured, positions};

/// The number of random mutations: 20,000, or what `SINEW_MUTATIONS` says.
fn mutation_count() -> u64 {
    std::env::var("SINEW_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

/// Imports bytes, checks the memory, and poses the model. Returns whether there is one.
fn import(bytes: &[u8]) -> bool {
    let (import, memory) = load_measured(bytes, &ImportOptions::default());
    let limit = (256 << 20) + 4 * bytes.len() as u64;
    assert!(memory <= limit, "{memory} bytes");
    match import {
        Ok(import) => {
            let clip = (!import.model.clips().is_empty()).then_some((0, 0.1));
            // Numbers of any size may overflow, but nothing may panic.
            let _ = positions(&import.model, clip, None);
            true
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            false
        }
    }
}

#[test]
fn every_truncated_file_gives_an_error_or_a_model() {
    for len in 0..TEXT.len() {
        import(&TEXT.as_bytes()[..len]);
    }
}

#[test]
fn flipped_bits_give_an_error_or_a_model() {
    let mut bytes = TEXT.as_bytes().to_vec();
    for bit in (0..bytes.len() * 8).step_by(3) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        import(&bytes);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

const WORDS: [&str; 16] = [
    "",
    "-1",
    "0",
    "2",
    "99999999",
    "18446744073709551616",
    "1e300",
    "nan",
    "inf",
    "{",
    "}",
    "\"",
    "*",
    "C:",
    "Vertices:",
    "\"OO\"",
];

#[test]
fn mutations_of_text_give_an_error_or_a_model() {
    let (mut models, count) = (0, mutation_count());
    for seed in 0..count {
        let mut random = Random::new(seed);
        let mut words: Vec<&str> = TEXT.split_inclusive([' ', '\n', ',']).collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(words.len());
            match random.below(4) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[random.below(words.len())]),
                2 => words[at] = words[random.below(words.len())],
                _ => words[at] = WORDS[random.below(WORDS.len())],
            }
        }
        models += usize::from(import(words.concat().as_bytes()));
    }
    eprintln!("{models} models of {count}");
    assert!(models > 0);
}

#[test]
fn mutations_of_binary_files_give_an_error_or_a_model() {
    let Some(folder) = fbx_folder() else { return };
    let names = ["max_transformed_skin_6100_binary.fbx", "blender_279_shape_weights_7400_binary.fbx"];
    let files: Vec<_> = names.iter().filter_map(|name| std::fs::read(folder.join(name)).ok()).collect();
    assert!(!files.is_empty());
    for seed in 0..mutation_count() / 10 {
        let mut random = Random::new(seed);
        let mut bytes = files[seed as usize % files.len()].clone();
        for _ in 0..1 + random.below(8) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        import(&bytes);
    }
}
