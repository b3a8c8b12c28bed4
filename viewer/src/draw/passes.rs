//! One pass after the other: background, surfaces, shadow, lines.

use super::frame::{Frame, Moved};
use super::gl::Gl;
use super::program::{Program, Used, place};
use super::renderer::Renderer;
use super::surfaces::Uploaded;
use super::view::Columns;

/// How far edges are pulled towards the eye.
const PULL: f32 = 3e-4;

/// What passes have in common.
#[derive(Clone, Copy)]
struct Pass<'a> {
    gl: Gl<'a>,
    frame: &'a Frame,
    clip_from_world: &'a Columns,
}

/// How surfaces are shown.
#[derive(Clone, Copy)]
enum Shade {
    /// By the key light.
    Lit,
    /// In its shadow.
    Shaded,
    /// The edges of triangles.
    Wires([f32; 4]),
}

impl Renderer {
    /// Draws all of a frame into the framebuffer that is bound.
    pub(super) fn passes(&self, gl: Gl<'_>, frame: &Frame) {
        let [width, height] = frame.size.map(|side| side.max(1) as f32);
        let clip_from_world = &frame.view.clip_from_world(width / height);
        let pass = Pass { gl, frame, clip_from_world };
        clear(gl);
        self.background(pass);
        gl.enable(glow::DEPTH_TEST);
        self.scene(pass, Shade::Lit);
        if !frame.volumes.each.is_empty() {
            self.count_volumes(pass);
            gl.stencil_func(glow::NOTEQUAL, 0, 0xFF);
            gl.stencil_op(glow::KEEP, glow::KEEP, glow::KEEP);
            gl.depth_func(glow::EQUAL);
            self.scene(pass, Shade::Shaded);
            gl.depth_func(glow::LESS);
            gl.disable(glow::STENCIL_TEST);
        }
        self.all_lines(pass);
        gl.disable(glow::DEPTH_TEST);
    }

    fn background(&self, Pass { gl, frame, .. }: Pass<'_>) {
        let [low, high] = frame.look.background;
        let used = self.programs.screen.begin(gl);
        used.number("gradient", 1.0).three("background_low", low).three("background_high", high);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
    }

    /// Surfaces and floor.
    fn scene(&self, pass: Pass<'_>, shade: Shade) {
        if pass.frame.solid {
            self.surfaces(pass, shade);
        }
        self.floor(pass, shade);
    }

    fn surfaces(&self, pass: Pass<'_>, shade: Shade) {
        for (surface, moved) in self.surfaces.iter().zip(&pass.frame.moved) {
            let program = match moved {
                Moved::Vertices { .. } => &self.programs.surface,
                Moved::Palette { .. } => &self.programs.skinned,
            };
            if surface.can(moved) {
                draw_surface(pass, program, (surface, moved), shade);
            }
        }
    }

    fn floor(&self, Pass { gl, frame, clip_from_world }: Pass<'_>, shade: Shade) {
        let Some(floor) = &frame.floor else { return };
        let ([x, y, z], r) = (floor.centre, floor.radius);
        let corners = [[x - r, y, z - r], [x - r, y, z + r], [x + r, y, z - r], [x + r, y, z + r]];
        self.points.write(gl, &corners);
        only(gl, &[place::POSITION]);
        self.points.floats(gl, place::POSITION, 3, 12, 0);
        let ([lit, shaded, rule], [low, high]) = (frame.look.floor, frame.look.background);
        let used = self.programs.floor.begin(gl);
        used.matrix("clip_from_world", clip_from_world)
            .three("centre", floor.centre)
            .number("radius", r)
            .number("step_size", floor.step)
            .number("key", if matches!(shade, Shade::Lit) { 1.0 } else { 0.0 })
            .three("lit", lit)
            .three("shaded", shaded)
            .three("rule", rule)
            .three("background_low", low)
            .three("background_high", high)
            .number("height", frame.size[1] as f32);
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    }

