//! What tests, benches and `sinew bench` share: random rigs, tolerances, "run this on every instruction set",
//! and the alternating timer.

#![forbid(unsafe_code)]

pub mod timer;
