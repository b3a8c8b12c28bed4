//! The surface of a posed model: from skinned vertices to triangles of the canvas.

use std::collections::HashMap;

use sinew_io::{BakedMeshInstance, BakedModel};
use sinew_raster::{AlphaMode, Canvas, CullMode, Lighting, Material, Surface, SurfaceVertex};

use crate::Error;
use crate::camera::{CameraView, dot};
use crate::posed_model::PosedModel;
use crate::textures::Textures;

/// Draws the surface of a model, with reusable memory.
pub(crate) struct SurfaceRenderer {
    /// The unlit color of each vertex.
    colors: Vec<[f32; 4]>,
    /// For each vertex, the first with the same position and normal.
    first_copy: Vec<u32>,
    vertices: Vec<SurfaceVertex>,
    /// The sides of each mesh instance that are not drawn.
    cull_modes: Vec<CullMode>,
    /// For each vertex that is a first copy, the least and the greatest cosine between the key
    /// light and the normals of the triangles at it or one of its copies.
    triangle_cosines: Vec<[f32; 2]>,
}

/// What a surface is drawn for.
#[derive(Clone, Copy)]
pub(crate) struct SurfaceScene<'a> {
    pub(crate) camera: &'a CameraView,
    pub(crate) lighting: &'a Lighting,
    pub(crate) textures: &'a Textures,
}

impl SurfaceRenderer {
    pub(crate) fn new(baked: &BakedModel, colors: Vec<[f32; 4]>) -> Self {
        let first_copy = first_copies(baked);
        let (vertices, cull_modes, triangle_cosines) = (Vec::new(), Vec::new(), Vec::new());
        Self { colors, first_copy, vertices, cull_modes, triangle_cosines }
    }

    /// Replaces the unlit colors of the vertices.
    pub(crate) fn set_colors(&mut self, colors: impl Iterator<Item = [f32; 3]>) {
        self.colors.clear();
        self.colors.extend(colors.map(|[r, g, b]| [r, g, b, 1.0]));
    }

    /// Computes the vertices of the current pose and draws everything that is not transparent.
    pub(crate) fn draw_opaque(
        &mut self,
        posed: &mut PosedModel,
        scene: &SurfaceScene<'_>,
        canvas: &mut Canvas,
    ) -> Result<(), Error> {
        self.update(posed, scene);
        let baked = posed.baked();
        for (instance, &cull_mode) in baked.mesh_instances().iter().zip(&self.cull_modes) {
            let material = material(instance, scene.textures);
            if material.alpha_mode != AlphaMode::Blend {
                let triangles = &baked.triangles()[instance.triangles.clone()];
                self.draw(triangles, cull_mode, material, canvas)?;
            }
        }
        Ok(())
    }

    /// Draws what is transparent, after [`draw_opaque`](Self::draw_opaque): all triangles, from the
    /// farthest to the nearest.
    pub(crate) fn draw_transparent(
        &self,
        baked: &BakedModel,
        scene: &SurfaceScene<'_>,
        canvas: &mut Canvas,
    ) -> Result<(), Error> {
        let mut sorted = Vec::new();
        for (index, instance) in baked.mesh_instances().iter().enumerate() {
            if material(instance, scene.textures).alpha_mode == AlphaMode::Blend {
                sorted.extend(instance.triangles.clone().map(|triangle| (index, triangle)));
            }
        }
        // The sum of the distances of the vertices along the view direction.
        let distance = |triangle: usize| -> f32 {
            baked.triangles()[triangle].iter().map(|&vertex| self.vertices[vertex as usize].position[3]).sum()
        };
        sorted.sort_by(|(_, a), (_, b)| distance(*b).total_cmp(&distance(*a)));
        for group in sorted.chunk_by(|(a, _), (b, _)| a == b) {
            let triangles: Vec<[u32; 3]> =
                group.iter().map(|&(_, triangle)| baked.triangles()[triangle]).collect();
            let material = material(&baked.mesh_instances()[group[0].0], scene.textures);
            self.draw(&triangles, self.cull_modes[group[0].0], material, canvas)?;
        }
        Ok(())
    }

