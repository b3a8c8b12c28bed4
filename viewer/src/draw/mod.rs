//! Drawing with OpenGL 3.3, OpenGL ES 3 or WebGL 2, into a framebuffer of its own: for a window, a page and pictures alike.

mod buffers;
mod frame;
mod gl;
mod passes;
mod program;
mod programs;
mod renderer;
mod surfaces;
mod target;
mod view;

pub use frame::{Copy, Floor, Frame, Look, Moved, Order, Point, Volume, Volumes};
pub use gl::Gl;
pub use renderer::Renderer;
pub use surfaces::{Layout, Rigged, Surface, Texture};
pub use view::{Columns, View, seen};
