//! The silhouette of a model as the camera sees it.

use sinew::{Light, Silhouette};

use super::actor::Actor;
use super::camera::{Shot, upright};
use super::facing::as_modelled;
use crate::Failure;

/// The silhouettes of all parts, with memory of their own.
#[derive(Default)]
pub(super) struct Outline {
    silhouette: Silhouette,
}

impl Outline {
    /// Adds the lines of an actor's silhouette.
    pub(super) fn of(
        &mut self,
        actor: &mut Actor,
        shot: &Shot,
        lines: &mut Vec<[[f32; 4]; 2]>,
    ) -> Result<(), Failure> {
        let up = actor.baked().model().up();
        let eye = Light::Point(as_modelled(up, shot.eye));
        let Some(faced) = &mut actor.faced else { return Ok(()) };
        for (part, skinned) in actor.instance.skin().parts().iter().enumerate() {
            let points = skinned.points();
            let (edges, facing) = faced.face(part, points, eye)?;
            edges.silhouette(facing, &mut self.silhouette)?;
            let end = |place: u32| shot.view.point(upright(up, points.point(place as usize)));
            lines.extend(self.silhouette.edges().iter().map(|edge| edge.map(end)));
        }
        Ok(())
    }
}
