//! Draws one posed model from one camera: from skinned vertices to pixels.

use std::sync::Arc;

use sinew::Model;
use sinew::model::UpAxis;
use sinew_raster::{Canvas, CullMode, Lighting, Picture, Size, Triangles};

use crate::Error;
use crate::bounds_lines::BoundsLines;
use crate::camera::{CameraView, Framing};
use crate::floor::Floor;
use crate::layer::Layer;
use crate::lights::{background, lighting};
use crate::overlays::{Overlays, normal_tips};
use crate::posed_model::PosedModel;
use crate::shadow_volumes::ShadowVolumes;
use crate::surface::{SurfaceRenderer, SurfaceScene};
use crate::textures::Textures;
use crate::vertex_colors::{base_colors, weight_colors};

/// Draws a posed model, with reusable memory.
pub(crate) struct ModelRenderer {
    canvas: Canvas,
    pub(crate) picture: Picture,
    layers: Vec<Layer>,
    textures: Arc<Textures>,
    surface: SurfaceRenderer,
    camera: CameraView,
    lighting: Lighting,
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
            surface: SurfaceRenderer::new(baked, colors),
            lighting: lighting(&settings.camera.axes),
            camera: settings.camera,
            floor,
            shadow_volumes: shows(Layer::Shadow).then(|| ShadowVolumes::new(&posed.facing)),
            overlays: Overlays::new(settings, baked),
            threads: settings.threads,
        }
    }

    /// Replaces the unlit colors of the vertices.
    pub(crate) fn set_colors(&mut self, colors: impl Iterator<Item = [f32; 3]>) {
        self.surface.set_colors(colors);
    }

    /// Draws the model in its current pose into `picture`.
    pub(crate) fn draw(&mut self, posed: &mut PosedModel) -> Result<(), Error> {
        self.canvas.clear(background());
        self.canvas.set_lighting(&self.lighting);
        let scene = SurfaceScene { camera: &self.camera, lighting: &self.lighting, textures: &self.textures };
        let shows_surface = self.layers.iter().any(|layer| matches!(layer, Layer::Skin | Layer::Weights));
        if shows_surface {
            self.surface.draw_opaque(posed, &scene, &mut self.canvas)?;
        }
        if let Some(floor) = &self.floor {
            let (vertices, triangles) = (&floor.vertices[..], &floor.triangles[..]);
            let floor = Triangles { vertices, triangles, cull_mode: CullMode::Back };
            self.canvas.add_triangles(&floor).map_err(|error| Error::Mesh(error.to_string()))?;
        }
        if let Some(shadow_volumes) = &mut self.shadow_volumes {
            let light = self.lighting.key.towards;
            shadow_volumes.draw(posed, light, &self.camera, &self.textures, &mut self.canvas)?;
        }
        if shows_surface {
            self.surface.draw_transparent(posed.baked(), &scene, &mut self.canvas)?;
        }
        self.overlays.draw(&self.camera, posed, &mut self.canvas)?;
        self.canvas.render(&self.textures.all, self.threads, &mut self.picture);
        Ok(())
    }
}

/// Adds everything that a picture shows of a posed model to the points to frame.
pub(crate) fn frame_model(framing: &mut Framing, posed: &mut PosedModel, up: UpAxis, layers: &[Layer]) {
    let shows = |layer: Layer| layers.contains(&layer);
    if posed.baked().positions().is_empty() || shows(Layer::Bones) {
        for joint in posed.joints() {
            framing.add(up.y_up_from_model(joint));
        }
    }
    for &position in posed.baked().positions() {
        framing.add(up.y_up_from_model(position));
        if shows(Layer::Shadow) {
            framing.add_shadow(up.y_up_from_model(position));
        }
    }
    if shows(Layer::Normals) {
        for (_, tip) in normal_tips(posed.baked(), framing.radius()) {
            framing.add(up.y_up_from_model(tip));
        }
    }
    if shows(Layer::Bounds) {
        let model = posed.baked().model().clone();
        for corner in BoundsLines::new(&model).corners(posed) {
            framing.add(up.y_up_from_model(corner));
        }
    }
}
