//! Drawing with OpenGL 3.3, OpenGL ES 3 or WebGL 2, into an own framebuffer. Windows, pages and
//! pictures share it.

mod buffers;
mod camera;
mod frame;
mod gl;
mod passes;
mod program;
mod programs;
mod renderer;
mod surfaces;
mod target;

pub use camera::{Mat4, OrbitCamera, project_point};
pub use frame::{
    BlendedSurface, Floor, Frame, LineVertex, ModelCopy, Order, SceneColors, ShadowVolume, ShadowVolumes,
    SurfaceInput,
};
pub use gl::{Gl, GlKind};
pub use renderer::Renderer;
pub use surfaces::{GpuSkin, Surface, SurfaceLayout, Texture};
