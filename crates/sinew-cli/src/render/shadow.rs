//! The shadow of a model: its volume, as the library makes it.

use sinew::{Casters, Light, ShadowBuffers, ShadowCast};
use sinew_raster::{Canvas, Volume};

use super::actor::Actor;
use super::camera::{Shot, upright};
use super::facing::{Faced, as_modelled};
use crate::Failure;

/// The volumes of all parts, with memory of their own.
pub(super) struct Shadow {
    casters: Vec<Casters>,
    vertices: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
    places: Vec<[f32; 4]>,
}

impl Shadow {
    pub(super) fn new(faced: &Faced) -> Self {
        let casters: Vec<Casters> = faced.edges.iter().map(|edges| edges.report().casters()).collect();
        let sizes = || faced.edges.iter().zip(&casters).map(|(edges, &casters)| edges.shadow_size(casters));
        let vertices = vec![[0.0; 4]; sizes().map(|size| size.vertices).max().unwrap_or(0)];
        let triangles = vec![[0; 3]; sizes().map(|size| size.triangles).max().unwrap_or(0)];
        Self { casters, vertices, triangles, places: Vec::new() }
    }

    /// Adds the volumes of an actor in the light from a direction.
    pub(super) fn cast(
        &mut self,
        actor: &mut Actor,
        towards: [f32; 3],
        shot: &Shot,
        canvas: &mut Canvas,
    ) -> Result<(), Failure> {
        let up = actor.baked().model().up();
        let light = Light::Direction(as_modelled(up, towards));
        let Some(faced) = &mut actor.faced else { return Ok(()) };
        for (part, skinned) in actor.instance.skin().parts().iter().enumerate() {
            let points = skinned.points();
            let (edges, facing) = faced.face(part, points, light)?;
            let cast = ShadowCast { points, light, facing, casters: self.casters[part] };
            let buffers = ShadowBuffers { vertices: &mut self.vertices, triangles: &mut self.triangles };
            let volume = edges.cast_shadow(&cast, buffers)?;
            self.places.clear();
            self.places.extend(self.vertices[..volume.vertices].iter().map(|&[x, y, z, w]| {
                let [x, y, z] = upright(up, [x, y, z]);
                shot.view.homogeneous([x, y, z, w])
            }));
            let volume = Volume { places: &self.places, triangles: &self.triangles[..volume.triangles()] };
            canvas.volume(&volume).map_err(|error| Failure::Input(error.to_string()))?;
        }
        Ok(())
    }
}
