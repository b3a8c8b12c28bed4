//! From a show to a frame: vertices, and what is drawn over them.

use sinew::backend;

use super::Show;
use super::over::Over;
use crate::draw::{Frame, Look, Moved};
use crate::methods::{Crew, Kind, Work};
use crate::scene::{self, Painting, Plan};
use crate::settings::{Layer, Settings, Threads};
use crate::shapes::{self, Faced};
use crate::timing::timed;

/// Seconds that making a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Filled {
    /// From what a method writes to what is drawn from.
    pub put: f64,
    /// Planes, silhouettes, shadows and what else follows the skin.
    pub shapes: f64,
}

impl Show {
    /// Writes all that a frame shows, but for its size. Tells how long that took.
    pub fn fill(&mut self, settings: &Settings, frame: &mut Frame) -> Filled {
        frame.samples = settings.samples;
        frame.view = self.view;
        frame.towards_key = scene::towards_key();
        frame.look = if settings.bright { Look::LIGHT } else { Look::DARK };
        frame.world_from_model = self.subject.world_from_model();
        frame.copies.clone_from(&self.grid.copies);
        frame.textured = self.painting == Painting::Own;
        frame.solid = settings.shown.has(Layer::Surface);
        frame.wireframe = settings.shown.has(Layer::Wireframe);
        frame.floor = Some(scene::floor(&self.grid, &self.reach));
        let none = || Moved::Palette { joints: 0, floats: Vec::new() };
        frame.moved.resize_with(self.subject.parts(), none);
        let put = timed(|| {
            for (part, moved) in frame.moved.iter_mut().enumerate() {
                self.crew.put(&self.subject, part, moved);
            }
        });
        let shapes = timed(|| self.fill_shapes(settings, frame));
        Filled { put, shapes }
    }

    fn fill_shapes(&mut self, settings: &Settings, frame: &mut Frame) {
        frame.volumes.clear();
        frame.lines.clear();
        frame.lines_on_top.clear();
        let has = |layer| settings.shown.has(layer);
        let follows = [Layer::Shadow, Layer::Silhouette, Layer::Normals].into_iter().any(has);
        if follows || self.hit.is_some() {
            self.help(settings);
            self.fill_faced(settings, frame);
        }
        for (copy, animated) in self.grid.copies.iter().zip(self.crew.copies()) {
            if has(Layer::Bones) {
                let places = shapes::joint_places(&self.subject, animated, copy);
                shapes::bones(&self.subject, &places, settings.joint, &mut frame.lines_on_top);
            }
            if has(Layer::Bounds) {
                shapes::boxes(&self.subject, animated, copy, &mut frame.lines);
            }
        }
    }

    /// Skins on the processor what the graphics processor skins for itself.
    fn help(&mut self, settings: &Settings) {
        if settings.kind != Kind::Gpu {
            self.helper = None;
            return;
        }
        if self.helper.is_none() {
            let weights = (settings.weights, self.made.copies);
            let made = Crew::new(&self.subject, (Kind::Blocks, backend::fastest()), weights, Threads::Off);
            self.helper = made.ok();
        }
        let Some(helper) = &mut self.helper else { return };
        let work = Work {
            plan: Plan::new(settings, &self.subject),
            seconds: settings.seconds,
            next: settings.seconds,
        };
        helper.step(&self.subject, &work);
        self.helped.resize_with(self.subject.parts(), || Moved::Palette { joints: 0, floats: Vec::new() });
        for (part, moved) in self.helped.iter_mut().enumerate() {
            helper.put(&self.subject, part, moved);
        }
    }

    fn fill_faced(&mut self, settings: &Settings, frame: &mut Frame) {
        let has = |layer| settings.shown.has(layer);
        if self.faced.is_none() && (has(Layer::Shadow) || has(Layer::Silhouette)) {
            self.faced = Faced::new(&self.subject).ok();
        }
        let Frame { moved, volumes, lines, lines_on_top, .. } = frame;
        let source = if self.helper.is_some() { &self.helped } else { &*moved };
        let mut over = Over {
            subject: &self.subject,
            settings,
            eye: self.view.eye(),
            hit: self.hit.as_ref(),
            faced: self.faced.as_mut(),
            places: &mut self.places,
            volumes,
            lines,
            lines_on_top,
        };
        for (part, moved) in source.iter().enumerate() {
            for copy in self.grid.copies.iter().enumerate() {
                over.fill((part, moved), copy);
            }
            if has(Layer::Normals) {
                let length = 0.03 * (self.reach.max[1] - self.reach.min[1]).max(1e-6);
                shapes::normals(&self.subject, moved, &self.grid.copies, length, over.lines);
            }
        }
    }
}
