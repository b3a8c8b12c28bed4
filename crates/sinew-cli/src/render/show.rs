//! The whole picture: one actor, or two side by side with what they are called.

use std::sync::Arc;

use sinew::Model;
use sinew_figures::colours::heat_colour;
use sinew_raster::{Picture, Size};

use super::actor::Actor;
use super::arguments::{Layer, Render};
use super::camera::{Framing, Room};
use super::compare::Method;
use super::labels;
use super::stage::{Setting, Stage, hold};
use super::textures::Textures;
use crate::Failure;
use crate::bake::Plan;
use crate::failure::say;
use crate::threads::threads;

/// How many poses of a clip a picture is framed by, beside those that are drawn.
const FRAMED: usize = 32;

/// Draws pictures of a model at any time of a clip.
pub(super) struct Show {
    sides: Vec<Side>,
    picture: Picture,
    /// The distance that is coloured as the most, where vertices are coloured by distance.
    heat: Option<f32>,
}

/// One of the pictures in the picture.
struct Side {
    actor: Actor,
    stage: Stage,
    method: Method,
    left: usize,
}

impl Show {
    pub(super) fn new(
        arguments: &Render,
        model: &Model,
        clip: Option<usize>,
        plan: &Plan,
    ) -> Result<Self, Failure> {
        let size = arguments.size.0;
        let methods = arguments.compare.map_or(vec![Method::Linear], |pair| pair.0.to_vec());
        let actors = methods.iter().map(|&method| Actor::new(model, clip, method, &arguments.show));
        let mut actors = actors.collect::<Result<Vec<_>, _>>()?;
        let part = side_size(size, methods.len())?;
        let mut framing = Framing::new(&arguments.camera, part, room(arguments));
        let mut most = 0.0_f32;
        for seconds in times(model, clip, plan) {
            for actor in &mut actors {
                actor.pose(seconds)?;
                hold(&mut framing, actor, model.up());
            }
            if let [a, b] = &actors[..] {
                most = distances(a, b).fold(most, f32::max);
            }
        }
        let shot = framing.view(&arguments.camera, part)?;
        let setting = Setting {
            model,
            layers: &arguments.show,
            framing: &framing,
            textures: &Arc::new(textures(arguments, model)),
            shot,
            size: part,
            threads: threads(arguments.threads),
        };
        let side = |(index, (actor, &method)): (usize, (Actor, &Method))| {
            let stage = Stage::new(&setting, &actor);
            Side { stage, actor, method, left: index * (size.width() - part.width()) }
        };
        let sides = actors.into_iter().zip(&methods).enumerate().map(side).collect();
        Ok(Self { sides, picture: Picture::new(size), heat: arguments.heat.then_some(most) })
    }

    /// The picture at so many seconds of the clip.
    pub(super) fn picture(&mut self, seconds: f64) -> Result<&Picture, Failure> {
        for side in &mut self.sides {
            side.actor.pose(seconds)?;
        }
        if let (Some(most), [a, b]) = (self.heat, &mut self.sides[..]) {
            let shares: Vec<f32> = distances(&a.actor, &b.actor)
                .map(|distance| if most > 0.0 { distance / most } else { 0.0 })
                .collect();
            for side in [a, b] {
                side.stage.colour(shares.iter().map(|&share| heat_colour(share)));
            }
        }
        for side in &mut self.sides {
            side.stage.draw(&mut side.actor)?;
            self.picture.put([side.left, 0], &side.stage.picture);
        }
        self.label();
        Ok(&self.picture)
    }

    /// Says below each of two sides what it is, and at the upper border what the colours mean.
    fn label(&mut self) {
        if self.sides.len() < 2 {
            return;
        }
        labels::divide(&mut self.picture, self.sides[1].left);
        for side in &self.sides {
            let middle = side.left + side.stage.picture.size().width() / 2;
            labels::name(&mut self.picture, middle, &side.method.to_string());
        }
        if let Some(most) = self.heat {
            labels::scale(&mut self.picture, most);
        }
    }
}

/// The times that decide about the frame: some of the whole clip, so that pictures of one clip are framed alike, and all
/// that are drawn.
fn times(model: &Model, clip: Option<usize>, plan: &Plan) -> impl Iterator<Item = f64> {
    let (start, end) = clip.map_or((0.0, 0.0), |clip| {
        let clip = &model.clips()[clip];
        (f64::from(clip.start()), f64::from(clip.end()))
    });
    let looks = if clip.is_some() { FRAMED } else { 0 };
    let of_clip = (0..looks).map(move |i| start + (end - start) * i as f64 / (FRAMED - 1) as f64);
    let plan = *plan;
    (0..plan.frames).map(move |frame| plan.seconds(frame)).chain(of_clip)
}

/// The pictures of the materials, where they are drawn. Says which are left out.
fn textures(arguments: &Render, model: &Model) -> Textures {
    let shows = |layer| arguments.show.contains(&layer);
    if arguments.heat || shows(Layer::Weights) || !shows(Layer::Skin) {
        return Textures::default();
    }
    let textures = Textures::new(model);
    for left_out in textures.left_out() {
        say(&format!("{}: {left_out}", arguments.source.name()));
    }
    textures
}

/// How far apart two methods take each vertex.
fn distances<'a>(a: &'a Actor, b: &'a Actor) -> impl Iterator<Item = f32> + 'a {
    a.baked().positions().iter().zip(b.baked().positions()).map(|(a, b)| {
        let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        (x * x + y * y + z * z).sqrt()
    })
}

/// What is written above and below stays free of the model.
fn room(arguments: &Render) -> Room {
    let height = arguments.size.0.height();
    let part = |lines: usize| lines as f64 * labels::line(height) as f64 / height as f64;
    let named = arguments.compare.is_some();
    Room { above: if arguments.heat { part(3) } else { 0.0 }, below: if named { part(2) } else { 0.0 } }
}

/// The size of each of so many pictures in one.
fn side_size(size: Size, sides: usize) -> Result<Size, Failure> {
    let part = Size::new(size.width() / sides, size.height());
    part.map_err(|_| {
        Failure::Usage("--size: expected a width of two pixels or more with --compare".to_owned())
    })
}
