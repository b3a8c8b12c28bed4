//! All shader programs.

use super::frame::SurfaceInput;
use super::gl::Gl;
use super::program::{Program, Source};

/// One program for each kind of geometry.
pub(super) struct Programs {
    /// Vertices skinned on the CPU.
    pub(super) surface: Program,
    /// Vertices that the shader skins.
    pub(super) skinned: Program,
    pub(super) floor: Program,
    pub(super) lines: Program,
    pub(super) volume: Program,
    /// The resolved picture, or the background.
    pub(super) screen: Program,
}

impl Programs {
    pub(super) fn new(gl: Gl<'_>) -> Result<Self, String> {
        let surface = |name, defines| Source {
            name,
            vertex: include_str!("shaders/surface.vert"),
            fragment: include_str!("shaders/surface.frag"),
            defines,
        };
        let plain = |name, vertex, fragment| Source { name, vertex, fragment, defines: "" };
        Ok(Self {
            surface: Program::new(gl, &surface("surface", ""))?,
            skinned: Program::new(gl, &surface("skinned surface", "#define SKINNED"))?,
            floor: Program::new(
                gl,
                &plain("floor", include_str!("shaders/floor.vert"), include_str!("shaders/floor.frag")),
            )?,
            lines: Program::new(
                gl,
                &plain("lines", include_str!("shaders/lines.vert"), include_str!("shaders/lines.frag")),
            )?,
            volume: Program::new(
                gl,
                &plain("volume", include_str!("shaders/volume.vert"), include_str!("shaders/volume.frag")),
            )?,
            screen: Program::new(
                gl,
                &plain("screen", include_str!("shaders/screen.vert"), include_str!("shaders/screen.frag")),
            )?,
        })
    }

    /// The program that draws a surface from this input.
    pub(super) fn for_input(&self, input: &SurfaceInput) -> &Program {
        match input {
            SurfaceInput::Skinned { .. } => &self.surface,
            SurfaceInput::Palette { .. } => &self.skinned,
        }
    }

    pub(super) fn delete(&self, gl: Gl<'_>) {
        for program in [&self.surface, &self.skinned, &self.floor, &self.lines, &self.volume, &self.screen] {
            program.delete(gl);
        }
    }
}