    /// Counts behind what is seen how many volumes begin and end: where more begin, there is shadow.
    fn count_volumes(&self, Pass { gl, frame, clip_from_world }: Pass<'_>) {
        let volumes = &frame.volumes;
        only(gl, &[place::POSITION]);
        self.points.write(gl, &volumes.vertices);
        gl.enable(glow::STENCIL_TEST);
        gl.stencil_mask(0xFF);
        gl.stencil_func(glow::ALWAYS, 0, 0xFF);
        gl.stencil_op_separate(glow::FRONT, glow::KEEP, glow::DECR_WRAP, glow::KEEP);
        gl.stencil_op_separate(glow::BACK, glow::KEEP, glow::INCR_WRAP, glow::KEEP);
        gl.color_mask(false, false, false, false);
        gl.depth_mask(false);
        // A little behind the surface that casts: it must not shade itself where both are rounded.
        gl.enable(glow::POLYGON_OFFSET_FILL);
        gl.polygon_offset(0.6, 8.0);
        let used = self.programs.volume.begin(gl);
        used.matrix("clip_from_world", clip_from_world).matrix("world_from_model", &frame.world_from_model);
        let copy = used.place("copy");
        for volume in &volumes.each {
            let Some(own) = frame.copies.get(volume.copy) else { continue };
            let [x, y, z] = own.offset;
            used.four_at(copy.as_ref(), [x, y, z, 0.0]);
            self.points.floats(gl, place::POSITION, 4, 16, 16 * volume.first_vertex);
            self.indices.draw_some(gl, glow::TRIANGLES, 3 * volume.first_triangle, 3 * volume.triangles);
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
            let [over, alone] = frame.look.wires;
            self.surfaces(pass, Shade::Wires(if frame.solid { over } else { alone }));
        }
        self.lines(pass, &frame.lines);
        gl.disable(glow::DEPTH_TEST);
        self.lines(pass, &frame.lines_on_top);
        gl.depth_func(glow::LESS);
        gl.depth_mask(true);
        gl.disable(glow::BLEND);
    }

    fn lines(&self, Pass { gl, clip_from_world, .. }: Pass<'_>, points: &[super::Point]) {
        if points.is_empty() {
            return;
        }
        self.points.write(gl, points);
        only(gl, &[place::POSITION, place::COLOUR]);
        self.points.floats(gl, place::POSITION, 3, 16, 0);
        self.points.bytes(gl, place::COLOUR, 16, 12);
        let used = self.programs.lines.begin(gl);
        used.matrix("clip_from_world", clip_from_world).number("pull", 2.0 * PULL);
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

/// Leaves no attribute on that a program does not have: it might be shorter than what is drawn.
fn only(gl: Gl<'_>, places: &[u32]) {
    for place in place::POSITION..=place::LAST {
        if !places.contains(&place) {
            gl.disable_vertex_attrib_array(place);
        }
    }
}

fn draw_surface(
    Pass { gl, frame, clip_from_world }: Pass<'_>,
    program: &Program,
    (surface, moved): (&Uploaded, &Moved),
    shade: Shade,
) {
    let used: Used<'_> = program.begin(gl);
    used.matrix("clip_from_world", clip_from_world)
        .matrix("world_from_model", &frame.world_from_model)
        .three("eye", frame.view.eye())
        .three("towards_key", frame.towards_key)
        .number("key", if matches!(shade, Shade::Lit) { 1.0 } else { 0.0 })
        .whole("palette", 0)
        .whole("picture", 1)
        .number("textured", if frame.textured && surface.has_texture() { 1.0 } else { 0.0 });
    let wires = matches!(shade, Shade::Wires(_));
    used.number("flat_tint", if wires { 1.0 } else { 0.0 }).number("pull", if wires { PULL } else { 0.0 });
    let (copy_place, tint_place) = (used.place("copy"), used.place("tint"));
    surface.begin(gl, moved);
    for (index, copy) in frame.copies.iter().enumerate() {
        let ([x, y, z], [red, green, blue]) = (copy.offset, copy.tint);
        used.four_at(copy_place.as_ref(), [x, y, z, index as f32]);
        let tint = if let Shade::Wires(colour) = shade { colour } else { [red, green, blue, 1.0] };
        used.four_at(tint_place.as_ref(), tint);
        surface.draw(gl, moved, index, if wires { glow::LINES } else { glow::TRIANGLES });
    }
}