    fn draw(
        &self,
        triangles: &[[u32; 3]],
        cull_mode: CullMode,
        material: Material,
        canvas: &mut Canvas,
    ) -> Result<(), Error> {
        let surface = Surface { vertices: &self.vertices, triangles, cull_mode, material };
        // Unreachable: the indices of all triangles were checked when the model was built.
        canvas.add_surface(&surface).map_err(|error| Error::Mesh(error.to_string()))
    }

    fn update(&mut self, posed: &mut PosedModel, scene: &SurfaceScene<'_>) {
        let key = scene.lighting.key.towards;
        self.update_cosines(posed.baked(), key);
        let baked = posed.baked();
        self.cull_modes.clear();
        self.cull_modes.extend(baked.mesh_instances().iter().map(|instance| cull_mode(baked, instance)));
        let up = baked.model().up_axis();
        let coordinates = baked.texture_coordinates();
        let eye = scene.camera.position;
        self.vertices.clear();
        for (instance, &cull_mode) in baked.mesh_instances().iter().zip(&self.cull_modes) {
            self.vertices.extend(instance.vertices.clone().map(|vertex| {
                let position = up.y_up_from_model(baked.positions()[vertex]);
                let normal = up.y_up_from_model(baked.normals()[vertex]);
                let smooth = normal[0] * key[0] + normal[1] * key[1] + normal[2] * key[2];
                let flat = self.triangle_cosines[self.first_copy[vertex] as usize];
                SurfaceVertex {
                    position: scene.camera.view.transform_point(position),
                    color: self.colors[vertex],
                    normal,
                    tangent: [0.0; 4],
                    to_eye: [0, 1, 2].map(|i| eye[i] - position[i]),
                    key: key_fraction(smooth, flat, cull_mode),
                    uv: coordinates.get(vertex).copied().unwrap_or_default(),
                }
            }));
        }
        for index in 0..posed.baked().mesh_instances().len() {
            self.update_tangents(posed, index, scene.textures);
        }
    }

    /// Sets the tangents of a mesh instance with a normal texture: those of the mesh, or if it has
    /// none, those of its texture coordinates in this pose.
    fn update_tangents(&mut self, posed: &mut PosedModel, index: usize, textures: &Textures) {
        let instance = &posed.baked().mesh_instances()[index];
        if material(instance, textures).normal_texture.is_none() {
            return;
        }
        let (range, up) = (instance.vertices.clone(), posed.baked().model().up_axis());
        let tangents = posed.tangents(index).or_else(|| derive_tangents(posed.baked(), index));
        let Some(tangents) = tangents else { return };
        for (vertex, [x, y, z, sign]) in self.vertices[range].iter_mut().zip(tangents) {
            let [x, y, z] = up.y_up_from_model([x, y, z]);
            vertex.tangent = [x, y, z, sign];
        }
    }

    fn update_cosines(&mut self, baked: &BakedModel, key: [f32; 3]) {
        let key = baked.model().up_axis().model_from_y_up(key).map(f64::from);
        self.triangle_cosines.clear();
        self.triangle_cosines.resize(self.first_copy.len(), [f32::INFINITY, f32::NEG_INFINITY]);
        for triangle in baked.triangles() {
            let normal = triangle_normal(baked, triangle);
            let length = dot(normal, normal).sqrt();
            if length > 0.0 {
                let cosine = (dot(normal, key) / length) as f32;
                for &vertex in triangle {
                    let [least, greatest] =
                        &mut self.triangle_cosines[self.first_copy[vertex as usize] as usize];
                    *least = if cosine < *least { cosine } else { *least };
                    *greatest = if cosine > *greatest { cosine } else { *greatest };
                }
            }
        }
    }
}

/// The material of a mesh instance; a plain one if it has none or textures are not drawn.
fn material(instance: &BakedMeshInstance, textures: &Textures) -> Material {
    instance.material.and_then(|material| textures.material(material)).copied().unwrap_or_default()
}

