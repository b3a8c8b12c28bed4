//! The render passes: background, surfaces, shadow, lines.

use super::camera::Mat4;
use super::frame::{Frame, SurfaceInput};
use super::gl::Gl;
use super::program::{BoundProgram, Program, attribute};
use super::renderer::Renderer;
use super::surfaces::GpuSurface;

/// Depth bias that pulls edges towards the camera.
const DEPTH_BIAS: f32 = 3e-4;

/// What all passes need.
#[derive(Clone, Copy)]
struct Pass<'a> {
    gl: Gl<'a>,
    frame: &'a Frame,
    clip_from_world: &'a Mat4,
}

/// How surfaces are shaded.
#[derive(Clone, Copy)]
enum Shading {
    /// With the key light.
    Lit,
    /// Without the key light, inside its shadow.
    Shadowed,
    /// As edges of triangles, in one color.
    Wireframe([f32; 4]),
}

impl Renderer {
    /// Draws a frame into the bound framebuffer.
    pub(super) fn passes(&self, gl: Gl<'_>, frame: &Frame) {
        let [width, height] = frame.size.map(|side| side.max(1) as f32);
        let clip_from_world = &frame.camera.clip_from_world(width / height);
        let pass = Pass { gl, frame, clip_from_world };
        clear(gl);
        self.background(pass);
        gl.enable(glow::DEPTH_TEST);
        self.scene(pass, Shading::Lit);
        if !frame.volumes.volumes.is_empty() {
            self.count_volumes(pass);
            gl.stencil_func(glow::NOTEQUAL, 0, 0xFF);
            gl.stencil_op(glow::KEEP, glow::KEEP, glow::KEEP);
            gl.depth_func(glow::EQUAL);
            self.scene(pass, Shading::Shadowed);
            gl.depth_func(glow::LESS);
            gl.disable(glow::STENCIL_TEST);
        }
        self.all_lines(pass);
        gl.disable(glow::DEPTH_TEST);
    }

    fn background(&self, Pass { gl, frame, .. }: Pass<'_>) {
        let [low, high] = frame.colors.background;
        let program = self.programs.screen.bind(gl);
        program.set_f32("gradient", 1.0).set_vec3("background_low", low).set_vec3("background_high", high);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
    }

    /// Draws surfaces and floor.
    fn scene(&self, pass: Pass<'_>, shading: Shading) {
        if pass.frame.solid {
            self.surfaces(pass, shading);
        }
        self.floor(pass, shading);
    }

    fn surfaces(&self, pass: Pass<'_>, shading: Shading) {
        for (surface, input) in self.surfaces.iter().zip(&pass.frame.surfaces) {
            let program = match input {
                SurfaceInput::Skinned { .. } => &self.programs.surface,
                SurfaceInput::Palette { .. } => &self.programs.skinned,
            };
            if surface.can_draw(input) {
                draw_surface(pass, program, (surface, input), shading);
            }
        }
    }

    fn floor(&self, Pass { gl, frame, clip_from_world }: Pass<'_>, shading: Shading) {
        let Some(floor) = &frame.floor else { return };
        let ([x, y, z], r) = (floor.center, floor.radius);
        let corners = [[x - r, y, z - r], [x - r, y, z + r], [x + r, y, z - r], [x + r, y, z + r]];
        self.points.write(gl, &corners);
        disable_attributes_except(gl, &[attribute::POSITION]);
        self.points.bind_floats(gl, attribute::POSITION, 3, 12, 0);
        let ([lit, shaded, rule], [low, high]) = (frame.colors.floor, frame.colors.background);
        let program = self.programs.floor.bind(gl);
        program
            .set_mat4("clip_from_world", clip_from_world)
            .set_vec3("center", floor.center)
            .set_f32("radius", r)
            .set_f32("step_size", floor.step)
            .set_f32("key", if matches!(shading, Shading::Lit) { 1.0 } else { 0.0 })
            .set_vec3("lit", lit)
            .set_vec3("shaded", shaded)
            .set_vec3("rule", rule)
            .set_vec3("background_low", low)
            .set_vec3("background_high", high)
            .set_f32("height", frame.size[1] as f32);
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    }

    /// Counts shadow volumes in the stencil buffer, at depth fail: a pixel whose count is not zero
    /// lies in shadow.
    fn count_volumes(&self, Pass { gl, frame, clip_from_world }: Pass<'_>) {
        let volumes = &frame.volumes;
        disable_attributes_except(gl, &[attribute::POSITION]);
        self.points.write(gl, &volumes.vertices);
        gl.enable(glow::STENCIL_TEST);
        gl.stencil_mask(0xFF);
        gl.stencil_func(glow::ALWAYS, 0, 0xFF);
        gl.stencil_op_separate(glow::FRONT, glow::KEEP, glow::DECR_WRAP, glow::KEEP);
        gl.stencil_op_separate(glow::BACK, glow::KEEP, glow::INCR_WRAP, glow::KEEP);
        gl.color_mask(false, false, false, false);
        gl.depth_mask(false);
        // Push the volume slightly behind the surface that casts it, or rounding makes the surface
        // shadow itself.
        gl.enable(glow::POLYGON_OFFSET_FILL);
        gl.polygon_offset(0.6, 8.0);
        let program = self.programs.volume.bind(gl);
        program
            .set_mat4("clip_from_world", clip_from_world)
            .set_mat4("world_from_model", &frame.world_from_model);
        let copy = program.uniform("copy");
        for volume in &volumes.volumes {
            let Some(own) = frame.copies.get(volume.copy) else { continue };
            let [x, y, z] = own.offset;
            program.set_vec4_at(copy.as_ref(), [x, y, z, 0.0]);
            self.points.bind_floats(gl, attribute::POSITION, 4, 16, 16 * volume.first_vertex);
            self.indices.draw_range(gl, glow::TRIANGLES, 3 * volume.first_triangle, 3 * volume.triangles);
        }
        gl.disable(glow::POLYGON_OFFSET_FILL);
        gl.color_mask(true, true, true, true);
        gl.depth_mask(true);
    }

