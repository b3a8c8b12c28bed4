//! The overlays of one mesh instance of one copy: shadow volume, silhouette and clicked triangle.

use sinew::geometry::{Light, MeshFacing};
use sinew::model::AlphaMode;

use crate::draw::{LineVertex, ModelCopy, ShadowVolume, ShadowVolumes, Surface, SurfaceInput};
use crate::scene::{self, Subject};
use crate::settings::{Layer, Settings};
use crate::shapes::{Hit, RunPositions};

/// Color of the silhouette, in the bright and in the dark theme.
const OUTLINE_COLORS: [[u8; 4]; 2] = [[190, 30, 20, 255], [255, 232, 120, 255]];
/// Color of the silhouette of toon shading.
const TOON_COLOR: [u8; 4] = [14, 14, 18, 255];
const HIT_COLOR: [u8; 4] = [255, 60, 60, 255];

/// The inputs that all mesh instances share, and the lines and volumes that are written.
pub(super) struct Overlay<'a> {
    pub(super) subject: &'a Subject,
    pub(super) settings: &'a Settings,
    pub(super) eye: [f32; 3],
    pub(super) hit: Option<&'a Hit>,
    /// One per mesh instance; empty if no layer needs them.
    pub(super) facing: &'a mut [MeshFacing],
    pub(super) positions: &'a mut RunPositions,
    pub(super) drawn: &'a [Surface],
    pub(super) volumes: &'a mut ShadowVolumes,
    pub(super) lines: &'a mut Vec<LineVertex>,
    pub(super) outlines: &'a mut Vec<LineVertex>,
    pub(super) lines_on_top: &'a mut Vec<LineVertex>,
}

impl Overlay<'_> {
    /// Adds the overlays of a mesh instance of a copy.
    pub(super) fn fill(
        &mut self,
        (mesh_instance, input): (usize, &SurfaceInput),
        (index, copy): (usize, &ModelCopy),
    ) {
        let has = |layer| self.settings.layers.contains(layer);
        // What lets light through casts no shadow of its outline.
        let casts = |surface: &Surface| surface.alpha_mode != AlphaMode::Blend;
        let shadow = has(Layer::Shadow) && self.drawn.get(mesh_instance).is_none_or(casts);
        let silhouette = has(Layer::Silhouette) || has(Layer::Toon);
        let hit = self.hit.filter(|hit| (hit.copy, hit.mesh_instance) == (index, mesh_instance));
        if !shadow && !silhouette && hit.is_none() {
            return;
        }
        self.positions.copy_from(self.subject.mesh(mesh_instance), input, index);
        if shadow {
            self.shadow(mesh_instance, index);
        }
        if silhouette {
            self.silhouette(mesh_instance, copy);
        }
        if let Some(hit) = hit {
            self.hit_triangle(hit, copy);
        }
    }

    fn shadow(&mut self, mesh_instance: usize, index: usize) {
        let light = Light::Direction(self.subject.to_model(scene::to_key_light()));
        let Some(facing) = self.facing.get_mut(mesh_instance) else { return };
        let ShadowVolumes { vertices, triangles, volumes } = &mut *self.volumes;
        let (first_vertex, first_triangle) = (vertices.len(), triangles.len());
        // There are no positions if the surface could not be skinned on the CPU.
        if let Ok(volume) = facing.append_shadow(self.positions.points(), light, vertices, triangles) {
            let triangles = volume.triangles();
            volumes.push(ShadowVolume { copy: index, first_vertex, first_triangle, triangles });
        }
    }

    fn silhouette(&mut self, mesh_instance: usize, copy: &ModelCopy) {
        let (subject, points) = (self.subject, self.positions.points());
        let eye = subject.to_model([0, 1, 2].map(|i| self.eye[i] - copy.offset[i]));
        let has = |layer| self.settings.layers.contains(layer);
        let (color, lines) = if has(Layer::Silhouette) {
            (OUTLINE_COLORS[usize::from(!self.settings.bright)], &mut *self.lines)
        } else {
            (TOON_COLOR, &mut *self.outlines)
        };
        let Some(facing) = self.facing.get_mut(mesh_instance) else { return };
        let Ok(silhouette) = facing.silhouette(points, Light::Point(eye)) else { return };
        lines.extend(silhouette.edges().iter().flatten().map(|&slot| {
            let position = to_world(subject, copy, points.position(slot as usize));
            LineVertex { position, color }
        }));
    }

    /// Adds the edges of the triangle that was hit, at its current position.
    fn hit_triangle(&mut self, hit: &Hit, copy: &ModelCopy) {
        let points = self.positions.points();
        let Some(&corners) = self.subject.mesh(hit.mesh_instance).triangles().get(hit.triangle) else {
            return;
        };
        if corners.iter().any(|&slot| slot as usize >= points.len()) {
            return;
        }
        let [a, b, c] = corners.map(|slot| to_world(self.subject, copy, points.position(slot as usize)));
        let ends = [a, b, b, c, c, a].map(|position| LineVertex { position, color: HIT_COLOR });
        self.lines_on_top.extend(ends);
    }
}

fn to_world(subject: &Subject, copy: &ModelCopy, point: [f32; 3]) -> [f32; 3] {
    let point = subject.to_scene(point);
    [0, 1, 2].map(|i| point[i] + copy.offset[i])
}
