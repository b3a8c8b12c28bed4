//! Memory of the graphics processor that is written anew.

use super::gl::Gl;

/// A buffer of vertices.
pub(super) struct Vertices(glow::Buffer);

/// A buffer of indices.
pub(super) struct Indices {
    buffer: glow::Buffer,
    len: usize,
}

impl Vertices {
    pub(super) fn new(gl: Gl<'_>) -> Result<Self, String> {
        Ok(Self(gl.create_buffer()?))
    }

    /// Makes it hold these, which stay.
    pub(super) fn holding<T: bytemuck::Pod>(gl: Gl<'_>, vertices: &[T]) -> Result<Self, String> {
        let buffer = Self::new(gl)?;
        buffer.put(gl, vertices, glow::STATIC_DRAW);
        Ok(buffer)
    }

    /// Writes it for one frame.
    pub(super) fn write<T: bytemuck::Pod>(&self, gl: Gl<'_>, vertices: &[T]) {
        self.put(gl, vertices, glow::STREAM_DRAW);
    }

    fn put<T: bytemuck::Pod>(&self, gl: Gl<'_>, vertices: &[T], usage: u32) {
        self.bind(gl);
        gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytemuck::cast_slice(vertices), usage);
    }

    /// Makes it the one that attributes are taken from.
    pub(super) fn bind(&self, gl: Gl<'_>) {
        gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.0));
    }

    /// Takes an attribute from it: so many numbers of each vertex, with a stride and an offset in bytes.
    pub(super) fn floats(&self, gl: Gl<'_>, place: u32, size: i32, stride: usize, offset: usize) {
        self.bind(gl);
        gl.enable_vertex_attrib_array(place);
        gl.vertex_attrib_pointer_f32(place, size, glow::FLOAT, false, stride as i32, offset as i32);
    }

    /// The same of four bytes, from 0 to 1.
    pub(super) fn bytes(&self, gl: Gl<'_>, place: u32, stride: usize, offset: usize) {
        self.bind(gl);
        gl.enable_vertex_attrib_array(place);
        gl.vertex_attrib_pointer_f32(place, 4, glow::UNSIGNED_BYTE, true, stride as i32, offset as i32);
    }

    /// The same of four whole numbers of two bytes.
    pub(super) fn wholes(&self, gl: Gl<'_>, place: u32) {
        self.bind(gl);
        gl.enable_vertex_attrib_array(place);
        gl.vertex_attrib_pointer_i32(place, 4, glow::UNSIGNED_SHORT, 8, 0);
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        gl.delete_buffer(self.0);
    }
}

impl Indices {
    pub(super) fn new(gl: Gl<'_>) -> Result<Self, String> {
        Ok(Self { buffer: gl.create_buffer()?, len: 0 })
    }

    pub(super) fn holding(gl: Gl<'_>, indices: &[u32]) -> Result<Self, String> {
        let mut buffer = Self::new(gl)?;
        buffer.put(gl, indices, glow::STATIC_DRAW);
        Ok(buffer)
    }

    pub(super) fn write(&mut self, gl: Gl<'_>, indices: &[u32]) {
        self.put(gl, indices, glow::STREAM_DRAW);
    }

    fn put(&mut self, gl: Gl<'_>, indices: &[u32], usage: u32) {
        self.bind(gl);
        gl.buffer_data_u8_slice(glow::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(indices), usage);
        self.len = indices.len();
    }

    pub(super) fn bind(&self, gl: Gl<'_>) {
        gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(self.buffer));
    }

    /// Draws with all of them.
    pub(super) fn draw(&self, gl: Gl<'_>, mode: u32) {
        self.bind(gl);
        gl.draw_elements(mode, self.len as i32, glow::UNSIGNED_INT, 0);
    }

    /// Draws with some of them, which must be there.
    pub(super) fn draw_some(&self, gl: Gl<'_>, mode: u32, first: usize, len: usize) {
        assert!(first + len <= self.len, "indices that were written");
        self.bind(gl);
        gl.draw_elements(mode, len as i32, glow::UNSIGNED_INT, (4 * first) as i32);
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        gl.delete_buffer(self.buffer);
    }
}
