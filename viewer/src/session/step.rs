//! Stepping a session, and queries on it.

use sinew::skinning::SkinMethod;

use super::Session;
use crate::draw::Surface;
use crate::methods::{FrameInput, MethodKind, PipelineTimes, ThreadShares};
use crate::scene::AnimationSource;
use crate::settings::Settings;
use crate::shapes;

impl Session {
    /// The animation that the settings choose.
    #[must_use]
    pub fn animation_source(&self, settings: &Settings) -> AnimationSource {
        AnimationSource::new(settings, &self.subject)
    }

    /// Advances the time by `seconds`, then animates and skins a frame.
    pub fn step(&mut self, settings: &mut Settings, seconds: f64) -> PipelineTimes {
        let input = self.advance(settings, seconds);
        self.pipeline.step(&input)
    }

    /// Like [`Self::step`], but timed as `sinew bench` does.
    pub fn measure(&mut self, settings: &mut Settings, seconds: f64) -> PipelineTimes {
        let input = self.advance(settings, seconds);
        self.pipeline.measure(&input)
    }

    fn advance(&self, settings: &mut Settings, seconds: f64) -> FrameInput {
        let step = if settings.playing { seconds * f64::from(settings.speed) } else { 0.0 };
        settings.seconds += step;
        FrameInput {
            source: self.animation_source(settings),
            seconds: settings.seconds,
            next_seconds: settings.seconds + step,
        }
    }

    /// Version numbers of the surfaces and of their colors. A change means that they must be
    /// uploaded again.
    #[must_use]
    pub fn versions(&self) -> [u64; 2] {
        self.versions
    }

    /// The surfaces, which stay the same from frame to frame.
    #[must_use]
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// For each thread, its shares of a frame.
    #[must_use]
    pub fn thread_shares(&self) -> &[ThreadShares] {
        self.pipeline.thread_shares()
    }

    /// Number of copies.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.config.copies
    }

    /// Casts a ray through a point of the picture, given from -1 to 1 to the right and upwards.
    pub fn click(&mut self, aspect: f32, at: [f32; 2]) {
        let ray = self.camera.ray(aspect, at);
        let blend = if self.config.method == MethodKind::DualQuaternions {
            SkinMethod::DualQuaternion
        } else {
            SkinMethod::default()
        };
        self.hit = self.picker.cast((&self.subject, blend), (self.pipeline.copies(), &self.grid.copies), ray);
    }

    /// Returns to the initial camera.
    pub fn reset_view(&mut self) {
        self.camera = self.default_camera;
    }

    /// Positions of the joints of a copy, in the scene.
    #[must_use]
    pub fn joint_positions(&self, copy: usize) -> Vec<[f32; 3]> {
        let pair = self.pipeline.copies().get(copy).zip(self.grid.copies.get(copy));
        pair.map(|(animated, copy)| shapes::joint_positions(&self.subject, animated, copy))
            .unwrap_or_default()
    }
}
