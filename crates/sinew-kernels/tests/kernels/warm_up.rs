//! Warming up registers: any input works, and nothing else is written.

use sinew_kernels::{BLOCK, ScalarBlock, WarmUp};
use sinew_testkit::backends::every_backend;

#[test]
fn every_backend_warms_up_to_the_same_numbers() {
    every_backend(|run| {
        for number in [0.0, 1.0, -3.0e8, f32::NAN] {
            let mut blocks = [ScalarBlock([number; BLOCK]); 3];
            let [_, block, _] = &mut blocks;
            run.kernels.warm_up(WarmUp { block });
            // Repeatedly halving and adding a half converges to one.
            let expected = if number.is_nan() { number } else { 1.0 };
            assert!(
                blocks[1].0.iter().all(|found| found.to_bits() == f32::to_bits(expected)),
                "{run}: {number}"
            );
            assert!(blocks[0].0.iter().chain(&blocks[2].0).all(|found| found.to_bits() == number.to_bits()));
        }
    });
}
