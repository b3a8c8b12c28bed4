//! Shaders, from one source for the desktop and for browsers.

use super::gl::Gl;

/// Where each attribute is, in every program alike.
pub(super) mod place {
    pub(in crate::draw) const POSITION: u32 = 0;
    pub(in crate::draw) const NORMAL: u32 = 1;
    pub(in crate::draw) const COLOUR: u32 = 2;
    pub(in crate::draw) const JOINTS: u32 = 3;
    pub(in crate::draw) const WEIGHTS: u32 = 4;
    pub(in crate::draw) const COORDINATES: u32 = 5;
    pub(in crate::draw) const LAST: u32 = COORDINATES;
}

const PLACES: [(u32, &str); 7] = [
    (place::POSITION, "position"),
    (place::POSITION, "place"),
    (place::NORMAL, "normal"),
    (place::COLOUR, "colour"),
    (place::JOINTS, "joints"),
    (place::WEIGHTS, "weights"),
    (place::COORDINATES, "coordinates"),
];

/// A vertex shader and a fragment shader.
pub(super) struct Program {
    program: glow::Program,
}

/// The text of both shaders, without a version.
pub(super) struct Source {
    pub(super) name: &'static str,
    pub(super) vertex: &'static str,
    pub(super) fragment: &'static str,
    /// Lines before the vertex shader.
    pub(super) defines: &'static str,
}

impl Program {
    /// Compiles and links.
    pub(super) fn new(gl: Gl<'_>, source: &Source) -> Result<Self, String> {
        let header = if gl.is_embedded() {
            "#version 300 es\nprecision highp float;\nprecision highp int;\n"
        } else {
            "#version 330\n"
        };
        let of = |kind: u32, defines: &str, text: &str| {
            compile(gl, kind, &format!("{header}{defines}\n{text}"))
                .map_err(|log| format!("shader {}: {log}", source.name))
        };
        let shaders = [
            of(glow::VERTEX_SHADER, source.defines, source.vertex)?,
            of(glow::FRAGMENT_SHADER, "", source.fragment)?,
        ];
        let program = gl.create_program()?;
        for shader in shaders {
            gl.attach_shader(program, shader);
        }
        for (place, name) in PLACES {
            gl.bind_attrib_location(program, place, name);
        }
        gl.link_program(program);
        for shader in shaders {
            gl.delete_shader(shader);
        }
        if !gl.get_program_link_status(program) {
            let log = gl.get_program_info_log(program);
            gl.delete_program(program);
            return Err(format!("shader {}: {log}", source.name));
        }
        Ok(Self { program })
    }

    /// Makes it the one that draws, with what is the same for all that it draws.
    pub(super) fn begin<'a>(&self, gl: Gl<'a>) -> Used<'a> {
        gl.use_program(Some(self.program));
        Used { gl, program: self.program }
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        gl.delete_program(self.program);
    }
}

/// The program that draws now.
#[derive(Clone, Copy)]
pub(super) struct Used<'a> {
    gl: Gl<'a>,
    program: glow::Program,
}

impl Used<'_> {
    /// Where a value is that changes often; `None` where the shaders do not use it, and it need not be set.
    pub(super) fn place(&self, name: &str) -> Option<glow::UniformLocation> {
        self.gl.get_uniform_location(self.program, name)
    }

    pub(super) fn four_at(&self, place: Option<&glow::UniformLocation>, value: [f32; 4]) {
        self.gl.uniform_4_f32_slice(place, &value);
    }

    pub(super) fn whole(&self, name: &str, value: i32) -> &Self {
        self.gl.uniform_1_i32(self.place(name).as_ref(), value);
        self
    }

    pub(super) fn number(&self, name: &str, value: f32) -> &Self {
        self.gl.uniform_1_f32(self.place(name).as_ref(), value);
        self
    }

    pub(super) fn three(&self, name: &str, value: [f32; 3]) -> &Self {
        self.gl.uniform_3_f32_slice(self.place(name).as_ref(), &value);
        self
    }

    pub(super) fn matrix(&self, name: &str, value: &[[f32; 4]; 4]) -> &Self {
        self.gl.uniform_matrix_4_f32_slice(self.place(name).as_ref(), false, value.as_flattened());
        self
    }
}

fn compile(gl: Gl<'_>, kind: u32, text: &str) -> Result<glow::Shader, String> {
    let shader = gl.create_shader(kind)?;
    gl.shader_source(shader, text);
    gl.compile_shader(shader);
    if gl.get_shader_compile_status(shader) {
        return Ok(shader);
    }
    let log = gl.get_shader_info_log(shader);
    gl.delete_shader(shader);
    Err(log)
}