    fn all_lines(&self, pass: Pass<'_>) {
        let Pass { gl, frame, .. } = pass;
        gl.enable(glow::BLEND);
        gl.blend_func_separate(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA, glow::ONE, glow::ONE);
        gl.depth_mask(false);
        gl.depth_func(glow::LEQUAL);
        if frame.wireframe {
            let [over_surface, alone] = frame.colors.wireframe;
            self.surfaces(pass, Shading::Wireframe(if frame.solid { over_surface } else { alone }));
        }
        self.lines(pass, &frame.lines);
        gl.disable(glow::DEPTH_TEST);
        self.lines(pass, &frame.lines_on_top);
        gl.depth_func(glow::LESS);
        gl.depth_mask(true);
        gl.disable(glow::BLEND);
    }

    fn lines(&self, Pass { gl, clip_from_world, .. }: Pass<'_>, points: &[super::LineVertex]) {
        if points.is_empty() {
            return;
        }
        self.points.write(gl, points);
        disable_attributes_except(gl, &[attribute::POSITION, attribute::COLOR]);
        self.points.bind_floats(gl, attribute::POSITION, 3, 16, 0);
        self.points.bind_bytes(gl, attribute::COLOR, 16, 12);
        let program = self.programs.lines.bind(gl);
        program.set_mat4("clip_from_world", clip_from_world).set_f32("depth_bias", 2.0 * DEPTH_BIAS);
        gl.draw_arrays(glow::LINES, 0, points.len() as i32);
    }
}

fn clear(gl: Gl<'_>) {
    gl.disable(glow::SCISSOR_TEST);
    gl.disable(glow::BLEND);
    gl.disable(glow::CULL_FACE);
    gl.disable(glow::DEPTH_TEST);
    gl.disable(glow::STENCIL_TEST);
    gl.front_face(glow::CCW);
    gl.color_mask(true, true, true, true);
    gl.depth_mask(true);
    gl.stencil_mask(0xFF);
    gl.depth_func(glow::LESS);
    gl.clear_color(0.0, 0.0, 0.0, 1.0);
    gl.clear_depth_f32(1.0);
    gl.clear_stencil(0);
    gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT | glow::STENCIL_BUFFER_BIT);
}

/// Disables all other attributes: a buffer left enabled may be shorter than what is drawn.
fn disable_attributes_except(gl: Gl<'_>, locations: &[u32]) {
    for location in attribute::POSITION..=attribute::LAST {
        if !locations.contains(&location) {
            gl.disable_vertex_attrib_array(location);
        }
    }
}

fn draw_surface(
    Pass { gl, frame, clip_from_world }: Pass<'_>,
    program: &Program,
    (surface, input): (&GpuSurface, &SurfaceInput),
    shading: Shading,
) {
    let program: BoundProgram<'_> = program.bind(gl);
    program
        .set_mat4("clip_from_world", clip_from_world)
        .set_mat4("world_from_model", &frame.world_from_model)
        .set_vec3("eye", frame.camera.eye())
        .set_vec3("to_key_light", frame.to_key_light)
        .set_f32("key", if matches!(shading, Shading::Lit) { 1.0 } else { 0.0 })
        .set_i32("palette", 0)
        .set_i32("picture", 1)
        .set_f32("textured", if frame.textured && surface.has_texture() { 1.0 } else { 0.0 });
    let wireframe = matches!(shading, Shading::Wireframe(_));
    program
        .set_f32("flat_tint", if wireframe { 1.0 } else { 0.0 })
        .set_f32("depth_bias", if wireframe { DEPTH_BIAS } else { 0.0 });
    let (copy_uniform, tint_uniform) = (program.uniform("copy"), program.uniform("tint"));
    surface.bind(gl, input);
    for (index, copy) in frame.copies.iter().enumerate() {
        let ([x, y, z], [red, green, blue]) = (copy.offset, copy.tint);
        program.set_vec4_at(copy_uniform.as_ref(), [x, y, z, index as f32]);
        let tint = if let Shading::Wireframe(color) = shading { color } else { [red, green, blue, 1.0] };
        program.set_vec4_at(tint_uniform.as_ref(), tint);
        surface.draw(gl, input, index, if wireframe { glow::LINES } else { glow::TRIANGLES });
    }
}
