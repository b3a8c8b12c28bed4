//! Draws the whole picture: one model, or two skinning methods side by side with captions.

use std::sync::Arc;

use sinew::{Model, Pose};
use sinew_figures::colors::heat_color;
use sinew_raster::{Picture, Size};

use crate::Error;
use crate::camera::{Framing, Margins, Orbit};
use crate::captions;
use crate::compared_method::{ComparedMethod, MethodPair};
use crate::layer::Layer;
use crate::model_renderer::{ModelRenderer, RenderSettings, frame_model};
use crate::posed_model::{PoseSource, PosedModel};
use crate::textures::Textures;

/// How many times of a clip the camera frames, in addition to those that are drawn.
const FRAMING_SAMPLES: usize = 32;

/// What a picture shows, and from where.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RenderOptions {
    /// The size of the picture in pixels.
    pub size: Size,
    /// The layers to draw.
    pub layers: Vec<Layer>,
    /// The camera.
    pub camera: Orbit,
    /// Two skinning methods to draw side by side, instead of linear blend skinning.
    pub compare: Option<MethodPair>,
    /// With `compare`: whether vertices are colored by the distance between both results.
    pub heat: bool,
    /// The number of threads that draw.
    pub threads: usize,
}

impl RenderOptions {
    /// The surface and its shadow, seen from the front at the right, drawn by one thread.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let layers = vec![Layer::Skin, Layer::Shadow];
        Self { size, layers, camera: Orbit::default(), compare: None, heat: false, threads: 1 }
    }

    fn shows_textures(&self) -> bool {
        let shows = |layer| self.layers.contains(&layer);
        !self.heat && !shows(Layer::Weights) && shows(Layer::Skin)
    }
}

/// Draws pictures of a model at any time of a clip, with reusable memory.
pub struct Renderer {
    panels: Vec<Panel>,
    picture: Picture,
    textures: Arc<Textures>,
    /// The distance at the end of the color scale, when vertices are colored by distance.
    max_distance: Option<f32>,
}

/// One of the models in the picture.
struct Panel {
    posed: PosedModel,
    renderer: ModelRenderer,
    method: ComparedMethod,
    left: usize,
}

impl Renderer {
    /// Poses the model at the times that will be drawn, and places the camera so that all poses fit
    /// into the picture. The clip is an index; `None` draws the rest pose. Times are in seconds.
    ///
    /// # Errors
    ///
    /// If the picture is too narrow for two methods, if the camera cannot show the model, or if the
    /// model cannot be posed or has no such clip.
    pub fn new(
        options: &RenderOptions,
        model: &Model,
        clip: Option<usize>,
        times: &mut dyn Iterator<Item = f64>,
    ) -> Result<Self, Error> {
        Self::build(options, model, PoseSource::Clip(clip), times)
    }

    /// A renderer of one pose of the model, such as that of an instance:
    /// [`picture`](Self::picture) draws it whatever the time.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and if the pose is of another skeleton.
    pub fn of_pose(options: &RenderOptions, model: &Model, pose: &Pose) -> Result<Self, Error> {
        Self::build(options, model, PoseSource::Fixed(pose), &mut [0.0].into_iter())
    }

    fn build(
        options: &RenderOptions,
        model: &Model,
        source: PoseSource<'_>,
        times: &mut dyn Iterator<Item = f64>,
    ) -> Result<Self, Error> {
        let size = options.size;
        let methods = options.compare.map_or(vec![ComparedMethod::Linear], |pair| pair.0.to_vec());
        let posed_models =
            methods.iter().map(|&method| PosedModel::new(model, source, method, &options.layers));
        let mut posed_models = posed_models.collect::<Result<Vec<_>, _>>()?;
        let panel_size = panel_size(size, methods.len())?;
        let mut framing = Framing::new(&options.camera, panel_size, margins(options));
        let mut max_distance = 0.0_f32;
        for seconds in framing_times(model, source.clip(), times) {
            for posed in &mut posed_models {
                posed.pose(seconds)?;
                frame_model(&mut framing, posed, model.up_axis(), &options.layers);
            }
            if let [a, b] = &posed_models[..] {
                max_distance = distances(a, b).fold(max_distance, f32::max);
            }
        }
        let textures = if options.shows_textures() { Textures::new(model) } else { Textures::default() };
        let textures = Arc::new(textures);
        let camera = framing.view(&options.camera, panel_size)?;
        let settings = RenderSettings {
            model,
            layers: &options.layers,
            framing: &framing,
            textures: &textures,
            camera,
            size: panel_size,
            threads: options.threads,
        };
        let panel = |(index, (posed, &method)): (usize, (PosedModel, &ComparedMethod))| {
            let renderer = ModelRenderer::new(&settings, &posed);
            Panel { renderer, posed, method, left: index * (size.width() - panel_size.width()) }
        };
        let panels = posed_models.into_iter().zip(&methods).enumerate().map(panel).collect();
        let max_distance = options.heat.then_some(max_distance);
        Ok(Self { panels, picture: Picture::new(size), textures, max_distance })
    }

