//! Any change to the bytes of a file gives an error or a usable model, within the memory limit.

use sinew_testkit::random::Random;

use super::TEXT;
use crate::support::mutations::{import, mutation_count};

#[test]
fn every_truncated_file_gives_an_error_or_a_model() {
    // The last number may be cut, and the last space is not needed.
    let whole = TEXT.trim_end().len() - 1;
    for len in 0..TEXT.len() {
        let model = import(&TEXT.as_bytes()[..len], || format!("cut at {len}"));
        // After the last brace of a root, the file could end without a motion.
        let cut = &TEXT[..len];
        let is_closed = cut.trim_end().ends_with('}') && cut.matches('{').count() == cut.matches('}').count();
        assert_eq!(model, len >= whole || is_closed, "cut at {len}");
    }
}

#[test]
fn every_flipped_bit_gives_an_error_or_a_model() {
    let mut bytes = TEXT.as_bytes().to_vec();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        import(&bytes, || format!("bit {bit}"));
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

const WORDS: [&str; 20] = [
    "",
    "-1",
    "0",
    "3",
    "64",
    "4294967295",
    "18446744073709551616",
    "1e30",
    "-1e300",
    "1e-300",
    "nan",
    "inf",
    "{",
    "}",
    "JOINT",
    "OFFSET",
    "CHANNELS",
    "End Site",
    "Xrotation",
    "Frames:",
];

#[test]
fn every_mutation_gives_an_error_or_a_model() {
    let mut models = 0;
    let count = mutation_count();
    for seed in 0..count {
        let mut random = Random::new(seed);
        let mut words: Vec<&str> = TEXT.split_inclusive(char::is_whitespace).collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(words.len());
            match random.below(4) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[random.below(words.len())]),
                2 => words[at] = words[random.below(words.len())],
                _ => {
                    words[at] = WORDS[random.below(WORDS.len())];
                    words.insert(at + 1, " ");
                }
            }
        }
        models += usize::from(import(words.concat().as_bytes(), || format!("seed {seed}")));
    }
    eprintln!("{models} models of {count}");
    assert!(models > 0);
}
