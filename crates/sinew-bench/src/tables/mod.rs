//! The tables of `sinew bench`: one file per table or figure, and what they share.

mod animation;
mod bench_group;
mod crowds;
mod cylinders;
mod figure_15;
mod figure_18;
mod frames;
mod job;
mod layout_meshes;
mod layout_runners;
mod layouts;
mod measurement;
mod mesh_arrays;
mod models;
mod papers;
mod rays;
mod sizes;
mod spin_barrier;

mod table;
mod threads;

pub use bench_group::{Context, UNIT};
pub use job::{Job, JobFn, all_jobs};
pub use measurement::{Amount, Measurement};
pub use table::{TABLES, Table};
