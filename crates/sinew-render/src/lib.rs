//! Pictures of posed models, drawn by the software rasterizer `sinew-raster`.
//!
//! A [`Renderer`] poses a model at a time of a clip, skins it, and draws it in layers: the surface
//! with textures and shadows, wireframe, bones, normals, silhouette, bounds. It can draw two
//! skinning methods side by side. [`write_png`] and [`GifEncoder`] encode the pictures. The same
//! input gives the same bytes on every machine.
//!
//! ```
//! use sinew_render::{RenderOptions, Renderer, write_png};
//!
//! let model = sinew_figures::scene("@figure:500")?.model()?;
//! let options = RenderOptions::new(sinew_raster::Size::new(160, 120)?);
//! let mut renderer = Renderer::new(&options, &model, None, &mut [0.0].into_iter())?;
//! let mut png = Vec::new();
//! write_png(&mut png, renderer.picture(0.0)?)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod bounds_lines;
mod camera;
mod captions;
mod compared_method;
mod error;
mod floor;
mod gif_encoder;
mod layer;
mod lights;
mod model_renderer;
mod overlays;
mod palette;
mod png_encoder;
mod posed_model;
mod renderer;
mod shadow_volumes;
mod silhouette_lines;
mod surface;
mod textures;
mod vertex_colors;

pub use camera::Orbit;
pub use compared_method::{ComparedMethod, MethodPair};
pub use error::Error;
pub use gif_encoder::GifEncoder;
pub use layer::Layer;
pub use palette::{Histogram, Palette};
pub use png_encoder::write_png;
pub use renderer::{RenderOptions, Renderer};
