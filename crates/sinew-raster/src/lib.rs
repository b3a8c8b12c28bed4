//! A small software rasterizer: it renders pixels, and neither opens files nor shows windows.
//!
//! A [`Canvas`] takes triangles, lines and shadow volumes in clip space and renders them into a
//! [`Picture`]. Every pixel has four samples. Depth is reversed: one at the near plane, zero at
//! infinity, so there is no far plane. All arithmetic is exactly rounded and in a fixed order, so
//! the same input gives the same bytes on every machine, with any number of threads.
//!
//! ```
//! use sinew_raster::{Camera, Canvas, CullMode, Picture, Size, Triangles, Vertex, ViewProjection};
//!
//! let size = Size::new(64, 48)?;
//! let camera = Camera { position: [0.0, 0.0, 3.0], target: [0.0; 3], ..Camera::default() };
//! let view = ViewProjection::new(&camera, size)?;
//! let vertices = [
//!     Vertex::with_color(view.transform_point([-1.0, -1.0, 0.0]), [1.0, 0.0, 0.0]),
//!     Vertex::with_color(view.transform_point([1.0, -1.0, 0.0]), [0.0, 1.0, 0.0]),
//!     Vertex::with_color(view.transform_point([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]),
//! ];
//!
//! let (mut canvas, mut picture) = (Canvas::new(size), Picture::new(size));
//! canvas.clear([0.8; 3]);
//! canvas.add_triangles(&Triangles {
//!     triangles: &[[0, 1, 2]],
//!     cull_mode: CullMode::Back,
//!     ..Triangles::new(&vertices)
//! })?;
//! canvas.render(&[], 1, &mut picture);
//! assert_eq!(picture.pixel(0, 0), [231, 231, 231]);
//! # Ok::<(), sinew_raster::Error>(())
//! ```

#![forbid(unsafe_code)]
#![expect(
    clippy::needless_range_loop,
    reason = "index loops over several sample arrays at once compile to one vector instruction each"
)]

mod binned;
mod bins;
mod camera;
mod canvas;
mod clip;
mod coverage;
mod error;
mod font;
mod hi_z;
mod lines;
mod material;
mod pbr;
mod picture;
mod shade;
mod size;
mod srgb;
mod submit;
mod surface_shader;
mod text;
mod texture;
mod threads;
mod tile;
mod triangle_setup;
mod viewport;

pub use camera::{Camera, ViewProjection};
pub use canvas::{Canvas, CullMode, ShadowVolume, Triangles, Vertex};
pub use error::Error;
pub use lines::{DepthTest, Dots, Lines};
pub use material::{AlphaMode, DirectionalLight, Lighting, Material, Surface, SurfaceVertex};
pub use picture::Picture;
pub use size::{MAX_SIDE, Size};
pub use srgb::{linear_to_srgb, srgb_to_linear};
pub use text::{LINE_HEIGHT, text_width};
pub use texture::{Encoding, Texture, Wrap};
