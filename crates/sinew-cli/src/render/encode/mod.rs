//! Pictures into files.

mod gif;
mod palette;
mod png;

pub(super) use gif::write_gif;
pub(super) use png::write_png;
