//! A show at work: time that passes, and what is asked of it.

use sinew::JointBlend;

use super::Show;
use crate::draw::Surface;
use crate::methods::{Kind, Times, Work};
use crate::scene::Plan;
use crate::settings::Settings;
use crate::shapes;

impl Show {
    /// What is played.
    #[must_use]
    pub fn plan(&self, settings: &Settings) -> Plan {
        Plan::new(settings, &self.subject)
    }

    /// Animates and skins a frame, so many seconds after the last.
    pub fn step(&mut self, settings: &mut Settings, seconds: f64) -> Times {
        let work = self.work(settings, seconds);
        self.crew.step(&self.subject, &work)
    }

    /// The same many times, measured as `sinew bench` measures.
    pub fn measure(&mut self, settings: &mut Settings, seconds: f64) -> Times {
        let work = self.work(settings, seconds);
        self.crew.measure(&self.subject, &work)
    }

    fn work(&self, settings: &mut Settings, seconds: f64) -> Work {
        let step = if settings.playing { seconds * f64::from(settings.speed) } else { 0.0 };
        settings.seconds += step;
        Work { plan: self.plan(settings), seconds: settings.seconds, next: settings.seconds + step }
    }

    /// How many there are of surfaces and of their paintings so far: who has drawn others must take them anew.
    #[must_use]
    pub fn versions(&self) -> [u64; 2] {
        self.versions
    }

    /// What stays the same from frame to frame.
    #[must_use]
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// How many copies there are.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.made.copies
    }

    /// The ray of a click: from -1 to 1, to the right and upwards, in a picture of this width by height.
    pub fn click(&mut self, aspect: f32, at: [f32; 2]) {
        let ray = self.view.ray(aspect, at);
        let blend = if self.made.kind == Kind::Duals { JointBlend::Duals } else { JointBlend::default() };
        self.hit = self.picker.cast((&self.subject, blend), (self.crew.copies(), &self.grid.copies), ray);
    }

    /// Goes back to where the scene was seen from first.
    pub fn reset_view(&mut self) {
        self.view = self.usual;
    }

    /// Where the joints of a copy are, in the scene.
    #[must_use]
    pub fn joint_places(&self, copy: usize) -> Vec<[f32; 3]> {
        let both = self.crew.copies().get(copy).zip(self.grid.copies.get(copy));
        both.map(|(animated, copy)| shapes::joint_places(&self.subject, animated, copy)).unwrap_or_default()
    }
}
