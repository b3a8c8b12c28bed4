//! Vertex and index buffers on the GPU.

use super::gl::Gl;

/// A vertex buffer.
pub(super) struct VertexBuffer(glow::Buffer);

/// An index buffer.
pub(super) struct IndexBuffer {
    buffer: glow::Buffer,
    len: usize,
}

impl VertexBuffer {
    pub(super) fn new(gl: Gl<'_>) -> Result<Self, String> {
        Ok(Self(gl.create_buffer()?))
    }

    /// Creates a buffer with static data.
    pub(super) fn with_data<T: bytemuck::Pod>(gl: Gl<'_>, vertices: &[T]) -> Result<Self, String> {
        let buffer = Self::new(gl)?;
        buffer.upload(gl, vertices, glow::STATIC_DRAW);
        Ok(buffer)
    }

    /// Replaces the data for one frame.
    pub(super) fn write<T: bytemuck::Pod>(&self, gl: Gl<'_>, vertices: &[T]) {
        self.upload(gl, vertices, glow::STREAM_DRAW);
    }

    fn upload<T: bytemuck::Pod>(&self, gl: Gl<'_>, vertices: &[T], usage: u32) {
        self.bind(gl);
        gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytemuck::cast_slice(vertices), usage);
    }

    /// Binds the buffer as the source of vertex attributes.
    pub(super) fn bind(&self, gl: Gl<'_>) {
        gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.0));
    }

    /// Reads a float attribute from the buffer: `size` floats per vertex, stride and offset in
    /// bytes.
    pub(super) fn bind_floats(&self, gl: Gl<'_>, location: u32, size: i32, stride: usize, offset: usize) {
        self.bind(gl);
        gl.enable_vertex_attrib_array(location);
        gl.vertex_attrib_pointer_f32(location, size, glow::FLOAT, false, stride as i32, offset as i32);
    }

    /// Reads an attribute of four normalized bytes per vertex.
    pub(super) fn bind_bytes(&self, gl: Gl<'_>, location: u32, stride: usize, offset: usize) {
        self.bind(gl);
        gl.enable_vertex_attrib_array(location);
        gl.vertex_attrib_pointer_f32(location, 4, glow::UNSIGNED_BYTE, true, stride as i32, offset as i32);
    }

    /// Reads an attribute of four 16-bit integers per vertex.
    pub(super) fn bind_u16s(&self, gl: Gl<'_>, location: u32) {
        self.bind(gl);
        gl.enable_vertex_attrib_array(location);
        gl.vertex_attrib_pointer_i32(location, 4, glow::UNSIGNED_SHORT, 8, 0);
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        gl.delete_buffer(self.0);
    }
}

impl IndexBuffer {
    pub(super) fn new(gl: Gl<'_>) -> Result<Self, String> {
        Ok(Self { buffer: gl.create_buffer()?, len: 0 })
    }

    pub(super) fn with_data(gl: Gl<'_>, indices: &[u32]) -> Result<Self, String> {
        let mut buffer = Self::new(gl)?;
        buffer.upload(gl, indices, glow::STATIC_DRAW);
        Ok(buffer)
    }

    pub(super) fn write(&mut self, gl: Gl<'_>, indices: &[u32]) {
        self.upload(gl, indices, glow::STREAM_DRAW);
    }

    fn upload(&mut self, gl: Gl<'_>, indices: &[u32], usage: u32) {
        self.bind(gl);
        gl.buffer_data_u8_slice(glow::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(indices), usage);
        self.len = indices.len();
    }

    pub(super) fn bind(&self, gl: Gl<'_>) {
        gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(self.buffer));
    }

    /// Draws with all indices.
    pub(super) fn draw(&self, gl: Gl<'_>, mode: u32) {
        self.bind(gl);
        gl.draw_elements(mode, self.len as i32, glow::UNSIGNED_INT, 0);
    }

    /// Draws with a range of the indices, which must exist.
    pub(super) fn draw_range(&self, gl: Gl<'_>, mode: u32, first: usize, len: usize) {
        assert!(first + len <= self.len, "the range lies within the index buffer");
        self.bind(gl);
        gl.draw_elements(mode, len as i32, glow::UNSIGNED_INT, (4 * first) as i32);
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        gl.delete_buffer(self.buffer);
    }
}