/// Tangents of a mesh instance, from its texture coordinates and its surface in the current pose;
/// `None` without texture coordinates. A mesh that was loaded without tangents has none to skin.
fn derive_tangents(baked: &BakedModel, index: usize) -> Option<Vec<[f32; 4]>> {
    let instance = &baked.mesh_instances()[index];
    let range = instance.vertices.clone();
    let coordinates = baked.texture_coordinates().get(range.clone())?;
    if !instance.has_texture_coordinates {
        return None;
    }
    let first = range.start as u32;
    let triangles: Vec<[u32; 3]> = baked.triangles()[instance.triangles.clone()]
        .iter()
        .map(|corners| corners.map(|v| v - first))
        .collect();
    let (positions, normals) = (&baked.positions()[range.clone()], &baked.normals()[range]);
    sinew::geometry::tangents(positions, normals, coordinates, &triangles).ok()
}

/// The sides of a mesh instance that are not drawn.
fn cull_mode(baked: &BakedModel, instance: &BakedMeshInstance) -> CullMode {
    let materials = baked.model().materials();
    match instance.material.map(|material| materials[material].double_sided) {
        Some(true) => CullMode::None,
        _ if is_mirrored(baked, instance) => CullMode::Front,
        _ => CullMode::Back,
    }
}

/// Whether the transform of a mesh instance turns its triangles inside out: most of them face away
/// from the normals of their vertices.
fn is_mirrored(baked: &BakedModel, instance: &BakedMeshInstance) -> bool {
    let mut balance = 0_i64;
    for triangle in &baked.triangles()[instance.triangles.clone()] {
        let vertex = baked.normals()[triangle[0] as usize].map(f64::from);
        let along = dot(triangle_normal(baked, triangle), vertex);
        balance += i64::from(along > 0.0) - i64::from(along < 0.0);
    }
    balance < 0
}

/// The cosine to the key light below which a triangle gets less of it.
const GRAZING: f32 = 0.25;

/// The fraction of the key light that reaches a vertex, by the least and the greatest cosine to its
/// triangles. `smooth` is the cosine to its normal.
///
/// Shadows follow triangles: one that faces away from the light is in shadow, though the normals at
/// its corners may face the light. So a vertex of such a triangle gets no light, and where the
/// surface turns away, the light fades out before the shadow begins. Otherwise, the edges of
/// triangles would be seen there.
fn key_fraction(smooth: f32, [least, greatest]: [f32; 2], cull_mode: CullMode) -> f32 {
    let flat = match cull_mode {
        CullMode::Back => least,
        CullMode::Front => -greatest,
        // The backs are seen too.
        CullMode::None => {
            if smooth > 0.0 {
                least
            } else {
                -greatest
            }
        }
    };
    (flat / GRAZING).clamp(0.0, 1.0)
}

/// The normal of a triangle in model space, as long as twice its area.
fn triangle_normal(baked: &BakedModel, triangle: &[u32; 3]) -> [f64; 3] {
    let [a, b, c] = triangle.map(|vertex| baked.positions()[vertex as usize].map(f64::from));
    let [u, v] = [b, c].map(|end| [end[0] - a[0], end[1] - a[1], end[2] - a[2]]);
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// For each vertex, the first with the same position and normal: seams repeat vertices.
fn first_copies(baked: &BakedModel) -> Vec<u32> {
    let mut first = HashMap::with_capacity(baked.positions().len());
    let vertices = baked.positions().iter().zip(baked.normals());
    vertices
        .enumerate()
        .map(|(vertex, (position, normal))| {
            let bits = |vector: &[f32; 3]| vector.map(f32::to_bits);
            *first.entry((bits(position), bits(normal))).or_insert(vertex as u32)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_light_fades_before_a_triangle_faces_away() {
        let front = |flat| key_fraction(0.5, flat, CullMode::Back);
        assert_eq!(front([-0.1, 0.9]), 0.0);
        assert_eq!(front([0.0, 0.9]), 0.0);
        assert_eq!(front([0.5 * GRAZING, 0.9]), 0.5);
        assert_eq!(front([0.6, 0.9]), 1.0);
        // The triangles of a mirrored mesh face the other way than its normals.
        assert_eq!(key_fraction(0.5, [-0.9, -0.5 * GRAZING], CullMode::Front), 0.5);
        // The back of a surface is lit like the front.
        assert_eq!(key_fraction(-0.5, [-0.9, -0.5 * GRAZING], CullMode::None), 0.5);
        assert_eq!(key_fraction(0.5, [0.5 * GRAZING, 0.9], CullMode::None), 0.5);
    }
}
