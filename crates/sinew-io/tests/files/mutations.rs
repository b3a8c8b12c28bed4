//! Any change to the bytes of a valid file gives an error or a usable model, within the memory
//! limit.

use std::collections::BTreeMap;

use crate::support::glb_writer::{SceneFile, glb};
use crate::support::mutations::{import, mutation_count};
use crate::support::random_scene::Scene;
use serde_json::Value;
use sinew_testkit::random::Random;

#[test]
fn every_truncated_file_is_refused() {
    let bytes = SceneFile::new(&Scene::small()).bytes();
    assert!(import(&bytes, || "whole".into()));
    for len in 0..bytes.len() {
        assert!(!import(&bytes[..len], || format!("cut at {len}")), "cut at {len}");
    }
}

#[test]
fn every_flipped_bit_gives_an_error_or_a_model() {
    let mut bytes = SceneFile::new(&Scene::small()).bytes();
    let mut models = 0;
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        models += usize::from(import(&bytes, || format!("bit {bit}")));
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    eprintln!("{models} models of {} flips", bytes.len() * 8);
}

#[test]
fn every_mutation_gives_an_error_or_a_model() {
    let (mut models, mut kinds) = (0, BTreeMap::<_, usize>::new());
    // A few scenes, each mutated in many ways; mostly the small one.
    let scenes: Vec<(Value, Vec<u8>)> = (0..32)
        .map(|seed| SceneFile::new(&if seed % 4 == 0 { Scene::new(seed) } else { Scene::small() }))
        .map(|parts| (serde_json::from_str(&parts.json).unwrap(), parts.buffer))
        .collect();
    let count = mutation_count();
    for seed in 0..count {
        let (mut document, mut buffer) = scenes[seed as usize % scenes.len()].clone();
        let mut random = Random::new(seed);
        let mut done = Vec::new();
        for _ in 0..1 + random.below(3) {
            done.push(match random.once_in(4) {
                true => change_float(&mut buffer, &mut random),
                false => change_value(&mut document, &mut random),
            });
        }
        let json = serde_json::to_vec(&document).unwrap();
        let model = import(&glb(&json, &buffer), || format!("seed {seed}, {done:?}"));
        models += usize::from(model);
        for kind in done {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    eprintln!("{models} models of {count}; {kinds:?}");
}

const FLOATS: [f32; 10] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1e30, 1e18, f32::MIN_POSITIVE, -1.0, 0.0, 1.0];

fn change_float(buffer: &mut [u8], random: &mut Random) -> &'static str {
    let offset = random.below(buffer.len() / 4) * 4;
    let bytes = match random.once_in(4) {
        true => (random.bits() as u32).to_le_bytes(),
        false => FLOATS[random.below(FLOATS.len())].to_le_bytes(),
    };
    buffer[offset..offset + 4].copy_from_slice(&bytes);
    "four bytes"
}

/// Changes one value at a random path of a document.
pub(crate) fn change_value(document: &mut Value, random: &mut Random) -> &'static str {
    let mut pointers = Vec::new();
    let mut waiting = vec![(String::new(), &*document)];
    while let Some((pointer, value)) = waiting.pop() {
        match value {
            Value::Array(items) => {
                waiting.extend(items.iter().enumerate().map(|(i, item)| (format!("{pointer}/{i}"), item)));
            }
            Value::Object(fields) => {
                waiting.extend(fields.iter().map(|(key, item)| (format!("{pointer}/{key}"), item)));
            }
            _ => {}
        }
        pointers.push(pointer);
    }
    let at = |random: &mut Random| pointers[random.below(pointers.len())].clone();
    let other = document.pointer(&at(random)).cloned().expect("a pointer into the document");
    let value = document.pointer_mut(&at(random)).expect("a pointer into the document");
    if random.once_in(8) {
        *value = other;
        return "another value of the document";
    }
    match value {
        Value::Array(items) => change_array(items, random),
        Value::Object(fields) => {
            let key = fields.keys().nth(random.below(fields.len().max(1))).cloned();
            if let Some(key) = key {
                fields.remove(&key);
            }
            "a field less"
        }
        Value::Number(_) => {
            *value = number(random);
            "another number"
        }
        Value::String(text) => {
            *text = WORDS[random.below(WORDS.len())].to_owned();
            "another word"
        }
        _ => {
            *value = number(random);
            "a number"
        }
    }
}

fn change_array(items: &mut Vec<Value>, random: &mut Random) -> &'static str {
    let len = items.len();
    match random.below(4) {
        0 => {
            items.clear();
            "no items"
        }
        1 if len > 0 => {
            items.remove(random.below(len));
            "an item less"
        }
        2 if len > 0 => {
            items.push(items[random.below(len)].clone());
            "an item twice"
        }
        _ if len > 0 => {
            items.swap(random.below(len), random.below(len));
            "two items swapped"
        }
        _ => "nothing",
    }
}

fn number(random: &mut Random) -> Value {
    const LARGE: [u64; 6] = [255, 65_535, 1 << 20, 1 << 31, 1 << 32, u64::MAX];
    match random.below(4) {
        0 => LARGE[random.below(LARGE.len())].into(),
        1 => (-(random.below(3) as i64)).into(),
        2 => [1e39, -1e30, 0.5, 1e-40, 1e300][random.below(5)].into(),
        _ => random.below(12).into(),
    }
}

const WORDS: [&str; 12] = [
    "",
    "SCALAR",
    "VEC3",
    "VEC4",
    "MAT4",
    "STEP",
    "LINEAR",
    "CUBICSPLINE",
    "rotation",
    "translation",
    "weights",
    "2.0",
];
