//! Draws one posed model from one camera: from skinned vertices to pixels.

use std::sync::Arc;

use sinew::Model;
use sinew::model::UpAxis;
use sinew_io::BakedModel;
use sinew_raster::{Canvas, CullMode, Picture, Size, Triangles, Vertex};

use crate::Error;
use crate::camera::{CameraView, Framing, dot};
use crate::floor::Floor;
use crate::layer::Layer;
use crate::lights::{Lights, background};
use crate::overlays::Overlays;
use crate::posed_model::PosedModel;
use crate::shadow_volumes::ShadowVolumes;
use crate::textures::Textures;
use crate::vertex_colors::{base_colors, weight_colors};

/// Draws a posed model, with reusable memory.
pub(crate) struct ModelRenderer {
    canvas: Canvas,
    pub(crate) picture: Picture,
    layers: Vec<Layer>,
    textures: Arc<Textures>,
    /// The unlit color of each vertex.
    colors: Vec<[f32; 3]>,
    vertices: Vec<Vertex>,
    /// The sum of the normals of each vertex's triangles.
    triangle_normals: Vec<[f64; 3]>,
    camera: CameraView,
    lights: Lights,
    floor: Option<Floor>,
    shadow_volumes: Option<ShadowVolumes>,
    overlays: Overlays,
    threads: usize,
}

/// What a [`ModelRenderer`] is created for.
pub(crate) struct RenderSettings<'a> {
    pub(crate) model: &'a Model,
    pub(crate) layers: &'a [Layer],
    pub(crate) framing: &'a Framing,
    /// Empty when textures are not drawn.
    pub(crate) textures: &'a Arc<Textures>,
    pub(crate) camera: CameraView,
    pub(crate) size: Size,
    pub(crate) threads: usize,
}

impl ModelRenderer {
    pub(crate) fn new(settings: &RenderSettings<'_>, posed: &PosedModel) -> Self {
        let baked = posed.baked();
        let shows = |layer: Layer| settings.layers.contains(&layer);
        let weights = shows(Layer::Weights);
        let colors = if weights { weight_colors(baked) } else { base_colors(baked, settings.textures) };
        let floor = shows(Layer::Shadow).then(|| {
            let mut floor = Floor::new(settings.framing);
            floor.project(&settings.camera);
            floor
        });
        Self {
            canvas: Canvas::new(settings.size),
            picture: Picture::new(settings.size),
            layers: settings.layers.to_vec(),
            textures: settings.textures.clone(),
            colors,
            vertices: Vec::new(),
            triangle_normals: Vec::new(),
            lights: Lights::new(&settings.camera.axes),
            camera: settings.camera,
            floor,
            shadow_volumes: shows(Layer::Shadow).then(|| ShadowVolumes::new(&posed.facing)),
            overlays: Overlays::new(settings, baked),
            threads: settings.threads,
        }
    }

    /// Replaces the unlit colors of the vertices.
    pub(crate) fn set_colors(&mut self, colors: impl Iterator<Item = [f32; 3]>) {
        self.colors.clear();
        self.colors.extend(colors);
    }

    /// Draws the model in its current pose into `picture`.
    pub(crate) fn draw(&mut self, posed: &mut PosedModel) -> Result<(), Error> {
        self.canvas.clear(background());
        if self.layers.iter().any(|layer| matches!(layer, Layer::Skin | Layer::Weights)) {
            self.draw_skin(posed.baked())?;
        }
        if let Some(floor) = &self.floor {
            let (vertices, triangles) = (&floor.vertices[..], &floor.triangles[..]);
            let floor = Triangles { vertices, triangles, cull_mode: CullMode::Back, texture: None };
            self.canvas.add_triangles(&floor).map_err(invalid_index)?;
        }
        if let Some(shadow_volumes) = &mut self.shadow_volumes {
            shadow_volumes.draw(posed, self.lights.key, &self.camera, &mut self.canvas)?;
        }
        self.overlays.draw(&self.camera, posed, &mut self.canvas)?;
        self.canvas.render(&self.textures.all, self.threads, &mut self.picture);
        Ok(())
    }

    fn draw_skin(&mut self, baked: &BakedModel) -> Result<(), Error> {
        baked.triangle_normal_sums(&mut self.triangle_normals);
        let up = baked.model().up_axis();
        let coordinates = baked.texture_coordinates();
        let vertices = baked.positions().iter().zip(baked.normals()).zip(&self.colors).enumerate();
        self.vertices.clear();
        self.vertices.extend(vertices.map(|(vertex, ((&position, &normal), &color))| {
            let flat = unit(self.triangle_normals[vertex]);
            let [lit, shadowed] =
                self.lights.shade(color, up.y_up_from_model(normal), up.y_up_from_model(flat));
            let uv = coordinates.get(vertex).copied().unwrap_or_default();
            Vertex {
                position: self.camera.view.transform_point(up.y_up_from_model(position)),
                lit,
                shadowed,
                uv,
            }
        }));
        for instance in baked.mesh_instances() {
            let texture = instance.material.and_then(|material| self.textures.material_texture(material));
            let triangles = Triangles {
                vertices: &self.vertices,
                triangles: &baked.triangles()[instance.triangles.clone()],
                cull_mode: CullMode::None,
                texture,
            };
            self.canvas.add_triangles(&triangles).map_err(invalid_index)?;
        }
        Ok(())
    }
}

/// Normalizes a vector. The result for a zero vector is NaN, and [`Lights::shade`] then uses the
/// vertex normal alone.
fn unit(sum: [f64; 3]) -> [f32; 3] {
    let length = dot(sum, sum).sqrt();
    sum.map(|x| (x / length) as f32)
}

/// Unreachable: the indices of all triangles were checked when the model was built.
fn invalid_index(error: sinew_raster::Error) -> Error {
    Error::Mesh(error.to_string())
}

/// Adds the vertices of a model to the points to frame; its joints if it has no vertices.
pub(crate) fn frame_model(framing: &mut Framing, posed: &mut PosedModel, up: UpAxis) {
    if posed.baked().positions().is_empty() {
        for joint in posed.joints() {
            framing.add(up.y_up_from_model(joint));
        }
    }
    for &position in posed.baked().positions() {
        framing.add(up.y_up_from_model(position));
    }
}
