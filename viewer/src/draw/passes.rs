//! The render passes: background, surfaces, shadow, lines.

use sinew::model::AlphaMode;

use super::camera::Mat4;
use super::frame::{Frame, LineVertex, ModelCopy, SurfaceInput};
use super::gl::Gl;
use super::program::{BoundProgram, Program, attribute};
use super::renderer::Renderer;
use super::surfaces::GpuSurface;

/// Depth bias that pulls edges towards the camera.
const DEPTH_BIAS: f32 = 3e-4;

/// Shifts of a thick line, in pixels: OpenGL draws lines of one pixel only.
const THICK: [[f32; 2]; 5] = [[0.0, 0.0], [-0.9, 0.0], [0.9, 0.0], [0.0, -0.9], [0.0, 0.9]];

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
    pub(super) fn passes(&mut self, gl: Gl<'_>, frame: &Frame) {
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
        if frame.solid {
            self.blended(pass);
        }
        self.all_lines(pass);
        gl.disable(glow::DEPTH_TEST);
    }

    /// Draws what is blended with the finished rest of the scene, the farthest first.
    fn blended(&mut self, pass: Pass<'_>) {
        let Pass { gl, frame, .. } = pass;
        enable_blending(gl);
        gl.depth_mask(false);
        for sorted in &frame.blended {
            let Some(input) = frame.surfaces.get(sorted.surface) else { continue };
            let Some(surface) = self.surfaces.get_mut(sorted.surface) else { continue };
            let Some(copy) = frame.copies.get(sorted.copy) else { continue };
            if surface.can_draw(input) {
                let program = self.programs.for_input(input).bind(gl);
                set_uniforms(pass, &program, surface, Shading::Lit);
                surface.bind(gl, input);
                CopyUniforms::find(&program).set(copy, sorted.copy, Shading::Lit);
                cull(pass, surface, (sorted.surface, sorted.copy));
                surface.draw_sorted(gl, input, sorted);
            }
        }
        gl.disable(glow::CULL_FACE);
        gl.depth_mask(true);
        gl.disable(glow::BLEND);
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

    /// Draws all surfaces, or all but those that are blended.
    fn surfaces(&self, pass: Pass<'_>, shading: Shading) {
        let wireframe = matches!(shading, Shading::Wireframe(_));
        for (index, (surface, input)) in self.surfaces.iter().zip(&pass.frame.surfaces).enumerate() {
            if surface.can_draw(input) && (wireframe || surface.alpha_mode() != AlphaMode::Blend) {
                draw_surface(pass, self.programs.for_input(input), (index, surface, input), shading);
            }
        }
        pass.gl.disable(glow::CULL_FACE);
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
        gl.front_face(glow::CCW);
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
        enable_blending(gl);
        gl.depth_mask(false);
        gl.depth_func(glow::LEQUAL);
        if frame.wireframe {
            let [over_surface, alone] = frame.colors.wireframe;
            self.surfaces(pass, Shading::Wireframe(if frame.solid { over_surface } else { alone }));
        }
        self.lines(pass, &frame.lines, &[[0.0; 2]]);
        self.lines(pass, &frame.outlines, &THICK);
        gl.disable(glow::DEPTH_TEST);
        self.lines(pass, &frame.lines_on_top, &[[0.0; 2]]);
        gl.depth_func(glow::LESS);
        gl.depth_mask(true);
        gl.disable(glow::BLEND);
    }

    /// Draws lines once for each shift, given in pixels.
    fn lines(
        &self,
        Pass { gl, frame, clip_from_world }: Pass<'_>,
        points: &[LineVertex],
        shifts: &[[f32; 2]],
    ) {
        if points.is_empty() {
            return;
        }
        self.points.write(gl, points);
        disable_attributes_except(gl, &[attribute::POSITION, attribute::COLOR]);
        self.points.bind_floats(gl, attribute::POSITION, 3, 16, 0);
        self.points.bind_bytes(gl, attribute::COLOR, 16, 12);
        let program = self.programs.lines.bind(gl);
        program.set_mat4("clip_from_world", clip_from_world).set_f32("depth_bias", 2.0 * DEPTH_BIAS);
        let [width, height] = frame.size.map(|side| side.max(1) as f32);
        for [x, y] in shifts {
            program.set_vec3("shift", [2.0 * x / width, 2.0 * y / height, 0.0]);
            gl.draw_arrays(glow::LINES, 0, points.len() as i32);
        }
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

fn enable_blending(gl: Gl<'_>) {
    gl.enable(glow::BLEND);
    gl.blend_func_separate(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA, glow::ONE, glow::ONE);
}

fn draw_surface(
    pass: Pass<'_>,
    program: &Program,
    (index, surface, input): (usize, &GpuSurface, &SurfaceInput),
    shading: Shading,
) {
    let Pass { gl, frame, .. } = pass;
    let program = program.bind(gl);
    set_uniforms(pass, &program, surface, shading);
    surface.bind(gl, input);
    let wireframe = matches!(shading, Shading::Wireframe(_));
    let uniforms = CopyUniforms::find(&program);
    for (copy_index, copy) in frame.copies.iter().enumerate() {
        uniforms.set(copy, copy_index, shading);
        if !wireframe {
            cull(pass, surface, (index, copy_index));
        }
        surface.draw(gl, input, copy_index, if wireframe { glow::LINES } else { glow::TRIANGLES });
    }
}

/// Sets what all copies of a surface share.
fn set_uniforms(
    Pass { frame, clip_from_world, .. }: Pass<'_>,
    program: &BoundProgram<'_>,
    surface: &GpuSurface,
    shading: Shading,
) {
    let wireframe = matches!(shading, Shading::Wireframe(_));
    let on = |condition: bool| if condition { 1.0 } else { 0.0 };
    let (alpha_mode, cutoff) = match surface.alpha_mode() {
        AlphaMode::Opaque => (0, 0.0),
        AlphaMode::Mask { cutoff } => (1, cutoff),
        AlphaMode::Blend => (2, 0.0),
    };
    program
        .set_mat4("clip_from_world", clip_from_world)
        .set_mat4("world_from_model", &frame.world_from_model)
        .set_vec3("eye", frame.camera.eye())
        .set_vec3("to_key_light", frame.to_key_light)
        .set_f32("key", on(matches!(shading, Shading::Lit)))
        .set_f32("toon", on(frame.toon))
        .set_i32("palette", 0)
        .set_i32("picture", 1)
        .set_i32("alpha_mode", alpha_mode)
        .set_f32("cutoff", cutoff)
        .set_f32("textured", on(frame.textured && surface.has_texture()))
        .set_f32("flat_tint", on(wireframe))
        .set_f32("depth_bias", if wireframe { DEPTH_BIAS } else { 0.0 });
}

/// Place and tint of a copy: found once, set for each.
struct CopyUniforms<'a> {
    program: &'a BoundProgram<'a>,
    copy: Option<glow::UniformLocation>,
    tint: Option<glow::UniformLocation>,
}

impl<'a> CopyUniforms<'a> {
    fn find(program: &'a BoundProgram<'a>) -> Self {
        Self { program, copy: program.uniform("copy"), tint: program.uniform("tint") }
    }

    fn set(&self, copy: &ModelCopy, index: usize, shading: Shading) {
        let ([x, y, z], [red, green, blue]) = (copy.offset, copy.tint);
        let tint = if let Shading::Wireframe(color) = shading { color } else { [red, green, blue, 1.0] };
        self.program.set_vec4_at(self.copy.as_ref(), [x, y, z, index as f32]);
        self.program.set_vec4_at(self.tint.as_ref(), tint);
    }
}

/// Leaves out triangles that face away, unless both sides are drawn.
fn cull(Pass { gl, frame, .. }: Pass<'_>, surface: &GpuSurface, (index, copy): (usize, usize)) {
    if surface.is_double_sided() {
        return gl.disable(glow::CULL_FACE);
    }
    let mirrored = frame.mirrored.get(index).and_then(|copies| copies.get(copy)).copied();
    gl.enable(glow::CULL_FACE);
    // Back faces are culled, OpenGL's default: those whose corners do not turn this way.
    gl.front_face(if mirrored.unwrap_or(false) { glow::CW } else { glow::CCW });
}
