//! Draws the whole picture: one model, or two skinning methods side by side with captions.

use std::sync::Arc;

use sinew::Model;
use sinew_figures::colors::heat_color;
use sinew_raster::{Picture, Size};

use super::arguments::{Layer, Render};
use super::camera::{Framing, Margins};
use super::captions;
use super::compared_method::ComparedMethod;
use super::model_renderer::{ModelRenderer, RenderSettings, frame_model};
use super::posed_model::PosedModel;
use super::textures::Textures;
use crate::CliError;
use crate::error::print_stderr;
use crate::frame_times::FrameTimes;
use crate::thread_count::thread_count;

/// How many times of a clip the camera frames, in addition to those that are drawn.
const FRAMING_SAMPLES: usize = 32;

/// Draws pictures of a model at any time of a clip, with reusable memory.
pub(super) struct Renderer {
    panels: Vec<Panel>,
    picture: Picture,
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
    pub(super) fn new(
        arguments: &Render,
        model: &Model,
        clip: Option<usize>,
        frame_times: &FrameTimes,
    ) -> Result<Self, CliError> {
        let size = arguments.size.0;
        let methods = arguments.compare.map_or(vec![ComparedMethod::Linear], |pair| pair.0.to_vec());
        let posed_models =
            methods.iter().map(|&method| PosedModel::new(model, clip, method, &arguments.show));
        let mut posed_models = posed_models.collect::<Result<Vec<_>, _>>()?;
        let panel_size = panel_size(size, methods.len())?;
        let mut framing = Framing::new(&arguments.camera, panel_size, margins(arguments));
        let mut max_distance = 0.0_f32;
        for seconds in framing_times(model, clip, frame_times) {
            for posed in &mut posed_models {
                posed.pose(seconds)?;
                frame_model(&mut framing, posed, model.up_axis());
            }
            if let [a, b] = &posed_models[..] {
                max_distance = distances(a, b).fold(max_distance, f32::max);
            }
        }
        let camera = framing.view(&arguments.camera, panel_size)?;
        let settings = RenderSettings {
            model,
            layers: &arguments.show,
            framing: &framing,
            textures: &Arc::new(textures(arguments, model)),
            camera,
            size: panel_size,
            threads: thread_count(arguments.threads),
        };
        let panel = |(index, (posed, &method)): (usize, (PosedModel, &ComparedMethod))| {
            let renderer = ModelRenderer::new(&settings, &posed);
            Panel { renderer, posed, method, left: index * (size.width() - panel_size.width()) }
        };
        let panels = posed_models.into_iter().zip(&methods).enumerate().map(panel).collect();
        let max_distance = arguments.heat.then_some(max_distance);
        Ok(Self { panels, picture: Picture::new(size), max_distance })
    }

    /// Draws the picture at a time in the clip.
    pub(super) fn picture(&mut self, seconds: f64) -> Result<&Picture, CliError> {
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
fn framing_times(model: &Model, clip: Option<usize>, frame_times: &FrameTimes) -> impl Iterator<Item = f64> {
    let (start, end) = clip.map_or((0.0, 0.0), |clip| {
        let clip = &model.clips()[clip];
        (f64::from(clip.start()), f64::from(clip.end()))
    });
    let samples = if clip.is_some() { FRAMING_SAMPLES } else { 0 };
    let of_clip = (0..samples).map(move |i| start + (end - start) * i as f64 / (FRAMING_SAMPLES - 1) as f64);
    let frame_times = *frame_times;
    (0..frame_times.frames).map(move |frame| frame_times.seconds(frame)).chain(of_clip)
}

/// The textures of the materials, if the layers show them. Prints how many images were skipped.
fn textures(arguments: &Render, model: &Model) -> Textures {
    let shows = |layer| arguments.show.contains(&layer);
    if arguments.heat || shows(Layer::Weights) || !shows(Layer::Skin) {
        return Textures::default();
    }
    let textures = Textures::new(model);
    for message in textures.skip_messages() {
        print_stderr(&format!("{}: {message}", arguments.input.name()));
    }
    textures
}

/// The distance between the positions of each vertex in two models.
fn distances<'a>(a: &'a PosedModel, b: &'a PosedModel) -> impl Iterator<Item = f32> + 'a {
    a.baked().positions().iter().zip(b.baked().positions()).map(|(a, b)| {
        let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        (x * x + y * y + z * z).sqrt()
    })
}

/// The space at the top and bottom of the picture that captions need.
fn margins(arguments: &Render) -> Margins {
    let height = arguments.size.0.height();
    let fraction = |lines: usize| lines as f64 * captions::line_height(height) as f64 / height as f64;
    let has_names = arguments.compare.is_some();
    Margins {
        top: if arguments.heat { fraction(3) } else { 0.0 },
        bottom: if has_names { fraction(2) } else { 0.0 },
    }
}

/// The size of each panel when this many stand side by side.
fn panel_size(size: Size, panels: usize) -> Result<Size, CliError> {
    let panel = Size::new(size.width() / panels, size.height());
    panel.map_err(|_| {
        CliError::Usage("--size: expected a width of at least two pixels with --compare".to_owned())
    })
}
