//! Encoders of pictures: PNG and GIF.

mod gif;
mod palette;
mod png;

pub(super) use gif::write_gif;
pub(super) use png::write_png;
