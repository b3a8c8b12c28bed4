//! The shadow volumes of a model.

use sinew::geometry::{Casters, Light, ShadowBuffers, ShadowCast};
use sinew_raster::{Canvas, ShadowVolume};

use super::camera::CameraView;
use super::facing::ModelFacing;
use super::posed_model::PosedModel;
use super::up_axis::{model_from_y_up, y_up_from_model};
use crate::CliError;

/// Computes the shadow volumes of all mesh instances, with reusable memory.
pub(super) struct ShadowVolumes {
    casters: Vec<Casters>,
    vertices: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
    clip_positions: Vec<[f32; 4]>,
}

impl ShadowVolumes {
    pub(super) fn new(facing: &ModelFacing) -> Self {
        let casters: Vec<Casters> = facing.edges.iter().map(|edges| edges.report().casters()).collect();
        let sizes = || facing.edges.iter().zip(&casters).map(|(edges, &casters)| edges.shadow_size(casters));
        let vertices = vec![[0.0; 4]; sizes().map(|size| size.vertices).max().unwrap_or(0)];
        let triangles = vec![[0; 3]; sizes().map(|size| size.triangles).max().unwrap_or(0)];
        Self { casters, vertices, triangles, clip_positions: Vec::new() }
    }

    /// Draws the shadow volumes for a light in the direction `towards_light`.
    pub(super) fn draw(
        &mut self,
        posed: &mut PosedModel,
        towards_light: [f32; 3],
        camera: &CameraView,
        canvas: &mut Canvas,
    ) -> Result<(), CliError> {
        let up = posed.baked().model().up_axis();
        let light = Light::Direction(model_from_y_up(up, towards_light));
        let Some(facing) = &mut posed.facing else { return Ok(()) };
        for (index, skinned) in posed.instance.skin().mesh_instances().iter().enumerate() {
            let points = skinned.position_view();
            let (edges, facing) = facing.update(index, points, light)?;
            let cast = ShadowCast { positions: points, light, facing, casters: self.casters[index] };
            let buffers = ShadowBuffers { vertices: &mut self.vertices, triangles: &mut self.triangles };
            let volume = edges.cast_shadow(&cast, buffers)?;
            self.clip_positions.clear();
            self.clip_positions.extend(self.vertices[..volume.vertices].iter().map(|&[x, y, z, w]| {
                let [x, y, z] = y_up_from_model(up, [x, y, z]);
                camera.view.transform([x, y, z, w])
            }));
            let volume = ShadowVolume {
                positions: &self.clip_positions,
                triangles: &self.triangles[..volume.triangles()],
            };
            canvas.add_shadow_volume(&volume).map_err(|error| CliError::Input(error.to_string()))?;
        }
        Ok(())
    }
}
