//! What these examples draw with: skinned figures and steps of stairs, lit from above.

use std::error::Error;
use std::fs::File;

use sinew::Instance;
use sinew_raster::{Camera, Canvas, CullMode, Picture, Size, Triangles, Vertex, ViewProjection};

/// A picture that figures are added to.
pub(crate) struct Stage {
    size: Size,
    view: ViewProjection,
    canvas: Canvas,
}

impl Stage {
    pub(crate) fn new(camera: &Camera, width: usize, height: usize) -> Result<Self, Box<dyn Error>> {
        let size = Size::new(width, height)?;
        let mut canvas = Canvas::new(size);
        canvas.clear([0.9, 0.9, 0.88]);
        Ok(Self { size, view: ViewProjection::new(camera, size)?, canvas })
    }

    /// Skins a figure and adds it, moved by a vector.
    pub(crate) fn add_figure(&mut self, figure: &mut Instance, by: [f32; 3]) -> Result<(), Box<dyn Error>> {
        let mut vertices = Vec::new();
        // Blocks of positions, normals and tangents.
        for [positions, normals, _] in figure.skin().mesh_instances()[0].blocks().as_chunks().0 {
            for lane in 0..8 {
                let position = positions.vector(lane);
                let world = [0, 1, 2].map(|axis| position[axis] + by[axis]);
                vertices.push(self.lit_vertex(world, normals.vector(lane), [1.0, 0.8, 0.65]));
            }
        }
        let triangles = figure.model().primitive(0).mesh.triangles();
        let cull_mode = CullMode::Back;
        Ok(self.canvas.add_triangles(&Triangles { triangles, cull_mode, ..Triangles::new(&vertices) })?)
    }

    /// Adds a rectangle: a corner, two sides, and the direction that it faces.
    #[allow(dead_code, reason = "each example has its own copy of this file, and one has no ground")]
    pub(crate) fn add_rectangle(
        &mut self,
        corner: [f32; 3],
        sides: [[f32; 3]; 2],
        normal: [f32; 3],
    ) -> Result<(), Box<dyn Error>> {
        let vertices = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[u, v]| {
            let point = [0, 1, 2].map(|axis| corner[axis] + u * sides[0][axis] + v * sides[1][axis]);
            self.lit_vertex(point, normal, [0.7, 0.75, 0.8])
        });
        let triangles = &[[0, 1, 2], [0, 2, 3]];
        Ok(self.canvas.add_triangles(&Triangles { triangles, ..Triangles::new(&vertices) })?)
    }

    fn lit_vertex(&self, position: [f32; 3], [x, y, z]: [f32; 3], color: [f32; 3]) -> Vertex {
        let light = 0.25 + 0.6 * (0.3 * x + 0.7 * y + 0.6 * z).max(0.0);
        Vertex::with_color(self.view.transform_point(position), color.map(|component| component * light))
    }

    /// Draws all that was added, with texts, into a PNG file.
    pub(crate) fn write_png(
        mut self,
        path: &str,
        texts: &[([usize; 2], &str)],
    ) -> Result<(), Box<dyn Error>> {
        let mut picture = Picture::new(self.size);
        self.canvas.render(&[], 1, &mut picture);
        for &(at, text) in texts {
            picture.draw_text(at, 2, [40; 3], text);
        }
        Ok(sinew_render::write_png(&mut File::create(path)?, &picture)?)
    }
}
