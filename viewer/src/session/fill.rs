//! Fills a frame from a session: surfaces, and the overlays drawn over them.

use sinew::geometry::{GeometryError, MeshFacing};
use sinew::runtime::backend;

use super::Session;
use super::blended::blended_surfaces;
use super::overlay::Overlay;
use crate::draw::{Frame, SceneColors, SurfaceInput};
use crate::methods::{FrameInput, MethodKind, Pipeline};
use crate::scene::{self, AnimationSource, Subject, VertexColoring};
use crate::settings::{Layer, Settings, Threads};
use crate::shapes;
use crate::timing::time_call;

/// Seconds that filling a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FillTimes {
    /// Copying skinned vertices to the memory they are drawn from.
    pub copy: f64,
    /// Planes, silhouettes, shadows and other overlays.
    pub shapes: f64,
}

impl Session {
    /// Fills a frame, except its size, and returns the time it took.
    pub fn fill(&mut self, settings: &Settings, frame: &mut Frame) -> FillTimes {
        frame.samples = settings.samples;
        frame.camera = self.camera;
        frame.to_key_light = scene::to_key_light();
        frame.colors = if settings.bright { SceneColors::LIGHT } else { SceneColors::DARK };
        frame.world_from_model = self.subject.world_from_model();
        frame.copies.clone_from(&self.grid.copies);
        frame.textured = self.coloring == VertexColoring::Material;
        frame.solid = settings.layers.contains(Layer::Surface);
        frame.toon = settings.layers.contains(Layer::Toon);
        frame.wireframe = settings.layers.contains(Layer::Wireframe);
        frame.mirrored = self.mirrored_surfaces();
        frame.floor = Some(scene::floor(&self.grid, &self.motion_bounds));
        let none = || SurfaceInput::Palette { joints: 0, floats: Vec::new() };
        frame.surfaces.resize_with(self.subject.mesh_instances(), none);
        let copy = time_call(|| {
            for (mesh_instance, input) in frame.surfaces.iter_mut().enumerate() {
                self.pipeline.write_surface(mesh_instance, input);
            }
        });
        frame.blended = blended_surfaces(&self.subject, &self.surfaces, frame);
        let shapes = time_call(|| self.fill_shapes(settings, frame));
        FillTimes { copy, shapes }
    }

    fn fill_shapes(&mut self, settings: &Settings, frame: &mut Frame) {
        frame.volumes.clear();
        frame.lines.clear();
        frame.outlines.clear();
        frame.lines_on_top.clear();
        let has = |layer| settings.layers.contains(layer);
        let needs_skin = [Layer::Shadow, Layer::Silhouette, Layer::Toon, Layer::Normals].into_iter().any(has);
        if needs_skin || self.hit.is_some() {
            self.skin_for_overlays(settings);
            self.fill_overlays(settings, frame);
        }
        for (copy, animated) in self.grid.copies.iter().zip(self.pipeline.copies()) {
            if has(Layer::Bones) {
                let positions = shapes::joint_positions(&self.subject, animated, copy);
                shapes::add_bones(&self.subject, &positions, settings.joint, &mut frame.lines_on_top);
            }
            if has(Layer::Bounds) {
                shapes::add_bounds(&self.subject, animated, copy, &mut frame.lines);
            }
        }
    }

    /// Skins on the CPU as well if the GPU method is active, because overlays need skinned
    /// vertices.
    fn skin_for_overlays(&mut self, settings: &Settings) {
        if settings.method != MethodKind::Gpu {
            self.cpu_pipeline = None;
            return;
        }
        if self.cpu_pipeline.is_none() {
            let counts = (settings.weights, self.config.copies);
            let pipeline =
                Pipeline::new(&self.subject, (MethodKind::Blocks, backend::fastest()), counts, Threads::Off);
            self.cpu_pipeline = pipeline.ok();
        }
        let Some(cpu_pipeline) = &mut self.cpu_pipeline else { return };
        let input = FrameInput {
            source: AnimationSource::new(settings, &self.subject),
            seconds: settings.seconds,
            next_seconds: settings.seconds,
        };
        cpu_pipeline.step(&input);
        self.cpu_surfaces.resize_with(self.subject.mesh_instances(), || SurfaceInput::Palette {
            joints: 0,
            floats: Vec::new(),
        });
        for (mesh_instance, input) in self.cpu_surfaces.iter_mut().enumerate() {
            cpu_pipeline.write_surface(mesh_instance, input);
        }
    }

    fn fill_overlays(&mut self, settings: &Settings, frame: &mut Frame) {
        let has = |layer| settings.layers.contains(layer);
        if self.facing.is_none() && [Layer::Shadow, Layer::Silhouette, Layer::Toon].into_iter().any(has) {
            self.facing = mesh_facing(&self.subject).ok();
        }
        let Frame { surfaces, volumes, lines, outlines, lines_on_top, .. } = frame;
        let source = if self.cpu_pipeline.is_some() { &self.cpu_surfaces } else { &*surfaces };
        let mut overlay = Overlay {
            subject: &self.subject,
            settings,
            eye: self.camera.eye(),
            hit: self.hit.as_ref(),
            facing: self.facing.as_deref_mut().unwrap_or_default(),
            positions: &mut self.positions,
            drawn: &self.surfaces,
            volumes,
            lines,
            outlines,
            lines_on_top,
        };
        for (mesh_instance, input) in source.iter().enumerate() {
            for copy in self.grid.copies.iter().enumerate() {
                overlay.fill((mesh_instance, input), copy);
            }
            if has(Layer::Normals) {
                let length = 0.03 * (self.motion_bounds.max[1] - self.motion_bounds.min[1]).max(1e-6);
                shapes::add_normals(&self.subject, input, &self.grid.copies, length, overlay.lines);
            }
        }
    }
}

impl Session {
    /// For each mesh instance and copy, whether the pose mirrors it.
    fn mirrored_surfaces(&self) -> Vec<Vec<bool>> {
        let mirrored = |mesh_instance: usize| {
            let skin = self.subject.skin_index(mesh_instance);
            let copies = self.pipeline.copies().iter();
            copies.map(|copy| copy.palettes[skin].matrices().first().is_some_and(is_mirrored)).collect()
        };
        (0..self.subject.mesh_instances()).map(mirrored).collect()
    }
}

fn is_mirrored(matrix: &sinew::Matrix) -> bool {
    let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = matrix.rows;
    a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0
}

/// Finds the edges of each mesh instance.
fn mesh_facing(subject: &Subject) -> Result<Vec<MeshFacing>, GeometryError> {
    (0..subject.mesh_instances()).map(|instance| MeshFacing::new(subject.mesh(instance))).collect()
}
