//! What tests, benches and the program share: random rigs, tolerances, "run this on every instruction set",
//! and the alternating timer.

#![forbid(unsafe_code)]

pub mod backends;
pub mod batch;
pub mod checksum;
pub mod clips;
pub mod clock;
pub mod counted;
pub mod duals;
pub mod guarded;
pub mod random;
pub mod rigs;
pub mod routines;
pub mod runs;
pub mod skinned;
pub mod streams;
pub mod subject;
pub mod timer;
pub mod tolerance;
pub mod weighted;
