//! The silhouette of a model, seen from the camera.

use sinew::geometry::Light;

use crate::Error;
use crate::camera::CameraView;
use crate::posed_model::PosedModel;

/// Adds the edges of a model's silhouette.
pub(crate) fn add_silhouette_lines(
    posed: &mut PosedModel,
    camera: &CameraView,
    lines: &mut Vec<[[f32; 4]; 2]>,
) -> Result<(), Error> {
    let up = posed.baked().model().up_axis();
    let eye = Light::Point(up.model_from_y_up(camera.position));
    let skinned = posed.instance.skin();
    for (skinned, facing) in skinned.mesh_instances().iter().zip(&mut posed.facing) {
        let points = skinned.position_view();
        let end = |slot: u32| camera.view.transform_point(up.y_up_from_model(points.position(slot as usize)));
        lines.extend(facing.silhouette(points, eye)?.edges().iter().map(|edge| edge.map(end)));
    }
    Ok(())
}
