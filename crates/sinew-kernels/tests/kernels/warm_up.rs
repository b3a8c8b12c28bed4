//! Waking registers: any numbers do, and nothing else is touched.

use sinew_kernels::{BLOCK, ScalarBlock, WarmUp};
use sinew_testkit::backends::every_backend;

#[test]
fn every_backend_wakes_to_the_same_numbers() {
    every_backend(|run| {
        for number in [0.0, 1.0, -3.0e8, f32::NAN] {
            let mut rows = [ScalarBlock([number; BLOCK]); 3];
            let [_, row, _] = &mut rows;
            run.kernels.warm_up(WarmUp { block: row });
            // Halving and adding a half comes to one.
            let expected = if number.is_nan() { number } else { 1.0 };
            assert!(
                rows[1].0.iter().all(|found| found.to_bits() == f32::to_bits(expected)),
                "{run}: {number}"
            );
            assert!(rows[0].0.iter().chain(&rows[2].0).all(|found| found.to_bits() == number.to_bits()));
        }
    });
}