    /// Messages about images that were skipped, one for each reason.
    pub fn skip_messages(&self) -> impl Iterator<Item = String> {
        self.textures.skip_messages()
    }

    /// Draws the picture at a time in the clip.
    ///
    /// # Errors
    ///
    /// If the model cannot be posed, because a position is not finite.
    pub fn picture(&mut self, seconds: f64) -> Result<&Picture, Error> {
        for panel in &mut self.panels {
            panel.posed.pose(seconds)?;
        }
        if let (Some(max), [a, b]) = (self.max_distance, &mut self.panels[..]) {
            let fractions: Vec<f32> = distances(&a.posed, &b.posed)
                .map(|distance| if max > 0.0 { distance / max } else { 0.0 })
                .collect();
            for panel in [a, b] {
                panel.renderer.set_colors(fractions.iter().map(|&fraction| heat_color(fraction)));
            }
        }
        for panel in &mut self.panels {
            panel.renderer.draw(&mut panel.posed)?;
            self.picture.blit([panel.left, 0], &panel.renderer.picture);
        }
        self.draw_captions();
        Ok(&self.picture)
    }

    /// Draws the method's name below each of two panels, and the color scale at the top.
    fn draw_captions(&mut self) {
        if self.panels.len() < 2 {
            return;
        }
        captions::draw_divider(&mut self.picture, self.panels[1].left);
        for panel in &self.panels {
            let center = panel.left + panel.renderer.picture.size().width() / 2;
            captions::draw_name(&mut self.picture, center, &panel.method.to_string());
        }
        if let Some(max) = self.max_distance {
            captions::draw_color_scale(&mut self.picture, max);
        }
    }
}

/// The times whose poses the camera must frame: all that are drawn, and samples of the whole clip,
/// so that all pictures of a clip have the same camera.
fn framing_times(
    model: &Model,
    clip: Option<usize>,
    times: impl Iterator<Item = f64>,
) -> impl Iterator<Item = f64> {
    let played = clip.and_then(|clip| model.clips().get(clip));
    let (start, end) = played.map_or((0.0, 0.0), |clip| (f64::from(clip.start()), f64::from(clip.end())));
    let samples = if played.is_some() { FRAMING_SAMPLES } else { 0 };
    let of_clip = (0..samples).map(move |i| start + (end - start) * i as f64 / (FRAMING_SAMPLES - 1) as f64);
    times.chain(of_clip)
}

/// The distance between the positions of each vertex in two models.
fn distances<'a>(a: &'a PosedModel, b: &'a PosedModel) -> impl Iterator<Item = f32> + 'a {
    a.baked().positions().iter().zip(b.baked().positions()).map(|(a, b)| {
        let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        (x * x + y * y + z * z).sqrt()
    })
}

/// The space at the top and bottom of the picture that captions need.
fn margins(options: &RenderOptions) -> Margins {
    let height = options.size.height();
    let fraction = |lines: usize| lines as f64 * captions::line_height(height) as f64 / height as f64;
    let has_names = options.compare.is_some();
    Margins {
        top: if options.heat { fraction(3) } else { 0.0 },
        bottom: if has_names { fraction(2) } else { 0.0 },
    }
}

/// The size of each panel when this many stand side by side.
fn panel_size(size: Size, panels: usize) -> Result<Size, Error> {
    Size::new(size.width() / panels, size.height()).map_err(|_| Error::TooNarrow)
}
