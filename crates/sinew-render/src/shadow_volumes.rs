//! The shadow volumes of a model.

use sinew::geometry::{Light, MeshFacing, ShadowBuffers};
use sinew_raster::{AlphaMode, Canvas, ShadowVolume};

use crate::Error;
use crate::camera::CameraView;
use crate::posed_model::PosedModel;
use crate::textures::Textures;

/// Computes the shadow volumes of all mesh instances, with reusable memory.
pub(crate) struct ShadowVolumes {
    vertices: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
    clip_positions: Vec<[f32; 4]>,
}

impl ShadowVolumes {
    pub(crate) fn new(facing: &[MeshFacing]) -> Self {
        let sizes = || facing.iter().map(MeshFacing::shadow_size);
        let vertices = vec![[0.0; 4]; sizes().map(|size| size.vertices).max().unwrap_or(0)];
        let triangles = vec![[0; 3]; sizes().map(|size| size.triangles).max().unwrap_or(0)];
        Self { vertices, triangles, clip_positions: Vec::new() }
    }

    /// Draws the shadow volumes for a light in the direction `towards_light`. Transparent surfaces
    /// cast no shadow.
    pub(crate) fn draw(
        &mut self,
        posed: &mut PosedModel,
        towards_light: [f32; 3],
        camera: &CameraView,
        textures: &Textures,
        canvas: &mut Canvas,
    ) -> Result<(), Error> {
        let model = posed.baked().model().clone();
        let up = model.up_axis();
        let light = Light::Direction(up.model_from_y_up(towards_light));
        let skinned = posed.instance.skin();
        let instances = skinned.mesh_instances().iter().zip(&mut posed.facing).enumerate();
        for (index, (skinned, facing)) in instances {
            let material = model.primitive(index).material.and_then(|material| textures.material(material));
            if material.is_some_and(|material| material.alpha_mode == AlphaMode::Blend) {
                continue;
            }
            let buffers = ShadowBuffers { vertices: &mut self.vertices, triangles: &mut self.triangles };
            let volume = facing.cast_shadow(skinned.position_view(), light, buffers)?;
            self.clip_positions.clear();
            self.clip_positions.extend(self.vertices[..volume.vertices].iter().map(|&[x, y, z, w]| {
                let [x, y, z] = up.y_up_from_model([x, y, z]);
                camera.view.transform([x, y, z, w])
            }));
            let volume = ShadowVolume {
                positions: &self.clip_positions,
                triangles: &self.triangles[..volume.triangles()],
            };
            canvas.add_shadow_volume(&volume).map_err(|error| Error::Mesh(error.to_string()))?;
        }
        Ok(())
    }
}
