//! One actor before one camera: from posed vertices to pixels.

use std::sync::Arc;

use sinew::{Model, Up};
use sinew_io::Baked;
use sinew_raster::{Canvas, Picture, Sides, Size, Triangles, Vertex};

use super::actor::Actor;
use super::arguments::Layer;
use super::camera::{Framing, Shot, dot, upright};
use super::floor::Floor;
use super::light::{Lights, background};
use super::look::{base_colours, weight_colours};
use super::marks::Marks;
use super::shadow::Shadow;
use super::textures::Textures;
use crate::Failure;

/// Everything that draws an actor, with memory of its own.
pub(super) struct Stage {
    canvas: Canvas,
    pub(super) picture: Picture,
    layers: Vec<Layer>,
    textures: Arc<Textures>,
    /// Before light falls on them.
    colours: Vec<[f32; 3]>,
    vertices: Vec<Vertex>,
    /// The sum of each vertex' triangles' normals.
    normals: Vec<[f64; 3]>,
    shot: Shot,
    lights: Lights,
    floor: Option<Floor>,
    shadow: Option<Shadow>,
    marks: Marks,
    threads: usize,
}

/// What a stage is made for.
pub(super) struct Setting<'a> {
    pub(super) model: &'a Model,
    pub(super) layers: &'a [Layer],
    pub(super) framing: &'a Framing,
    /// Those that are drawn.
    pub(super) textures: &'a Arc<Textures>,
    pub(super) shot: Shot,
    pub(super) size: Size,
    pub(super) threads: usize,
}

impl Stage {
    pub(super) fn new(setting: &Setting<'_>, actor: &Actor) -> Self {
        let baked = actor.baked();
        let shows = |layer: Layer| setting.layers.contains(&layer);
        let weights = shows(Layer::Weights);
        let colours = if weights { weight_colours(baked) } else { base_colours(baked, setting.textures) };
        let floor = shows(Layer::Shadow).then(|| {
            let mut floor = Floor::new(setting.framing);
            floor.see(&setting.shot);
            floor
        });
        let faced = actor.faced.as_ref().filter(|_| shows(Layer::Shadow));
        Self {
            canvas: Canvas::new(setting.size),
            picture: Picture::new(setting.size),
            layers: setting.layers.to_vec(),
            textures: setting.textures.clone(),
            colours,
            vertices: Vec::new(),
            normals: Vec::new(),
            lights: Lights::new(&setting.shot.axes),
            shot: setting.shot,
            floor,
            shadow: faced.map(Shadow::new),
            marks: Marks::new(setting, baked),
            threads: setting.threads,
        }
    }

    /// Gives the vertices other colours.
    pub(super) fn colour(&mut self, colours: impl Iterator<Item = [f32; 3]>) {
        self.colours.clear();
        self.colours.extend(colours);
    }

    /// Draws the actor as it is posed.
    pub(super) fn draw(&mut self, actor: &mut Actor) -> Result<(), Failure> {
        self.canvas.clear(background());
        if self.layers.iter().any(|layer| matches!(layer, Layer::Skin | Layer::Weights)) {
            self.skin(actor.baked())?;
        }
        if let Some(floor) = &self.floor {
            let (vertices, triangles) = (&floor.vertices[..], &floor.triangles[..]);
            let floor = Triangles { vertices, triangles, sides: Sides::Front, texture: None };
            self.canvas.triangles(&floor).map_err(broken)?;
        }
        if let Some(shadow) = &mut self.shadow {
            shadow.cast(actor, self.lights.key, &self.shot, &mut self.canvas)?;
        }
        self.marks.draw(&self.shot, actor, &mut self.canvas)?;
        self.canvas.draw(&self.textures.all, self.threads, &mut self.picture);
        Ok(())
    }

    fn skin(&mut self, baked: &Baked) -> Result<(), Failure> {
        baked.triangle_normals(&mut self.normals);
        let up = baked.model().up();
        let coordinates = baked.texture_coordinates();
        let vertices = baked.positions().iter().zip(baked.normals()).zip(&self.colours).enumerate();
        self.vertices.clear();
        self.vertices.extend(vertices.map(|(vertex, ((&position, &normal), &colour))| {
            let flat = direction(self.normals[vertex]);
            let [lit, shaded] = self.lights.on(colour, upright(up, normal), upright(up, flat));
            let texture = coordinates.get(vertex).copied().unwrap_or_default();
            Vertex { place: self.shot.view.point(upright(up, position)), lit, shaded, texture }
        }));
        for part in baked.parts() {
            let texture = part.material.and_then(|material| self.textures.of_material(material));
            let triangles = Triangles {
                vertices: &self.vertices,
                triangles: &baked.triangles()[part.triangles.clone()],
                sides: Sides::Both,
                texture,
            };
            self.canvas.triangles(&triangles).map_err(broken)?;
        }
        Ok(())
    }
}

/// Of length one. Where there is none it is not a number, and a vertex as bright as its own normal says.
fn direction(sum: [f64; 3]) -> [f32; 3] {
    let length = dot(sum, sum).sqrt();
    sum.map(|x| (x / length) as f32)
}

/// All corners were checked with the model.
fn broken(error: sinew_raster::Error) -> Failure {
    Failure::Input(error.to_string())
}

/// Adds what an actor has to what a picture must hold.
pub(super) fn hold(framing: &mut Framing, actor: &mut Actor, up: Up) {
    if actor.baked().positions().is_empty() {
        for joint in actor.joints() {
            framing.add(upright(up, joint));
        }
    }
    for &position in actor.baked().positions() {
        framing.add(upright(up, position));
    }
}
