//! What is drawn over one part of one copy: its shadow, its silhouette, and what was clicked of it.

use sinew::Light;

use crate::draw::{Copy, Moved, Point, Volumes};
use crate::scene::{self, Subject};
use crate::settings::{Layer, Settings};
use crate::shapes::{self, Faced, Hit, Places};

/// The silhouette, in bright and in dark surroundings.
const OUTLINES: [[u8; 4]; 2] = [[190, 30, 20, 255], [255, 232, 120, 255]];
const CLICKED: [u8; 4] = [255, 60, 60, 255];

/// What all parts of all copies have in common, and where lines and volumes go.
pub(super) struct Over<'a> {
    pub(super) subject: &'a Subject,
    pub(super) settings: &'a Settings,
    pub(super) eye: [f32; 3],
    pub(super) hit: Option<&'a Hit>,
    pub(super) faced: Option<&'a mut Faced>,
    pub(super) places: &'a mut Places,
    pub(super) volumes: &'a mut Volumes,
    pub(super) lines: &'a mut Vec<Point>,
    pub(super) lines_on_top: &'a mut Vec<Point>,
}

impl Over<'_> {
    /// Adds what belongs to a part of a copy.
    pub(super) fn fill(&mut self, (part, moved): (usize, &Moved), (index, copy): (usize, &Copy)) {
        let has = |layer| self.settings.shown.has(layer);
        let (shadow, silhouette) = (has(Layer::Shadow), has(Layer::Silhouette));
        let hit = self.hit.filter(|hit| (hit.copy, hit.part) == (index, part));
        if !shadow && !silhouette && hit.is_none() {
            return;
        }
        shapes::places(self.subject.mesh(part), moved, index, self.places);
        if shadow {
            self.shadow(part, index);
        }
        if silhouette {
            self.silhouette(part, copy);
        }
        if let Some(hit) = hit {
            self.clicked(hit, copy);
        }
    }

    fn shadow(&mut self, part: usize, index: usize) {
        let light = Light::Direction(self.subject.as_modelled(scene::towards_key()));
        if let Some(faced) = &mut self.faced {
            faced.shadow(part, index, self.places.points(), light, self.volumes);
        }
    }

    fn silhouette(&mut self, part: usize, copy: &Copy) {
        let (subject, lines) = (self.subject, &mut *self.lines);
        let eye = subject.as_modelled([0, 1, 2].map(|i| self.eye[i] - copy.offset[i]));
        let colour = OUTLINES[usize::from(!self.settings.bright)];
        if let Some(faced) = &mut self.faced {
            faced.silhouette(part, self.places.points(), eye, |ends| {
                lines.extend(ends.map(|place| Point { position: in_scene(subject, copy, place), colour }));
            });
        }
    }

    /// The sides of the triangle that was hit, wherever it is now.
    fn clicked(&mut self, hit: &Hit, copy: &Copy) {
        let points = self.places.points();
        let Some(&corners) = self.subject.mesh(hit.part).triangles().get(hit.triangle) else { return };
        if corners.iter().any(|&place| place as usize >= points.len()) {
            return;
        }
        let [a, b, c] = corners.map(|place| in_scene(self.subject, copy, points.point(place as usize)));
        let ends = [a, b, b, c, c, a].map(|position| Point { position, colour: CLICKED });
        self.lines_on_top.extend(ends);
    }
}

fn in_scene(subject: &Subject, copy: &Copy, place: [f32; 3]) -> [f32; 3] {
    let place = subject.upright(place);
    [0, 1, 2].map(|i| place[i] + copy.offset[i])
}
