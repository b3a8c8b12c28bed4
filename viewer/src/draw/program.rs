//! Shader programs, from one source for the desktop and for browsers.

use super::gl::Gl;

/// Attribute locations, the same in every program.
pub(super) mod attribute {
    pub(in crate::draw) const POSITION: u32 = 0;
    pub(in crate::draw) const NORMAL: u32 = 1;
    pub(in crate::draw) const COLOR: u32 = 2;
    pub(in crate::draw) const JOINTS: u32 = 3;
    pub(in crate::draw) const WEIGHTS: u32 = 4;
    pub(in crate::draw) const COORDINATES: u32 = 5;
    pub(in crate::draw) const LAST: u32 = COORDINATES;
}

const ATTRIBUTES: [(u32, &str); 7] = [
    (attribute::POSITION, "position"),
    (attribute::POSITION, "homogeneous_position"),
    (attribute::NORMAL, "normal"),
    (attribute::COLOR, "color"),
    (attribute::JOINTS, "joints"),
    (attribute::WEIGHTS, "weights"),
    (attribute::COORDINATES, "coordinates"),
];

/// A linked vertex and fragment shader.
pub(super) struct Program {
    program: glow::Program,
}

/// The source of both shaders, without a version line.
pub(super) struct Source {
    pub(super) name: &'static str,
    pub(super) vertex: &'static str,
    pub(super) fragment: &'static str,
    /// Lines inserted before the vertex shader.
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
        let compile_stage = |kind: u32, defines: &str, text: &str| {
            compile(gl, kind, &format!("{header}{defines}\n{text}"))
                .map_err(|log| format!("shader {}: {log}", source.name))
        };
        let shaders = [
            compile_stage(glow::VERTEX_SHADER, source.defines, source.vertex)?,
            compile_stage(glow::FRAGMENT_SHADER, "", source.fragment)?,
        ];
        let program = gl.create_program()?;
        for shader in shaders {
            gl.attach_shader(program, shader);
        }
        for (location, name) in ATTRIBUTES {
            gl.bind_attrib_location(program, location, name);
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

    /// Makes the program current.
    pub(super) fn bind<'a>(&self, gl: Gl<'a>) -> BoundProgram<'a> {
        gl.use_program(Some(self.program));
        BoundProgram { gl, program: self.program }
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        gl.delete_program(self.program);
    }
}

/// The current program.
#[derive(Clone, Copy)]
pub(super) struct BoundProgram<'a> {
    gl: Gl<'a>,
    program: glow::Program,
}

impl BoundProgram<'_> {
    /// Location of a uniform; `None` if the shaders do not use it, so it need not be set.
    pub(super) fn uniform(&self, name: &str) -> Option<glow::UniformLocation> {
        self.gl.get_uniform_location(self.program, name)
    }

    pub(super) fn set_vec4_at(&self, location: Option<&glow::UniformLocation>, value: [f32; 4]) {
        self.gl.uniform_4_f32_slice(location, &value);
    }

    pub(super) fn set_i32(&self, name: &str, value: i32) -> &Self {
        self.gl.uniform_1_i32(self.uniform(name).as_ref(), value);
        self
    }

    pub(super) fn set_f32(&self, name: &str, value: f32) -> &Self {
        self.gl.uniform_1_f32(self.uniform(name).as_ref(), value);
        self
    }

    pub(super) fn set_vec3(&self, name: &str, value: [f32; 3]) -> &Self {
        self.gl.uniform_3_f32_slice(self.uniform(name).as_ref(), &value);
        self
    }

    pub(super) fn set_mat4(&self, name: &str, value: &[[f32; 4]; 4]) -> &Self {
        self.gl.uniform_matrix_4_f32_slice(self.uniform(name).as_ref(), false, value.as_flattened());
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
