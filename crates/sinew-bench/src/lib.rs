//! The laboratory: the alternating timer, the published methods beside sinew's, and the tables of
//! `sinew bench`. The program, the viewer and benches use it; the library does not depend on it.
//!
//! [`timer`] times benchmarks against each other. [`routines`] has every implementation of the
//! papers' routines, [`methods`] every method that skins a mesh. [`tables`] measures what
//! `sinew bench` shows.

#![forbid(unsafe_code)]

pub mod clock;
mod error;
mod machine;
pub mod methods;
pub mod routines;
pub mod tables;
pub mod timer;
mod workload;

pub use error::Error;
pub use machine::Machine;
pub use workload::SkeletonShape;
