//! Properties of all kernels: the bits of plain lanes at any length, offset and split.

use sinew_kernels::{FloatMode, Scale, backend};
use sinew_testkit::backends::{Checksums, EMULATED, every_backend};
use sinew_testkit::batch::{Batch, BatchLayout};
use sinew_testkit::random::Random;

/// Every length up to several blocks, and a long odd one.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=70).chain([999])
}

const SEEDS: std::ops::Range<u64> = 0..if EMULATED { 1 } else { 4 };

#[test]
fn every_backend_matches_plain_lanes_at_every_length() {
    for (len, seed) in lengths().flat_map(|len| SEEDS.map(move |seed| (len, seed))) {
        let batch = Batch::new(len, seed);
        every_backend(|run| {
            let expected = batch.run(run.oracle(), &BatchLayout::one_call(len, 0));
            let found = batch.run(run.kernels, &BatchLayout::one_call(len, 1));
            found.assert_same_bits(&expected, &format!("{run}, {len} elements"));
        });
    }
}

#[test]
fn splits_and_offsets_do_not_change_a_bit() {
    let mut random = Random::new(2);
    for (len, seed) in lengths().flat_map(|len| SEEDS.map(move |seed| (len, seed))) {
        let batch = Batch::new(len, 100 + seed);
        let offset = 1 + 2 * random.below(4);
        let layout = BatchLayout::split(len, offset, 2 + random.below(4), &mut random);
        every_backend(|run| {
            let whole = batch.run(run.kernels, &BatchLayout::one_call(len, 0));
            let pieces = batch.run(run.kernels, &layout);
            pieces.assert_same_bits(&whole, &format!("{run}, {len} elements, {layout:?}"));
        });
    }
}

/// One checksum on every backend and target, and another on all that fuse.
#[test]
fn bits_are_the_same_everywhere() {
    // A length whose skeleton has several roots, with a tail.
    every_backend(|run| {
        let sum = Batch::new(79, 4).run(run.kernels, &BatchLayout::one_call(79, 0)).checksum();
        run.assert_checksum(sum, Checksums { reproducible: "279ede7ddfff27b4", fused: "05b10d9ddcc70b2d" });
    });
}

#[test]
fn a_broken_joint_affects_no_other() {
    const LEN: usize = 29;
    let batch = Batch::new(LEN, 5);
    let layout = BatchLayout::one_call(LEN, 0);
    every_backend(|run| {
        let sound = batch.run(run.kernels, &layout);
        for broken in [0, 3, 7, 8, 21, LEN - 1] {
            let mut batch = batch.clone();
            batch.joints[broken].rotation = [f32::NAN; 4];
            batch.scales[broken] = Scale::new([f32::INFINITY; 3]);
            batch.rigid[broken].rows[1] = [f32::NAN; 4];
            batch.sheared[broken].rows[2] = [f32::NAN; 4];
            let found = batch.run(run.kernels, &layout);
            for (sound, found) in sound.0.iter().zip(&found.0) {
                // Descendants of the broken joint are affected in model space.
                if sound.name.contains("model") || sound.name.contains("palette") {
                    continue;
                }
                let width = sound.floats.len() / LEN;
                let elements = sound.floats.chunks(width).zip(found.floats.chunks(width)).enumerate();
                for (element, (sound, found)) in elements.filter(|(element, _)| *element != broken) {
                    assert_eq!(sound, found, "{run}: element {element} beside the broken {broken}");
                }
            }
        }
    });
}

#[test]
fn the_fused_oracle_is_not_plain_lanes() {
    let batch = Batch::new(16, 5);
    let layout = BatchLayout::one_call(16, 0);
    let plain = backend::get("plain").expect("tests have plain lanes").kernels(FloatMode::Fast);
    let (plain, fused) = (batch.run(plain, &layout), batch.run(backend::fused_oracle(), &layout));
    assert_ne!(plain.checksum(), fused.checksum());
}
