//! The silhouette of a model, seen from the camera.

use sinew::geometry::{Light, Silhouette};

use super::camera::CameraView;
use super::posed_model::PosedModel;
use super::up_axis::{model_from_y_up, y_up_from_model};
use crate::CliError;

/// Computes the silhouettes of all mesh instances, with reusable memory.
#[derive(Default)]
pub(super) struct SilhouetteLines {
    silhouette: Silhouette,
}

impl SilhouetteLines {
    /// Adds the edges of a model's silhouette.
    pub(super) fn add(
        &mut self,
        posed: &mut PosedModel,
        camera: &CameraView,
        lines: &mut Vec<[[f32; 4]; 2]>,
    ) -> Result<(), CliError> {
        let up = posed.baked().model().up_axis();
        let eye = Light::Point(model_from_y_up(up, camera.position));
        let Some(facing) = &mut posed.facing else { return Ok(()) };
        for (index, skinned) in posed.instance.skin().mesh_instances().iter().enumerate() {
            let points = skinned.position_view();
            let (edges, facing) = facing.update(index, points, eye)?;
            edges.silhouette(facing, &mut self.silhouette)?;
            let end =
                |slot: u32| camera.view.transform_point(y_up_from_model(up, points.position(slot as usize)));
            lines.extend(self.silhouette.edges().iter().map(|edge| edge.map(end)));
        }
        Ok(())
    }
}
