//! A small software rasteriser: pixels only, no files, no display.
//!
//! Triangles, lines and shadow volumes go into a [`Canvas`] as points of clip space, and come out as a [`Picture`]. Every
//! pixel has four samples; depth is reversed, one at the near plane and zero infinitely far away, so that nothing is ever
//! too far. Arithmetic is exactly rounded and in a fixed order, so the same input gives the same bytes on every machine,
//! with any number of threads.
//!
//! ```
//! use sinew_raster::{Canvas, Eye, Picture, Sides, Size, Triangles, Vertex, View};
//!
//! let size = Size::new(64, 48)?;
//! let view = View::new(&Eye { at: [0.0, 0.0, 3.0], target: [0.0; 3], slope: 0.5, near: 0.1, ..Eye::default() }, size)?;
//! let corner = |x: f32, y: f32, colour: [f32; 3]| Vertex::coloured(view.point([x, y, 0.0]), colour);
//! let vertices =
//!     [corner(-1.0, -1.0, [1.0, 0.0, 0.0]), corner(1.0, -1.0, [0.0, 1.0, 0.0]), corner(0.0, 1.0, [0.0, 0.0, 1.0])];
//!
//! let (mut canvas, mut picture) = (Canvas::new(size), Picture::new(size));
//! canvas.clear([0.8; 3]);
//! canvas.triangles(&Triangles { triangles: &[[0, 1, 2]], sides: Sides::Both, ..Triangles::of(&vertices) })?;
//! canvas.draw(&[], 1, &mut picture);
//! assert_eq!(picture.pixel(0, 0), [231, 231, 231]);
//! # Ok::<(), sinew_raster::Error>(())
//! ```

#![forbid(unsafe_code)]
#![expect(
    clippy::needless_range_loop,
    reason = "arrays of samples, side by side, are loops that become one instruction"
)]

mod bins;
mod brush;
mod canvas;
mod clip;
mod collected;
mod error;
mod face;
mod font;
mod marks;
mod picture;
mod ranges;
mod screen;
mod size;
mod sorted;
mod srgb;
mod text;
mod texture;
mod threads;
mod tile;
mod view;
mod window;

pub use canvas::{Canvas, Sides, Triangles, Vertex, Volume};
pub use error::Error;
pub use marks::{Dots, Lines, Over};
pub use picture::Picture;
pub use size::{MOST_SIDE, Size};
pub use srgb::{from_code, to_code};
pub use text::{LINE_HEIGHT, text_width};
pub use texture::Texture;
pub use view::{Eye, View};
